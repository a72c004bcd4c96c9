import type { PaymentMethod } from "../../../src/domain/charges/charge-status.ts";
import { amountOf, isAcknowledged, type Intent } from "./journal.ts";
import type { Random } from "./random.ts";

/** The share of creates with BOLETO and CREDIT_CARD. */
const BOLETOS = 0.2;
const CARDS = 0.25;
/** The shares of cards that are only authorized, and that are declined. */
const AUTHORIZED = 0.5;
const REFUSED = 0.15;
const APPROVING = "4242424242424242";
const REFUSING = "4000000000009995";
const INSTALLMENTS_MAX = 12;

/** The body of a create with one of the three methods. */
export function methodFields(random: Random): Record<string, unknown> {
  const choice = random.next();
  if (choice < BOLETOS) return { paymentMethod: "BOLETO" };
  if (choice >= BOLETOS + CARDS) return { paymentMethod: "PIX" };
  const card = {
    number: random.chance(REFUSED) ? REFUSING : APPROVING,
    holderName: "MARIA DA SILVA",
    expirationMonth: 12,
    expirationYear: 2035,
    cvv: "123",
    capture: !random.chance(AUTHORIZED),
  };
  return { paymentMethod: "CREDIT_CARD", installments: random.int(1, INSTALLMENTS_MAX), card };
}

export function methodOf(create: Intent): PaymentMethod {
  return create.body?.["paymentMethod"] as PaymentMethod;
}

/** A card's outcome by its number and `capture`; null for another method. */
export function cardOutcome(create: Intent): "refused" | "paid" | "authorized" | null {
  const card = create.body?.["card"] as { number: string; capture: boolean } | undefined;
  if (card === undefined) return null;
  if (card.number === REFUSING) return "refused";
  return card.capture ? "paid" : "authorized";
}

/** The possible payments of a transaction by the client's log: number and amounts. */
export interface PaymentRange {
  least: number;
  most: number;
  amounts: Set<number>;
}

/**
 * A PIX or boleto is paid once per simulated payment; a card once, by its create or its capture.
 * A concurrent capture with another key joins the first.
 */
export function paymentsOf(create: Intent, own: Intent[]): PaymentRange {
  const amount = amountOf(create);
  const fate = cardOutcome(create);
  if (fate === null) {
    const pays = own.filter((intent) => intent.kind === "pay");
    const most = pays.reduce((sum, intent) => sum + intent.attempts, 0);
    return { least: pays.filter(isAcknowledged).length, most, amounts: new Set([amount]) };
  }
  if (fate === "refused") return { least: 0, most: 0, amounts: new Set() };
  if (fate === "paid") {
    return { least: isAcknowledged(create) ? 1 : 0, most: 1, amounts: new Set([amount]) };
  }
  const captures = own.filter((intent) => intent.kind === "capture");
  const done = captures.filter((intent) => intent.status === 200);
  const possible = done.length > 0 ? done : captures;
  const amounts = possible.map((each) => (each.body === undefined ? amount : amountOf(each)));
  return {
    least: Math.min(1, done.length),
    most: Math.min(1, captures.length),
    amounts: new Set(amounts),
  };
}
