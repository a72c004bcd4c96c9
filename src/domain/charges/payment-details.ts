/**
 * What a transaction stores of its payment method, one type for each JSON column. The rules about
 * them are in `methods/`.
 */

/** The JSON columns; null for the other methods. `card` is also null until the acquirer has named it. */
export interface PaymentDetails {
  pix: PixCharge | null;
  boleto: BoletoCharge | null;
  card: ChargedCard | null;
}

/** The columns of a charge before its method fills one. */
export const NO_PAYMENT_DETAILS: PaymentDetails = { pix: null, boleto: null, card: null };

/** FIXED in centavos, PERCENTAGE in hundredths of a percent of the amount. */
export interface Adjustment {
  type: "FIXED" | "PERCENTAGE";
  value: number;
}

/** What a payer owes by its day of payment. Days are `YYYY-MM-DD` in America/Sao_Paulo. */
export interface DueTerms {
  dueDate: string;
  /** Once, from the day after the due date. */
  fine: Adjustment | null;
  /** Hundredths of a percent a month, for each day after the due date. */
  interest: { value: number } | null;
  /** For a payment up to and on `untilDate`. */
  discount: (Adjustment & { untilDate: string }) | null;
}

/** A PIX with a due date (BACEN `cobv`). */
export interface PixDueTerms extends DueTerms {
  /** Days after the due date on which it may still be paid. */
  validityAfterDue: number;
}

/** What a PIX says beyond amount and expiry; left out what was not sent. */
export interface PixDetails {
  /** Asks the payer for a text (BACEN `solicitacaoPagador`). */
  payerMessage?: string;
  /** Shown to the payer, in this order (BACEN `infoAdicionais`). */
  additionalInfo?: { name: string; value: string }[];
  due?: PixDueTerms;
}

/** What a subscription's charge says of it; nothing of any other. */
interface PixOfSubscription {
  subscriptionId?: string;
  /** There where it is debited automatically, without a code. */
  automatic?: AutomaticDebit;
}

/** A cycle of a subscription. `dueDate`: `YYYY-MM-DD`. */
export interface AutomaticDebit {
  cycle: number;
  dueDate: string;
}

/** A provider's answer to the registration of a PIX. */
export interface RegisteredPix {
  qrcode: string;
  url: string | null;
  /** When the payer can pay no longer, epoch milliseconds. */
  expirationDate: number;
}

/** A PIX as its transaction stores it; the provider's answer is left out until it is registered. */
export type PixCharge = PixDetails & Partial<RegisteredPix> & PixOfSubscription;

/** The terms a payer pays a boleto by. */
export interface BoletoTerms extends DueTerms {
  instructions: string;
  /** The merchant's own number of the document; `""` where it sent none. */
  documentNumber: string;
}

/** A provider's answer to the registration of a boleto (FEBRABAN). */
export interface RegisteredBoleto {
  /** 44 digits. */
  barcode: string;
  /** 47 digits. */
  digitableLine: string;
  ourNumber: string;
  /** BR Code of the same debt; null where the provider gives none. */
  qrcode: string | null;
}

/** A boleto as its transaction stores it. */
export interface BoletoCharge extends BoletoTerms {
  /** The slip's scheme, host and port: those of `PUBLIC_URL`, else of the create request. */
  origin: string;
  /** Null until its provider has registered it. */
  registered: RegisteredBoleto | null;
  /** The version of its charge that gave it its due date; left out of one that has its first. */
  version?: number;
}

/** What changes of a boleto with its due date. `expiresAt`: as of its charge, epoch milliseconds. */
export interface ChangedBoleto {
  dueDate: string;
  registered: RegisteredBoleto;
  expiresAt: number;
  /** The version of its charge that gave it this day; left out until it is booked. */
  version?: number;
}

/** A charge with its boleto as a change of its due date left it; as it is where nothing changed. */
export function withChangedBoleto<
  Charge extends { boleto: BoletoCharge | null; expiresAt: number | null },
>(charge: Charge, changed: ChangedBoleto | undefined): Charge {
  if (changed === undefined || charge.boleto === null) return charge;
  const { expiresAt, ...boleto } = changed;
  return { ...charge, boleto: { ...charge.boleto, ...boleto }, expiresAt };
}

/** What tells one card from another without its number, whatever token stands for it. */
export type CardIdentity = Pick<
  Card,
  "firstDigits" | "lastDigits" | "expirationMonth" | "expirationYear"
>;

/** The storable part of a card (PCI DSS 3.4.1, 3.5.1): never its whole number, never its CVV. */
export interface Card {
  /** As `card-validator` names it, such as `visa`; `unknown` where it knows none. */
  brand: string;
  /** The first six. */
  firstDigits: string;
  /** The last four. */
  lastDigits: string;
  holderName: string;
  expirationMonth: number;
  expirationYear: number;
}

/** A card as it was charged; `authorizationCode` null until the acquirer has given one. */
export interface ChargedCard extends Card {
  authorizationCode: string | null;
  /** Of a card that this charge saved. */
  savedCardId?: string;
}

/** An acquirer's refusal of a card; `retryable` where the same card may be tried again later. */
export interface RefusedReason {
  /** UPPER_SNAKE, stable. */
  code: string;
  message: string;
  retryable: boolean;
  /** How many more attempts the card's brand allows for now; left out where it is not known. */
  attemptsLeft?: number;
  /** Before this (ISO 8601) an attempt would break the brand's rules; left out where none would. */
  retryNotBefore?: string;
}

/** A refusal in the words of the card's network, by which its brand counts attempts. */
export interface NetworkRefusal {
  /** The brand's own code; null where the acquirer gave none. */
  code: string | null;
  /** Mastercard's advice (MAC); null without one. */
  advice: string | null;
}

/** A declined attempt with a card, as its brand counts it. */
export interface CardDecline extends NetworkRefusal {
  /** Epoch milliseconds. */
  at: number;
  /** Centavos. */
  amount: number;
  /** As `card-validator` names it. */
  brand: string;
}

/** An acquirer's report of a charged card. */
export interface CardReport {
  /** Null where the acquirer does not name it. */
  card: ChargedCard | null;
  /** The acquirer's number of the sale (NSU); null where it gave none. */
  nsu: string | null;
  refusedReason: RefusedReason | null;
  /** Left out where it was not refused, or the acquirer does not pass it on. */
  networkRefusal?: NetworkRefusal;
  /** What the acquirer charges the card by again; left out where it keeps none. */
  savedCard?: string;
}
