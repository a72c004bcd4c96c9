import type { Finding } from "../../../../src/company/contradictions/contradiction-store.ts";
import { contradictionId } from "../../../../src/domain/reconciliation/contradiction.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import type { Answer, Call } from "../requests/api.ts";
import { env, type TestCompany } from "../companies/company.ts";
import { callAsApprover, callAsOperator } from "../companies/operator.ts";

/** Records a contradiction in the object; returns its id. */
export async function givenContradiction(
  company: TestCompany,
  overrides: Partial<Finding> = {},
): Promise<string> {
  const object = overrides.object ?? "withdraw:7";
  const kind = overrides.kind ?? "payout_unknown";
  const finding = overrides.finding ?? `${kind}:${object}`;
  const number = await companyStub(env, company.id).recordFinding(company.id, {
    said: { status: "Paid" },
    booked: { status: "Failed" },
    amount: 10_000,
    held: 0,
    ...overrides,
    finding,
    kind,
    object,
  });
  return contradictionId(company.id, number);
}

/** The first operator proposes a decision. */
export function propose(id: string, body: object, options: Call = {}): Promise<Answer> {
  return callAsOperator(`/contradictions/${id}/decide`, { ...options, method: "POST", body });
}

/** The second operator decides. */
export function agree(id: string, body: object, options: Call = {}): Promise<Answer> {
  return callAsApprover(`/contradictions/${id}/decide`, { ...options, method: "POST", body });
}

/** Both operators make the same decision; returns the second response. */
export async function decide(id: string, body: object, options: Call = {}): Promise<Answer> {
  const proposed = await propose(id, body, options);
  if (proposed.status !== 202)
    throw new Error(`propose answered ${proposed.status}: ${proposed.text}`);
  return agree(id, body, options);
}
