import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { COMPANY, CompanyParam } from "../company-param.ts";
import { ForkCompany, ForkedCompany } from "./schemas.ts";
import { forkCompany } from "./service.ts";

const route = routesOf("Operator");

const fork = route.post(`${COMPANY}/fork`, {
  operationId: "forkCompany",
  summary: "Fork a company into a new sandbox company",
  description:
    "As it is now: with ledger, charges, withdraws, links, disputes and settings, its clock, and an application of its own whose key " +
    "is shown once. Payers become made-up ones with valid documents, ids are made anew, and the ledger's hashes follow " +
    "the first movement, which names the original's head. Webhooks, events, people, keys and PSPs stay behind; what was " +
    "pending at a PSP is pending at the sandbox's bank.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: optionalJsonBody(ForkCompany),
  idempotencyKey: optionalIdempotencyKey("fork-1042"),
  answers: { 201: jsonResponse("The copy, with its credentials", ForkedCompany) },
  problems: ["NOT_FOUND", "INVALID_STATE", "IDEMPOTENCY_IN_PROGRESS"],
});

export { fork as forkCompany };

/** Sandbox copies of companies. */
export function forkRoutes(app: Api): void {
  app.openapi(fork, async (c) => {
    const { reason } = c.req.valid("json");
    const { replayed, ...data } = await forkCompany(c, c.req.valid("param").companyId, reason);
    if (replayed) c.header(REPLAYED_HEADER, "true");
    c.header("Cache-Control", "no-store");
    return c.json({ data }, 201);
  });
}
