import type { Env } from "../../../config.ts";
import { dueOfAll, type Due } from "../../../db/sharding/fan-out.ts";
import { SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import { depsOfCompany, type Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { dueResponses } from "./repository.ts";
import { askAboutResponse } from "./service.ts";

/** Responses of one run: each takes up to eight calls to D1, the object and the bank. */
export const RESPONSES_MAX = 50;

/** Cron task: asks banks about dossiers that were sent to them, until their word is final. */
export async function askAboutResponses(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
  { fanOut, nowMs }: Due = dueOfAll(env, deps),
): Promise<void> {
  const due = await dueResponses(fanOut, nowMs, RESPONSES_MAX);
  for (const { response, company } of due) {
    try {
      if ((await deps.pauses.of(env, company.id)) !== null) continue;
      await askAboutResponse({ env, deps: depsOfCompany(deps, company), company }, response);
    } catch (error) {
      log("warn", "dispute_response_not_asked", { ...errorFields(error), companyId: company.id });
    }
  }
  if (due.length === RESPONSES_MAX) await step.continue(null);
}
