/** `node orders.js N`: N orders with 30 % of the webhooks lost and 30 % doubled. Fails where one is wrong in the end. */
import { allocated, charge, checkOut, seen, type Checkout } from "./checkout.ts";
import { pay } from "./gateway.ts";
import { EACH_MINUTE, OFTEN, PRICE, startShop, type Shop } from "./shop.ts";

const FAULTS = { dropped: 30, doubled: 30 };
/** Every tenth shopper does not pay. */
const UNPAID_EACH = 10;
const SHOPPERS_AT_ONCE = 4;
/** So many orders take longer than a minute anyway. */
const LONG_RUN = 300;
const LIMIT_MS = 600_000;
const POLL_MS = 1_000;

interface Sale extends Checkout {
  transactionId: string;
  isPaid: boolean;
}

const count = Number(process.argv[2] ?? 30);
const shop = await startShop(count < LONG_RUN ? OFTEN : EACH_MINUTE);
shop.relay.faults = FAULTS;
const began = Date.now();
const sales = await sellAll();
const sold = Date.now();
let wrong = sales;
while (wrong.length > 0 && Date.now() - sold < LIMIT_MS) {
  wrong = await wrongOf(wrong);
  if (wrong.length > 0) await new Promise((wake) => setTimeout(wake, POLL_MS));
}
const ended = Date.now();
// Nothing may change afterwards: all of it once more, when every doubled webhook is in.
const inTheEnd = await wrongOf(sales);
const held = await allocated(shop);
const { received, dropped, doubled } = shop.relay.counts;
const failed = shop.relay.answers.filter((status) => status !== 204).length;
console.table({
  orders: count,
  paid: sales.filter(({ isPaid }) => isPaid).length,
  webhooks: received,
  dropped,
  doubled,
  "answered with a failure": failed,
  wrong: inTheEnd.length,
  "wrong stock": count - held,
  "seconds of selling": seconds(sold - began),
  "seconds until none was wrong": seconds(ended - sold),
});
await shop.stop();
process.exit(inTheEnd.length === 0 && held === count && dropped > 0 && doubled > 0 ? 0 : 1);

async function sellAll(): Promise<Sale[]> {
  const made: Sale[] = [];
  let next = 0;
  const shopper = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      made.push(await sell(shop, number % UNPAID_EACH !== 0));
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, shopper));
  return made;
}

async function sell(at: Shop, isPaid: boolean): Promise<Sale> {
  const order = await checkOut(at);
  const { transactionId } = await charge(order);
  if (isPaid) await pay(transactionId);
  return { ...order, transactionId, isPaid };
}

/** The sales of which the shop does not know exactly what is so. */
async function wrongOf(some: Sale[]): Promise<Sale[]> {
  const verdicts: Sale[] = [];
  for (const sale of some) {
    const { state, payments } = await seen(shop, sale.orderId);
    const [payment] = payments;
    const isRight = sale.isPaid
      ? state === "PaymentSettled" &&
        payments.length === 1 &&
        payment?.state === "Settled" &&
        payment.amount === PRICE &&
        payment.transactionId === sale.transactionId
      : state === "ArrangingPayment" && payments.length === 0;
    if (!isRight) verdicts.push(sale);
  }
  return verdicts;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
