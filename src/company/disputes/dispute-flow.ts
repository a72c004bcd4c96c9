import type { Cents } from "../../domain/shared/money.ts";
import type { Cause } from "../../domain/charges/trail.ts";
import type { ChargeMoves } from "../charges/charge-moves.ts";
import type { ChargeStore, StoredCharge } from "../charges/charge-store.ts";
import type {
  DisputeReport,
  KnownDispute,
  RecordDispute,
  RecordDisputeAnswer,
} from "../commands.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import type { ExternalRefund, ExternalRefundStore } from "../operations/external-refund-store.ts";
import { mergeHoldings, type Funds } from "../ledger/funds.ts";
import { isRechecked, type RecheckStore } from "../contradictions/recheck-store.ts";
import type { ReleaseFlow } from "../releases/release-flow.ts";
import type { SuspenseDisputeStore } from "./suspense-dispute-store.ts";
import type { SuspenseFlow } from "../charges/suspense-flow.ts";

/**
 * Payers' banks that ask money back: a dispute (PIX: MED) blocks it until it is decided, a
 * chargeback has taken it already. Every method runs inside one `transactionSync`.
 */
export class DisputeFlow {
  readonly #charges: ChargeStore;
  readonly #disputes: DisputeStore;
  readonly #moves: ChargeMoves;
  readonly #funds: Funds;
  readonly #releases: ReleaseFlow;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #suspense: SuspenseFlow;
  readonly #refunds: ExternalRefundStore;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;

  constructor(parts: {
    charges: ChargeStore;
    disputes: DisputeStore;
    moves: ChargeMoves;
    funds: Funds;
    releases: ReleaseFlow;
    suspenseDisputes: SuspenseDisputeStore;
    suspense: SuspenseFlow;
    refunds: ExternalRefundStore;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
  }) {
    this.#charges = parts.charges;
    this.#disputes = parts.disputes;
    this.#moves = parts.moves;
    this.#funds = parts.funds;
    this.#releases = parts.releases;
    this.#suspenseDisputes = parts.suspenseDisputes;
    this.#suspense = parts.suspense;
    this.#refunds = parts.refunds;
    this.#rechecks = parts.rechecks;
    this.#contradictions = parts.contradictions;
  }

  /**
   * Books what the provider says of a dispute, which it names by an id of its own. What the bank
   * took is booked in full, also where the company no longer has it, or gave it back already. Of a payment
   * that is set aside it leaves `suspense`; of one that was credited it is the charge's that has it,
   * whichever its provider names. What is about no payment that is known is written down.
   */
  record({ report, terms }: RecordDispute, nowMs: number): RecordDisputeAnswer {
    const { paymentId } = report;
    const payment = paymentId === undefined ? null : this.#charges.findPayment(paymentId);
    const known = this.#disputes.find(report.id);
    const isKnown = known !== null || this.#suspenseDisputes.find(report.id) !== null;
    const refund = isKnown ? null : this.#refunds.find(report.id);
    if (refund !== null) return this.#alreadyRefunded(refund, report, nowMs);
    if (payment?.suspended === true) {
      const answer = this.#suspense.dispute(payment, report, nowMs);
      if (answer.kind === "recorded") this.#closeUnpaid(report.id, nowMs);
      return answer;
    }
    const transactionId = known?.transactionId ?? payment?.transactionId ?? null;
    const charge = this.#chargeOf(transactionId, terms, nowMs);
    if (charge === null || charge.paidAmount === 0) return this.#unpaid(charge, report, nowMs);
    if (known !== null && known.status !== "OPEN") {
      return this.#recordEnded(charge, known, report, nowMs);
    }
    if (known?.status === report.status) return this.#stillOpen(known, report, nowMs);
    const dispute = known ?? newDispute(charge, report, nowMs);
    switch (report.status) {
      case "OPEN":
        this.#open(charge, dispute, nowMs);
        break;
      case "WON":
        this.#won(charge, dispute, nowMs);
        break;
      case "LOST":
        this.#lost(charge, dispute, report.amount, nowMs);
        break;
    }
    if (report.status !== "OPEN") this.#rechecks.remove("dispute", report.id);
    else if (isRechecked(charge.account)) this.#rechecks.add("dispute", report.id, nowMs);
    this.#closeUnpaid(report.id, nowMs);
    return { kind: "recorded" };
  }

  /** What a dispute is about, and how it stands; null where none has this id. */
  find(disputeId: string): KnownDispute | null {
    const dispute = this.#disputes.find(disputeId);
    if (dispute !== null) {
      const { transactionId, status } = dispute;
      const { account, paymentId } = this.#charges.require(transactionId);
      const isByPayment = paymentId !== null && this.#suspense.wasDecided(paymentId);
      return isByPayment
        ? { transactionId: null, paymentId, account, status }
        : { transactionId, paymentId: null, account, status };
    }
    const apart = this.#suspenseDisputes.find(disputeId);
    const payment = apart === null ? null : this.#charges.findPayment(apart.paymentId);
    if (apart === null || payment === null) return null;
    const { paymentId, status } = apart;
    return { transactionId: null, paymentId, account: payment.account, status };
  }

  isOpen(transactionId: string): boolean {
    return this.#disputes.open(transactionId).length > 0;
  }

  /**
   * Blocks up to `amount` more for open disputes that hold less than they are about: money came back
   * (a refund was refused) that they ask for.
   */
  topUp(transactionId: string, amount: Cents, nowMs: number): void {
    const lacking = this.#disputes
      .open(transactionId)
      .filter(({ held, amount: all }) => held < all);
    if (lacking.length === 0) return;
    // What fell due while it was set aside is the company's before it is anybody's.
    this.#releases.run(nowMs);
    let left = amount;
    for (const dispute of lacking) {
      const reach = this.#funds.reach(transactionId);
      const more = Math.min(left, dispute.amount - dispute.held, reach);
      if (more === 0) continue;
      const added = this.#funds.hold("dispute_opened", transactionId, more, nowMs);
      const holding = mergeHoldings(dispute.holding, added);
      this.#disputes.save({ ...dispute, held: dispute.held + more, holding });
      left -= more;
    }
  }

  #chargeOf(
    transactionId: string | null,
    terms: RecordDispute["terms"],
    nowMs: number,
  ): StoredCharge | null {
    if (transactionId !== null) return this.#charges.require(transactionId);
    return terms === null ? null : this.#charges.find(terms, nowMs);
  }

  /** Money asked back that never came, as far as is known. What was taken of it is held. */
  #unpaid(charge: StoredCharge | null, report: DisputeReport, nowMs: number): RecordDisputeAnswer {
    const { id, paymentId, amount, status } = report;
    // One that was given up moved no money.
    if (status !== "WON") {
      this.#contradictions.open(
        {
          finding: unpaidFinding(id, status),
          kind: "dispute_status",
          object: charge?.transactionId ?? `payment:${paymentId ?? id}`,
          said: { disputeId: id, status, amount },
          booked: { paidAmount: 0 },
          amount,
          held: status === "LOST" ? amount : 0,
        },
        nowMs,
      );
    }
    return charge === null ? { kind: "not_found" } : { kind: "not_allowed", status: charge.status };
  }

  /** Its payment came after it. */
  #closeUnpaid(id: string, nowMs: number): void {
    for (const status of ["OPEN", "LOST"] as const) {
      this.#contradictions.close(unpaidFinding(id, status), "Its payment is known.", nowMs);
    }
  }

  /** One that is open is told again. More than before is blocked; that it is less, a person is told. */
  #stillOpen(known: StoredDispute, report: DisputeReport, nowMs: number): RecordDisputeAnswer {
    const { amount, status } = report;
    if (amount === known.amount) return { kind: "already" };
    if (amount < known.amount) {
      return this.#contradicted(known, { status, amount }, known.amount - amount, nowMs);
    }
    this.#disputes.save({ ...known, amount });
    this.topUp(known.transactionId, amount - known.amount, nowMs);
    const charge = this.#charges.require(known.transactionId);
    this.#moves.change(charge, {}, causeOf({ ...known, amount }), null, nowMs);
    return { kind: "recorded" };
  }

  /** What is said of a dispute that has ended. */
  #recordEnded(
    charge: StoredCharge,
    known: StoredDispute,
    { status, amount }: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    // An ended one that is told as open comes from a list that lags behind.
    if (status === "OPEN") return { kind: "already" };
    if (status === known.status) {
      if (status === "WON" || amount === known.amount) return { kind: "already" };
      return this.#contradicted(known, { status, amount }, Math.abs(amount - known.amount), nowMs);
    }
    if (status === "LOST") {
      // Money is money: the bank took it after all.
      this.#lost(charge, known, amount, nowMs);
      return this.#contradicted(known, { status, amount }, amount, nowMs);
    }
    if (known.kind !== "CHARGEBACK") {
      return this.#contradicted(known, { status, amount }, known.amount, nowMs);
    }
    // Nobody knows whether the rest is still to come, or what more than was taken is for.
    if (amount !== known.amount) {
      return this.#contradicted(known, { status, amount }, amount, nowMs);
    }
    this.#reversed(charge, known, nowMs);
    return { kind: "recorded" };
  }

  /**
   * Writes down what contradicts the end that was booked. Held is what the bank took beyond what was
   * booked of it.
   */
  #contradicted(
    known: StoredDispute,
    said: Pick<DisputeReport, "status" | "amount">,
    amount: Cents,
    nowMs: number,
  ): RecordDisputeAnswer {
    const isBooked = said.status !== known.status;
    this.#contradictions.open(
      {
        finding: `dispute_status:${known.id}:${said.status}:${said.amount}`,
        kind: "dispute_status",
        object: known.transactionId,
        said: { disputeId: known.id, ...said },
        booked: { status: known.status, amount: known.amount },
        amount,
        held: isBooked ? 0 : Math.max(0, said.amount - known.amount),
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /**
   * The same money was booked as a refund by other hands: it is not taken twice. Held is what the bank
   * took more.
   */
  #alreadyRefunded(
    refund: ExternalRefund,
    { id, status, amount }: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    const { transactionId, paymentId } = refund;
    const more = status === "LOST" ? Math.max(0, amount - refund.amount) : 0;
    this.#contradictions.open(
      {
        finding: `dispute_status:${id}:refund${more === 0 ? "" : `:${amount}`}`,
        kind: "dispute_status",
        object: transactionId ?? `payment:${paymentId}`,
        said: { disputeId: id, status, amount },
        booked: { refundId: id, amount: refund.amount },
        amount,
        held: more,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** The bank gives back what a chargeback took (a second presentment that stood). */
  #reversed(charge: StoredCharge, dispute: StoredDispute, nowMs: number): void {
    this.#funds.giveBack(charge.transactionId, dispute.amount, nowMs);
    const won: StoredDispute = { ...dispute, status: "WON" };
    this.#disputes.save(won);
    this.#moves.cameBack(charge, causeOf(won), nowMs);
  }

  /** Blocks what the company has of it. */
  #open(charge: StoredCharge, dispute: StoredDispute, nowMs: number): void {
    const { transactionId } = charge;
    const held = Math.min(dispute.amount, this.#funds.reach(transactionId));
    const holding =
      held === 0 ? null : this.#funds.hold("dispute_opened", transactionId, held, nowMs);
    const opened: StoredDispute = { ...dispute, held, holding, status: "OPEN" };
    this.#disputes.save(opened);
    this.#moves.change(charge, {}, causeOf(opened), "transaction.disputed", nowMs);
  }

  #won(charge: StoredCharge, dispute: StoredDispute, nowMs: number): void {
    const { transactionId } = charge;
    const before = this.#releases.balances();
    if (dispute.holding !== null) {
      this.#funds.unhold("dispute_won", transactionId, dispute.holding, nowMs);
    }
    const won: StoredDispute = { ...dispute, held: 0, holding: null, status: "WON" };
    this.#disputes.save(won);
    this.#moves.change(charge, {}, causeOf(won), null, nowMs);
    const amount = dispute.holding?.available ?? 0;
    if (amount === 0) return;
    this.#releases.announce([{ transactionId, installment: 1, amount }], before, nowMs);
  }

  /** What the bank took in the end may be less than what it had asked for. */
  #lost(charge: StoredCharge, dispute: StoredDispute, amount: Cents, nowMs: number): void {
    const { transactionId } = charge;
    const { kind, holding } = dispute;
    const type = kind === "CHARGEBACK" ? "chargeback" : "dispute_lost";
    const inPart = holding !== null && amount < dispute.held;
    if (inPart) this.#funds.unhold("dispute_reduced", transactionId, holding, nowMs);
    this.#funds.takeBack(type, transactionId, amount, inPart ? 0 : dispute.held, nowMs);
    const lost: StoredDispute = { ...dispute, amount, held: 0, holding: null, status: "LOST" };
    this.#disputes.save(lost);
    // The MED is PIX's own (BACEN).
    const isMed = kind === "DISPUTE" && charge.endToEndId !== null;
    const reason = isMed ? "MED" : "CHARGEBACK";
    this.#moves.wentBack(charge, amount, reason, causeOf(lost), nowMs);
  }
}

function causeOf({ id, kind, amount, status }: StoredDispute): Cause {
  return { kind: "dispute", id, dispute: kind, amount, status };
}

function unpaidFinding(id: string, status: DisputeReport["status"]): string {
  return `dispute_status:${id}:unpaid:${status}`;
}

function newDispute(charge: StoredCharge, report: DisputeReport, nowMs: number): StoredDispute {
  return {
    id: report.id,
    kind: report.kind,
    transactionId: charge.transactionId,
    amount: report.amount,
    held: 0,
    holding: null,
    status: report.status,
    createdAt: nowMs,
  };
}
