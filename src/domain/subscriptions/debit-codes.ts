/**
 * What the payer's bank says of a debit that it refused, and what to do about it. Sources: [B] BACEN's Pix API 2.9.0 (which
 * codes there are, and which end the charge), [W] Woovi's developer pages (what they mean). `?`: told by one source
 * only, or by none.
 */

/**
 * `retry`: another day may do. `tell_payer_offer_link`: it fails again until the payer changes something. `offer_link`: no
 * bank tries it again. `new_approval`: the mandate is of no more use. `a_person`: what is agreed contradicts what a bank
 * knows. `our_fault`: a rule of this service should have made it impossible. `nothing`: it was asked for.
 */
export const DEBIT_ACTIONS = [
  "retry",
  "tell_payer_offer_link",
  "offer_link",
  "new_approval",
  "a_person",
  "our_fault",
  "nothing",
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
  NO_ANSWER: {
    message: "The payer's bank gave no answer by the end of the day.",
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
  PAYER_CANCELLED: {
    message: "The payer cancelled this debit at the bank.",
    action: "offer_link",
  },
  APPROVAL_ENDED: { message: "The mandate has ended.", action: "new_approval" },
  RECEIVER_CANCELLED: { message: "The receiver cancelled the debit.", action: "nothing" },
  DEBIT_FAILED: { message: "The payer's bank could not make the debit.", action: "offer_link" },
  CANCELLED_BY_BANK: {
    message: "A bank cancelled the debit for another reason.",
    action: "offer_link",
  },
  PROVIDER_REFUSED: {
    message: "The provider did not take the order of the debit.",
    action: "a_person",
  },
  UNKNOWN: { message: "The bank gave no reason that is known.", action: "retry" },
} as const satisfies Record<string, Meaning>;

export type DebitFailureCode = keyof typeof MEANINGS;
export const DEBIT_FAILURE_CODES = Object.keys(MEANINGS) as [
  DebitFailureCode,
  ...DebitFailureCode[],
];

/** Why a debit failed. */
export interface DebitReason {
  code: DebitFailureCode;
  message: string;
  action: DebitAction;
  /** The bank's own code, as it came; null where it gave none, or no code. */
  providerCode: string | null;
  /** The provider's own sentence on an order that it did not take, which may name the payer; left out of all others. */
  providerMessage?: string | undefined;
}

/** Of BACEN's catalogue. */
const SHORT_CODE = /^[A-Z0-9]{4}$/i;
/**
 * Of a PSP of its own, such as `SALDO_INSUFICIENTE` or `ERR-1042`. Anything else may name the payer: a sentence has spaces, a
 * name has neither digits nor `_`, and a document or a telephone has more digits than a code.
 */
const OWN_CODE = /^(?=.*[A-Z])(?=.*[0-9_])(?!(?:.*[0-9]){7})[A-Z0-9][A-Z0-9_.-]{1,39}$/;

/** A bank's own code, as it came; null for any text that is none. */
export function shortCode(text: string | null): string | null {
  if (text === null) return null;
  return SHORT_CODE.test(text) || OWN_CODE.test(text) ? text : null;
}

/** A reason without a sentence of a bank, and without a text in place of its code. */
export function inOurWords<Reason extends DebitReason>(reason: Reason): Reason {
  const { message } = MEANINGS[reason.code];
  const providerCode = shortCode(reason.providerCode);
  return { ...reason, message, providerCode, providerMessage: undefined };
}

/** Of an order that its provider did not take, with its own sentence. */
export function refusedOrder(providerMessage: string): DebitReason {
  const code = "PROVIDER_REFUSED";
  return { code, ...MEANINGS[code], providerCode: null, providerMessage };
}

/** Of an attempt whose day ended without a word of the payer's bank, where its provider tells that from an empty account. */
export function unanswered(): DebitReason {
  return { code: "NO_ANSWER", ...MEANINGS.NO_ANSWER, providerCode: null };
}

/** Who ended a mandate or a debit (BACEN `solicitante`). */
export const ENDED_BY = ["payer", "payer_bank", "receiver", "receiver_bank"] as const;
export type EndedBy = (typeof ENDED_BY)[number];
/** How a debit ends unpaid (BACEN `cobr.encerramento`). */
export const DEBIT_ENDS = ["rejected", "cancelled"] as const;

/** How, by whom and why a debit ended at its provider. */
export interface DebitEnd extends DebitReason {
  kind: (typeof DEBIT_ENDS)[number];
  by: EndedBy | null;
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
  // [B] alone has it, says no meaning of it, and lets the charge go on.
  FBRD: "REFUSED_BY_PAYER_BANK",
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

/** A code as the tables have it: the case of its letters says nothing. */
function keyOf(providerCode: string | null): string {
  return (providerCode ?? "").toUpperCase();
}

/** What a bank's code means. One that is not known is kept and, as none, is `UNKNOWN`: it ends nothing. */
export function debitReason(told: string | null): DebitReason {
  const providerCode = shortCode(told);
  const code = CODES[keyOf(providerCode)] ?? "UNKNOWN";
  return { code, ...MEANINGS[code], providerCode };
}

/** Of an attempt whose day ended unpaid: a bank that gives no code for it says that there was no balance (EXPR). */
export function unpaidByEndOfDay(told: string | null): DebitReason {
  if (shortCode(told) !== null) return debitReason(told);
  return { code: "NO_BALANCE", ...MEANINGS.NO_BALANCE, providerCode: null };
}

/**
 * Codes of cancelled charges: [B] has them, not what each means. Celcoin's developer pages (Cancelamento de agendamento) list
 * the reasons in words, and say that the mandate stays in force for later debits. [B] has SLBD here and SLDB for a mandate.
 */
const CANCEL_CODES: Readonly<Record<string, DebitFailureCode>> = {
  ACCT: "PAYER_ACCOUNT_CLOSED",
  BLCK: "PAYER_ACCOUNT_BLOCKED",
  CCLD: "APPROVAL_ENDED",
  FAIL: "DEBIT_FAILED",
  OTHR: "CANCELLED_BY_BANK",
  SLBD: "PAYER_CANCELLED",
  SLDB: "PAYER_CANCELLED",
  SLCR: "RECEIVER_CANCELLED",
};

/** Why a debit is over, by what its provider told of it. A retry is nothing that could be done about it. */
export function debitEnd({
  kind,
  by,
  providerCode,
}: Pick<DebitEnd, "kind" | "by" | "providerCode">): DebitEnd {
  const reason = kind === "rejected" ? debitReason(providerCode) : cancelReason(providerCode, by);
  return { kind, by, ...reason, action: actionOfEnd(kind, reason) };
}

/** A cancelled debit alone ends no mandate: a person asks the payer of a closed account. */
function actionOfEnd(kind: DebitEnd["kind"], { code, action }: DebitReason): DebitAction {
  if (action === "retry") return "offer_link";
  return kind === "cancelled" && code === "PAYER_ACCOUNT_CLOSED" ? "a_person" : action;
}

/** By its code; where that says nothing, by who cancelled. */
function cancelReason(told: string | null, by: EndedBy | null): DebitReason {
  const providerCode = shortCode(told);
  const asked =
    by === "payer" ? "PAYER_CANCELLED" : by === "receiver" ? "RECEIVER_CANCELLED" : null;
  const untold = providerCode === null ? "CANCELLED_BY_BANK" : "UNKNOWN";
  const code = CANCEL_CODES[keyOf(providerCode)] ?? asked ?? untold;
  return { code, ...MEANINGS[code], providerCode };
}

/** They say that a debit was not made, and nothing of why. */
const VAGUE_CODES: ReadonlySet<DebitFailureCode> = new Set([
  "REFUSED_BY_PAYER_BANK",
  "DEBIT_FAILED",
  "CANCELLED_BY_BANK",
  "UNKNOWN",
]);

/** Whether a reason says nothing of why. */
export function isVague({ code }: DebitReason): boolean {
  return VAGUE_CODES.has(code);
}

/** Whether the charge ends with its attempt. */
export function endsCharge(reason: DebitReason): boolean {
  return ENDING_CODES.has(keyOf(reason.providerCode));
}

/** Whether another attempt may do without a change by the payer, a person or this service. */
export function isRetryable(reason: DebitReason): boolean {
  return reason.action === "retry";
}

/**
 * What to do about a mandate's end. `new_approval`: only another subscription brings more debits. `a_person`: talk to the
 * payer, or to the provider. `nothing`: it was asked for.
 */
export const MANDATE_END_ACTIONS = ["new_approval", "a_person", "nothing"] as const;

/** Our own words for the end of a mandate, each with its sentence. `OTHER`: none of these, by the bank's own code. */
const MANDATE_ENDS = {
  PAYER_REFUSED: { message: "The payer refused it.", action: "new_approval" },
  PAYER_CANCELLED: { message: "The payer cancelled it.", action: "new_approval" },
  PAYER_ACCOUNT_CLOSED: { message: "The payer's account is closed.", action: "new_approval" },
  PAYER_DECEASED: { message: "The payer has died.", action: "a_person" },
  FRAUD_SUSPECTED: { message: "A bank suspects fraud.", action: "a_person" },
  RECEIVER_CANCELLED: { message: "The receiver cancelled it.", action: "nothing" },
  RECEIVER_CLOSED: { message: "The receiver has ended its activity.", action: "a_person" },
  CONFIRMATION_FAILED: { message: "Its approval was not confirmed.", action: "new_approval" },
  APPROVED_OTHERWISE: {
    message: "The payer has approved it in another way.",
    action: "a_person",
  },
  PROVIDER_REFUSED: { message: "The provider refused the order of it.", action: "a_person" },
  OTHER: { message: "A bank ended it for another reason.", action: "a_person" },
} as const satisfies Record<
  string,
  { message: string; action: (typeof MANDATE_END_ACTIONS)[number] }
>;

/** Why a mandate ended. */
export type MandateEndReason = keyof typeof MANDATE_ENDS;
export const MANDATE_END_REASONS = Object.keys(MANDATE_ENDS) as [
  MandateEndReason,
  ...MandateEndReason[],
];

/**
 * BACEN's codes (`rec.encerramento`): [B] has them, and who ended the mandate, not what each means. Celcoin's developer pages
 * (Cancelamento do Consentimento) list the reasons of a cancel in words. Any other is `OTHER`, and is
 * shown as it came.
 */
const MANDATE_END_CODES: Readonly<Record<string, MandateEndReason>> = {
  ACCL: "PAYER_ACCOUNT_CLOSED",
  AP13: "PAYER_REFUSED",
  AP14: "PAYER_REFUSED",
  CPCL: "RECEIVER_CLOSED",
  DCSD: "PAYER_DECEASED",
  ERSL: "CONFIRMATION_FAILED",
  FRUD: "FRAUD_SUSPECTED",
  PCFD: "APPROVED_OTHERWISE",
  SLCR: "RECEIVER_CANCELLED",
  SLDB: "PAYER_CANCELLED",
};

/** Why a mandate ended, by BACEN's code. */
export function mandateEndReason(providerCode: string | null): MandateEndReason {
  return MANDATE_END_CODES[keyOf(providerCode)] ?? "OTHER";
}

/** The sentence of a mandate's end, and what to do about it. */
export function mandateEndMeaning(
  reason: MandateEndReason,
): (typeof MANDATE_ENDS)[MandateEndReason] {
  return MANDATE_ENDS[reason];
}
