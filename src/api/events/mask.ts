import { seesPersonalData, visibleEventData } from "../../domain/access/payer-masks.ts";
import type { Caller } from "../../http/context.ts";

/**
 * An event as its caller may see it: personal data masked without `pii:read`. Webhooks to the merchant's own
 * URL carry it in full.
 */
export function visibleData<Event extends { data: Record<string, unknown> | null }>(
  { scopes }: Pick<Caller, "scopes">,
  event: Event,
): Event {
  return event.data === null ? event : { ...event, data: visibleEventData(scopes, event.data) };
}

/** Attempts as their caller may see them: a receiver may answer with what it was sent. */
export function visibleAttempts<Attempt extends { answer: string }>(
  { scopes }: Pick<Caller, "scopes">,
  attempts: Attempt[],
): Attempt[] {
  return seesPersonalData(scopes)
    ? attempts
    : attempts.map((attempt) => Object.assign({}, attempt, { answer: "" }));
}
