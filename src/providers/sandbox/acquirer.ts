import type { Card, CardReport } from "../../domain/charges/payment-details.ts";
import {
  truncateCard,
  withoutSeparators,
  type CardOrder,
  type RawCard,
} from "../../methods/card/card.ts";
import type { Clock, RandomSource } from "../../domain/shared/clock.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { CaptureOutcome, ChargeOutcome } from "../provider.ts";
import type { ChargeOrder, ChargeReport, ChargeDetails, ProviderPayment } from "../charge.ts";
import type {
  CardDecision,
  SandboxStore,
  SandboxCard,
  SandboxCharge,
  SandboxToken,
} from "./store.ts";
import { cardOutcome, refusedReason } from "./cards.ts";

const TOKEN_PREFIX = "tok_";
const TOKEN_ALPHABET = "0123456789abcdef";
/** 128 bits: a token cannot be guessed. */
const TOKEN_LENGTH = 32;
/** Of an acquirer's authorization code. */
const CODE_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const CODE_LENGTH = 6;
const DIGITS = "0123456789";
const NSU_LENGTH = 12;
const PAYMENT_PREFIX = "C";

type CardCharge = Extract<ChargeOrder, { paymentMethod: "CREDIT_CARD" }>;

/**
 * The sandbox's acquirer: decides a card once for each charge, by its number. Of the number and the
 * CVV nothing is kept, not even a hash.
 */
export class SandboxAcquirer {
  readonly #store: SandboxStore;
  readonly #clock: Clock;
  readonly #random: RandomSource;

  constructor(parts: { store: SandboxStore; clock: Clock; random: RandomSource }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** A new token for a card, stored with the storable part of the card. */
  async tokenize(raw: RawCard): Promise<SandboxToken> {
    const token = {
      token: TOKEN_PREFIX + this.#randomText(TOKEN_ALPHABET, TOKEN_LENGTH),
      ...toCardSource(raw),
      createdAt: this.#clock.now(),
    };
    await this.#store.addToken(token);
    return token;
  }

  /** A repeated order gets the first decision again. */
  async charge(order: CardCharge): Promise<ChargeOutcome> {
    const { chargeId, amount, card } = order;
    const source = await this.#resolve(card.source);
    if (source === null) return { kind: "refused", message: "The card token is unknown." };
    const decided = this.#decide(source, amount);
    const isTaken = decided.decision === "approved" && card.capture;
    const payment = isTaken ? this.#payment(chargeId, amount) : null;
    const charge = await this.#store.recordCardDecision(chargeId, decided, payment);
    const report = cardReport(charge, chargeId);
    return report.kind === "known" ? { kind: "decided", charge: report } : { kind: "unknown" };
  }

  async capture(chargeId: string, amount: Cents): Promise<CaptureOutcome> {
    const taken = await this.#captureOnce(chargeId, amount, ["approved"]);
    if (taken === amount) return { kind: "captured" };
    const reason =
      taken === null
        ? "The card is not authorized for this amount (sandbox)."
        : "The card was captured for another amount (sandbox).";
    return { kind: "refused", reason };
  }

  /** Simulates the acquirer taking the money of an authorized card, or of one whose order was lost. */
  async simulatePayment(chargeId: string, amount: Cents): Promise<void> {
    await this.#captureOnce(chargeId, amount, ["approved", "unheard"]);
  }

  async #captureOnce(
    chargeId: string,
    amount: Cents,
    decisions: readonly CardDecision[],
  ): Promise<Cents | null> {
    const payment = this.#payment(chargeId, amount);
    const { payments } = await this.#store.captureCard(chargeId, decisions, payment);
    return payments.find(({ method }) => method === "CREDIT_CARD")?.amount ?? null;
  }

  async #resolve(source: CardOrder["source"]): Promise<{ card: Card; outcome: string } | null> {
    if ("token" in source) return this.#store.findToken(source.token);
    if (!("savedCard" in source)) return toCardSource(source);
    const { card } = await this.#store.charge(source.savedCard);
    return card?.decision === "approved" ? { card: card.card, outcome: "APPROVED" } : null;
  }

  #decide({ card, outcome }: { card: Card; outcome: string }, amount: Cents): SandboxCard {
    const reason = refusedReason(outcome);
    const authorizationCode = this.#randomText(CODE_ALPHABET, CODE_LENGTH);
    return {
      decision: reason !== null ? "refused" : outcome === "NO_ANSWER" ? "unheard" : "approved",
      amount,
      card: { ...card, authorizationCode: reason === null ? authorizationCode : null },
      nsu: this.#randomText(DIGITS, NSU_LENGTH),
      refusedReason: reason,
    };
  }

  /** Known by its charge, for a card pays a charge once. */
  #payment(chargeId: string, amount: Cents): ProviderPayment {
    const paymentId = PAYMENT_PREFIX + chargeId.replaceAll("-", "");
    return { paymentId, method: "CREDIT_CARD", amount, paidAt: this.#clock.now() };
  }

  #randomText(alphabet: string, length: number): string {
    const bytes = this.#random.bytes(length);
    return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
  }
}

/** The acquirer's report of a charge, by whose id an approved card is charged again. */
export function cardReport(charge: SandboxCharge, chargeId: string): ChargeReport {
  const { status, disputes, card } = charge;
  // The acquirer names the card, not who paid.
  const payments = charge.payments.map(({ payer: _payer, ...payment }) => payment);
  const known = (state: ChargeDetails["status"], report?: CardReport): ChargeReport => {
    const about = report === undefined ? {} : { card: report };
    return { kind: "known", status: state, payments, disputes, refunds: [], ...about };
  };
  if (card === null) return status === "open" ? { kind: "not_found" } : known(status);
  const { decision, nsu, refusedReason: reason } = card;
  const saved = decision === "approved" ? { savedCard: chargeId } : {};
  const report = { card: card.card, nsu, refusedReason: reason, ...saved };
  if (decision === "refused") return known("refused", report);
  if (payments.length > 0) return known("authorized", report);
  if (decision === "unheard") return status === "open" ? { kind: "not_found" } : known(status);
  return known(status === "open" ? "authorized" : status, report);
}

function toCardSource(raw: RawCard): { card: Card; outcome: string } {
  return { card: truncateCard(raw), outcome: cardOutcome(withoutSeparators(raw.number)) };
}
