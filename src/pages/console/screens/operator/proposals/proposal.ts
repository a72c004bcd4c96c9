import type { getProposal } from "../../../../../api/operator/proposals/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import type { ConsoleContext } from "../../../context.ts";

export const PROPOSALS_PATH = "/console/operator/proposals";

export type Proposal = RouteBody<typeof getProposal>["data"];

/** To a proposal that was just made. */
export function toProposal(c: ConsoleContext, id: string): Response {
  return c.redirect(`${PROPOSALS_PATH}/${id}?done=proposed`, 303);
}
