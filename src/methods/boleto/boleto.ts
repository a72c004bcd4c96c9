import type { Cents } from "../../domain/shared/money.ts";

/** FIXED in centavos, PERCENTAGE in hundredths of a percent of the amount. */
export interface BoletoAdjustment {
  type: "FIXED" | "PERCENTAGE";
  value: number;
}

/** What a payer is asked to pay, and until when. Days are `YYYY-MM-DD` in America/Sao_Paulo. */
export interface BoletoTerms {
  dueDate: string;
  instructions: string;
  /** The merchant's own number of the document; `""` where it sent none. */
  documentNumber: string;
  /** Once, from the day after the due date. */
  fine: BoletoAdjustment | null;
  /** Hundredths of a percent a month, for each day after the due date. */
  interest: { value: number } | null;
  /** For a payment up to and on `untilDate`. */
  discount: (BoletoAdjustment & { untilDate: string }) | null;
}

/** What a provider returned when it registered a boleto (FEBRABAN). */
export interface RegisteredBoleto {
  /** 44 digits. */
  barcode: string;
  /** 47 digits. */
  digitableLine: string;
  ourNumber: string;
  /** BR Code of the same debt; null where the provider gives none. */
  qrcode: string | null;
}

/** A boleto as its transaction keeps it. */
export interface BoletoCharge extends BoletoTerms {
  /** Where its slip is shown: scheme, host and port of `PUBLIC_URL`, else of the request that made it. */
  origin: string;
  /** Null until its provider has registered it. */
  registered: RegisteredBoleto | null;
}

/** The most that a barcode's ten digits of value hold (FEBRABAN), centavos. */
export const MAX_BOLETO_AMOUNT_CENTS: Cents = 9_999_999_999;
