import { callsTo } from "../../builders/companies/calls.ts";
import type { AuditStep, AuditPass } from "../../../../src/company/ledger/audit.ts";
import { type TestCompany } from "../../builders/companies/company.ts";

/** The result of an audit step without the object's size, which depends on the platform. */
type StepResult = Omit<AuditStep, "storageBytes">;

/** Runs the next step of the cron's audit, or starts one from the first movement. */
export function audit(company: TestCompany, fromStart = false): Promise<StepResult> {
  return stepResult(company, fromStart ? "reconcile" : "cron", fromStart);
}

/** Runs audit steps to the end. */
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
  const account = callsTo(company.id);
  const { storageBytes: _bytes, ...step } = await account.auditLedger({
    companyId: company.id,
    pass,
    fromStart,
  });
  return step;
}
