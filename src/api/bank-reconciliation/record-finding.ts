import { callCompany } from "../../company-client/stub.ts";
import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import type { Env } from "../../config.ts";

/** Opens a contradiction for a finding at the company's object, once; returns its number. */
export function recordFinding(env: Env, companyId: number, finding: Finding): Promise<number> {
  return callCompany(env, companyId, (object) => object.recordFinding({ companyId, finding }));
}
