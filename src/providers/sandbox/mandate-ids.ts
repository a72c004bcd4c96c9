import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { RandomSource } from "../../domain/shared/clock.ts";

/** An ISPB that no bank has. */
export const NO_BANK = "99999999";
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const FREE_LENGTH = 11;

/** The ids that the sandbox's bank makes, in BACEN's forms. */
export class MandateIds {
  readonly #random: RandomSource;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  /** ISPB, day, eleven free characters, as BACEN's ids of mandates and requests end. */
  after(nowMs: number): string {
    return NO_BANK + saoPauloDay(nowMs).replaceAll("-", "") + this.#free();
  }

  /** BACEN: `E`, ISPB, yyyyMMddHHmm in UTC, eleven free characters. */
  endToEndId(atMs: number): string {
    const minute = new Date(atMs).toISOString().replaceAll(/[-:T]/g, "").slice(0, 12);
    return `E${NO_BANK}${minute}${this.#free().toLowerCase()}`;
  }

  #free(): string {
    const bytes = this.#random.bytes(FREE_LENGTH);
    return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  }
}
