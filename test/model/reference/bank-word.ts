import type { BankResult, Script } from "./operations.ts";
import type { Contradiction, Operation, ProposedDecision, State, Withdraw } from "./state.ts";
import type { PayoutResult } from "./withdraws.ts";

/** What the bank says when it is asked, and what it does with a return. */
export interface Answers {
  payout: PayoutResult | "not_found";
  script: Script<BankResult>;
}

/** What the bank says of a proposed decision. */
type Word = "agreed" | "silent" | "disagrees";

/** What the bank says of a decision, without being told anything. */
export function askBank(
  decision: ProposedDecision,
  state: State,
  { payout, script }: Answers,
): Word {
  switch (decision.action) {
    case "payout":
      return payoutWord(payout, decision.outcome);
    case "operation":
      return operationWord(decision.operation, script.lookup, decision.outcome);
    case "payment":
      return paymentWord(state, decision.paymentId);
    case "unfreeze":
      return "silent";
    case "contradiction":
      return contradictionWord(state, decision, payout);
  }
}

/**
 * Of a payment that moves, of a payout that is booked as paid or corrected, and of one whose held money a dismissal
 * frees, there is something to ask.
 */
function contradictionWord(
  state: State,
  { number, how, amount }: Extract<ProposedDecision, { action: "contradiction" }>,
  said: Answers["payout"],
): Word {
  const { about, held } = contradictionOf(state, number);
  if (about?.kind === "payment") {
    return how === "return" || how === "credit" ? paymentWord(state, about.id) : "silent";
  }
  if (about?.kind !== "withdraw") return "silent";
  if (how === "dismiss" && held > 0) return unpaidWord(about.withdraw, said);
  if (how === "correct") return correctionWord(about.withdraw, said, amount ?? 0);
  const isRefuted = said === "failed" || said === "returned";
  return how === "apply" && isRefuted ? "disagrees" : "silent";
}

/** That no more of a withdraw is paid than is booked. */
function unpaidWord({ status }: Withdraw, said: Answers["payout"]): Word {
  const isFinal = said === "paid" || said === "failed" || said === "returned";
  if (!isFinal || status === "Awaiting" || status === "Processing") return "silent";
  return said === "paid" && status !== "Paid" ? "disagrees" : "agreed";
}

/** A correction moves at most what came back by the bank's word and is not booked as such, or the reverse. */
function correctionWord(
  { amount, status }: Withdraw,
  said: Answers["payout"],
  correction: number,
): Word {
  const isFinal = said === "paid" || said === "failed" || said === "returned";
  if (!isFinal || status === "Awaiting" || status === "Processing") return "silent";
  const missing = (said === "paid" ? 0 : amount) - (status === "Paid" ? 0 : amount);
  const isCovered =
    Math.sign(correction) === Math.sign(missing) && Math.abs(correction) <= Math.abs(missing);
  return isCovered ? "agreed" : "disagrees";
}

function payoutWord(said: Answers["payout"], outcome: "done" | "failed" | "returned"): Word {
  if (said === "unknown" || said === "processing") return "silent";
  if (said === "not_found") return outcome === "failed" ? "silent" : "disagrees";
  const same = { paid: "done", failed: "failed", returned: "returned" } as const;
  return same[said] === outcome ? "agreed" : "disagrees";
}

function operationWord(
  { kind, charge }: Operation,
  lookup: BankResult | "not_found",
  outcome: "done" | "failed",
): Word {
  const isOfCharge = kind === "cancel" || kind === "capture";
  const said = isOfCharge ? chargeWord(charge, kind) : lookup;
  if (said === "unknown") return "silent";
  if (said === "not_found") return outcome === "failed" ? "silent" : "disagrees";
  if (said === "processing") return isOfCharge && outcome === "done" ? "disagrees" : "silent";
  return said === outcome ? "agreed" : "disagrees";
}

function chargeWord(
  { bank }: Operation["charge"],
  kind: "cancel" | "capture",
): BankResult | "not_found" {
  if (!bank.known) return "not_found";
  const isPaid = bank.payments.length > 0;
  const isDone = kind === "capture" ? isPaid : bank.status === "cancelled" && !isPaid;
  if (isDone) return "done";
  const isOpen = bank.status === "open" || bank.status === "authorized";
  return isOpen && !isPaid ? "processing" : "failed";
}

/** Only the payments of static codes are known by themselves. */
function paymentWord(state: State, paymentId: string): Word {
  const { charge, inSuspense } = state.payments.get(paymentId)!;
  if (!inSuspense || !charge.isOfPayment) return "silent";
  return charge.bank.disputes.some(({ status }) => status !== "WON") ? "disagrees" : "agreed";
}

/** Contradictions are numbered from 1. */
export function contradictionOf({ contradictions }: State, number: number): Contradiction {
  return [...contradictions.values()][number - 1]!;
}
