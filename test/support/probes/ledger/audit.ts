import { companyStub } from "../../../../src/company-client/stub.ts";
import type { AuditStep, AuditPass } from "../../../../src/company/ledger/audit.ts";
import { env, type TestCompany } from "../../builders/companies/company.ts";

/** What a step proves; how large the object is depends on the platform. */
type StepResult = Omit<AuditStep, "storageBytes">;

/** One step of the cron's audit on, or of one of its own from the first movement. */
export function audit(company: TestCompany, fromStart = false): Promise<StepResult> {
  return stepResult(company, fromStart ? "reconcile" : "cron", fromStart);
}

/** Steps of the audit until it says that it is done. */
export async function auditAll(company: TestCompany, fromStart = false): Promise<StepResult> {
  const walk = fromStart ? "reconcile" : "cron";
  let step = await audit(company, fromStart);
  while (!step.done) step = await stepResult(company, walk, false);
  return step;
}

async function stepResult(
  company: TestCompany,
  pass: AuditPass,
  fromStart: boolean,
): Promise<StepResult> {
  const account = companyStub(env, company.id);
  const { storageBytes: _bytes, ...step } = await account.auditLedger(company.id, pass, fromStart);
  return step;
}
