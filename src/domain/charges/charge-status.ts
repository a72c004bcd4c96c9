/** The internal status of a transaction, and the three vocabularies the contract shows it in. */
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

export type CancelReason = "REQUESTED" | "EXPIRED";
export type RefundReason = "REQUESTED" | "MED" | "CHARGEBACK";

/** `product.md` section 3. Money that arrives late is money: cancelled or failed may still be paid. */
const MOVES: Record<ChargeStatus, readonly ChargeStatus[]> = {
  creating: ["waiting_payment", "authorized", "paid", "refused", "failed"],
  waiting_payment: ["paid", "authorized", "refused", "cancelled", "failed"],
  authorized: ["paid", "cancelled"],
  paid: ["refunded"],
  refused: [],
  failed: ["paid"],
  cancelled: ["paid"],
  refunded: [],
};

export function canMoveCharge(from: ChargeStatus, to: ChargeStatus): boolean {
  return MOVES[from].includes(to);
}

/** The one way back: a chargeback that took all of a payment was reversed. No payment moves it so. */
export function canReverseChargeback(from: ChargeStatus, to: ChargeStatus): boolean {
  return from === "refunded" && to === "paid";
}

/** Registered and neither paid nor ended. */
export function isOpenCharge(status: ChargeStatus): boolean {
  return status === "waiting_payment" || status === "authorized";
}

export const CREATION_WORDS = [
  "WAITING_PAYMENT",
  "AUTHORIZED",
  "PAID",
  "REFUSED",
  "FAILED",
  "CANCELLED",
  "REFUNDED",
] as const;
export const LIST_WORDS = ["PENDING", "PAID", "FAILED", "CANCELLED", "REFUNDED"] as const;
export const DETAIL_WORDS = ["Awaiting", "Paid", "Failed", "Cancelled", "Refunded"] as const;

export type CreationWord = (typeof CREATION_WORDS)[number];
export type ListWord = (typeof LIST_WORDS)[number];
export type DetailWord = (typeof DETAIL_WORDS)[number];

const WORDS: Record<ChargeStatus, [CreationWord, ListWord, DetailWord]> = {
  creating: ["WAITING_PAYMENT", "PENDING", "Awaiting"],
  waiting_payment: ["WAITING_PAYMENT", "PENDING", "Awaiting"],
  authorized: ["AUTHORIZED", "PENDING", "Awaiting"],
  paid: ["PAID", "PAID", "Paid"],
  refused: ["REFUSED", "FAILED", "Failed"],
  failed: ["FAILED", "FAILED", "Failed"],
  cancelled: ["CANCELLED", "CANCELLED", "Cancelled"],
  refunded: ["REFUNDED", "REFUNDED", "Refunded"],
};

/** `status` of the creation answer and of webhooks. */
export function creationWord(status: ChargeStatus): CreationWord {
  return WORDS[status][0];
}

/** `status` of the list, the search and the checkout. */
export function listWord(status: ChargeStatus): ListWord {
  return WORDS[status][1];
}

/** `enStatusTransaction` of the detail record. */
export function detailWord(status: ChargeStatus): DetailWord {
  return WORDS[status][2];
}

const PAYMENT_SYSTEM: Record<PaymentMethod, "Pix" | "Boleto" | "CreditCard"> = {
  PIX: "Pix",
  BOLETO: "Boleto",
  CREDIT_CARD: "CreditCard",
};

/** `enPaymentSystem` of the detail record. */
export function paymentSystemWord(method: PaymentMethod): "Pix" | "Boleto" | "CreditCard" {
  return PAYMENT_SYSTEM[method];
}
