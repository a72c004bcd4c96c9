import type { SettlementLine, SettlementType } from "../../domain/reconciliation/settlement.ts";
import { describeZodError } from "../pix-api/unreadable-record.ts";
import type { SettlementList, SettlementPage } from "../provider.ts";
import type { UnreadableRecord } from "../charge.ts";
import { paymentIdOf } from "./charge-report.ts";
import type { PagarMeClient } from "./client.ts";
import { parseAs } from "./orders.ts";
import { unreadableOrder } from "./unreadable-order.ts";
import { Payable, PayablePage } from "./wire.ts";

/** The house's limit of a page is not known; the SDK's samples have 30. */
const PAGE_SIZE = 30;
/** The types of its manual (docs.pagar.me, "Recebíveis"). */
const TYPES = new Map<string, SettlementType>([
  ["credit", "CREDIT"],
  ["refund", "REFUND"],
  ["refund_reversal", "REFUND_REVERSAL"],
  ["chargeback", "CHARGEBACK"],
  ["chargeback_refund", "CHARGEBACK_REVERSAL"],
]);
/** A line that was made and changed is told by its change only. A day is read within less of its end. */
const NEW_MS = 7 * 24 * 60 * 60_000;
const TAKEN_AWAY = new Set<SettlementType>(["REFUND", "CHARGEBACK"]);
/** `prepaid`: paid before its day. Any other word promises. */
const PAID = new Set(["paid", "prepaid"]);

/**
 * The receivables of an account whose money Pagar.me settles itself: one of each installment, which the house makes with
 * the payment and changes when it pays.
 */
export class PagarMePayables implements SettlementList {
  readonly #client: PagarMeClient;

  constructor(client: PagarMeClient) {
    this.#client = client;
  }

  async page(
    { from, to }: { from: number; to: number },
    next: string | null,
  ): Promise<SettlementPage> {
    const query = {
      updated_since: new Date(from).toISOString(),
      updated_until: new Date(to).toISOString(),
      size: `${PAGE_SIZE}`,
      ...(next === null ? {} : { forward_cursor: next }),
    };
    const answer = await this.#client.call({ method: "GET", path: ["payables"], query });
    const read = parseAs(PayablePage, answer.kind === "ok" ? answer.body : null);
    if (read === null) return { kind: "unknown" };
    const lines: SettlementLine[] = [];
    const newPayments = new Set<string>();
    const unreadable: UnreadableRecord[] = [];
    for (const entry of read.data ?? []) {
      const payable = Payable.safeParse(entry);
      if (!payable.success) {
        unreadable.push(unreadableOrder(entry, describeZodError(payable.error)));
        continue;
      }
      const line = lineOf(payable.data);
      if (line === null) continue;
      lines.push(line);
      const isNew = (payable.data.created_at ?? from) >= from - NEW_MS;
      if (isNew) newPayments.add(line.paymentId);
    }
    const told = { lines, newPayments: [...newPayments], unreadable };
    return { kind: "known", ...told, next: read.paging.forward_cursor ?? null };
  }
}

/** Null for one of no charge. */
function lineOf(payable: Payable): SettlementLine | null {
  const { charge_id: chargeId, amount, installment } = payable;
  if (chargeId === null) return null;
  const type = TYPES.get(payable.type) ?? "OTHER";
  const isAnticipated =
    payable.status === "prepaid" ||
    (payable.bulk_anticipation_id ?? payable.anticipation_id ?? null) !== null;
  const { anticipation_fee: anticipation } = payable;
  const taken = payable.fee + payable.fraud_coverage_fee;
  return {
    line: payable.id,
    paymentId: paymentIdOf({ id: chargeId }),
    type,
    installment,
    gross: type === "OTHER" ? amount : Math.abs(amount) * (TAKEN_AWAY.has(type) ? -1 : 1),
    // Who ordered no anticipation agreed to no fee for one.
    fee: isAnticipated ? taken : taken + anticipation,
    anticipationFee: isAnticipated ? anticipation : 0,
    paidOn: payable.payment_date,
    state: PAID.has(payable.status) ? "paid" : "waiting",
  };
}
