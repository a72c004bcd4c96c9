import type { RegisteredBoleto } from "../domain/charges/payment-details.ts";
import type { ChargeOrder } from "./charge.ts";

/** An order for a boleto, with the due date that it is to have. */
export type BoletoOrder = Extract<ChargeOrder, { paymentMethod: "BOLETO" }>;

/** `changed`: the boleto has that day, by this line. `refused`: it keeps the one that it has. */
export type DueDateOutcome =
  | { kind: "changed"; boleto: RegisteredBoleto }
  | { kind: "unknown" }
  | { kind: "refused"; reason: string };

/** `open`: the boleto has another day, and waits for its payment. */
export type DueDateLookup = DueDateOutcome | { kind: "open" };

/** Where the due date of a boleto that waits for its payment is changed. */
export interface DueDates {
  /** Sends nothing. `refused`: the boleto is paid or has ended. */
  find(order: BoletoOrder): Promise<DueDateLookup>;
  /** Looks first, so that it may be repeated. */
  change(order: BoletoOrder): Promise<DueDateOutcome>;
}
