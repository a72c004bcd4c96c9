import { Problem } from "../../domain/shared/problem.ts";
import type { AppContext } from "../context.ts";

/** Nobody is told how long a pause lasts; a caller that asks this often is no burden. */
const RETRY_SECONDS = 60;

/** Refuses what a pause of the service, or of this company, stops. Throws 503. */
export async function requireRunning(c: AppContext, companyId: number): Promise<void> {
  if ((await c.get("deps").pauses.of(c.env, companyId)) !== null) throw servicePaused();
}

/** The 503 of what a pause stops. It says nothing of the reason, which is for operators. */
export function servicePaused(): Problem {
  return new Problem({
    code: "SERVICE_PAUSED",
    detail:
      "The service is paused for a while. Nothing was done and nothing is lost. Please try again.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}
