/** What can go wrong at the bank or the receiver of a sandbox company. */
export const FAULT_KINDS = [
  "bank_silent",
  "bank_slow",
  "bank_doubled",
  "bank_late",
  "receiver_down",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The faults that hold something back for a while, by default for so long (ISO 8601). */
export const USUAL_DELAYS: Partial<Record<FaultKind, string>> = {
  bank_slow: "PT1H",
  bank_late: "P2D",
};

/** Something that goes wrong for a sandbox company. Its times are the company's, in Unix milliseconds. */
export interface SandboxFault {
  kind: FaultKind;
  from: number;
  /** The first moment at which it is over. */
  until: number;
  /** For how long a slow or late bank holds back what happens between them, in milliseconds; else 0. */
  delayMs: number;
}

/** Whether a kind of fault lasts at a time. */
export function hasFault(faults: readonly SandboxFault[], kind: FaultKind, at: number): boolean {
  return faults.some((fault) => lasts(fault, kind, at));
}

/** Until when a fault of a kind holds back what happens at a time; that time itself where none does. */
export function heldUntil(faults: readonly SandboxFault[], kind: FaultKind, at: number): number {
  const delays = faults.filter((fault) => lasts(fault, kind, at)).map(({ delayMs }) => delayMs);
  return at + Math.max(0, ...delays);
}

function lasts(fault: SandboxFault, kind: FaultKind, at: number): boolean {
  return fault.kind === kind && fault.from <= at && at < fault.until;
}
