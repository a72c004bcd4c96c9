import type { AppContext } from "../../../http/context.ts";
import type { ProposalRequest } from "./service.ts";
import { proposalView } from "./views.ts";
import { propose } from "./service.ts";

/** Makes a proposal, as `propose` of the service does, and shows it. The service is loaded when it is needed. */
export async function proposed(c: AppContext, request: ProposalRequest) {
  return { data: proposalView(c, await propose(c, request)) };
}
