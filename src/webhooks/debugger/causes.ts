/** What can be wrong with a webhook as a merchant received it, in the order it is looked for. */
export const CAUSES = [
  "missing_header",
  "malformed_header",
  "unknown_event",
  "truncated_body",
  "reserialised_body",
  "changed_body",
  "wrong_secret",
  "clock_skew",
] as const;

export type Cause = (typeof CAUSES)[number];

/** The first thing that is wrong with a webhook. */
export interface VerificationError {
  cause: Cause;
  /** One sentence that says what to change. */
  detail: string;
}
