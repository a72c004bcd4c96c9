import type { getDispute } from "../../../../api/disputes/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";

/** Amounts in centavos. */
export type Dispute = RouteBody<typeof getDispute>["data"];

/**
 * Whether its payer can be given the money in its place. A card's bank takes it itself: a refund of that payment is always
 * refused.
 */
export function isRefundable({ status, transactionId, reason }: Dispute): boolean {
  return status === "open" && transactionId !== null && reason !== "CHARGEBACK";
}

export const DISPUTES_PATH = "/console/disputes";

/** The page of a dispute; its id has colons. */
export function disputePath(id: string): string {
  return `${DISPUTES_PATH}/${encodeURIComponent(id)}`;
}
