import * as z from "zod";
import type { ProviderRefs } from "../../domain/psp/provider-refs.ts";

/** What is remembered of a charge. Times epoch milliseconds, amounts centavos. */
const ChargeRef = z.object({
  method: z.enum(["BOLETO", "CREDIT_CARD"]),
  amount: z.int(),
  /** Before the first attempt to make it. */
  firstAt: z.int(),
  /** Efí's `charge_id`: the only one of our charge that is ever paid. */
  efiId: z.int().optional(),
  /** Of a boleto with Pix: what its code names, by which a list of PIX knows it too. */
  pixTxid: z.string().optional(),
  /** How a boleto was paid, as first seen, so that its payment keeps one id. */
  paidBy: z.enum(["bank", "pix"]).optional(),
  /** What a notice said of the payment of a boleto, for as long as the list does not. */
  told: z.object({ value: z.int(), at: z.int(), isByBank: z.boolean() }).optional(),
  /** A chargeback was seen. */
  contested: z.boolean().optional(),
  refunds: z.array(z.object({ refundId: z.string(), amount: z.int(), sentAt: z.int() })).optional(),
});
export type ChargeRef = z.infer<typeof ChargeRef>;

/** A refund that was sent; `sentAt` null where Efí refused it, so that it never was. */
const RefundRef = z.object({ amount: z.int(), sentAt: z.int().nullable() });
export type RefundRef = z.infer<typeof RefundRef>;

/** The registered charge of a Pix that was paid by a boleto's code. */
const PixRef = z.object({ chargeId: z.string(), paymentId: z.string() });
export type PixRef = z.infer<typeof PixRef>;

/** A charge that Efí has, with its `charge_id`. */
export type KnownRef = ChargeRef & { efiId: number };

/** What the adapter remembers of its charges and refunds, by our ids. */
export class EfiRefs {
  readonly #refs: ProviderRefs;

  constructor(refs: ProviderRefs) {
    this.#refs = refs;
  }

  async charge(chargeId: string): Promise<ChargeRef | null> {
    return ChargeRef.nullable().parse(await this.#refs.read(chargeId));
  }

  saveCharge(chargeId: string, ref: ChargeRef): Promise<void> {
    return this.#refs.save(chargeId, ref);
  }

  async refund(refundId: string): Promise<RefundRef | null> {
    return RefundRef.nullable().parse(await this.#refs.read(refundId));
  }

  saveRefund(refundId: string, ref: RefundRef): Promise<void> {
    return this.#refs.save(refundId, ref);
  }

  savePix(txid: string, ref: PixRef): Promise<void> {
    return this.#refs.save(pixRefId(txid), ref);
  }
}

/** Under what a Pix by a boleto's code is remembered. */
export function pixRefId(txid: string): string {
  return `pix:${txid.toLowerCase()}`;
}

/** What is remembered under `pixRefId`; null for nothing. */
export function parsePixRef(ref: unknown): PixRef | null {
  return PixRef.nullable().parse(ref);
}

/** The id of a card's payment, or of a boleto's at a bank. */
export function paymentIdOf(efiId: number, paidBy: ChargeRef["paidBy"]): string {
  return paidBy === "pix" ? `efi:${efiId}:pix` : `efi:${efiId}`;
}

/** The `charge_id` in an id of a payment; null for any other text. */
export function efiIdOf(paymentId: string): number | null {
  const digits = /^efi:(\d{1,15})(?::pix)?$/.exec(paymentId)?.[1];
  return digits === undefined ? null : Number(digits);
}
