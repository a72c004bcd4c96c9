import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { depsOfCompany } from "../../../http/context.ts";
import { NO_FIELDS, optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { optionalIdempotencyKey } from "../../../http/idempotency.ts";
import { ApiKey, ApiKeys, keyNumber } from "../../applications/keys/schemas.ts";
import { draftKey, issueKey, pageOfKeys } from "../../applications/keys/service.ts";
import { keyView } from "../../applications/keys/views.ts";
import { isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { givenByOperator, givenRightWarnings } from "../given-right.ts";
import { IssueApiKey, IssuedCompanyKey, OperatorKeysQuery } from "./schemas.ts";
import { applicationOfKey, requireKey, revokeApiKey } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Operator");
const KEYS = `${COMPANY}/keys`;
const issue = route.post(KEYS, {
  operationId: "issueCompanyKey",
  summary: "Issue an API key for a company",
  description:
    "Shown once. The application's other keys expire after `overlapHours`, 0 for at once. 409 if two active " +
    "keys do not expire at once. A repeated request under its `Idempotency-Key` issues no second key and is a " +
    "409 that names the first. For its first 24 hours, or the company's longer cool-down, its withdraws, refunds and " +
    "returns wait for an approval.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: optionalJsonBody(IssueApiKey),
  idempotencyKey: optionalIdempotencyKey("key_2026-11", { isReplayed: false }),
  answers: { 201: jsonResponse("The key", IssuedCompanyKey) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const list = route.get(KEYS, {
  operationId: "listCompanyKeys",
  summary: "List the API keys of a company",
  description: "Newest first, without the keys themselves. Ended keys stay listed for a while.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  query: OperatorKeysQuery,
  answers: { 200: jsonResponse("The keys", ApiKeys) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const revoke = route.post(`${KEYS}/{keyId}/revoke`, {
  operationId: "revokeCompanyKey",
  summary: "Revoke an API key of a company",
  description: "The next request with the key is refused, everywhere. Idempotent.",
  guard: requireOperator("companies:write"),
  params: CompanyParam.extend({ keyId: keyNumber }),
  body: NO_FIELDS,
  answers: { 200: jsonResponse("The key", ApiKey) },
  problems: ["NOT_FOUND"],
});

/** An operator's routes for a company's API keys. */
export function apiKeyRoutes(app: Api): void {
  app.openapi(issue, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    const { clientId: named, ...request } = c.req.valid("json");
    const clientId = await applicationOfKey(
      c.env,
      company.id,
      named,
      c.get("deps").platformClock.now(),
    );
    const { platformClock, clock, random } = depsOfCompany(c.get("deps"), company);
    const draft = await draftKey(random, company);
    const after = {
      prefix: draft.prefix,
      overlapHours: request.overlapHours,
      expiresAt: isoTimeOrNull(request.expiresAt ?? null),
    };
    const action = { action: "key.issue", target: `application:${clientId}`, after };
    const givenBy = await givenByOperator(c);
    const record = await audited(c, { companyId: company.id, ...action }, () =>
      issueKey(
        c.env,
        { companyId: company.id, clientId },
        {
          ...request,
          draft,
          idempotencyKey: c.get("idempotencyKey"),
          nowMs: platformClock.now(),
          createdAt: clock.now(),
          version: null,
          givenBy,
        },
      ),
    );
    c.header("Cache-Control", "no-store");
    const warnings = givenRightWarnings(company, clock.now());
    return c.json({ ...keyView(record), key: draft.key, ...warnings }, 201);
  });

  app.openapi(list, async (c) => {
    const { id: companyId } = await requireCompany(c, c.req.valid("param").companyId);
    const { clientId = null, ...page } = c.req.valid("query");
    const { rows, after } = await pageOfKeys(c.env, { companyId, clientId }, page);
    return c.json({ items: rows.map(keyView), after, hasMore: after !== null }, 200);
  });

  app.openapi(revoke, async (c) => {
    const { companyId, keyId } = c.req.valid("param");
    await requireCompany(c, companyId);
    const { clientId } = await requireKey(c.env, companyId, keyId);
    const target = `application:${clientId} key:${keyId}`;
    const revoked = await audited(c, { companyId, action: "key.revoke", target }, () =>
      revokeApiKey(c.env, companyId, keyId, c.get("deps").platformClock.now()),
    );
    return c.json(keyView(revoked), 200);
  });
}
