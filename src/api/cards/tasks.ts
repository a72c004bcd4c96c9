import {
  dueCardDeletions,
  endCardDeletion,
  listSavedCards,
  NOT_GIVEN,
  postponeCardDeletion,
  savedCardsOfPayer,
  type CardDeletionRow,
} from "../../db/saved-cards.ts";
import { CompanyMovingError } from "../../db/sharding/routed-database.ts";
import { dueOfAll } from "../../db/sharding/fan-out.ts";
import type { Env } from "../../config.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { callProvider } from "../../providers/provider.ts";
import { METHODS } from "../../methods/registry.ts";
import { openRef, SAVED_CARDS_MAX } from "./saved.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A house that did not delete a card is asked again after as long as it has had, between these. */
const AGAIN_MIN_MS = 10 * MINUTE_MS;
const AGAIN_MAX_MS = DAY_MS;
/**
 * A house that still keeps a card after this is told by people: the account may be disconnected. One that has given
 * nothing for it by then keeps none.
 */
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/** Deleted cards of one run: each takes up to four calls to D1 and one to its house. */
const DELETIONS_MAX = 50;

/** Cron task: has the houses delete the cards that are deleted here. */
export async function deleteCardsAtHouses(
  env: Env,
  deps: Pick<Dependencies, "platformClock" | "providers">,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  const { fanOut, nowMs } = dueOfAll(env, deps);
  const due = await dueCardDeletions(fanOut, nowMs, DELETIONS_MAX);
  for (const { deletion, company, database } of due) {
    try {
      // First, so that one that always fails does not hold up the others.
      const age = nowMs - deletion.createdAt;
      const wait = Math.min(AGAIN_MAX_MS, Math.max(AGAIN_MIN_MS, age));
      await postponeCardDeletion(env, deletion, nowMs + wait);
      const isGiven = deletion.sealed !== NOT_GIVEN;
      const isOver = isGiven && (await deleteAtHouse(env, deps, company, deletion));
      if (!isOver && age < GIVEN_UP_AFTER_MS) continue;
      if (!isOver && isGiven) log("error", "card_left_at_house", whereOf(deletion));
      await endCardDeletion(env, deletion);
    } catch (error) {
      if (!(error instanceof CompanyMovingError)) fanOut.exclude(database, error);
    }
  }
  if (due.length === DELETIONS_MAX) await step.continue(null);
}

/**
 * Whether the house keeps a deleted card no longer. One that the payer has saved again, or has saved twice, stays: it may
 * be the same one there.
 */
async function deleteAtHouse(
  env: Env,
  { providers }: Pick<Dependencies, "providers">,
  company: Company,
  { id, account, customer, sealed, leadKey }: CardDeletionRow,
): Promise<boolean> {
  const method = METHODS.find(({ initiation }) => initiation === "pull");
  const provider = await providers(env).ofAccount(company, account, method?.name);
  if (provider === null) return false;
  try {
    const leadKeys = leadKey === null ? [] : [leadKey];
    const saved = await Promise.all([
      listSavedCards(env, company.id, customer, SAVED_CARDS_MAX),
      savedCardsOfPayer(env, company.id, leadKeys, SAVED_CARDS_MAX),
    ]);
    const kept = saved.flat().filter((each) => each.account === account);
    const refs = new Set(await Promise.all(kept.map((each) => openRef(env, company, each))));
    const ref = await openRef(env, company, { id, sealed });
    const about = { provider: provider.name, companyId: company.id };
    const { kind } = await callProvider(provider.deleteCard(ref, [...refs]), about);
    return kind === "deleted";
  } catch (error) {
    log("warn", "card_not_deleted", { ...errorFields(error), companyId: company.id, cardId: id });
    return false;
  }
}

function whereOf({ companyId, id, account }: CardDeletionRow) {
  return { companyId, cardId: id, account };
}
