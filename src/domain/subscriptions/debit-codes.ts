/**
 * What the payer's bank says of a debit that it refused, and what to do about it. Sources: [B] BACEN's Pix API 2.9.0 (which
 * codes there are, and which end the charge), [W] Woovi's developer pages (what they mean). `?`: told by one source
 * only, or by none.
 */

/**
 * `retry`: another day may do. `tell_payer_offer_link`: it fails again until the payer changes something. `new_approval`:
 * the mandate is of no more use. `a_person`: what is agreed contradicts what a bank knows. `our_fault`: a rule of
 * this service should have made it impossible.
 */
export const DEBIT_ACTIONS = [
  "retry",
  "tell_payer_offer_link",
  "new_approval",
  "a_person",
  "our_fault",
] as const;
type DebitAction = (typeof DEBIT_ACTIONS)[number];

interface Meaning {
  message: string;
  action: DebitAction;
}

/** Our own words for a debit that failed, each with its sentence. */
const MEANINGS = {
  NO_BALANCE: { message: "The payer's account had no balance.", action: "retry" },
  PAYER_BANK_UNAVAILABLE: {
    message: "The payer's bank broke off the debit.",
    action: "retry",
  },
  PAYER_ACCOUNT_BLOCKED: { message: "The payer's account is blocked.", action: "retry" },
  REFUSED_BY_PAYER_BANK: {
    message: "The payer's bank refused the debit without a reason.",
    action: "retry",
  },
  PAYER_LIMIT: {
    message: "The amount is above the limit that the payer has set at the bank.",
    action: "tell_payer_offer_link",
  },
  SAME_PARTICIPANT: {
    message: "Payer and receiver settle through the same bank, which cannot debit this payer.",
    action: "tell_payer_offer_link",
  },
  PAYER_ACCOUNT_CLOSED: { message: "The payer's account is closed.", action: "new_approval" },
  DOCUMENT_MISMATCH: {
    message: "The document of the payer or the receiver is not that of the mandate.",
    action: "a_person",
  },
  PAYER_BANK_UNKNOWN: {
    message: "The payer's bank does not take part or does not operate.",
    action: "a_person",
  },
  MANDATE_UNKNOWN: {
    message: "The payer's bank does not know the mandate, or has not confirmed it.",
    action: "a_person",
  },
  ALREADY_PAID: { message: "The payer's bank says that the debit is paid.", action: "a_person" },
  AMOUNT_NOT_AGREED: { message: "The amount is not that of the mandate.", action: "our_fault" },
  DUE_DATE_NOT_AGREED: {
    message: "The due date does not fit the mandate or the rules.",
    action: "our_fault",
  },
  OUTSIDE_WINDOW: {
    message: "The debit was ordered more than 10 or fewer than 2 days before.",
    action: "our_fault",
  },
  RETRY_NOT_ALLOWED: { message: "The retry breaks the rules for retries.", action: "our_fault" },
  UNKNOWN: { message: "The bank gave a code that is not known.", action: "retry" },
} as const satisfies Record<string, Meaning>;

export type DebitFailureCode = keyof typeof MEANINGS;
export const DEBIT_FAILURE_CODES = Object.keys(MEANINGS) as [
  DebitFailureCode,
  ...DebitFailureCode[],
];

/** Why an attempt failed. */
export interface DebitReason {
  code: DebitFailureCode;
  message: string;
  action: DebitAction;
  /** The bank's own code, as it came; null where it gave none. */
  providerCode: string | null;
}

/** Codes of rejected charges and attempts. Those with `*` are not in [B]'s list. */
const CODES: Readonly<Record<string, DebitFailureCode>> = {
  AB10: "PAYER_BANK_UNAVAILABLE",
  AC05: "PAYER_ACCOUNT_CLOSED",
  AC06: "PAYER_ACCOUNT_BLOCKED",
  // * [W]
  AG12: "SAME_PARTICIPANT",
  AM02: "PAYER_LIMIT",
  AM09: "AMOUNT_NOT_AGREED",
  // * [W]
  CRNC: "DOCUMENT_MISMATCH",
  DENC: "DOCUMENT_MISMATCH",
  DS27: "PAYER_BANK_UNKNOWN",
  DTED: "DUE_DATE_NOT_AGREED",
  DTNT: "RETRY_NOT_ALLOWED",
  // * [W] The day ended without a balance.
  EXPR: "NO_BALANCE",
  // * [W]
  FCD1: "OUTSIDE_WINDOW",
  FCD2: "OUTSIDE_WINDOW",
  // * [W]
  GRER: "REFUSED_BY_PAYER_BANK",
  IRNT: "RETRY_NOT_ALLOWED",
  MIDI: "MANDATE_UNKNOWN",
  MSUC: "MANDATE_UNKNOWN",
  NIEC: "RETRY_NOT_ALLOWED",
  NIPA: "ALREADY_PAID",
  NITX: "RETRY_NOT_ALLOWED",
  QUNT: "RETRY_NOT_ALLOWED",
  RC09: "PAYER_BANK_UNKNOWN",
  // * [W]
  RJCT: "REFUSED_BY_PAYER_BANK",
  UDEI: "DOCUMENT_MISMATCH",
};

/** [B], `cobr.tentativas.rejeicao.codigo`: these also reject the charge, so that no retry is left. */
const ENDING_CODES: ReadonlySet<string> = new Set([
  "AC05",
  "AM09",
  "DENC",
  "DS27",
  "DTED",
  "MIDI",
  "MSUC",
  "NITX",
  "RC09",
]);

/** What a bank's code means. One that is not known, or none (`""`, null), is kept and is `UNKNOWN`: it ends nothing. */
export function debitReason(providerCode: string | null): DebitReason {
  const code = CODES[providerCode ?? ""] ?? "UNKNOWN";
  return { code, ...MEANINGS[code], providerCode: providerCode === "" ? null : providerCode };
}

/** Of an attempt whose day ended unpaid: a bank that gives no code for it says that there was no balance (EXPR). */
export function unpaidByEndOfDay(providerCode: string | null): DebitReason {
  if (providerCode !== null && providerCode !== "") return debitReason(providerCode);
  return { code: "NO_BALANCE", ...MEANINGS.NO_BALANCE, providerCode: null };
}

/** Whether the charge ends with its attempt. */
export function endsCharge(reason: DebitReason): boolean {
  return ENDING_CODES.has(reason.providerCode ?? "");
}

/** Whether another attempt may do without a change by the payer, a person or this service. */
export function isRetryable(reason: DebitReason): boolean {
  return reason.action === "retry";
}

/**
 * Why a mandate ended (BACEN `rec.encerramento`): [B] has the codes and who ended it, not what each means. Those that are
 * read here have ISO 20022's names; any other is `OTHER`, and is shown as it came.
 */
export const MANDATE_END_REASONS = [
  "PAYER_REFUSED",
  "PAYER_CANCELLED",
  "PAYER_ACCOUNT_CLOSED",
  "PAYER_DECEASED",
  "FRAUD_SUSPECTED",
  "RECEIVER_CANCELLED",
  "OTHER",
] as const;
export type MandateEndReason = (typeof MANDATE_END_REASONS)[number];

const MANDATE_END_CODES: Readonly<Record<string, MandateEndReason>> = {
  ACCL: "PAYER_ACCOUNT_CLOSED",
  AP13: "PAYER_REFUSED",
  AP14: "PAYER_REFUSED",
  DCSD: "PAYER_DECEASED",
  FRUD: "FRAUD_SUSPECTED",
  SLCR: "RECEIVER_CANCELLED",
  SLDB: "PAYER_CANCELLED",
};

/** Why a mandate ended, by BACEN's code. */
export function mandateEndReason(providerCode: string | null): MandateEndReason {
  return MANDATE_END_CODES[providerCode ?? ""] ?? "OTHER";
}
