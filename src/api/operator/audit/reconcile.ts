import type { Owed } from "../../../company/commands.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  eventsAfter,
  movedCopiesAfter,
  repairCopies,
  strayWithdraw,
} from "../../../db/projection/copies.ts";
import type { Env } from "../../../config.ts";
import { anchorsToCompare } from "./anchors.ts";
import { differencesOf, NOTHING, originalsOf, owedViolations, violationsOf } from "./tasks.ts";

/** Charges, withdraws, and rows of D1 that one step looks at. */
const COPIES_MAX = 100;
const EVENTS_MAX = 1_000;

export interface ReconcileStep {
  /** Look at the ledger from its beginning, which the first step does. */
  fromStart: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  afterSeq: number;
  afterEvent: number;
  /** Write the object's word over copies that differ. */
  repair: boolean;
  /** Events before the first that D1 holds were archived (docs/storage.md): they are not missing. */
  archived: boolean;
}

export interface ReconcileResult extends Omit<ReconcileStep, "fromStart" | "repair" | "archived"> {
  movement: number;
  ledgerDone: boolean;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/**
 * One bounded step of an operator's check of everything: the ledger from its first movement, each
 * charge and withdraw against D1's copy, which can be written again from the object, each of D1's
 * rows for being the object's, and in the end the number of events.
 */
export async function reconcileStep(
  env: Env,
  companyId: number,
  step: ReconcileStep,
): Promise<ReconcileResult> {
  const { afterTransaction, afterWithdraw, fromStart } = step;
  if (fromStart) await callCompany(env, companyId, (account) => account.tick());
  const anchors = await anchorsToCompare(env, companyId);
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger(companyId, "reconcile", fromStart, anchors),
  );
  const query = { afterTransaction, afterWithdraw, limit: COPIES_MAX };
  const originals = await originalsOf(env, companyId, query);
  const { charges, withdraws } = originals;
  const differences = await differencesOf(env, companyId, {
    transactionIds: charges.map((charge) => charge.transactionId),
    withdrawIds: withdraws.map((withdraw) => withdraw.id),
  });
  if (step.repair) await repairCopies(env, companyId, differences);
  const strays = await strayCopies(env, companyId, step.afterSeq);
  const events = await checkEvents(env, companyId, step);
  const copiesDone =
    charges.length < COPIES_MAX &&
    withdraws.length < COPIES_MAX &&
    strays.rows < COPIES_MAX &&
    events.done;
  return {
    movement: audit.movement,
    ledgerDone: audit.done,
    afterTransaction: charges.at(-1)?.transactionId ?? afterTransaction,
    afterWithdraw: withdraws.at(-1)?.id ?? afterWithdraw,
    afterSeq: strays.lastSeq,
    afterEvent: events.last,
    copiesDone,
    compared: charges.length + withdraws.length,
    repaired: step.repair
      ? differences.charges.filter((different) => different.copyVersion !== null).length +
        differences.withdraws.length
      : 0,
    violations: [
      ...audit.violations,
      ...owedViolations(originals.owed),
      ...violationsOf(differences),
      ...strays.violations,
      ...events.violations,
      ...(copiesDone ? await strayWithdraws(env, companyId) : []),
    ],
  };
}

/** Charges that D1 says have moved, and of which the object knows nothing. */
async function strayCopies(
  env: Env,
  companyId: number,
  afterSeq: number,
): Promise<{ rows: number; lastSeq: number; violations: string[] }> {
  const rows = await movedCopiesAfter(env, companyId, afterSeq, COPIES_MAX);
  const transactionIds = rows.filter((row) => row.moved).map((row) => row.id);
  const { charges } = await originalsOf(env, companyId, { transactionIds, withdrawIds: [] });
  const known = new Set(charges.map((charge) => charge.transactionId));
  return {
    rows: rows.length,
    lastSeq: rows.at(-1)?.seq ?? afterSeq,
    violations: transactionIds
      .filter((id) => !known.has(id))
      .map((id) => `I9 D1 says that transaction ${id} has moved, which it has not`),
  };
}

/** The events of one step without a gap, and in the end as many as there are. */
async function checkEvents(
  env: Env,
  companyId: number,
  { afterEvent, archived }: ReconcileStep,
): Promise<{ last: number; done: boolean; violations: string[] }> {
  const { companySequence, owed } = await originalsOf(env, companyId, NOTHING);
  const found = await eventsAfter(env, companyId, afterEvent, EVENTS_MAX);
  const last = found.at(-1)?.companySequence ?? afterEvent;
  const done = found.length < EVENTS_MAX;
  const violations: string[] = [];
  const oldest = archived && afterEvent === 0 ? found[0] : undefined;
  let expected = oldest?.companySequence ?? afterEvent + 1;
  const missing = (from: number, to: number) => {
    if (!isAllOwed(from, to, owed)) violations.push(`I8 events ${from} to ${to} are missing`);
  };
  for (const event of found) {
    if (event.companySequence !== expected) missing(expected, event.companySequence - 1);
    expected = event.companySequence + 1;
  }
  if (done && owed.entries === owed.setAside && last < companySequence) {
    missing(last + 1, companySequence);
  }
  // An event may have happened between the two reads.
  const beyond = done && last > companySequence;
  const now = beyond ? (await originalsOf(env, companyId, NOTHING)).companySequence : last;
  if (last > now) violations.push(`I8 D1 has events beyond ${now}`);
  return { last, done, violations };
}

/** Whether D1 has none of these events because all of them were set aside. */
function isAllOwed(from: number, to: number, { setAsideEvents }: Owed): boolean {
  return setAsideEvents.filter((number) => number >= from && number <= to).length === to - from + 1;
}

async function strayWithdraws(env: Env, companyId: number): Promise<string[]> {
  const stray = async () => {
    const { withdrawCount } = await originalsOf(env, companyId, NOTHING);
    return strayWithdraw(env, companyId, withdrawCount);
  };
  // Looked at twice: a withdraw may have been made between the two reads.
  const first = await stray();
  return first !== null && (await stray()) !== null
    ? [`I9 D1 has a withdraw ${first} that was never made`]
    : [];
}
