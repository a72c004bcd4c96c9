import { highestCompanyId, nextCompanies } from "../../../db/companies/companies.ts";
import { carryOverAll } from "../../../db/companies/psp-accounts.ts";
import { claimChecks, companiesToCheck } from "../../../db/reconciliation/self-checks.ts";
import { allShards } from "../../../db/client.ts";
import { FanOut } from "../../../db/sharding/fan-out.ts";
import { pagesOf, SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { MENDS_ALONE, MENDS_TOGETHER } from "./mend.ts";
import { checkSlice } from "./tasks.ts";

/**
 * Companies of one message, checked side by side, so that a slow one delays none of the others. A check runs some 15
 * statements of D1, some 30 with a step of the round over all copies, and at most 217 beside others, of the 1,000 that
 * an invocation may run (docs/scale.md).
 */
const COMPANIES_PER_MESSAGE = 4;
/** A company with movements is checked again after this: within 10 minutes even if a message is lost. */
const CHECK_EVERY_MS = 6 * 60_000;
/** A check that has not ended by then is taken for dead. */
const CLAIM_MS = 3 * 60_000;
/** Company numbers that one statement of each database looks at. */
const RANGE = 5_000;
/** Statements that find companies, in one invocation, beside the checks of one message; the next one continues. */
const STATEMENTS_MAX = 100;
/** Every company is checked once in so many minutes, also without a movement: D1 may have lost its events. */
const FULL_PASS_MINUTES = 24 * 60;
/** ... some each minute even if there are few. */
const FULL_PASS_MIN = 5;

/** What a message of the task says: from where to look for companies, or which to check. */
type CheckState =
  | { lookAfter: number; upTo: number }
  | { companyIds: number[]; isContinued?: boolean };

/** Checks a company from where its last check ended, and rewrites up to `mendsMax` copies; `false` if more remains. */
type CheckOne = (env: Env, companyId: number, nowMs: number, mendsMax: number) => Promise<boolean>;

const checkOne: CheckOne = async (env, companyId, nowMs, mendsMax) =>
  (await checkSlice(env, companyId, nowMs, mendsMax)).isComplete;

/**
 * Cron task: audits the companies with movements since their last check, and all others once a day. The first
 * step finds them and sends a message for each few of them; a lost message is found by the next minute.
 */
export async function checkCompanies(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  step: TaskStep = SINGLE_STEP,
  check: CheckOne = checkOne,
): Promise<void> {
  const state = step.state as CheckState | null;
  if (state !== null && "companyIds" in state) {
    return checkPage(env, deps, step, state, check);
  }
  const upTo = state?.upTo ?? (await highestCompanyId(env));
  const daily = state === null ? await nextOfFullPass(env, upTo) : [];
  const fanOut = new FanOut(env);
  // Until `migrations/contract` takes away where accounts were stored before.
  await carryOverAll(fanOut, daily);
  const found = await findMoved({ env, fanOut }, deps, step, {
    lookAfter: state?.lookAfter ?? 0,
    upTo,
  });
  const [first = [], ...others] = pagesOf(
    [...new Set([...daily, ...found])],
    COMPANIES_PER_MESSAGE,
  );
  await step.share(others.map((companyIds): CheckState => ({ companyIds })));
  await checkPage(env, deps, step, { companyIds: first }, check);
}

/** The next companies of the pass over all. */
function nextOfFullPass(env: Env, highest: number): Promise<number[]> {
  const count = Math.max(FULL_PASS_MIN, Math.ceil(highest / FULL_PASS_MINUTES));
  return nextCompanies(env, "check", count);
}

/** Companies that have moved since their last check. Another invocation looks at those beyond a bounded range. */
async function findMoved(
  { env, fanOut }: { env: Env; fanOut: FanOut },
  { platformClock }: Pick<Dependencies, "platformClock">,
  step: TaskStep,
  { lookAfter, upTo }: { lookAfter: number; upTo: number },
): Promise<number[]> {
  const ranges = Math.max(1, Math.floor(STATEMENTS_MAX / allShards(env).length));
  const reached = Math.min(upTo, lookAfter + ranges * RANGE);
  if (reached < upTo) await step.continue({ lookAfter: reached, upTo } satisfies CheckState);
  const found: number[] = [];
  for (let after = lookAfter; after < reached; after += RANGE) {
    const range = { after, upTo: Math.min(reached, after + RANGE) };
    found.push(...(await companiesToCheck(fanOut, range, platformClock.now() - CHECK_EVERY_MS)));
  }
  return found;
}

async function checkPage(
  env: Env,
  { platformClock }: Pick<Dependencies, "platformClock">,
  step: TaskStep,
  { companyIds, isContinued = false }: Extract<CheckState, { companyIds: number[] }>,
  check: CheckOne,
): Promise<void> {
  const now = platformClock.now();
  const claimed = isContinued
    ? companyIds
    : await claimChecks(env, companyIds, now, now + CLAIM_MS);
  const mendsMax = claimed.length === 1 ? MENDS_ALONE : MENDS_TOGETHER;
  await Promise.all(
    claimed.map(async (companyId) => {
      try {
        const isComplete = await check(env, companyId, platformClock.now(), mendsMax);
        if (!isComplete) {
          await step.share([{ companyIds: [companyId], isContinued: true } satisfies CheckState]);
        }
      } catch (error) {
        log("error", "check_failed", { ...errorFields(error), companyId });
      }
    }),
  );
}
