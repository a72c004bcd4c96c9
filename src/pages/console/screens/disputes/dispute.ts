import type { DisputeReason, DisputeStatusWord } from "../../../../domain/disputes/dispute.ts";

/** A dispute as the API shows it; amounts in centavos. */
export interface Dispute {
  id: string;
  transactionId: string | null;
  paymentId: string | null;
  reason: DisputeReason;
  amount: number;
  held: number;
  status: DisputeStatusWord;
  deadline: string | null;
  openedAt: string;
  evidence: {
    text: string | null;
    links: string[];
    delivery: Record<string, unknown> | null;
    submittedAt: string;
  } | null;
}

export const DISPUTES_PATH = "/console/disputes";

/** The page of a dispute; its id has colons. */
export function disputePath(id: string): string {
  return `${DISPUTES_PATH}/${encodeURIComponent(id)}`;
}

/** The API's path of a dispute. */
export function apiPath(id: string): string {
  return `/api/v1/disputes/${encodeURIComponent(id)}`;
}
