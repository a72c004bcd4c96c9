/** The internal status of a transaction. The contract shows it by three vocabularies, below. */
export const CHARGE_STATUSES = [
  "creating",
  "waiting_payment",
  "authorized",
  "paid",
  "refused",
  "failed",
  "cancelled",
  "refunded",
] as const;

export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

export const PAYMENT_METHODS = ["PIX", "BOLETO", "CREDIT_CARD"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
/** Those that are paid by a code that the charge answers, so that it needs no card. */
export const METHODS_WITH_CODE = ["PIX", "BOLETO"] as const satisfies PaymentMethod[];

export type MethodWithCode = (typeof METHODS_WITH_CODE)[number];
/** The method of a saved card. */
export const SAVED_CARD_METHOD = "CREDIT_CARD" as const satisfies PaymentMethod;

/** The method of which banks tell days after a payment: one of its last day comes after it. */
export const LATE_TOLD_METHOD = "BOLETO" as const satisfies MethodWithCode;

/** Money that comes to the company's key without a charge is a PIX. */
export const TRANSFER_METHOD = "PIX" satisfies PaymentMethod;

export type CancelReason = "REQUESTED" | "EXPIRED";
export type RefundReason = "REQUESTED" | "MED" | "CHARGEBACK";

/** Money that arrives late is money: a cancelled or failed charge may still be paid. */
const TRANSITIONS: Record<ChargeStatus, readonly ChargeStatus[]> = {
  creating: ["waiting_payment", "authorized", "paid", "refused", "failed"],
  waiting_payment: ["paid", "authorized", "refused", "cancelled", "failed"],
  authorized: ["paid", "cancelled"],
  paid: ["refunded"],
  refused: [],
  failed: ["paid"],
  cancelled: ["paid"],
  refunded: [],
};

export function canTransitionCharge(from: ChargeStatus, to: ChargeStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** The one way back: the reversal of a chargeback that took all of a payment. No payment does this. */
export function canReverseChargeback(from: ChargeStatus, to: ChargeStatus): boolean {
  return from === "refunded" && to === "paid";
}

/** Registered and neither paid nor ended. */
export function isOpenCharge(status: ChargeStatus): boolean {
  return status === "waiting_payment" || status === "authorized";
}

/** Paid, or over without money: it is open no more, whatever happens to its money. */
export function isEndedCharge(status: ChargeStatus): boolean {
  return status !== "creating" && !isOpenCharge(status);
}

export const CREATE_STATUSES = [
  "WAITING_PAYMENT",
  "AUTHORIZED",
  "PAID",
  "REFUSED",
  "FAILED",
  "CANCELLED",
  "REFUNDED",
] as const;
export const LIST_STATUSES = ["PENDING", "PAID", "FAILED", "CANCELLED", "REFUNDED"] as const;
export const DETAIL_STATUSES = ["Awaiting", "Paid", "Failed", "Cancelled", "Refunded"] as const;

/** The words for a status in lists and in creation answers; a word of both means what the list means by it. */
export const SEARCH_STATUSES = [
  ...CREATE_STATUSES,
  ...LIST_STATUSES.filter((word) => !(CREATE_STATUSES as readonly string[]).includes(word)),
] as [SearchStatus, ...SearchStatus[]];

export type SearchStatus = CreateStatus | ListStatus;
export type CreateStatus = (typeof CREATE_STATUSES)[number];
export type ListStatus = (typeof LIST_STATUSES)[number];
export type DetailStatus = (typeof DETAIL_STATUSES)[number];

const CONTRACT_STATUSES: Record<ChargeStatus, [CreateStatus, ListStatus, DetailStatus]> = {
  creating: ["WAITING_PAYMENT", "PENDING", "Awaiting"],
  waiting_payment: ["WAITING_PAYMENT", "PENDING", "Awaiting"],
  authorized: ["AUTHORIZED", "PENDING", "Awaiting"],
  paid: ["PAID", "PAID", "Paid"],
  refused: ["REFUSED", "FAILED", "Failed"],
  failed: ["FAILED", "FAILED", "Failed"],
  cancelled: ["CANCELLED", "CANCELLED", "Cancelled"],
  refunded: ["REFUNDED", "REFUNDED", "Refunded"],
};

export function isListStatus(status: SearchStatus): status is ListStatus {
  return (LIST_STATUSES as readonly string[]).includes(status);
}

/** `status` of the creation answer and of webhooks. */
export function toCreateStatus(status: ChargeStatus): CreateStatus {
  return CONTRACT_STATUSES[status][0];
}

/** `status` of the list, the search and the checkout. */
export function toListStatus(status: ChargeStatus): ListStatus {
  return CONTRACT_STATUSES[status][1];
}

/** `enStatusTransaction` of the detail record. */
export function toDetailStatus(status: ChargeStatus): DetailStatus {
  return CONTRACT_STATUSES[status][2];
}

const PAYMENT_SYSTEM_OF = {
  PIX: "Pix",
  BOLETO: "Boleto",
  CREDIT_CARD: "CreditCard",
} as const satisfies Record<PaymentMethod, string>;

export type PaymentSystem = (typeof PAYMENT_SYSTEM_OF)[PaymentMethod];
export const PAYMENT_SYSTEMS: readonly PaymentSystem[] = PAYMENT_METHODS.map(toPaymentSystem);

/** `enPaymentSystem` of the detail record. */
export function toPaymentSystem(method: PaymentMethod): PaymentSystem {
  return PAYMENT_SYSTEM_OF[method];
}
