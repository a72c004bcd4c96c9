import type { EvidenceFile } from "./evidence-file.ts";

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
  /** Absent in evidence from before files. */
  files?: EvidenceFile[];
  /** When it last changed, epoch milliseconds. */
  submittedAt: number;
}

/** A request's evidence: a field that it leaves out stays, an empty one is removed. */
export interface EvidenceChange {
  text?: string | undefined;
  links?: string[] | undefined;
  delivery?: Record<string, unknown> | undefined;
  /** A file whose bytes are kept already. */
  addedFile?: EvidenceFile;
  /** The id of a file to take out. */
  removedFile?: string;
}

/**
 * The evidence after a change, field by field: each that is sent replaces the earlier one. A file that is there under
 * another id is not added again.
 */
export function mergeEvidence(
  known: Evidence | null,
  { text, links, delivery, addedFile, removedFile }: EvidenceChange,
  nowMs: number,
): Evidence {
  const kept = (known?.files ?? []).filter(({ id }) => id !== removedFile);
  const isThere = kept.some(({ sha256 }) => sha256 === addedFile?.sha256);
  const files = addedFile === undefined || isThere ? kept : [...kept, addedFile];
  const isEmptyDelivery = delivery !== undefined && Object.keys(delivery).length === 0;
  return {
    text: text === undefined ? (known?.text ?? null) : text === "" ? null : text,
    links: links ?? known?.links ?? [],
    delivery: isEmptyDelivery ? null : (delivery ?? known?.delivery ?? null),
    ...(files.length === 0 ? {} : { files }),
    submittedAt: nowMs,
  };
}

/** What counts against `EVIDENCE_MAX_BYTES`: all but the files, which have limits of their own, and the time. */
export function evidenceBytes({ text, links, delivery }: Evidence): number {
  return new TextEncoder().encode(JSON.stringify({ text, links, delivery })).length;
}
