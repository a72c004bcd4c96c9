/** Bytes of a dispute's evidence in all, as JSON in UTF-8. */
export const EVIDENCE_MAX_BYTES = 16 * 1024;
export const EVIDENCE_LINKS_MAX = 20;

/** What a merchant says against a dispute. */
export interface Evidence {
  text: string | null;
  /** Pages or files, https. */
  links: string[];
  /** The proof of delivery, in the merchant's own fields. */
  delivery: Record<string, unknown> | null;
  /** When it last changed, epoch milliseconds. */
  submittedAt: number;
}

/** A request's evidence: a field that it leaves out stays, an empty one is removed. */
export interface EvidenceChange {
  text?: string | undefined;
  links?: string[] | undefined;
  delivery?: Record<string, unknown> | undefined;
}

/** The evidence after a change, field by field: each that is sent replaces the earlier one. */
export function mergeEvidence(
  known: Evidence | null,
  { text, links, delivery }: EvidenceChange,
  nowMs: number,
): Evidence {
  const isEmptyDelivery = delivery !== undefined && Object.keys(delivery).length === 0;
  return {
    text: text === undefined ? (known?.text ?? null) : text === "" ? null : text,
    links: links ?? known?.links ?? [],
    delivery: isEmptyDelivery ? null : (delivery ?? known?.delivery ?? null),
    submittedAt: nowMs,
  };
}

/** What counts against `EVIDENCE_MAX_BYTES`: all but the time. */
export function evidenceBytes({ text, links, delivery }: Evidence): number {
  return new TextEncoder().encode(JSON.stringify({ text, links, delivery })).length;
}
