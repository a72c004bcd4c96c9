import type { Finding } from "../../../../src/company/contradictions/contradiction-store.ts";
import { contradictionId } from "../../../../src/domain/reconciliation/contradiction.ts";
import { callsTo } from "../companies/calls.ts";
import type { Answer, Call } from "../requests/api.ts";
import { type TestCompany } from "../companies/company.ts";
import { decideByTwo, proposeOn } from "../operations/decide.ts";

/** Records a contradiction in the object; returns its id. */
export async function givenContradiction(
  company: TestCompany,
  overrides: Partial<Finding> = {},
): Promise<string> {
  const object = overrides.object ?? "withdraw:7";
  const kind = overrides.kind ?? "payout_unknown";
  const finding = overrides.finding ?? `${kind}:${object}`;
  const number = await callsTo(company.id).recordFinding({
    companyId: company.id,
    finding: {
      said: { status: "Paid" },
      booked: { status: "Failed" },
      amount: 10_000,
      held: 0,
      ...overrides,
      finding,
      kind,
      object,
    },
  });
  return contradictionId(company.id, number);
}

/** The first operator proposes a decision. */
export function propose(id: string, body: object, options: Call = {}): Promise<Answer> {
  return proposeOn(`/contradictions/${id}/decide`, body, options);
}

/** One operator proposes a decision and the other one approves it; returns the last answer. */
export function decide(id: string, body: object, options: Call = {}): Promise<Answer> {
  return decideByTwo(`/contradictions/${id}/decide`, body, options);
}
