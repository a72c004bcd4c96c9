import type { CardPayer } from "../../domain/cards/card-payer.ts";
import type { NetworkRefusal } from "../../domain/charges/payment-details.ts";
import {
  breaksRetryRules,
  RETRIES_COUNTED_MAX,
  RETRIES_COUNTED_MS,
  retryStanding,
  type RetryStanding,
} from "../../domain/cards/retry-rules.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { AdmitCardAttempt, AdmitCardAttemptAnswer } from "./command-types.ts";
import { DECLINE_KEYS, type DeclineKey, type DeclineStore } from "./decline-store.ts";

const HOUR_MS = 60 * 60_000;
/**
 * Declined attempts in an hour: of one card, for the networks fine merchants beyond 10 (Mastercard) a day; and
 * from one address and of one payer, for who tests stolen cards has many of them.
 */
const DECLINED_MAX = 10;
/** A source's newest outcomes within an hour, and how many of them may be declined. */
const OUTCOMES_KEPT = 200;
const DECLINED_OUTCOMES_MAX = 100;
/** An attempt without an outcome counts for this long: acquirers answer within half a minute. */
const PENDING_MS = 60_000;
/** Attempts without an outcome that are remembered, the newest. */
const PENDING_MAX = 10_000;

type Declines = Pick<DeclineStore, "add" | "timesOf" | "ofCard">;
type Source = CardPayer["source"];

interface Pending extends AdmitCardAttempt {
  /** Until when it counts. */
  until: number;
}

/** The acquirer's decision on a charge. */
interface Decision extends CardPayer {
  transactionId: string;
  outcome: "approved" | "declined";
  /** A keyed hash of the card, as the acquirer named it; null where it did not. */
  card: string | null;
  amount: Cents;
  /** As the acquirer named it; `unknown` where it did not. */
  brand: string;
  refusal: NetworkRefusal;
}

/**
 * Counts attempts against the testing of stolen cards, and for the brands' rules about retries: by the card, whatever
 * token stands for it, by who is to pay, and by the address of a link's payer. What payers of links do and what the merchant's API does count apart, so that
 * nobody closes the API from a link's page. Declines are stored; outcomes and attempts without one are in
 * memory only, and start anew after an eviction.
 */
export class CardAttempts {
  readonly #declines: Declines;
  /** By transaction id, oldest first. */
  readonly #pending = new Map<string, Pending>();
  readonly #outcomes: Record<Source, { at: number; declined: boolean }[]> = { api: [], link: [] };

  constructor(declines: Declines) {
    this.#declines = declines;
  }

  /** Counts an attempt that is about to be sent, unless its card, payer, address or all of them have too many declined ones. */
  admit(command: AdmitCardAttempt, nowMs: number): AdmitCardAttemptAnswer {
    const { source } = command;
    const freeAt = this.#sourceFreeAt(source, nowMs);
    if (freeAt !== null) return { kind: "exceeded", scope: "all", retryAt: freeAt };
    const standing =
      command.card === null ? null : this.#standingOf(command.card, command.amount, nowMs);
    if (standing !== null && breaksRetryRules(standing)) return { kind: "forbidden", ...standing };
    for (const by of DECLINE_KEYS) {
      const value = command[by];
      const retryAt = value === null ? null : this.#freeAt(by, value, command, nowMs);
      if (retryAt !== null) return { kind: "exceeded", scope: by, retryAt };
    }
    this.#remember({ ...command, until: nowMs + PENDING_MS });
    return { kind: "admitted" };
  }

  /** Notes the acquirer's decision on a charge. Of a declined card, how it stands for another attempt then. */
  decided(decision: Decision, nowMs: number): RetryStanding | null {
    const { transactionId, outcome, source, card, address, amount, brand, refusal } = decision;
    const pending = this.#pending.get(transactionId);
    this.#pending.delete(transactionId);
    const declined = outcome === "declined";
    const outcomes = [...this.#outcomes[source], { at: nowMs, declined }];
    this.#outcomes[source] = outcomes.slice(-OUTCOMES_KEPT);
    if (!declined) return null;
    const decline = {
      source,
      card: card ?? pending?.card ?? null,
      address: address ?? pending?.address ?? null,
      payer: pending?.payer ?? null,
      brand,
      amount,
      ...refusal,
    };
    this.#declines.add(decline, nowMs, nowMs - RETRIES_COUNTED_MS);
    return decline.card === null ? null : this.#standingOf(decline.card, amount, nowMs);
  }

  /** Forgets an attempt that ended before any acquirer decided it, such as one with a token that had expired. */
  ended(transactionId: string): void {
    this.#pending.delete(transactionId);
  }

  #standingOf(card: string, amount: Cents, nowMs: number): RetryStanding | null {
    const from = nowMs - RETRIES_COUNTED_MS;
    return retryStanding(this.#declines.ofCard(card, from, RETRIES_COUNTED_MAX), amount, nowMs);
  }

  /** When a source may try again; null if it may now. */
  #sourceFreeAt(source: Source, nowMs: number): number | null {
    this.#outcomes[source] = this.#outcomes[source].filter(({ at }) => at > nowMs - HOUR_MS);
    const declined = this.#outcomes[source].filter((outcome) => outcome.declined);
    const oldestInTheWay = declined.at(-DECLINED_OUTCOMES_MAX);
    return oldestInTheWay === undefined ? null : oldestInTheWay.at + HOUR_MS;
  }

  /** When a card, an address or a payer may try again; null if it may now. A repeated attempt counts once. */
  #freeAt(
    by: DeclineKey,
    value: string,
    { source, attempt }: AdmitCardAttempt,
    nowMs: number,
  ): number | null {
    const declined = this.#declines.timesOf(by, { source, value }, nowMs - HOUR_MS, DECLINED_MAX);
    const others = new Map<string, number>();
    for (const each of this.#pending.values()) {
      const isOther = each.source === source && each[by] === value && each.attempt !== attempt;
      if (isOther && each.until > nowMs) others.set(each.attempt, each.until);
    }
    if (declined.length + others.size < DECLINED_MAX) return null;
    const ends = [...declined.map((at) => at + HOUR_MS), ...others.values()];
    return Math.min(...ends);
  }

  #remember(attempt: Pending): void {
    this.#pending.delete(attempt.transactionId);
    this.#pending.set(attempt.transactionId, attempt);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > PENDING_MAX && oldest !== undefined) this.#pending.delete(oldest);
  }
}
