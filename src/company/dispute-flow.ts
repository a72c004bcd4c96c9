import type { Cents } from "../domain/money.ts";
import type { Cause } from "../domain/trail.ts";
import type { ChargeMoves } from "./charge-moves.ts";
import type { ChargeStore, StoredCharge } from "./charge-store.ts";
import type { DisputeReport, RecordDispute, RecordDisputeAnswer } from "./commands.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import { mergeHoldings, type Funds } from "./funds.ts";
import type { ReleaseFlow } from "./release-flow.ts";

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

  constructor(parts: {
    charges: ChargeStore;
    disputes: DisputeStore;
    moves: ChargeMoves;
    funds: Funds;
    releases: ReleaseFlow;
  }) {
    this.#charges = parts.charges;
    this.#disputes = parts.disputes;
    this.#moves = parts.moves;
    this.#funds = parts.funds;
    this.#releases = parts.releases;
  }

  /**
   * Books what the provider says of a dispute, which it names by an id of its own. What the bank
   * took is booked in full, also where the company no longer has it, or gave it back already; but not
   * what it took of a payment that is set aside, which is for people to settle.
   */
  record(command: RecordDispute, nowMs: number): RecordDisputeAnswer {
    const { report } = command;
    const charge = this.#charges.find(command.terms, nowMs);
    if (charge.paidAmount === 0) return { kind: "not_allowed", status: charge.status };
    const { paymentId } = report;
    const payment = paymentId === undefined ? null : this.#charges.findPayment(paymentId);
    if (payment?.suspended === true) return { kind: "not_credited" };
    const known = this.#disputes.find(report.id);
    if (known?.status === report.status) return { kind: "already" };
    if (known !== null && known.status !== "OPEN") return { kind: "contradiction" };
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
    return { kind: "recorded" };
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
