import { storeCallback } from "../../db/callbacks.ts";
import { Round } from "../../db/round.ts";
import type { TransactionRow } from "../../db/transaction-mapper.ts";
import { timeOfTransactionId } from "../../domain/ids.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { readBack } from "../provider-callbacks/service.ts";
import { lookedUpTo, openAmong, playedBetween, setLookedUpTo, type OpenCharge } from "./looks.ts";

/** A charge is looked at each minute from its first on, for as long. */
const LOOKED_AT_MS = 20 * 60_000;
/** A charge younger than a minute is left to the request that plays. */
const UNDER_WAY_MS = 60_000;
/** How old a charge may be whose play counts on the look: the rest is for slow requests and clocks. */
const COUNTED_ON_MS = 15 * 60_000;
/** A charge that ends by itself within so long may have ended before it is played at. */
const END_MARGIN_MS = 5 * 60_000;
/** 100,000 charges a minute, and no new page once the next minute's cron is near. */
const PAGE = 500;
const PAGES_MAX = 200;
const LOOK_TIME_MS = 40_000;
/** When a charge that could not be read back is tried again beside the looks. */
const RETRY_MS = 5 * 60_000;

/**
 * Whether the cron finds by itself what happens now to an open charge at the sandbox's bank: that it
 * is paid for the first time, or ends. Not of cards, whose acquirer may not have heard of them.
 */
export function isLookedAt(row: TransactionRow, nowMs: number): boolean {
  return (
    row.paymentMethod !== "CREDIT_CARD" &&
    row.status === "waiting_payment" &&
    nowMs - timeOfTransactionId(row.id) < COUNTED_ON_MS &&
    (row.expiresAt === null || row.expiresAt - nowMs > END_MARGIN_MS)
  );
}

/**
 * Books what was played at the sandbox's bank by a request that was cut off before it read it back:
 * charges of the last minutes that the bank calls paid or ended and D1 still open. Reads what the bank
 * has of the charges of these minutes, and nothing older; a pause of the cron is caught up with.
 */
export async function bookCutOffPlays(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const young = startedAt - LOOKED_AT_MS;
  const begin = (await lookedUpTo(env)) ?? young;
  let reached = begin;
  let after: string | null = null;
  let isBehind = true;
  let isSafe = true;
  const round = new Round(env);
  for (let page = 0; page < PAGES_MAX && isBehind; page++) {
    if (deps.clock.now() - startedAt > LOOK_TIME_MS) break;
    const until = startedAt - UNDER_WAY_MS;
    const played: string[] = await playedBetween(env, after ?? begin, until, PAGE);
    isSafe = (await bookOpen(env, deps, round, played)) && isSafe;
    isBehind = played.length === PAGE;
    after = played.at(-1) ?? after;
    // What could be neither booked nor kept is looked at again, with all that is younger.
    if (isSafe) reached = isBehind && after !== null ? timeOfTransactionId(after) : until;
  }
  await setLookedUpTo(env, Math.max(begin, Math.min(reached, young)));
}

/** Answers whether each was found wherever it lives, and booked, or a callback of it is kept. */
async function bookOpen(
  env: Env,
  deps: Dependencies,
  round: Round,
  played: string[],
): Promise<boolean> {
  const { open, isWhole } = await openAmong(round, played);
  const booked = await Promise.all(open.map((charge) => bookOne(env, deps, charge)));
  return isWhole && booked.every((isSafe) => isSafe);
}

async function bookOne(env: Env, deps: Dependencies, charge: OpenCharge): Promise<boolean> {
  const { id, company } = charge;
  try {
    if ((await readBack(env, deps, company, id)) !== "unknown") return true;
  } catch (error) {
    log("warn", "sandbox_look_failed", { ...errorFields(error), transactionId: id });
  }
  const dueAt = deps.clock.now() + RETRY_MS;
  const callback = { id: `look:${id}`, companyId: company.id, objectId: id, dueAt, attempts: 0 };
  return storeCallback(env, callback).then(
    () => true,
    () => false,
  );
}
