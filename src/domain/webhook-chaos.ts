/**
 * How a sandbox company wants its webhooks mistreated, so that its own tests can prove its handler.
 * Each share is a probability from 0 to 1.
 */
export interface WebhookChaos {
  seed: number;
  /** Sent again after it was delivered, under the same `webhook-id`. */
  duplicate: number;
  /** Followed by the object's previous event once more: an old state after a newer one. */
  reorder: number;
  /** Attempts that are not sent and count as failed. */
  drop: number;
  /** The longest wait before the first attempt, in seconds; each event's is drawn up to it. */
  delay: number;
  /** The company's newest event when the chaos was set: the run counts from the next one. */
  after: number;
}
