import { and, eq, lte } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { MANDATE_WINDOW_MAX_MS } from "../../domain/reconciliation/mandate-pass.ts";
import type { Progress } from "../../domain/reconciliation/reconciliation.ts";
import { databaseFor } from "../client.ts";
import { mandatePasses } from "../schema/reconciliation.ts";
import { runIdempotent } from "../storage-errors.ts";

interface Account {
  companyId: number;
  account: string;
}

/**
 * Claims the pass over an account's mandates and debits until `leaseUntil` (epoch milliseconds); null if it is not due, or
 * another run has it. The first claim makes it.
 */
export async function claimMandatePass(
  env: Env,
  of: Account,
  { nowMs, leaseUntil }: { nowMs: number; leaseUntil: number },
): Promise<Progress | null> {
  const { companyId, account, readUntil, windowMs, nextRunAt } = mandatePasses;
  const first = { readUntil: 0, windowMs: MANDATE_WINDOW_MAX_MS, nextRunAt: leaseUntil };
  const [claimed] = await databaseFor(env, of.companyId)
    .insert(mandatePasses)
    .values({ ...of, ...first })
    .onConflictDoUpdate({
      target: [companyId, account],
      set: { nextRunAt: leaseUntil },
      setWhere: lte(nextRunAt, nowMs),
    })
    .returning({ readUntil, windowMs, nextRunAt });
  return claimed ?? null;
}

/** Saves the progress of a pass, if the run that claimed it until `leaseUntil` still has it. */
export async function saveMandatePass(
  env: Env,
  { companyId, account }: Account,
  leaseUntil: number,
  pass: Progress,
): Promise<void> {
  const table = mandatePasses;
  const isHeld = and(
    eq(table.companyId, companyId),
    eq(table.account, account),
    eq(table.nextRunAt, leaseUntil),
  );
  await runIdempotent(() =>
    databaseFor(env, companyId).update(table).set(pass).where(isHeld).run(),
  );
}
