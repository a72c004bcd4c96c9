import { isoTime } from "../shared/clock.ts";

/** Bytes of one file of evidence: a photo of a phone, some scanned pages. */
export const EVIDENCE_FILE_MAX_BYTES = 5 * 1_024 * 1_024;
/** Files of a dispute, and their bytes in all: the dossier's PDF carries each. */
export const EVIDENCE_FILES_MAX = 10;
export const EVIDENCE_FILES_MAX_BYTES = 10 * 1_024 * 1_024;
export const EVIDENCE_FILE_NAME_MAX = 100;

/** What files of evidence may be: the bytes that each begins with, and how its name ends, the usual way first. */
const TYPES = {
  "application/pdf": { signature: [0x25, 0x50, 0x44, 0x46, 0x2d], endings: [".pdf"] },
  "image/jpeg": { signature: [0xff, 0xd8, 0xff], endings: [".jpg", ".jpeg"] },
  "image/png": {
    signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    endings: [".png"],
  },
} as const;
export type EvidenceFileType = keyof typeof TYPES;
export const EVIDENCE_FILE_TYPES = Object.keys(TYPES) as EvidenceFileType[];
/** What no line of a name shows, or what turns it around. */
const UNPRINTABLE = /[\p{C}\u2028\u2029]+/gu;

/** A file that a merchant sent against a dispute; its bytes are in the archive's bucket. */
export interface EvidenceFile {
  /** A UUID, new for each upload. */
  id: string;
  /** As the merchant calls it, without folders, and ending as its type does. */
  name: string;
  type: EvidenceFileType;
  bytes: number;
  /** Of the content, 64 hex digits. */
  sha256: string;
  /** Epoch milliseconds. */
  addedAt: number;
}

/** What a content is by its first bytes, whatever its name says; null for anything else. */
export function evidenceFileType(content: Uint8Array): EvidenceFileType | null {
  return (
    EVIDENCE_FILE_TYPES.find((type) =>
      TYPES[type].signature.every((byte, index) => content[index] === byte),
    ) ?? null
  );
}

/** The last part of a path, as some browsers and systems send one for a name; empty for a name that shows nothing. */
export function evidenceFileName(sent: string): string {
  const last = sent.split(/[\\/]/).at(-1) ?? "";
  return last.replaceAll(UNPRINTABLE, " ").trim();
}

/** A name that ends as a file of the type does: whoever opens a download as `.html` would run what a PDF hides. */
export function nameOfType(name: string, type: EvidenceFileType): string {
  const { endings } = TYPES[type];
  const isOfType = endings.some((ending) => name.toLowerCase().endsWith(ending));
  return isOfType ? name : name + endings[0];
}

/** A file of a dispute, by the provider's id of that. */
export interface EvidenceFilePlace {
  companyId: number;
  disputeId: string;
  fileId: string;
}

/** Where the bytes of a file are. */
export function evidenceFileKey({ companyId, disputeId, fileId }: EvidenceFilePlace): string {
  return `evidence/${companyId}/${encodeURIComponent(disputeId)}/${fileId}`;
}

/** A file as lists and single answers show it. */
export function evidenceFileView({ addedAt, ...file }: EvidenceFile) {
  return { ...file, addedAt: isoTime(addedAt) };
}

/** Whether files are more, or larger in all, than a dispute may have. */
export function areTooManyFiles(files: readonly EvidenceFile[]): boolean {
  return (
    files.length > EVIDENCE_FILES_MAX ||
    files.reduce((sum, { bytes }) => sum + bytes, 0) > EVIDENCE_FILES_MAX_BYTES
  );
}
