import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { Terms } from "../../settings/schemas.ts";
import { showTerms } from "../../settings/service.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { proposalView } from "../proposals/views.ts";
import { createCompany } from "./create.ts";
import { visibleCompany } from "./views.ts";
import {
  ChangeCompany,
  ChangeCompanyTerms,
  Companies,
  CompaniesQuery,
  CompanyReason,
  CreateCompany,
  CreatedCompany,
  FreezeCompany,
  OneCompany,
  OneFreeze,
  UnfreezeCompany,
} from "./schemas.ts";
import {
  changeCompanyTerms,
  close,
  freezeCompany,
  pageOfCompanies,
  patchCompany,
  proposeUnfreeze,
  reopen,
  showCompany,
} from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Operator");
const COMPANIES = "/api/v1/operator/companies";

const companies = route.get(COMPANIES, {
  operationId: "listCompanies",
  summary: "List the companies with the result of their last check",
  guard: requireOperator("companies:read"),
  query: CompaniesQuery,
  answers: { 200: jsonResponse("One page", Companies) },
  problems: ["VALIDATION_FAILED"],
});

const create = route.post(COMPANIES, {
  operationId: "createCompany",
  summary: "Create a company",
  description:
    "With one application that has every scope, and its first key. The key and the webhook secret are shown " +
    "once: a repeat with the same `Idempotency-Key` makes no second company and shows neither. If the " +
    "response is lost, issue another key.",
  guard: requireOperator("companies:write"),
  body: jsonBody(CreateCompany),
  idempotencyKey: optionalIdempotencyKey("company-1042"),
  answers: { 201: jsonResponse("The company, with its credentials", CreatedCompany) },
  problems: ["IDEMPOTENCY_IN_PROGRESS"],
});

const show = route.get(COMPANY, {
  operationId: "getCompany",
  summary: "Get a company",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The company", OneCompany) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const patch = route.patch(COMPANY, {
  operationId: "changeCompany",
  summary: "Rename a company, or change its mode or bank account",
  description:
    "The mode changes only while the company has had no charge, no movement and no PSP (409). Its keys keep " +
    "their prefix. Another main PIX key is proposed (202) and takes a second operator; other fields of the same " +
    "request act at once.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(ChangeCompany),
  answers: {
    200: jsonResponse("The company", OneCompany),
    202: jsonResponse("The proposal of another PIX key", OneProposal),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

const closing = route.post(`${COMPANY}/close`, {
  operationId: "closeCompany",
  summary: "Close a company",
  description:
    "Its credentials are refused from the next request on. Payments that PSPs report later are booked as " +
    "always. 409 while it has money, debt, or an open charge, withdraw, refund, dispute or contradiction. " +
    "Idempotent.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(CompanyReason),
  answers: { 200: jsonResponse("The closed company", OneCompany) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const reopening = route.post(`${COMPANY}/reopen`, {
  operationId: "reopenCompany",
  summary: "Open a closed company again",
  description: "Its keys work as before. Idempotent.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(CompanyReason),
  answers: { 200: jsonResponse("The company", OneCompany) },
  problems: ["NOT_FOUND"],
});

const terms = route.get(`${COMPANY}/terms`, {
  operationId: "getCompanyTerms",
  summary: "Get the terms of a company",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The terms", Terms) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const putTerms = route.put(`${COMPANY}/terms`, {
  operationId: "changeCompanyTerms",
  summary: "Change fees, release days, minimum withdraw, or freeze a company",
  description:
    "`frozen: true` freezes at once. `frozen: false` of a frozen company needs a `reason` and is proposed (202): " +
    "another operator approves it. The other terms act at once.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(ChangeCompanyTerms),
  answers: {
    200: jsonResponse("The terms", Terms),
    202: jsonResponse("The proposal to end the freeze", OneProposal),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

const freezing = route.post(`${COMPANY}/freeze`, {
  operationId: "freezeCompany",
  summary: "Freeze a company",
  description:
    "At once, by one operator: every way out of its money or, with `charges`, also creates and captures. The company " +
    "gets the event `company.frozen`. Idempotent: one of which no more is frozen than before keeps its reason.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(FreezeCompany),
  answers: { 200: jsonResponse("The freeze", OneFreeze) },
  problems: ["NOT_FOUND"],
});

const unfreezing = route.delete(`${COMPANY}/freeze`, {
  operationId: "endCompanyFreeze",
  summary: "Propose to end a company's freeze",
  description:
    "Another operator approves the proposal. Then the company gets the event `company.unfrozen`.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: optionalJsonBody(UnfreezeCompany),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

export {
  companies as listCompanies,
  create as createCompany,
  show as getCompany,
  patch as changeCompany,
  closing as closeCompany,
  reopening as reopenCompany,
  terms as getCompanyTerms,
  putTerms as changeCompanyTerms,
  freezing as freezeCompany,
  unfreezing as endCompanyFreeze,
};

export function operatorRoutes(app: Api): void {
  app.openapi(companies, async (c) => {
    return c.json(await pageOfCompanies(c.env, c.req.valid("query")), 200);
  });

  app.openapi(create, async (c) => {
    const { data, replayed } = await createCompany(c, c.req.valid("json"));
    if (replayed) c.header(REPLAYED_HEADER, "true");
    c.header("Cache-Control", "no-store");
    return c.json({ data }, 201);
  });

  app.openapi(show, async (c) =>
    c.json(
      { data: visibleCompany(c, await showCompany(c.env, c.req.valid("param").companyId)) },
      200,
    ),
  );

  app.openapi(patch, async (c) => {
    const { companyId } = c.req.valid("param");
    const answer = await patchCompany(c, companyId, c.req.valid("json"));
    if ("proposal" in answer) return c.json({ data: proposalView(c, answer.proposal) }, 202);
    return c.json({ data: answer.company }, 200);
  });

  app.openapi(closing, async (c) => {
    const { reason } = c.req.valid("json");
    return c.json({ data: await close(c, c.req.valid("param").companyId, reason) }, 200);
  });

  app.openapi(reopening, async (c) => {
    const { reason } = c.req.valid("json");
    return c.json({ data: await reopen(c, c.req.valid("param").companyId, reason) }, 200);
  });

  app.openapi(terms, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    return c.json(await showTerms(c.env, company.id, company.terms), 200);
  });

  app.openapi(putTerms, async (c) => {
    const { companyId } = c.req.valid("param");
    const answer = await changeCompanyTerms(c, companyId, c.req.valid("json"));
    if ("proposal" in answer) return c.json({ data: proposalView(c, answer.proposal) }, 202);
    return c.json(answer.terms, 200);
  });

  app.openapi(freezing, async (c) => {
    const { companyId } = c.req.valid("param");
    return c.json({ data: await freezeCompany(c, companyId, c.req.valid("json")) }, 200);
  });

  app.openapi(unfreezing, async (c) => {
    const { reason } = c.req.valid("json");
    const row = await proposeUnfreeze(c, c.req.valid("param").companyId, reason);
    return c.json({ data: proposalView(c, row) }, 202);
  });
}
