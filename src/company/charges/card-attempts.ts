import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AdmitCardAttempt, AdmitCardAttemptAnswer } from "../rpc-types.ts";

const HOUR_MS = 60 * 60_000;
/** Declined attempts of one card in an hour; the networks fine merchants beyond 10 (Mastercard) a day. */
const DECLINED_PER_CARD_MAX = 10;
/** A company's newest outcomes within an hour, and how many of them may be declined. */
const OUTCOMES_KEPT = 200;
const DECLINED_OUTCOMES_MAX = 100;
/** An attempt without an outcome counts for this long: acquirers answer within half a minute. */
const PENDING_MS = 60_000;
/** Cards and attempts remembered, the newest: some megabytes. */
const REMEMBERED_MAX = 10_000;
const KEY_BYTES = 32;

interface CardState {
  /** When attempts were declined, oldest first. */
  declined: number[];
  /** Attempts without an outcome, and until when they count. */
  pending: Map<string, number>;
}

/**
 * Counts attempts by card against the testing of stolen cards. In memory only: a card is known by a hash
 * under a random key that never leaves this object, so the counts start anew after an eviction.
 */
export class CardAttempts {
  readonly #key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  /** By keyed hash, the least recently used first. */
  readonly #cards = new Map<string, CardState>();
  /** The card and the attempt of a charge, by transaction id, oldest first. */
  readonly #charges = new Map<string, { card: string; attempt: string }>();
  #outcomes: { at: number; declined: boolean }[] = [];

  /** Counts an attempt that is about to be sent, unless its card or the company has too many declined ones. */
  admit({ transactionId, attempt, card }: AdmitCardAttempt, nowMs: number): AdmitCardAttemptAnswer {
    const freeAt = this.#companyFreeAt(nowMs);
    if (freeAt !== null) return { kind: "exceeded", scope: "company", retryAt: freeAt };
    const name = bytesToHex(hmac(sha256, this.#key, utf8ToBytes(card)));
    const state = this.#stateOf(name, nowMs);
    const others = [...state.pending].filter(([known]) => known !== attempt);
    if (state.declined.length + others.length >= DECLINED_PER_CARD_MAX) {
      const ends = [
        ...state.declined.map((at) => at + HOUR_MS),
        ...others.map(([, until]) => until),
      ];
      return { kind: "exceeded", scope: "card", retryAt: Math.min(...ends) };
    }
    state.pending.set(attempt, nowMs + PENDING_MS);
    remember(this.#cards, name, state);
    remember(this.#charges, transactionId, { card: name, attempt });
    return { kind: "admitted" };
  }

  /** Notes the acquirer's decision on a charge. One that this memory does not know changes nothing. */
  decided(transactionId: string, outcome: "approved" | "declined", nowMs: number): void {
    const charge = this.#charges.get(transactionId);
    if (charge === undefined) return;
    this.#charges.delete(transactionId);
    const declined = outcome === "declined";
    this.#outcomes = [...this.#outcomes, { at: nowMs, declined }].slice(-OUTCOMES_KEPT);
    const state = this.#stateOf(charge.card, nowMs);
    state.pending.delete(charge.attempt);
    if (declined) state.declined.push(nowMs);
    if (state.declined.length + state.pending.size === 0) this.#cards.delete(charge.card);
    else remember(this.#cards, charge.card, state);
  }

  /** When the company may try again; null if it may now. */
  #companyFreeAt(nowMs: number): number | null {
    this.#outcomes = this.#outcomes.filter(({ at }) => at > nowMs - HOUR_MS);
    const declined = this.#outcomes.filter((outcome) => outcome.declined);
    const oldestInTheWay = declined.at(-DECLINED_OUTCOMES_MAX);
    return oldestInTheWay === undefined ? null : oldestInTheWay.at + HOUR_MS;
  }

  /** A card's state without what no longer counts. */
  #stateOf(name: string, nowMs: number): CardState {
    const { declined, pending } = this.#cards.get(name) ?? { declined: [], pending: new Map() };
    return {
      declined: declined.filter((at) => at > nowMs - HOUR_MS),
      pending: new Map([...pending].filter(([, until]) => until > nowMs)),
    };
  }
}

/** Puts an entry at the end of a map, which drops its first ones beyond the limit. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
}
