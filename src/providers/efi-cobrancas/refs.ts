import * as z from "zod";
import { parseBrCode } from "../../methods/pix/br-code-parser.ts";
import { readAhead, type ProviderRefs } from "../../domain/psp/provider-refs.ts";
import type { Detail, EfiStatus, ListEntry } from "./wire.ts";

/*
 * Each of these has its own row, so that none is lost where another one is saved at the same time. Times are epoch
 * milliseconds, amounts centavos.
 */

/** What is remembered of a charge, by the one who makes it. */
const ChargeRef = z.object({
  method: z.enum(["BOLETO", "CREDIT_CARD"]),
  amount: z.int(),
  /** Before the first attempt to make it. */
  firstAt: z.int(),
  /** Efí's `charge_id`: the only one of our charge that is ever paid. */
  efiId: z.int().optional(),
  /** Of a boleto with Pix: what its code names, by which a list of PIX knows it too. */
  pixTxid: z.string().optional(),
});
export type ChargeRef = z.infer<typeof ChargeRef>;

/** What was seen of a charge and must not be forgotten. */
const Seen = z.object({
  /** How a boleto was paid, as first seen, so that its payment keeps one id. */
  paidBy: z.enum(["bank", "pix"]).optional(),
  /** What a notice said of the payment of a boleto, for as long as the list does not. */
  told: z.object({ value: z.int(), at: z.int(), isByBank: z.boolean() }).optional(),
  /** How many chargebacks were seen: after one was won there may be another. */
  chargebacks: z.int().optional(),
  /** The last chargeback was won: the charge was seen paid after it. */
  won: z.boolean().optional(),
});
export type Seen = z.infer<typeof Seen>;

/** Two calls at once are rare; four need not be waited for. */
const SWAPS_MAX = 4;

/** The refunds of a charge that were sent, oldest first. `isTaken` as of each. */
const SentRefunds = z.array(
  z.object({
    refundId: z.string(),
    amount: z.int(),
    sentAt: z.int(),
    isTaken: z.boolean().optional(),
  }),
);
export type SentRefunds = z.infer<typeof SentRefunds>;

/**
 * A refund that was sent; `sentAt` null where it waits to be, or Efí refused it. `isTaken`: Efí has answered that it
 * gives it back.
 */
const RefundRef = z.object({
  amount: z.int(),
  sentAt: z.int().nullable(),
  isTaken: z.boolean().optional(),
});
export type RefundRef = z.infer<typeof RefundRef>;

/** The one charge at Efí of ours that is ever paid, as the first of several creates at once has set it. */
const Made = z.object({ efiId: z.int() });

/** The registered charge of a Pix that was paid by a boleto's code. */
const PixRef = z.object({ chargeId: z.string(), paymentId: z.string() });
export type PixRef = z.infer<typeof PixRef>;

/** A charge that Efí has, with its `charge_id`. */
export type KnownRef = ChargeRef & { efiId: number };

/** What names the Pix of a boleto. */
interface PixOfCharge {
  efiId: number;
  pixTxid: string;
}

/** What the adapter remembers of its charges and refunds, by our ids. */
export class EfiRefs {
  readonly #refs: ProviderRefs;

  constructor(refs: ProviderRefs) {
    this.#refs = refs;
  }

  /** The same, with what is remembered of these charges read in one trip. */
  async ahead(chargeIds: string[]): Promise<EfiRefs> {
    const ids = chargeIds.flatMap((id) => [id, seenId(id), refundsId(id)]);
    return new EfiRefs(await readAhead(this.#refs, ids));
  }

  async charge(chargeId: string): Promise<ChargeRef | null> {
    const ref = ChargeRef.nullable().parse(await this.#refs.read(chargeId));
    if (ref === null || ref.efiId !== undefined) return ref;
    const made = Made.nullable().parse(await this.#refs.read(madeId(chargeId)));
    return { ...ref, ...made };
  }

  /**
   * Says that a charge of ours is this one at Efí, and saves its ref. Another one stays where it was said before: of two
   * creates at once, only the charge of the first is ever paid. So does the Pix code that the other one has read of it.
   */
  async settle(chargeId: string, ref: KnownRef): Promise<KnownRef> {
    const { efiId } = ref;
    const isFirst = await this.#refs.swap(madeId(chargeId), null, { efiId });
    const made = isFirst ? { efiId } : Made.parse(await this.#refs.read(madeId(chargeId)));
    return this.#change(chargeId, (before) => {
      const { pixTxid } = ChargeRef.nullable().parse(before) ?? {};
      return { ...ref, ...(pixTxid === undefined ? {} : { pixTxid }), ...made };
    });
  }

  saveCharge(chargeId: string, ref: ChargeRef): Promise<void> {
    return this.#refs.save(chargeId, ref);
  }

  async seen(chargeId: string): Promise<Seen> {
    return Seen.parse((await this.#refs.read(seenId(chargeId))) ?? {});
  }

  /**
   * Adds to what was seen, and answers all of it. What another call has added meanwhile stays, and so do the first word
   * on how a boleto was paid and the first notice of it. Throws where others are faster again and again.
   */
  addSeen(chargeId: string, added: Seen): Promise<Seen> {
    return this.#change(seenId(chargeId), (before) => {
      const known = Seen.parse(before ?? {});
      const { paidBy = added.paidBy, told = added.told } = known;
      return {
        ...known,
        ...added,
        ...(paidBy === undefined ? {} : { paidBy }),
        ...(told === undefined ? {} : { told }),
      };
    });
  }

  /** Puts a chargeback that is booked back into what was seen: the one of this number, from 1. A later one stays. */
  async rememberChargeback(chargeId: string, number: number, won: boolean): Promise<void> {
    await this.#change(seenId(chargeId), (before) => {
      const known = Seen.parse(before ?? {});
      return number < (known.chargebacks ?? 0) ? known : { ...known, chargebacks: number, won };
    });
  }

  /** Remembers what a Pix by the code of a boleto is found by, where nothing is. */
  async rememberPix(chargeId: string, { efiId, pixTxid }: PixOfCharge): Promise<void> {
    await this.#refs.swap(pixRefId(pixTxid), null, pixRefOf(chargeId, efiId));
  }

  async refunds(chargeId: string): Promise<SentRefunds> {
    return SentRefunds.parse((await this.#refs.read(refundsId(chargeId))) ?? []);
  }

  /** False where others of the charge were saved since `before` was read. */
  async swapRefunds(chargeId: string, before: SentRefunds, refunds: SentRefunds): Promise<boolean> {
    const id = refundsId(chargeId);
    if (await this.#refs.swap(id, before, refunds)) return true;
    // An empty list may be stored, or nothing.
    return before.length === 0 && this.#refs.swap(id, null, refunds);
  }

  async refund(refundId: string): Promise<RefundRef | null> {
    return RefundRef.nullable().parse(await this.#refs.read(refundId));
  }

  saveRefund(refundId: string, ref: RefundRef): Promise<void> {
    return this.#refs.save(refundId, ref);
  }

  /** False where it was saved since `before` was read. */
  swapRefund(refundId: string, before: RefundRef | null, ref: RefundRef): Promise<boolean> {
    return this.#refs.swap(refundId, before, ref);
  }

  /** Whether refs may be forgotten. */
  mayBeLost(): Promise<boolean> {
    return this.#refs.mayBeLost();
  }

  /** Saves the ref of a boleto with Pix, and what a Pix by its code is found by. */
  async savePixOf(chargeId: string, ref: KnownRef & { pixTxid: string }): Promise<void> {
    await this.#refs.save(pixRefId(ref.pixTxid), pixRefOf(chargeId, ref.efiId));
    await this.saveCharge(chargeId, ref);
  }

  /** Replaces what is remembered under an id by what follows from it, also where another call was faster. */
  async #change<Ref extends object>(id: string, changed: (before: unknown) => Ref): Promise<Ref> {
    for (let tries = 0; tries < SWAPS_MAX; tries++) {
      const before = await this.#refs.read(id);
      const ref = changed(before);
      if (await this.#refs.swap(id, before as object | null, ref)) return ref;
    }
    throw new Error(`what is remembered under ${id} changes all the time`);
  }
}

function madeId(chargeId: string): string {
  return `made:${chargeId}`;
}

function seenId(chargeId: string): string {
  return `seen:${chargeId}`;
}

function pixRefOf(chargeId: string, efiId: number): PixRef {
  return { chargeId, paymentId: paymentIdOf(efiId, "pix") };
}

function refundsId(chargeId: string): string {
  return `refunds:${chargeId}`;
}

/** The last part of a dynamic code's location, by which Efí names the Pix; null where it has none. */
export function txidOfCode(qrcode: string): string | null {
  const code = parseBrCode(qrcode);
  const location = code.valid ? (code.content.location ?? "") : "";
  return /\/([a-zA-Z0-9]{1,64})$/.exec(location)?.[1] ?? null;
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
export function paymentIdOf(efiId: number, paidBy: Seen["paidBy"]): string {
  return paidBy === "pix" ? `efi:${efiId}:pix` : `efi:${efiId}`;
}

/** The id of a chargeback of a charge, by its number, from 1. */
export function chargebackIdOf(efiId: number, number: number): string {
  return number === 1 ? `efi:${efiId}:contested` : `efi:${efiId}:contested:${number}`;
}

/** The number in an id of a chargeback; null for any other text. */
export function chargebackNumberOf(disputeId: string): number | null {
  const named = /^efi:\d{1,15}:contested(?::(\d{1,3}))?$/.exec(disputeId);
  return named === null ? null : Number(named[1] ?? 1);
}

/** The `charge_id` in an id of a payment; null for any other text. */
export function efiIdOf(paymentId: string): number | null {
  const digits = /^efi:(\d{1,15})(?::pix)?$/.exec(paymentId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** What Efí says of one of our charges, by a look-up or in a list. */
export interface EfiCharge {
  chargeId: string;
  ref: KnownRef;
  seen: Seen;
  refunds: SentRefunds;
  status: EfiStatus;
  /** Why a card was refused. */
  reason: string | null;
  history: Detail["history"];
  /** Time text of the decision about a card. */
  decidedAt: string | null;
  /** What its list says of its payment; null where it has none of it. */
  paid: ListEntry["payment"];
}
