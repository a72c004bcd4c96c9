import type { PayersTransaction } from "../../api/checkout/repository.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { linkStatus } from "../../domain/links/payment-link.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { methodFields, methodOf } from "../../methods/registry.ts";
import { checkoutView } from "../../methods/transaction-view.ts";
import type { Frame } from "./frame.ts";
import { isPaidState, payerStateOf, type PayerState } from "./state.ts";

/** A charge as its payer's page shows it. Nothing of the payer's is in it. Amounts in centavos. */
export type PayerCharge = ReturnType<typeof payerCharge> & { frame: Frame };

/** What the page shows of a transaction and its company now. */
export function payerCharge({ row, payee, link }: PayersTransaction, nowMs: number) {
  const record = withExpiryApplied(toTransactionRecord(row), nowMs);
  const state = payerStateOf(record);
  const method = methodOf(record.paymentMethod);
  const isOpen = state === "open";
  const { code, slip } = method.howToPay(isOpen ? methodFields(record) : {});
  const brand = { ...NO_BRAND, ...payee.brand };
  return {
    state,
    isPaid: isPaidState(state),
    secureId: secureIdOf(record.id, record.secureRandom),
    polled: checkoutView(record),
    nowMs,
    payee: { ...brand, name: brand.name ?? payee.name },
    /** As the payer's bank names the payee before it pays; null where that is the name on the page. */
    registeredName: brand.name === null || brand.name === payee.name ? null : payee.name,
    isTest: payee.mode === "sandbox",
    amount: record.amount,
    amountDue: method.amountDue(record, saoPauloDay(nowMs)),
    paidAmount: record.paidAmount,
    /** What was owed on the day of payment; null before it. */
    owed: record.paidAt === null ? null : method.amountDue(record, saoPauloDay(record.paidAt)),
    refundedAmount: record.refundedAmount,
    code,
    /** The last day on which nothing is added; null for a charge without one. */
    dueDate: record.pix?.due?.dueDate ?? record.boleto?.dueDate ?? null,
    slip,
    card: record.card,
    refusal: record.refusedReason?.code ?? null,
    bought: boughtOf(record, link),
    ...waysOn({ state, link, checkoutId: row.checkoutId }, nowMs),
    /** Whether the page asks for more time before the PIX expires: each minute of it holds a reservation that others want. */
    isRenewable: isOpen && link !== null && link.maxPayments !== null && method.expiresByClock,
    /** Whether the way back is offered: not while the payer should wait for an answer. */
    hasReturn: row.returnUrl !== null && state !== "preparing" && state !== "processing",
  };
}

/** States in which a payer may begin anew by the link. A card that is undecided may still be charged. */
const ENDED_UNPAID: ReadonlySet<PayerState> = new Set(["expired", "refused", "failed"]);

/** A thing that is bought, and how many of it. */
interface Bought {
  title: string;
  quantity: number;
}

/** What the payer buys: the items of the charge, else what its link sells. */
function boughtOf({ items }: TransactionRecord, link: PayersTransaction["link"]): Bought[] {
  const titled = items.flatMap(({ title = "", quantity = 1 }) =>
    title === "" ? [] : [{ title, quantity }],
  );
  return titled.length === 0 && link !== null ? [{ title: link.name, quantity: 1 }] : titled;
}

/**
 * The path on which the payer of a link's charge chooses again how to pay, null where there is nothing to choose, and
 * the methods that he may choose there.
 */
function waysOn(
  charge: Parameters<typeof anotherWay>[0],
  nowMs: number,
): { anotherWay: string | null; methods: PaymentMethod[] } {
  const path = anotherWay(charge, nowMs);
  return {
    anotherWay: path,
    methods: path === null ? [] : (charge.link?.terms.paymentMethods ?? []),
  };
}

function anotherWay(
  charge: Pick<PayersTransaction, "link"> & { state: PayerState; checkoutId: string | null },
  nowMs: number,
): string | null {
  const { state, link, checkoutId } = charge;
  if (link === null || checkoutId === null) return null;
  const path = `/l/${link.slug}?checkout=${checkoutId}`;
  if (state === "open") return link.terms.paymentMethods.length > 1 ? path : null;
  return ENDED_UNPAID.has(state) && linkStatus(link, nowMs) === "active" ? path : null;
}
