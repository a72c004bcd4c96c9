import * as z from "zod";
import { readAhead, type ProviderRefs } from "../../domain/psp/provider-refs.ts";

/** Of a charge: when its order was first sent (epoch ms), and the house's ids once they are known. */
const ChargeRef = z.object({
  sentAt: z.number(),
  orderId: z.string().optional(),
  /** Centavos that its capture released, as the house counted them before anything went back. */
  released: z.number().optional(),
});
export type ChargeRef = z.infer<typeof ChargeRef>;

/** Of a refund: when it was first sent under its key (epoch ms), what had gone back before it, and how it ended. */
const RefundRef = z.object({
  sentAt: z.number(),
  canceledBefore: z.number(),
  isDone: z.boolean(),
});
export type RefundRef = z.infer<typeof RefundRef>;

/** What this adapter remembers, by our ids. */
export class PagarMeRefs {
  readonly #refs: ProviderRefs;

  constructor(refs: ProviderRefs) {
    this.#refs = refs;
  }

  /** The same, with what is remembered of these charges read in one trip. */
  async ahead(chargeIds: string[]): Promise<PagarMeRefs> {
    return new PagarMeRefs(await readAhead(this.#refs, chargeIds));
  }

  /** Null for a charge that was never sent. */
  async charge(chargeId: string): Promise<ChargeRef | null> {
    return ChargeRef.nullable().parse((await this.#refs.read(chargeId)) ?? null);
  }

  saveCharge(chargeId: string, ref: ChargeRef): Promise<void> {
    return this.#refs.save(chargeId, ref);
  }

  /** Null for a refund that was never sent. */
  async refund(refundId: string): Promise<RefundRef | null> {
    return RefundRef.nullable().parse((await this.#refs.read(refundId)) ?? null);
  }

  /** Whether refs may be forgotten. */
  mayBeLost(): Promise<boolean> {
    return this.#refs.mayBeLost();
  }

  saveRefund(refundId: string, ref: RefundRef): Promise<void> {
    return this.#refs.save(refundId, ref);
  }
}
