import { log } from "../../lib/log.ts";
import type { UnreadableRecord } from "../charge.ts";

/** The stored length of an unreadable record. */
const BODY_MAX = 4_096;
/** What people need to look an order up. The rest may be a payer's or a card's, and is not kept. */
const KEPT = new Set([
  "id",
  "code",
  "amount",
  "status",
  "charges",
  "payment_method",
  "paid_amount",
  "paid_at",
  "canceled_amount",
  "last_transaction",
  "charge_id",
  "fee",
  "anticipation_fee",
  "fraud_coverage_fee",
  "installment",
  "payment_date",
  "type",
]);

/** An unreadable order of a list, without its payer. It is logged. */
export function unreadableOrder(entry: unknown, fault: string): UnreadableRecord {
  log("warn", "pagarme_order_unparseable", { fault });
  const body = JSON.stringify(kept(entry)).slice(0, BODY_MAX);
  return { paymentId: null, chargeId: null, payoutId: null, body, fault };
}

/** An order is four levels deep; deeper ones are not kept. */
function kept(value: unknown, depth = 4): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((each) => kept(each, depth - 1));
  const members = Object.entries(value).filter(([name]) => KEPT.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, kept(each, depth - 1)]));
}
