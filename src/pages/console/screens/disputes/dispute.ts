import type { getDispute } from "../../../../api/disputes/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";

/** Amounts in centavos. */
export type Dispute = RouteBody<typeof getDispute>["data"];

export const DISPUTES_PATH = "/console/disputes";

/** The page of a dispute; its id has colons. */
export function disputePath(id: string): string {
  return `${DISPUTES_PATH}/${encodeURIComponent(id)}`;
}
