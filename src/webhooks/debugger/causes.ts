/** The causes of a failed webhook verification, in the order of the checks. */
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

/** The first failed check of a webhook. */
export interface VerificationError {
  cause: Cause;
  /** The cause and its remedy, for the merchant. */
  detail: string;
}
