import type { getProposal } from "../../../../../api/operator/proposals/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";

export const PROPOSALS_PATH = "/console/operator/proposals";

export type Proposal = RouteBody<typeof getProposal>["data"];
