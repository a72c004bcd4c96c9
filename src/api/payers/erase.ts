import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { erasureStep } from "../../domain/charges/payer-erasure.ts";
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
 * left undone is still due. Answers how many charges were erased, and how many have not ended.
 */
export async function runErasures(
  env: Env,
  companyId: number,
  erasures: Erasure[],
  retentionDays: number | null,
  nowMs: number,
): Promise<{ erased: number; open: number }> {
  const charges = await loadCharges(
    env,
    companyId,
    erasures.map(({ seq }) => seq),
  );
  const toErase: ChargeToErase[] = [];
  const again: { seq: number; at: number }[] = [];
  const waiting: { seq: number; at: number }[] = [];
  const dropped: number[] = [];
  const over: number[] = [];
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
    toErase.push(charge);
    if (step.again === null) over.push(seq);
    else again.push({ seq, at: step.again });
  }
  if (waiting.length + dropped.length > 0) {
    await postponeErasures(env, companyId, waiting, dropped);
  }
  if (toErase.length > 0) {
    const ids = toErase.map(({ id }) => id);
    const unexpected = await callCompany(env, companyId, (account) =>
      account.erasePayers(companyId, ids),
    );
    await eraseCharges(env, companyId, { charges: toErase, unexpected }, { again, over }, nowMs);
  }
  return { erased: toErase.length, open: waiting.length };
}
