import { dueOfAll, type Due } from "../../db/sharding/fan-out.ts";
import { CompanyMovingError } from "../../db/sharding/routed-database.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Env } from "../../config.ts";
import { depsOfCompany, type Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { creditToNewTransaction } from "./credit.ts";
import { dueCredits, postponeCredit } from "./repository.ts";

/** Credits of one run: each takes up to ten calls to D1 and to its object, of 1,000 an invocation. */
export const CREDITS_MAX = 50;
/** A credit that could not be made, as while its payment is disputed, is tried again after this. */
const RETRY_MS = 5 * 60_000;

/** Cron task: makes the transactions of unexpected payments that are to be credited, where a crash left them. */
export async function creditUnexpected(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
  { fanOut, nowMs: now }: Due = dueOfAll(env, deps),
): Promise<void> {
  const due = await dueCredits(fanOut, now, CREDITS_MAX);
  for (const { paymentId, company, database } of due) {
    try {
      // First, so that one that always fails does not hold up the others.
      await postponeCredit(env, company.id, paymentId, now + RETRY_MS);
    } catch (error) {
      if (!(error instanceof CompanyMovingError)) fanOut.exclude(database, error);
      continue;
    }
    try {
      if ((await deps.pauses.of(env, company.id)) !== null) continue;
      await creditToNewTransaction({ env, deps: depsOfCompany(deps, company), company }, paymentId);
    } catch (error) {
      log("error", "unexpected_credit_failed", { ...errorFields(error), companyId: company.id });
    }
  } // Each was put off first, so that the next step finds others.
  if (due.length === CREDITS_MAX) await step.continue(null);
}
