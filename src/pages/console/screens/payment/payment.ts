import { getBalance } from "../../../../api/balance/routes.ts";
import { getTransaction } from "../../../../api/transactions/read/routes.ts";
import { getTransactionDetailRecord } from "../../../../api/transactions/routes.ts";
import { getTransactionTimeline } from "../../../../api/transactions/timeline/routes.ts";
import {
  maskAddress,
  maskDocument,
  maskEmail,
  maskName,
  maskPhone,
  maskText,
} from "../../../../domain/access/masks.ts";
import { type Cents, CURRENCY, reaisToCents } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";

export type Payment = RouteBody<typeof getTransaction>["data"];
export type TimelineItem = RouteBody<typeof getTransactionTimeline>["items"][number];

/** The page of a payment. */
export function pagePath(id: string): string {
  return `/console/payments/${id}`;
}

/** The payment; null where the API knows none or does not show it. */
export async function readPayment(c: ConsoleContext, id: string): Promise<Payment | null> {
  const answer = await callRoute(c, getTransaction, { params: { id } });
  return answer.ok ? answer.body.data : null;
}

/** Its timeline, oldest first; empty where the API does not answer. */
export async function readTimeline(c: ConsoleContext, id: string) {
  const answer = await callRoute(c, getTransactionTimeline, { params: { id } });
  return answer.ok ? answer.body : { items: [], hasMore: false, refundable: null };
}

/** Whether it is a payment of the test environment: the simulated bank has it. */
export async function isSandbox(c: ConsoleContext, id: string): Promise<boolean> {
  const answer = await callRoute(c, getTransactionDetailRecord, { params: { transactionId: id } });
  return answer.ok && answer.body.enSubIntegration === "Sandbox";
}

/** The available balance in centavos; null where the API does not show it. */
export async function availableBalance(c: ConsoleContext): Promise<Cents | null> {
  const { companyId } = c.get("person");
  const answer = await callRoute(c, getBalance, {
    params: { companyId },
    query: { currency: CURRENCY },
  });
  return answer.ok ? reaisToCents(answer.body.accBalance) : null;
}

/** The payment with its personal data masked, as those who may not read them get it. */
export function maskedPayment(payment: Payment): Payment {
  const { customer, shipping, ip, payer } = payment;
  return {
    ...payment,
    customer: {
      ...customer,
      email: maskEmail(customer.email),
      phone: maskPhone(customer.phone),
      document: { ...customer.document, number: maskDocument(customer.document.number) },
    },
    shipping: {
      ...shipping,
      address: { ...shipping.address, ...maskAddress(shipping.address) },
    },
    ...(ip === undefined ? {} : { ip: maskText(ip) }),
    ...(payer === undefined
      ? {}
      : { payer: { ...payer, name: payer.name === null ? null : maskName(payer.name) } }),
  };
}

/** The fee that the ledger booked; null before any. */
export function feeOf(items: readonly TimelineItem[]): Cents | null {
  const fee = bookedOn("fees", items);
  return fee === 0 ? null : fee;
}

/** What of the charge's own credit awaits release: a refund takes it before the available balance. */
export function ownCredit(items: readonly TimelineItem[]): Cents {
  return Math.max(0, bookedOn("awaiting", items));
}

function bookedOn(account: "fees" | "awaiting", items: readonly TimelineItem[]): Cents {
  return items
    .flatMap((item) => (item.kind === "movement" ? item.postings : []))
    .filter((posting) => posting.account === account)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** What is on its way to the payer, or waits for an approval. Centavos. */
export function beingRefunded({ refunds = [] }: Payment): Cents {
  return refunds
    .filter(({ status }) => status === "PENDING")
    .reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The most that may be refunded now, as the API says it; what was paid where it does not answer, as it refuses what is
 * beyond. What limits of a day leave of it, a refusal says.
 */
export async function refundable(c: ConsoleContext, { id, paidAmount }: Payment): Promise<Cents> {
  return (await readTimeline(c, id)).refundable ?? paidAmount ?? 0;
}
