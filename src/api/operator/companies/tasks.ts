import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { highestCompanyId, nextCompanies } from "../../../db/companies/companies.ts";
import { pagesOf, SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Companies of one message. */
const COMPANIES_PER_MESSAGE = 25;
/** Every company is woken once in so many minutes. */
const PASS_MINUTES = 60;

/**
 * Cron task: runs the due work of some companies' objects, since the platform stops retrying an alarm that keeps
 * failing. Every company has its turn once an hour, and some each minute even if there are few. A lost message
 * means a turn later.
 */
export async function runCompanies(
  env: Env,
  _deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  if (step.state !== null) return runPage(env, step.state as number[]);
  const perMinute = Math.ceil((await highestCompanyId(env)) / PASS_MINUTES);
  const companyIds = await nextCompanies(env, "run", Math.max(COMPANIES_PER_MESSAGE, perMinute));
  const [first = [], ...others] = pagesOf(companyIds, COMPANIES_PER_MESSAGE);
  await step.share(others);
  await runPage(env, first);
}

async function runPage(env: Env, companyIds: number[]): Promise<void> {
  await Promise.all(
    companyIds.map(async (companyId) => {
      try {
        await callCompany(env, companyId, (account) => account.runNow());
      } catch (error) {
        log("error", "company_run_failed", { ...errorFields(error), companyId });
      }
    }),
  );
}
