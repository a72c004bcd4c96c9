import { isoTime, isoTimeOrNull } from "../shared/clock.ts";

/**
 * What a bank says of a dossier that was sent to it. `sending`: whether it has it is not known; it is asked until it
 * says so. `withdrawn`: the case ended without a decision. `not_sent`: it does not have it, and it is too late. `no_answer`:
 * it never said, and the dispute is over. The last five are final.
 */
export const RESPONSE_STATUSES = [
  "sending",
  "received",
  "under_analysis",
  "accepted",
  "refused",
  "withdrawn",
  "not_sent",
  "no_answer",
] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

const FINAL: ReadonlySet<ResponseStatus> = new Set([
  "accepted",
  "refused",
  "withdrawn",
  "not_sent",
  "no_answer",
]);

/** What the bank says of a case, of its own accord or asked. `answer`: its own words. */
export interface ResponseWord {
  status: Extract<
    ResponseStatus,
    "received" | "under_analysis" | "accepted" | "refused" | "withdrawn"
  >;
  answer: string | null;
}

/** Characters of a bank's answer that are kept. */
const ANSWER_MAX = 1_000;

/** A dossier that was sent, or is being sent, to the bank. Times epoch milliseconds. */
export interface DisputeResponse {
  /** A UUID: what the bank knows it by. */
  id: string;
  /** From 1; a bank may take more than one. */
  version: number;
  status: ResponseStatus;
  answer: string | null;
  /** When it was first sent. */
  sentAt: number;
  /** When the bank's word last changed; null before the first. */
  answeredAt: number | null;
}

/** Whether nothing changes any more. */
export function isFinalResponse(status: ResponseStatus): boolean {
  return FINAL.has(status);
}

/**
 * A response after the bank's word. A word that lags behind an earlier one, as of a list or a lost answer, changes
 * nothing, and nor does any after a final one.
 */
export function afterWord<Known extends Pick<DisputeResponse, "status" | "answer" | "answeredAt">>(
  known: Known,
  { status, answer }: ResponseWord,
  nowMs: number,
): Known {
  const isBehind = RESPONSE_STATUSES.indexOf(status) < RESPONSE_STATUSES.indexOf(known.status);
  if (isFinalResponse(known.status) || isBehind) return known;
  const said = answer === null ? known.answer : answer.slice(0, ANSWER_MAX);
  if (status === known.status && said === known.answer) return known;
  return { ...known, status, answer: said, answeredAt: nowMs };
}

/** A response as the dispute shows it. */
export function responseView({ id, version, status, answer, sentAt, answeredAt }: DisputeResponse) {
  return {
    id,
    version,
    status,
    answer,
    sentAt: isoTime(sentAt),
    answeredAt: isoTimeOrNull(answeredAt),
  };
}
