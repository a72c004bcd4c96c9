import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { unexpectedPaymentSubject } from "../../domain/shared/event-subject.ts";
import { erasureStep } from "../../domain/charges/payer-erasure.ts";
import { eraseArchived, type ArchiveBudget } from "./erase-archived.ts";
import {
  chargesOfRequest,
  enqueueRequest,
  eraseCharges,
  loadCharges,
  postponeErasures,
  type ChargeToErase,
  type Erasure,
  type ErasureRequest,
} from "./repository.ts";

/** Charges of one step: one read, one call of the object and one batch. */
export const ERASE_BATCH = 50;

/** Puts the next charges of a request in line. Answers which, and whether they were the last. */
export async function enqueueNext(
  env: Env,
  request: ErasureRequest,
  limit: number,
  nowMs: number,
): Promise<{ seqs: number[]; isLast: boolean }> {
  const seqs = await chargesOfRequest(env, request, limit);
  const isLast = seqs.length < limit;
  await enqueueRequest(env, request, seqs, isLast, nowMs);
  return { seqs, isLast };
}

/**
 * Takes the next step of due erasures of one company, at most `ERASE_BATCH`. Safe to repeat: what a crash
 * left undone is still due, and so is what the budget of calls to the archive leaves. Answers how many charges were
 * erased, and how many have not ended or are left. Rejects with `ArchiveUnavailable`.
 */
export async function runErasures(
  env: Env,
  companyId: number,
  erasures: Erasure[],
  retentionDays: number | null,
  nowMs: number,
  budget: ArchiveBudget,
): Promise<{ erased: number; open: number }> {
  const charges = await loadCharges(
    env,
    companyId,
    erasures.map(({ seq }) => seq),
  );
  const ready: { charge: ChargeToErase; again: number | null }[] = [];
  const waiting: { seq: number; at: number }[] = [];
  const dropped: number[] = [];
  for (const erasure of erasures) {
    const { seq } = erasure;
    const charge = charges.get(seq);
    const step =
      charge === undefined
        ? ({ kind: "drop" } as const)
        : erasureStep(erasure, charge, retentionDays, nowMs);
    if (step.kind === "wait") waiting.push({ seq, at: step.until });
    if (step.kind === "drop") dropped.push(seq);
    if (step.kind !== "erase" || charge === undefined) continue;
    ready.push({ charge, again: step.again });
  }
  if (waiting.length + dropped.length > 0) {
    await postponeErasures(env, companyId, waiting, dropped);
  }
  if (ready.length === 0) return { erased: 0, open: waiting.length };
  const all = ready.map(({ charge }) => charge);
  const unexpected = await callCompany(env, companyId, (account) =>
    account.erasePayers({ companyId, transactionIds: all.map(({ id }) => id) }),
  );
  const archived = { charges: all, otherSubjects: unexpected.map(unexpectedPaymentSubject) };
  const count = await eraseArchived(env, companyId, archived, budget, nowMs);
  const done = ready.slice(0, count);
  const again = done.flatMap(({ charge: { seq }, again: at }) =>
    at === null ? [] : [{ seq, at }],
  );
  const over = done.flatMap(({ charge: { seq }, again: at }) => (at === null ? [seq] : []));
  const erased = { charges: done.map(({ charge }) => charge), unexpected };
  // Last, since it ends the erasures.
  await eraseCharges(env, companyId, erased, { again, over }, nowMs);
  return { erased: done.length, open: waiting.length + ready.length - done.length };
}
