import { providerChargeId } from "../charges/transaction.ts";
import type { DisputeReason } from "../disputes/dispute.ts";
import type { PaymentMethod } from "../charges/charge-status.ts";
import type { PaidBy } from "../charges/transaction.ts";
import type { Cents } from "../shared/money.ts";
import type { WithdrawStatus } from "../withdraws/withdraw-status.ts";
import type { Disguise } from "./disguise.ts";

/** The charge id of what has no charge. */
const NO_CHARGE = "none";
/** A dispute at the sandbox's bank: its charge, and its number there. */
const SANDBOX_DISPUTE = /^([0-9a-f]{32}|none):(\d+)$/;
/** Those without a charge are numbered for all companies at once. */
const DISPUTE_WITHOUT_CHARGE = `${NO_CHARGE}:`;
/** Above the numbers that the bank gives itself to disputes without a charge. */
const FIRST_FOREIGN_NUMBER = 1_000_000;
const FOREIGN_NUMBERS = 1_000_000_000;

/** What the sandbox's bank knows of a fork, as rows of its tables, by the names of their columns. */
export interface BankRecords {
  sandbox_payments: BankRow[];
  sandbox_charges: BankRow[];
  sandbox_card_charges: BankRow[];
  sandbox_payouts: BankRow[];
  sandbox_refunds: BankRow[];
  sandbox_disputes: BankRow[];
}

export type BankRow = Record<string, string | number | null>;

/** Copied rows of the object's tables, as far as the bank has to know them. */
interface PaymentRow {
  payment_id: string;
  transaction_id: string | null;
  payment_method: PaymentMethod;
  amount: Cents;
  paid_at: number;
  paid_by: string | null;
}
interface ChargeRow {
  transaction_id: string;
  amount: Cents;
  status: string;
  payment_id: string | null;
  cancel_reason: string | null;
  card: string | null;
  refused_reason: string | null;
  external_nsu: string | null;
}
interface OperationRow {
  operation_id: string;
  kind: string;
  status: string;
  transaction_id: string | null;
  payment_id: string | null;
  amount: Cents;
}
interface DisputeRow {
  id: string;
  kind?: "DISPUTE" | "CHARGEBACK";
  payment_id?: string;
  transaction_id?: string;
  amount: Cents;
  status: string;
  reason: DisputeReason | null;
  deadline: number | null;
}
interface WithdrawRow {
  payout_id: string;
  status: WithdrawStatus;
  end_to_end_id: string | null;
  returned_amount: Cents;
}

const PAYOUT_STATUSES: Partial<Record<WithdrawStatus, string>> = {
  Processing: "processing",
  Paid: "paid",
  Failed: "failed",
  Returned: "returned",
};

/**
 * The books of the sandbox's bank about a fork: what a real provider knows of the original, the sandbox's bank knows of
 * the copy, so that what is pending can be ended there and what is paid be refunded. Read from the copied rows, payments
 * and charges before what names them.
 */
export class BankBook {
  readonly #disguise: Disguise;
  /** The charge of each payment, and the payment of each charge, of the copy. */
  readonly #chargeOf = new Map<string, string>();
  readonly #paymentOf = new Map<string, string>();
  readonly #disputesOf = new Map<string, number>();
  #records = noRecords();

  constructor(disguise: Disguise) {
    this.#disguise = disguise;
  }

  /**
   * Gives a dispute of a real provider, or without a charge, the id that the sandbox's bank would give it; before anything
   * names it.
   */
  knowDispute(original: { id: string; transaction_id?: string; payment_id?: string }): void {
    const { id } = original;
    if (SANDBOX_DISPUTE.test(id) && !id.startsWith(DISPUTE_WITHOUT_CHARGE)) return;
    const { transaction_id: charge, payment_id: payment = "" } = original;
    const chargeId =
      charge === undefined
        ? (this.#chargeOf.get(this.#disguise.id(payment)) ?? NO_CHARGE)
        : providerChargeId(this.#disguise.id(charge));
    const number = (this.#disputesOf.get(chargeId) ?? 0) + 1;
    this.#disputesOf.set(chargeId, number);
    const shown = chargeId === NO_CHARGE ? this.#foreignNumber(id) : number;
    this.#disguise.know(id, `${chargeId}:${shown}`);
  }

  /** Reads a copied row. */
  add(table: string, row: object): void {
    if (table === "payments") this.#addPayment(row as PaymentRow);
    if (table === "charges") this.#addCharge(row as ChargeRow);
    if (table === "operations") this.#addOperation(row as OperationRow);
    if (table === "withdraws") this.#addWithdraw(row as WithdrawRow);
    if (table === "disputes" || table === "suspense_disputes") this.#addDispute(row as DisputeRow);
    if (table === "external_refunds") this.#addExternalRefund(row as ExternalRefundRow);
  }

  /** What was read since the last call. */
  take(): BankRecords {
    const records = this.#records;
    this.#records = noRecords();
    return records;
  }

  #addPayment(row: PaymentRow): void {
    const { payment_id, transaction_id, payment_method: method, amount, paid_at, paid_by } = row;
    const charge_id = transaction_id === null ? NO_CHARGE : providerChargeId(transaction_id);
    this.#chargeOf.set(payment_id, charge_id);
    const payer = paid_by === null ? null : reported(JSON.parse(paid_by) as PaidBy);
    this.#records.sandbox_payments.push({
      charge_id,
      payment_id,
      method,
      amount,
      paid_at,
      txid: null,
      payer,
    });
  }

  #addCharge(row: ChargeRow): void {
    const charge_id = providerChargeId(row.transaction_id);
    const { status, amount, card, refused_reason, external_nsu, payment_id } = row;
    if (payment_id !== null) this.#paymentOf.set(row.transaction_id, payment_id);
    if (status === "cancelled" || status === "failed") {
      const ended = row.cancel_reason === "EXPIRED" ? "expired" : status;
      this.#records.sandbox_charges.push({ charge_id, status: ended });
    }
    if (card === null) return;
    this.#records.sandbox_card_charges.push({
      charge_id,
      decision: refused_reason === null ? "approved" : "refused",
      amount,
      card,
      nsu: external_nsu ?? "",
      refused_reason,
    });
  }

  #addOperation(row: OperationRow): void {
    const { operation_id, kind, status, amount } = row;
    const isRefund = kind === "refund" || kind === "return";
    const payment_id = row.payment_id ?? this.#paymentOf.get(row.transaction_id ?? "");
    if (!isRefund || status !== "DONE" || payment_id === undefined) return;
    const refund_id = providerChargeId(operation_id);
    this.#records.sandbox_refunds.push({ refund_id, payment_id, amount, status: "done" });
  }

  #addExternalRefund({ id: refund_id, payment_id, booked: amount }: ExternalRefundRow): void {
    if (amount === 0) return;
    this.#records.sandbox_refunds.push({ refund_id, payment_id, amount, status: "done" });
  }

  #addWithdraw({ payout_id, status, end_to_end_id, returned_amount }: WithdrawRow): void {
    const known = PAYOUT_STATUSES[status];
    if (known === undefined) return;
    // The bank counts what came back of a paid one only.
    const returned = known === "paid" ? returned_amount : 0;
    this.#records.sandbox_payouts.push({
      payout_id,
      status: known,
      end_to_end_id,
      returned_amount: returned,
    });
  }

  #addDispute(row: DisputeRow): void {
    const [, charge_id = NO_CHARGE, number = "1"] = SANDBOX_DISPUTE.exec(row.id) ?? [];
    const { kind = "DISPUTE", payment_id, transaction_id, amount, status, reason, deadline } = row;
    this.#records.sandbox_disputes.push({
      charge_id,
      number: Number(number),
      payment_id: payment_id ?? this.#paymentOf.get(transaction_id ?? "") ?? "",
      kind,
      amount,
      status,
      reason,
      deadline,
    });
  }

  #foreignNumber(id: string): number {
    return (
      FIRST_FOREIGN_NUMBER +
      (Number.parseInt(this.#disguise.hash(id).slice(0, 12), 16) % FOREIGN_NUMBERS)
    );
  }
}

interface ExternalRefundRow {
  id: string;
  payment_id: string;
  booked: Cents;
}

function reported({ name, documentMasked, ispb }: PaidBy): string {
  return JSON.stringify({ name, document: documentMasked, ispb });
}

function noRecords(): BankRecords {
  return {
    sandbox_payments: [],
    sandbox_charges: [],
    sandbox_card_charges: [],
    sandbox_payouts: [],
    sandbox_refunds: [],
    sandbox_disputes: [],
  };
}
