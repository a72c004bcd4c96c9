import { parseContradictionId } from "../../../domain/reconciliation/contradiction.ts";
import type { Api } from "../../../http/api.ts";
import { auditedView } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { notFound } from "../../../http/problems.ts";
import {
  ContradictionParam,
  Contradictions,
  ContradictionSchema,
  ContradictionsQuery,
  DecideBody,
  EventsQuery,
  OperatorEvents,
} from "./schemas.ts";
import { companyContext } from "../company-param.ts";
import { seesPayers } from "../payer-views.ts";
import { proposed } from "../proposals/propose.ts";
import { PROPOSAL_PROBLEMS } from "../proposals/responses.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { getContradiction, pageOfContradictions, pageOfOperatorEvents } from "./service.ts";
import { maskedFields } from "../../../domain/access/row-masks.ts";

const route = routesOf("Operator");
const PATH = "/api/v1/operator/contradictions";

const list = route.get(PATH, {
  operationId: "listContradictions",
  summary: "List the contradictions of all companies, which only operators can resolve",
  description:
    "Provider reports that differ from the ledger, unexpected payments, entries that the database refuses, " +
    "unreadable records. Ordered by company and number. Payers are masked.",
  guard: requireOperator("companies:read"),
  query: ContradictionsQuery.extend({ limit: pageLimit }),
  answers: { 200: jsonResponse("One page", Contradictions) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getContradiction",
  summary: "Get a contradiction from its company's object",
  guard: requireOperator("companies:read"),
  params: ContradictionParam,
  answers: { 200: jsonResponse("The contradiction", ContradictionSchema) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const decide = route.post(`${PATH}/{id}/decide`, {
  operationId: "decideContradiction",
  summary: "Propose a decision on a contradiction",
  description: "Another operator approves the proposal, which books the decision for good.",
  guard: requireOperator("money:decide"),
  params: ContradictionParam,
  body: jsonBody(DecideBody),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: [...PROPOSAL_PROBLEMS],
});

const events = route.get("/api/v1/operator/events", {
  operationId: "listOperatorEvents",
  summary: "List the operator events of all companies",
  description:
    "Ordered by the time of the event. A late event appears at its own time: poll the list of contradictions " +
    "for what is open.",
  guard: requireOperator("companies:read"),
  query: EventsQuery.extend({ limit: pageLimit }),
  answers: { 200: jsonResponse("One page", OperatorEvents) },
  problems: ["VALIDATION_FAILED"],
});

export { list as listContradictions, show as getContradiction, decide as decideContradiction };

/** The contradictions and events of operators. */
export function contradictionRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const page = await pageOfContradictions(c.env, c.req.valid("query"));
    // Of all companies at once: only the look at one contradiction, which is in the trail, shows a payer.
    const items = page.items.map((item) => withoutPayer(item));
    return c.json({ ...page, items: await Promise.all(items) }, 200);
  });

  app.openapi(show, async (c) => {
    const { companyId, number } = requireContradictionId(c.req.valid("param").id);
    await auditedView(c, companyId, "contradiction", `contradiction:${c.req.valid("param").id}`);
    const found = await getContradiction(await companyContext(c, companyId), number);
    return c.json(await visibleContradiction(c, found), 200);
  });

  app.openapi(decide, async (c) => {
    const { id } = c.req.valid("param");
    const { companyId } = requireContradictionId(id);
    const { reason, evidence = null, ...request } = c.req.valid("json");
    const answer = await proposed(c, {
      action: "contradiction.decide",
      companyId,
      target: `contradiction:${id}`,
      request,
      reason,
      evidence,
    });
    return c.json(answer, 202);
  });

  app.openapi(events, async (c) =>
    c.json(await pageOfOperatorEvents(c.env, c.req.valid("query")), 200),
  );
}

/** The role `read` sees what a provider said of a payer masked. */
async function visibleContradiction<Shown extends { said: Record<string, unknown> }>(
  c: AppContext,
  shown: Shown,
): Promise<Shown> {
  return seesPayers(c) ? shown : withoutPayer(shown);
}

/** Masks what a provider said of a payer. */
async function withoutPayer<Shown extends { said: Record<string, unknown> }>(
  shown: Shown,
): Promise<Shown> {
  return { ...shown, said: maskedFields(shown.said) };
}

/** The company and number in a contradiction's id. Throws 404 if it is malformed. */
function requireContradictionId(id: string) {
  const parts = parseContradictionId(id);
  if (parts === null) throw notFound("contradiction");
  return parts;
}
