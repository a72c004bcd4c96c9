import type { Env } from "../../config.ts";
import { isoTime, isoTimeOrNull } from "../../domain/shared/clock.ts";
import { findTrace, newestChanges, type RequestCharge, type RequestEntry } from "./repository.ts";

/** The end of an action that was refused. */
const REFUSED = ".refused";

/** What one request changed or was refused, oldest first, and how far back was looked. */
export async function showRequest(
  env: Env,
  companyId: number,
  asked: { traceId: string; toMs: number | null },
) {
  const { entries, charges, searchedFrom } = await findTrace(env, companyId, asked);
  const steps = [...entries.map(stepOfEntry), ...charges.map(stepOfCharge)];
  return {
    traceId: asked.traceId,
    items: steps.toSorted(byTime),
    searchedFrom: isoTimeOrNull(searchedFrom),
  };
}

/** What was changed last, newest first, up to `limit` steps. */
export async function showNewest(env: Env, companyId: number, limit: number) {
  const { entries, charges } = await newestChanges(env, companyId, limit);
  const steps = [...entries.map(stepOfEntry), ...charges.map(stepOfCharge)];
  return { items: steps.toSorted((left, right) => byTime(right, left)).slice(0, limit) };
}

function stepOfEntry(entry: RequestEntry) {
  const { at, traceId, actorKind, actorId, actorName, action, target, reason } = entry;
  return {
    at: isoTime(at),
    traceId,
    action,
    target,
    actor: { kind: actorKind, id: actorId, name: actorName },
    code: action.endsWith(REFUSED) ? reason : null,
  };
}

function stepOfCharge({ at, traceId, id, code }: RequestCharge) {
  const action = code === null ? "transaction.create" : `transaction.create${REFUSED}`;
  return { at: isoTime(at), traceId, action, target: `transaction:${id}`, actor: null, code };
}

function byTime(left: { at: string }, right: { at: string }): number {
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0;
}
