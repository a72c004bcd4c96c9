import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { AccessEnd, AcknowledgeViolations, Acknowledgement } from "./watch-schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { acknowledgeViolations, saveAccessEnd } from "./action-service.ts";

const route = routesOf("Operator");

const acknowledge = route.post(`${COMPANY}/violations/acknowledge`, {
  operationId: "acknowledgeViolations",
  summary: "Acknowledge the violations that a company's last check found",
  description:
    "No alarm tells of them while they stay the same; the status still lists them. 409 if there are none.",
  guard: requireOperator("companies:support"),
  params: CompanyParam,
  body: jsonBody(AcknowledgeViolations),
  answers: { 200: jsonResponse("The note", Acknowledgement) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const setEnd = route.put(`${COMPANY}/providers/pix-api/access-end`, {
  operationId: "setAccessEnd",
  summary: "Set when a company's access to its PSP ends",
  description:
    "The end of the client certificate and of the credentials, which the gateway cannot read itself. Alarms tell " +
    "of them 30 and 7 days before. 409 if the company has no PSP.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(AccessEnd),
  answers: { 200: jsonResponse("The ends", AccessEnd) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

/** What an operator does about what the status shows. */
export function statusActions(app: Api): void {
  app.openapi(acknowledge, async (c) => {
    const { id: companyId } = await requireCompany(c, c.req.valid("param").companyId);
    const { reason } = c.req.valid("json");
    const action = { action: "violations.acknowledge", target: `company:${companyId}`, reason };
    const note = { by: c.get("operator").name, reason, nowMs: c.get("deps").platformClock.now() };
    const acknowledged = await audited(c, { companyId, ...action }, () =>
      acknowledgeViolations(c.env, companyId, note),
    );
    return c.json(acknowledged, 200);
  });

  app.openapi(setEnd, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    const ends = c.req.valid("json");
    const action = { action: "provider.set_access_end", target: `company:${company.id}` };
    await audited(c, { companyId: company.id, ...action, after: ends }, () =>
      saveAccessEnd(c.env, company, ends),
    );
    return c.json(ends, 200);
  });
}
