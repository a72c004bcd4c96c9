import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { PROPOSAL_PROBLEMS } from "./responses.ts";
import {
  CreateProposal,
  DecideProposal,
  OneProposal,
  ProposalParam,
  Proposals,
  ProposalsQuery,
} from "./schemas.ts";
import { proposalView } from "./views.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { approve, pageOfProposals, propose, refuse } from "./service.ts";
import { requireProposal } from "./execution.ts";

const route = routesOf("Operator");
const PATH = "/api/v1/operator/proposals";
/** Larger than the number of any proposal. */
const NEWEST = Number.MAX_SAFE_INTEGER;

const create = route.post(PATH, {
  operationId: "createProposal",
  summary: "Propose a decision for another operator to approve",
  description:
    "The routes that decide make the same proposals. The provider is asked: a decision against what it says is " +
    "409. The same proposal again is the one that waits. It expires after 72 hours. The permission is the action's.",
  guard: requireOperator("money:decide"),
  body: jsonBody(CreateProposal),
  answers: { 201: jsonResponse("The proposal", OneProposal) },
  problems: [...PROPOSAL_PROBLEMS],
});

const list = route.get(PATH, {
  operationId: "listProposals",
  summary: "List operators' proposals, the newest first",
  guard: requireOperator("companies:read"),
  query: ProposalsQuery,
  answers: { 200: jsonResponse("One page", Proposals) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getProposal",
  summary: "Get a proposal",
  guard: requireOperator("companies:read"),
  params: ProposalParam,
  answers: { 200: jsonResponse("The proposal", OneProposal) },
  problems: ["NOT_FOUND"],
});

const approveRoute = route.post(`${PATH}/{id}/approve`, {
  operationId: "approveProposal",
  summary: "Approve another operator's proposal, which then has its effect",
  description:
    "The provider is asked again: 409 if it says something else, and the proposal waits on. Where it does not " +
    "answer, the decision is taken and marked `withoutProvider`. The same operator's repeat has no second effect, " +
    "and finishes what a crash left.",
  guard: requireOperator("money:decide"),
  params: ProposalParam,
  body: jsonBody(DecideProposal),
  answers: { 200: jsonResponse("The approved proposal, with its outcome", OneProposal) },
  problems: ["NOT_FOUND", "INVALID_STATE", "PROVIDER_DISAGREES", "PROVIDER_DISCONNECTED"],
});

const refuseRoute = route.post(`${PATH}/{id}/refuse`, {
  operationId: "refuseProposal",
  summary: "Refuse a proposal",
  description: "Its proposer may do so too. Idempotent.",
  guard: requireOperator("money:decide"),
  params: ProposalParam,
  body: jsonBody(DecideProposal),
  answers: { 200: jsonResponse("The refused proposal", OneProposal) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

export {
  list as listProposals,
  show as getProposal,
  approveRoute as approveProposal,
  refuseRoute as refuseProposal,
};

export function proposalRoutes(app: Api): void {
  app.openapi(create, async (c) => {
    const { request = {}, evidence = null, ...proposed } = c.req.valid("json");
    const row = await propose(c, { ...proposed, request, evidence });
    return c.json({ data: proposalView(c, row) }, 201);
  });

  app.openapi(list, async (c) => {
    const { status = null, companyId = null, target = null, after, limit } = c.req.valid("query");
    const before = after === undefined ? NEWEST : Number(after);
    const page = await pageOfProposals(c, { status, companyId, target, before, limit });
    const items = page.rows.map((row) => proposalView(c, row));
    return c.json({ items, after: page.after, hasMore: page.hasMore }, 200);
  });

  app.openapi(show, async (c) => {
    return c.json(
      { data: proposalView(c, await requireProposal(c.env, c.req.valid("param").id)) },
      200,
    );
  });

  app.openapi(approveRoute, async (c) => {
    const row = await approve(c, c.req.valid("param").id, c.req.valid("json").reason);
    return c.json({ data: proposalView(c, row) }, 200);
  });

  app.openapi(refuseRoute, async (c) => {
    const row = await refuse(c, c.req.valid("param").id, c.req.valid("json").reason);
    return c.json({ data: proposalView(c, row) }, 200);
  });
}
