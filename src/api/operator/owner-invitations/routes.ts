import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { InviteOwner } from "../../people/schemas.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { givenByOperator, givenRightWarnings } from "../given-right.ts";
import { MadeOwnerInvitation } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { inviteOwner } from "../../people/service.ts";

const route = routesOf("Operator");

const invite = route.post(`${COMPANY}/owner-invitation`, {
  operationId: "inviteCompanyOwner",
  summary: "Invite an owner of a company",
  description:
    "The way to a company's first owner, and back when its owners are gone. The link is shown once, works once, " +
    "and ends after 7 days. If the response is lost, repeat: that ends the earlier link. 409 for a member. For the " +
    "owner's first 24 hours, or the company's longer cool-down, his withdraws, refunds and returns wait for an approval.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(InviteOwner),
  answers: { 201: jsonResponse("The invitation, with its link", MadeOwnerInvitation) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

export { invite as inviteCompanyOwner };

/** The operator's route for a company's first owner. */
export function ownerInvitationRoutes(app: Api): void {
  app.openapi(invite, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    const givenBy = await givenByOperator(c);
    const made = await inviteOwner(c, company.id, c.req.valid("json").email, givenBy);
    const warnings = givenRightWarnings(company, c.get("deps").platformClock.now());
    c.header("Cache-Control", "no-store");
    return c.json({ data: { ...made, ...warnings } }, 201);
  });
}
