import type { CopyQuery, Originals, Owed } from "../../../company/commands.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  diffProjection,
  eventsAfter,
  missingEvents,
  type Differences,
} from "../../../db/projection/copies.ts";
import { contradictionsToName } from "../../../db/reconciliation/contradictions.ts";
import {
  findSelfCheck,
  saveSelfCheck,
  type StoredCheck,
} from "../../../db/reconciliation/self-checks.ts";
import { contradictionId } from "../../../domain/reconciliation/contradiction.ts";
import { isTransactionObject, withdrawOfObject } from "../../../domain/shared/object-id.ts";
import type { Mismatch } from "../../../domain/shared/inspection.ts";
import { anchorsToCompare } from "./anchors.ts";
import type { Env } from "../../../config.ts";
import { log } from "../../../lib/log.ts";
import { gaugeCompany } from "../storage/tasks.ts";

/** Events whose objects one step compares. */
const EVENTS_MAX = 100;
/** Steps of each kind for one company in one minute: 10,000 movements and 2,000 events. */
const STEPS_MAX = 20;
/** Copies that differ are compared once more: a change may have come between two reads. */
const COMPARISONS_MAX = 3;
/** Missing events that are remembered one by one. */
const MISSING_MAX = 100;
/** Characters shown of a value that differs: a list of refunds may be long. */
const VALUE_MAX = 200;
/** Open contradictions that a check names; the operator's list has all of them. */
const CONTRADICTIONS_MAX = 20;
/** What of a charge or a withdraw says who somebody is. */
const PERSONAL_FIELDS = new Set(["card", "pixKey", "creditorDocument"]);
/** Copies that differ, and are remembered to be compared again. */
const SUSPECTS_MAX = 100;
/** Failed attempts after which D1's being behind is a violation of its own: about half a minute. */
const OWED_ATTEMPTS_MAX = 5;

/**
 * The cron's check of one company, from where the last one ended: the ledger's audit, and D1's copy
 * of what has changed since. Its cost does not grow with history. The outcome is recorded.
 */
export async function checkCompany(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<StoredCheck> {
  const earlier = await findSelfCheck(env, companyId);
  const audit = await auditOn(env, companyId);
  const copies = await checkCopies(env, companyId, earlier);
  const contradictions = await contradictionsToName(env, companyId, CONTRADICTIONS_MAX);
  const check = {
    companyId,
    checkedAt: nowMs,
    movement: audit.movement,
    companySequence: copies.companySequence,
    missingEvents: copies.missingEvents,
    suspects: copies.suspects,
    violations: [
      ...audit.violations,
      ...copies.violations,
      ...contradictions.map(
        ({ number, kind, object }) =>
          `contradiction ${contradictionId(companyId, number)} is open: ${kind} of ${object}`,
      ),
    ],
  };
  await saveSelfCheck(env, check);
  await gaugeCompany(env, companyId, audit.storageBytes, nowMs);
  if (copies.violations.length > 0) {
    log("error", "copy_violated", { companyId, violations: copies.violations.join("; ") });
  }
  return check;
}

async function auditOn(env: Env, companyId: number) {
  const anchors = await anchorsToCompare(env, companyId);
  for (let steps = 1; ; steps++) {
    const step = await callCompany(env, companyId, (account) =>
      account.auditLedger(companyId, "cron", false, anchors),
    );
    if (step.done || steps === STEPS_MAX) return step;
  }
}

/**
 * The events since the last check without a gap (I8), and the copies of what they were about (I9).
 * What is missing or differs stays a finding for as long as it does, and the check goes on behind it.
 */
async function checkCopies(
  env: Env,
  companyId: number,
  earlier: StoredCheck | null,
): Promise<Pick<StoredCheck, "companySequence" | "missingEvents" | "suspects" | "violations">> {
  const known = earlier?.missingEvents ?? [];
  const missing = new Set(known.length === 0 ? [] : await missingEvents(env, companyId, known));
  // Asked before D1 is, so that an event that happens meanwhile is not missed by mistake.
  const { companySequence: newest, owed } = await originalsOf(env, companyId, NOTHING);
  const before = earlier?.suspects ?? { transactionIds: [], withdrawIds: [] };
  const waiting = owed.entries - owed.setAside;
  const found: Differences[] = [await differencesOf(env, companyId, before)];
  let after = earlier?.companySequence ?? 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const events = await eventsAfter(env, companyId, after, EVENTS_MAX);
    const whole = events.length < EVENTS_MAX;
    const last = events.at(-1)?.companySequence ?? after;
    const there = new Set(events.map((event) => event.companySequence));
    const expected = waiting === 0 && whole ? Math.max(last, newest) : last;
    // Those beyond what is remembered are found by a reconciliation.
    for (let number = after + 1; number <= expected && missing.size < MISSING_MAX; number++) {
      if (!there.has(number)) missing.add(number);
    }
    const objects = objectsOf(events.map((event) => event.objectId));
    found.push(await differencesOf(env, companyId, objects));
    after = expected;
    if (whole) break;
  }
  const differences = {
    charges: found.flatMap((each) => each.charges),
    withdraws: found.flatMap((each) => each.withdraws),
  };
  const setAside = await setAsideEvents(env, companyId, missing.size > 0);
  return {
    companySequence: after,
    missingEvents: [...missing],
    suspects: suspectsOf(differences),
    violations: [
      ...owedViolations(owed),
      ...new Set(violationsOf(differences)),
      ...[...missing]
        .filter((number) => !setAside.has(number))
        .map((number) => `I8 event ${number} is missing`),
    ],
  };
}

/**
 * Events that D1 is still owed behind later ones. Asked after D1 was, so that one that was set aside in
 * between is no missing one; those missing are remembered all the same, for they may be given up.
 */
async function setAsideEvents(env: Env, companyId: number, isAsked: boolean): Promise<Set<number>> {
  if (!isAsked) return new Set();
  const { owed } = await originalsOf(env, companyId, NOTHING);
  return new Set(owed.setAsideEvents);
}

/** Copies that differ are compared in each check until they do not; the check goes on behind them. */
function suspectsOf({ charges, withdraws }: Differences): StoredCheck["suspects"] {
  const transactionIds = charges.map(({ original }) => original.transactionId);
  const withdrawIds = withdraws.map(({ original }) => original.id);
  return {
    transactionIds: [...new Set(transactionIds)].slice(0, SUSPECTS_MAX),
    withdrawIds: [...new Set(withdrawIds)].slice(0, SUSPECTS_MAX),
  };
}

export const NOTHING: CopyQuery = { transactionIds: [], withdrawIds: [] };

export function originalsOf(env: Env, companyId: number, query: CopyQuery): Promise<Originals> {
  return callCompany(env, companyId, (account) => account.originals(query));
}

/** What D1 is still owed is no difference; that it is owed it for long is a violation. */
export function owedViolations(owed: Owed): string[] {
  const { attempts, setAside } = owed;
  const waiting = owed.entries - setAside;
  return [
    ...(attempts < OWED_ATTEMPTS_MAX
      ? []
      : [`I9 D1 is behind by ${waiting} changes, tried ${attempts} times`]),
    ...(setAside === 0 ? [] : [`I9 ${setAside} changes are set aside: D1 refuses them`]),
  ];
}

/**
 * Where D1's copies of these differ for good: what is still owed to D1 is left out, and what changed
 * between two reads is read again.
 */
export async function differencesOf(
  env: Env,
  companyId: number,
  query: CopyQuery,
): Promise<Differences> {
  const nothing = "transactionIds" in query && query.transactionIds.length === 0;
  if (nothing && query.withdrawIds.length === 0) return { charges: [], withdraws: [] };
  let asked = query;
  let differences: Differences = { charges: [], withdraws: [] };
  for (let comparison = 0; comparison < COMPARISONS_MAX; comparison++) {
    const originals = await originalsOf(env, companyId, asked);
    const { transactionIds, withdrawIds } = originals.owed;
    differences = await diffProjection(env, companyId, {
      charges: originals.charges.filter((each) => !transactionIds.includes(each.transactionId)),
      withdraws: originals.withdraws.filter((each) => !withdrawIds.includes(each.id)),
    });
    const { charges, withdraws } = differences;
    if (charges.length + withdraws.length === 0) break;
    asked = {
      transactionIds: charges.map(({ original }) => original.transactionId),
      withdrawIds: withdraws.map(({ original }) => original.id),
    };
  }
  return differences;
}

export function violationsOf({ charges, withdraws }: Differences): string[] {
  return [
    ...charges.map(({ original, copyVersion, mismatches }) =>
      copyVersion === null
        ? `I9 transaction ${original.transactionId} is not in D1`
        : `I9 D1 differs on transaction ${original.transactionId}: ${textOf(mismatches)}`,
    ),
    ...withdraws.map(({ original, copyVersion, mismatches }) => {
      const how = copyVersion === null ? "it is not there" : textOf(mismatches);
      return `I9 D1 differs on withdraw ${original.id}: ${how}`;
    }),
  ];
}

/** What differs, for an operator and the log: what may be somebody's data is only named. */
function textOf(mismatches: Mismatch[]): string {
  const texts = mismatches.map(({ field, here, there }) => {
    if (PERSONAL_FIELDS.has(field)) return `${field} is another`;
    const [inD1, inObject] = [here, there].map((value) =>
      JSON.stringify(value).slice(0, VALUE_MAX),
    );
    return `${field} is ${inD1} in D1 and ${inObject} in the object`;
  });
  return texts.join(", ");
}

function objectsOf(objectIds: string[]): { transactionIds: string[]; withdrawIds: number[] } {
  const ids = [...new Set(objectIds)];
  return {
    transactionIds: ids.filter(isTransactionObject),
    withdrawIds: ids.flatMap((id) => withdrawOfObject(id) ?? []),
  };
}
