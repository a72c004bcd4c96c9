import type { RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import { encodeBoleto } from "../../methods/boleto/boleto-code.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../methods/pix/br-code.ts";
import type { BoletoOrder, DueDateLookup, DueDateOutcome, DueDates } from "../due-dates.ts";
import type { ChargeOrder } from "../charge.ts";
import { boletoNumbers } from "./boleto-numbers.ts";
import type { SandboxStore } from "./store.ts";

/** A code (COMPE) that no bank has. */
const SANDBOX_BANK = "999";
/** RFC 2606: leads nowhere, as a sandbox code must. */
export const LOCATION_HOST = "pix.sandbox.example/v2";

const PAID_OR_ENDED = "The charge was paid or has ended (sandbox).";

/** The PIX code of an order at a location. */
export function brCodeOf({ merchantName, amount }: ChargeOrder, location: string): string {
  return encodeBrCode({ target: { location }, merchantName, merchantCity: MERCHANT_CITY, amount });
}

/** A hybrid boleto: its PIX code is of the same debt, at a location of its own. */
export function toBoleto(order: BoletoOrder): RegisteredBoleto {
  const { ourNumber, freeField } = boletoNumbers(order.chargeId);
  const { dueDate } = order.boleto;
  return {
    ...encodeBoleto({ bank: SANDBOX_BANK, amount: order.amount, dueDate, freeField }),
    ourNumber,
    qrcode: brCodeOf(order, `${LOCATION_HOST}/cobv/${order.chargeId}`),
  };
}

/** The sandbox's bank has a boleto as it was ordered last: nothing is stored of one that is open. */
export class SandboxDueDates implements DueDates {
  readonly #charge: SandboxStore["charge"];

  constructor(charge: SandboxStore["charge"]) {
    this.#charge = charge;
  }

  async find({ chargeId }: BoletoOrder): Promise<DueDateLookup> {
    const { status, payments } = await this.#charge(chargeId);
    const isOpen = status === "open" && payments.length === 0;
    return isOpen ? { kind: "open" } : { kind: "refused", reason: PAID_OR_ENDED };
  }

  async change(order: BoletoOrder): Promise<DueDateOutcome> {
    const found = await this.find(order);
    return found.kind === "open" ? { kind: "changed", boleto: toBoleto(order) } : found;
  }
}
