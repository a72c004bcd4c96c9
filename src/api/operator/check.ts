import { callCompany } from "../../company/stub.ts";
import type { Originals } from "../../company/commands.ts";
import { compareCopies, eventsAfter, repairCopies, type Differences } from "../../db/copies.ts";
import { findSelfCheck, saveSelfCheck, type StoredCheck } from "../../db/self-checks.ts";
import type { Env } from "../../env.ts";
import { log } from "../../lib/log.ts";

/** Events whose objects one check compares. */
const EVENTS_MAX = 100;
/** Charges, and withdraws, that one step of a reconciliation compares. */
const COPIES_MAX = 100;

const WITHDRAW_OBJECT = /^withdraw:(\d+)$/;
const BALANCE_OBJECT = /^balance:/;

/**
 * The cron's check of one company, from where the last one ended: a step of the ledger's audit, and
 * D1's copy of what has changed since. Its cost does not grow with history. The outcome is recorded.
 */
export async function checkCompany(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<StoredCheck> {
  const earlier = await findSelfCheck(env, companyId);
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger(companyId, false),
  );
  const copies = await checkCopies(env, companyId, earlier?.companySequence ?? 0);
  const check = {
    companyId,
    checkedAt: nowMs,
    movement: audit.movement,
    companySequence: copies.companySequence,
    violations: [...audit.violations, ...copies.violations],
  };
  await saveSelfCheck(env, check);
  if (copies.violations.length > 0) {
    log("error", "copy_violated", { companyId, violations: copies.violations.join("; ") });
  }
  return check;
}

/**
 * The events since the last check without a gap (I8), and the copies of what they were about (I9).
 * While D1 is still owed something, what it lacks is no violation.
 */
async function checkCopies(
  env: Env,
  companyId: number,
  after: number,
): Promise<{ companySequence: number; violations: string[] }> {
  // Asked before D1 is, so that an event that happens meanwhile is not missed by mistake.
  const before = await callCompany(env, companyId, (account) =>
    account.originals({ transactionIds: [], withdrawIds: [] }),
  );
  const events = await eventsAfter(env, companyId, after, EVENTS_MAX);
  const ids = [...new Set(events.map((event) => event.objectId))];
  const originals = await callCompany(env, companyId, (account) =>
    account.originals({
      transactionIds: ids.filter((id) => !WITHDRAW_OBJECT.test(id) && !BALANCE_OBJECT.test(id)),
      withdrawIds: ids.flatMap((id) => {
        const number = WITHDRAW_OBJECT.exec(id)?.[1];
        return number === undefined ? [] : [Number(number)];
      }),
    }),
  );
  const gap = events.find((event, index) => event.companySequence !== after + index + 1);
  const violations =
    gap === undefined ? [] : [`I8 an event is missing before ${gap.companySequence}`];
  const newest = events.at(-1)?.companySequence ?? after;
  if (!before.undrained && events.length < EVENTS_MAX && newest < before.companySequence) {
    violations.push(`I8 events after ${newest} are missing`);
  }
  if (!originals.undrained) {
    violations.push(...violationsOf(await compareCopies(env, companyId, originals)));
  }
  // Where D1 is behind or wrong, the same events are looked at again.
  const sound = !originals.undrained && violations.length === 0;
  return { companySequence: sound ? newest : after, violations };
}

export interface ReconcileStep {
  /** Look at the ledger from its beginning, which the first step does. */
  fromStart: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  /** Write the object's word over copies that differ. */
  repair: boolean;
}

export interface ReconcileResult {
  movement: number;
  ledgerDone: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/**
 * One bounded step of an operator's check of everything: the ledger from its first movement, and
 * each charge and withdraw against D1's copy, which can be written again from the object.
 */
export async function reconcileStep(
  env: Env,
  companyId: number,
  step: ReconcileStep,
): Promise<ReconcileResult> {
  const { afterTransaction, afterWithdraw } = step;
  if (step.fromStart) await callCompany(env, companyId, (account) => account.tick());
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger(companyId, step.fromStart),
  );
  const originals: Originals = await callCompany(env, companyId, (account) =>
    account.originals({ afterTransaction, afterWithdraw, limit: COPIES_MAX }),
  );
  const differences = await compareCopies(env, companyId, originals);
  if (step.repair) await repairCopies(env, companyId, differences);
  const { charges, withdraws } = originals;
  const found = originals.undrained && !step.repair ? [] : violationsOf(differences);
  return {
    movement: audit.movement,
    ledgerDone: audit.done,
    afterTransaction: charges.at(-1)?.transactionId ?? afterTransaction,
    afterWithdraw: withdraws.at(-1)?.id ?? afterWithdraw,
    copiesDone: charges.length < COPIES_MAX && withdraws.length < COPIES_MAX,
    compared: charges.length + withdraws.length,
    repaired: step.repair ? differences.charges.length + differences.withdraws.length : 0,
    violations: [...audit.violations, ...found],
  };
}

function violationsOf(differences: Differences): string[] {
  return [
    ...differences.missing.map((id) => `I9 transaction ${id} is not in D1`),
    ...differences.charges.map((charge) => `I9 D1 differs on transaction ${charge.transactionId}`),
    ...differences.withdraws.map((withdraw) => `I9 D1 differs on withdraw ${withdraw.id}`),
  ];
}
