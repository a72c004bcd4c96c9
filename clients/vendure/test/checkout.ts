import type { Shop } from "./shop.ts";

/** A shopper with an order. */
export interface Checkout {
  shopper: ReturnType<Shop["shopper"]>;
  orderId: string;
  code: string;
}

/** What the shopper is shown to pay by. */
export interface Charge {
  transactionId: string;
  amount: number;
  status: string;
  pixCode: string;
  pixQr: string;
  boletoLine: string;
  expiresAt: string;
}

const ADDRESS = `fullName: "Maria da Silva", streetLine1: "Rua das Flores, 10", city: "São Paulo",
  province: "SP", postalCode: "01001-000", countryCode: "BR"`;
let shoppers = 0;

/** An order of one mug that waits for its payment. */
export async function checkOut(shop: Shop, currencyCode = "BRL"): Promise<Checkout> {
  const shopper = shop.shopper(currencyCode);
  shoppers += 1;
  const { addItemToOrder } = await shopper(`mutation {
    addItemToOrder(productVariantId: "${shop.variantId}", quantity: 1) {
      ... on Order { id code } ... on ErrorResult { message }
    } }`);
  await shopper(`mutation { setCustomerForOrder(input: {
    firstName: "Maria", lastName: "da Silva", emailAddress: "maria${shoppers}@example.com"
  }) { __typename } }`);
  await shopper(`mutation { setOrderShippingAddress(input: { ${ADDRESS} }) { __typename } }`);
  await shopper(`mutation { setOrderShippingMethod(shippingMethodId: ["T_1"]) { __typename } }`);
  await toState(shopper, "ArrangingPayment");
  return { shopper, orderId: addItemToOrder.id, code: addItemToOrder.code };
}

/** Moves the shopper's order. Throws where it cannot. */
export async function toState(shopper: Checkout["shopper"], state: string): Promise<void> {
  const { transitionOrderToState } = await shopper(`mutation {
    transitionOrderToState(state: "${state}") {
      ... on Order { state } ... on ErrorResult { message }
      ... on OrderStateTransitionError { transitionError }
    } }`);
  if (transitionOrderToState?.state !== state)
    throw new Error(JSON.stringify(transitionOrderToState));
}

/** Charges the shopper's order. */
export async function charge(
  { shopper }: Pick<Checkout, "shopper">,
  input = "method: PIX",
  more = "",
): Promise<Charge> {
  const { createCentavoCharge } = await shopper(`mutation { createCentavoCharge(${input}) {
    transactionId amount status pixCode boletoLine expiresAt ${more}
  } }`);
  return createCentavoCharge;
}

/** An order as its owner sees it. */
export interface Seen {
  state: string;
  totalWithTax: number;
  payments: {
    id: string;
    state: string;
    amount: number;
    transactionId: string;
    refunds: { state: string; total: number; metadata: object }[];
  }[];
  notes: string[];
}

/** Reads an order as its owner. */
export async function seen(shop: Shop, orderId: string): Promise<Seen> {
  const { order } = await shop.admin(`query { order(id: "${orderId}") {
    state totalWithTax
    payments { id state amount transactionId refunds { state total metadata } }
    history { items { type data isPublic } }
  } }`);
  const entries: { type: string; data: { note?: string } }[] = order.history.items;
  const notes = entries.flatMap(({ data: { note } }) => (note === undefined ? [] : [note]));
  return { ...order, payments: order.payments ?? [], notes };
}

/** How many mugs are held or sold. */
export async function allocated(shop: Shop): Promise<number> {
  const { productVariant } = await shop.admin(
    `query { productVariant(id: "${shop.variantId}") { stockLevels { stockAllocated } } }`,
  );
  return productVariant.stockLevels[0].stockAllocated;
}

/** Waits until `what` answers something. Throws after half a minute, with what it was waited for. */
export async function until<T>(name: string, what: () => Promise<T | false>): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const answer = await what();
    if (answer !== false) return answer;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error(`Waited half a minute for: ${name}.`);
}

/** Waits until an order is in a state. */
export function untilState(shop: Shop, orderId: string, state: string): Promise<Seen> {
  return until(`${orderId} ${state}`, async () => {
    const order = await seen(shop, orderId);
    return order.state === state && order;
  });
}
