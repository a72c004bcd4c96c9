import type { Env } from "../../../config.ts";
import { movedCompanies, passClock } from "../../../db/company-clocks.ts";
import { findOpenCompany } from "../../../db/companies/companies.ts";
import { dueOfAll, type Due } from "../../../db/sharding/fan-out.ts";
import { pagesOf, SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { runClock } from "./run.ts";

/** Companies with a moved clock that a minute looks at. */
const COMPANIES_MAX = 500;
/** Companies of one invocation. */
const COMPANIES_PER_MESSAGE = 10;

/**
 * Cron task: does what is due by the time of companies whose clock was moved. The other tasks look by the platform's
 * time, which comes to it later.
 */
export async function runClocks(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
  { fanOut }: Due = dueOfAll(env, deps),
): Promise<void> {
  if (step.state !== null) return runPage(env, deps, step.state as number[]);
  const moved = await movedCompanies(fanOut, COMPANIES_MAX);
  const [first = [], ...others] = pagesOf(
    moved.map(({ row }) => row.companyId),
    COMPANIES_PER_MESSAGE,
  );
  await step.share(others);
  await runPage(env, deps, first);
}

async function runPage(env: Env, deps: Dependencies, companies: number[]): Promise<void> {
  for (const companyId of companies) {
    try {
      const isPaused = (await deps.pauses.of(env, companyId)) !== null;
      const company = isPaused ? null : await findOpenCompany(env, companyId);
      if (company === null) await passClock(env, companyId, deps.platformClock.now());
      else await runClock({ env, deps }, company, null);
    } catch (error) {
      log("error", "clock_failed", { ...errorFields(error), companyId });
    }
  }
}
