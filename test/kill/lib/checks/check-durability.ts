import { netExternalAmount, movementsBy } from "./check-statement.ts";
import { amountOf, isAcknowledged, isOpen, type Intent, type Journal } from "../journal.ts";
import { paymentsOf } from "../methods.ts";
import { paymentsOfMade } from "./check-unexpected.ts";
import type { Observed } from "../observe.ts";
import { possibleFees } from "./possible-fees.ts";

/**
 * Acknowledged requests have their effect, and none has it more often than requested. Unanswered
 * requests may or may not have had their effect.
 */
export function durabilityProblems(journal: Journal, observed: Observed): string[] {
  return [
    ...createProblems(journal, observed),
    ...transactionProblems(journal, observed),
    ...withdrawProblems(journal, observed),
  ];
}

function createProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, transactions } = observed;
  const problems: string[] = [];
  const made = paymentsOfMade(observed);
  const creates = new Map(journal.of(companyId, "create").map((intent) => [intent.key, intent]));
  const seen = new Map<string, string>();
  for (const [index, { seq, id, key, amount }] of transactions.entries()) {
    if (seq !== index + 1) problems.push(`wrong: transaction ${seq} stands at ${index + 1}`);
    if (made.has(id)) continue;
    const intent = creates.get(key);
    if (key === null || intent === undefined) {
      problems.push(`doubled: nobody asked for transaction ${id}`);
      continue;
    }
    if (seen.has(key)) problems.push(`doubled: ${key} made ${seen.get(key)} and ${id}`);
    seen.set(key, id);
    if (amount !== amountOf(intent)) problems.push(`wrong: ${key} made a charge of ${amount}`);
  }
  for (const intent of creates.values()) {
    if (!isAcknowledged(intent)) continue;
    const { id } = intent.answer.data;
    const found = seen.get(intent.key ?? "");
    if (found !== id) problems.push(`lost: ${intent.key} made ${id}, and there is ${found}`);
  }
  return problems;
}

function transactionProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, transactions, movements } = observed;
  const problems: string[] = [];
  const onTransaction = movementsBy(movements, "transactionId");
  const intents = intentsBySubject(journal, companyId);
  const creates = new Map(journal.of(companyId, "create").map((intent) => [intent.key, intent]));
  for (const { id, key } of transactions) {
    const create = creates.get(key);
    // Unrequested objects are reported above, made ones by their payments.
    if (create === undefined) continue;
    const booked = onTransaction(id);
    const own = intents.get(id) ?? [];
    const between = (what: string, count: number, least: number, most: number) => {
      if (count < least) problems.push(`lost: ${what} of ${id}: ${count} of ${least}`);
      if (count > most) problems.push(`doubled: ${what} of ${id}: ${count}, asked for ${most}`);
    };
    const credits = booked.of("charge_paid");
    const payments = [...credits, ...booked.of("payment_suspended")];
    const asked = paymentsOf(create, own);
    between("payment", payments.length, asked.least, asked.most);
    between("credit", credits.length, Math.min(1, asked.least), 1);
    for (const paid of payments.map(netExternalAmount)) {
      if (!asked.amounts.has(paid)) problems.push(`wrong: ${id} was paid ${paid}`);
    }
    const refunds = own.filter((intent) => intent.kind === "refund");
    const done = acknowledged(refunds);
    // The response said that the money was held and the provider rejected, so the refund was
    // booked too.
    const refused = refunds.filter((intent) => intent.answer?.code === "REFUND_REFUSED");
    const unknown = refunds.filter(isOpen).length;
    const requested = booked.of("refund_requested").length;
    const known = done.length + refused.length;
    between("refund", requested, known, known + unknown);
    // 202 means that the provider has not responded yet.
    const certain = done.filter((intent) => intent.status === 200).length;
    between("refund done", booked.of("refund_done").length, certain, done.length + unknown);
    const most = (kind: "dispute" | "chargeback") =>
      own.filter((intent) => intent.kind === kind && mayHaveSucceeded(intent)).length;
    // A dispute without any money left blocks nothing and has no posting. A refund that fails gives its money to an open one.
    const blocks = booked.of("dispute_opened").length;
    const given = booked.of("refund_failed").length;
    between("dispute", blocks, 0, most("dispute") === 0 ? 0 : most("dispute") + given);
    const chargebacks = own.filter(({ kind }) => kind === "chargeback");
    const taken = booked.of("chargeback").length;
    between("chargeback", taken, acknowledged(chargebacks).length, most("chargeback"));
  }
  return problems;
}

function withdrawProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, withdraws, movements } = observed;
  const problems: string[] = [];
  const onWithdraw = movementsBy(movements, "withdrawId");
  const asked = new Map(journal.of(companyId, "withdraw").map((intent) => [intent.key, intent]));
  const seen = new Map<string, number>();
  for (const [index, { id, key, amount, fee, status }] of withdraws.entries()) {
    if (id !== index + 1) problems.push(`wrong: withdraw ${id} stands at ${index + 1}`);
    const intent = asked.get(key);
    if (intent === undefined) {
      problems.push(`doubled: nobody asked for withdraw ${id}`);
      continue;
    }
    if (seen.has(key)) problems.push(`doubled: ${key} made withdraws ${seen.get(key)} and ${id}`);
    seen.set(key, id);
    if (amount !== amountOf(intent)) problems.push(`wrong: ${key} withdrew ${amount}`);
    if (!possibleFees(journal, intent, "WITHDRAW", amount).has(fee)) {
      problems.push(`wrong: the fee of withdraw ${id} is ${fee}`);
    }
    const requested = onWithdraw(id).of("withdraw_requested");
    if (requested.length === 0) problems.push(`lost: the postings of withdraw ${id}`);
    if (requested.length > 1) problems.push(`doubled: the postings of withdraw ${id}`);
    if (requested[0]?.postings["available"] !== -(amount + fee)) {
      problems.push(`wrong: withdraw ${id} took ${requested[0]?.postings["available"]}`);
    }
    const ends = onWithdraw(id).of("withdraw_paid", "withdraw_failed", "withdraw_cancelled");
    if (ends.length > 1) problems.push(`doubled: withdraw ${id} ended ${ends.length} times`);
    const moving = status === "Awaiting" || status === "Processing";
    const ended = ends.map((movement) => movement.type).join();
    if (ended !== (moving ? "" : `withdraw_${status.toLowerCase()}`)) {
      problems.push(`wrong: withdraw ${id} is ${status} and was booked ${ended}`);
    }
  }
  for (const intent of asked.values()) {
    if (!isAcknowledged(intent)) continue;
    const found = seen.get(intent.key ?? "");
    if (found !== intent.answer.id) {
      problems.push(`lost: ${intent.key} made withdraw ${intent.answer.id}, there is ${found}`);
    }
  }
  const statusOf = new Map(withdraws.map((withdraw) => [withdraw.id, withdraw.status]));
  for (const intent of acknowledged(journal.of(companyId, "withdraw_cancel"))) {
    const status = statusOf.get(Number(intent.subject));
    if (status !== "Cancelled") problems.push(`lost: withdraw ${intent.subject} is ${status}`);
  }
  return problems;
}

export function intentsBySubject(journal: Journal, companyId: number) {
  const bySubject = new Map<string | number | null, Intent[]>();
  for (const intent of journal.intents) {
    if (intent.companyId !== companyId || typeof intent.subject !== "string") continue;
    bySubject.set(intent.subject, [...(bySubject.get(intent.subject) ?? []), intent]);
  }
  return bySubject;
}

export function acknowledged(intents: Intent[]): Intent[] {
  return intents.filter(isAcknowledged);
}

/** A request without a key may have had its effect although a later attempt was rejected. */
function mayHaveSucceeded(intent: Intent): boolean {
  return isAcknowledged(intent) || isOpen(intent) || intent.attempts > 1;
}
