import { mayBeForgotten } from "../../domain/psp/provider-refs.ts";
import type { CardReport, RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { createdAtOfTransactionId } from "../../domain/shared/ids.ts";
import type { EfiCobrancasSettings } from "../../domain/psp/efi-cobrancas-settings.ts";
import { parseBoleto } from "../../methods/boleto/boleto-code-parser.ts";
import { parseBrCode } from "../../methods/pix/br-code-parser.ts";
import type { BoletoOrder } from "../due-dates.ts";
import type { BindCharge, ChargeOutcome } from "../provider.ts";
import { refusedCard } from "./charge-report.ts";
import { billetPayment, cardPayment, newCharge, type CardOrder } from "./charge-request.ts";
import { parseAs, type ApiAnswer, type EfiClient } from "./client.ts";
import type { EfiCharges } from "./charges.ts";
import { failureCodeOf, meaningOf } from "./problems.ts";
import { txidOfCode, type EfiRefs, type KnownRef } from "./refs.ts";
import { billetTerms } from "./terms.ts";
import { CreatedCharge, PaidBillet, PaidCard, type Billet } from "./wire.ts";

const UNKNOWN = { kind: "unknown" } as const;

type EfiOrder = BoletoOrder | CardOrder;
type Refused = Extract<ChargeOutcome, { kind: "refused" }>;

/**
 * Makes charges in Efí's two steps. The first makes one that nobody can pay, and its id is stored before the second
 * sets how it is paid: of the inert charges that lost answers may leave, only the stored one is ever paid.
 */
export class EfiCreation {
  readonly #client: EfiClient;
  readonly #charges: EfiCharges;
  readonly #refs: EfiRefs;
  readonly #clock: Clock;
  readonly #config: EfiCobrancasSettings;
  readonly #notificationUrl: () => Promise<string>;

  constructor(parts: {
    client: EfiClient;
    charges: EfiCharges;
    refs: EfiRefs;
    clock: Clock;
    config: EfiCobrancasSettings;
    notificationUrl: () => Promise<string>;
  }) {
    this.#client = parts.client;
    this.#charges = parts.charges;
    this.#refs = parts.refs;
    this.#clock = parts.clock;
    this.#config = parts.config;
    this.#notificationUrl = parts.notificationUrl;
  }

  async create(order: EfiOrder, bind: BindCharge): Promise<ChargeOutcome> {
    const first = await this.#inertCharge(order);
    if (first.kind !== "found") return first;
    return order.paymentMethod === "BOLETO"
      ? this.#registerBoleto(order, first.ref, bind)
      : this.#chargeCard(order, first);
  }

  /** The first step, once: an earlier attempt whose answer was lost is looked for before. */
  async #inertCharge(
    order: EfiOrder,
  ): Promise<{ kind: "found"; ref: KnownRef; isNew: boolean } | Refused | { kind: "unknown" }> {
    const { chargeId, amount, paymentMethod: method } = order;
    const stored = await this.#refs.charge(chargeId);
    const ref = stored ?? { method, amount, firstAt: this.#clock.now() };
    // Nothing is remembered of an old one where the database was taken back in time.
    if (stored !== null || mayBeForgotten(chargeId, this.#clock.now())) {
      const firstAt = createdAtOfTransactionId(chargeId);
      const found = await this.#charges.locate(chargeId, stored ?? { ...ref, firstAt });
      if (found.kind === "unknown") return UNKNOWN;
      if (found.kind === "found") {
        const settled = await this.#refs.settle(chargeId, found.ref);
        return { kind: "found", ref: settled, isNew: false };
      }
    }
    if (stored === null) await this.#refs.saveCharge(chargeId, ref);
    const body = newCharge(order, await this.#notificationUrl());
    const answer = await this.#client.call({ method: "POST", path: ["charge"], body });
    const created = parseAs(CreatedCharge, answer);
    if (created === null) return refusalOf(answer, ["refused", "no_right"]) ?? UNKNOWN;
    if (created.data.total !== amount) return UNKNOWN;
    const efiId = created.data.charge_id;
    const settled = await this.#refs.settle(chargeId, { ...ref, efiId });
    return { kind: "found", ref: settled, isNew: settled.efiId === efiId };
  }

  async #registerBoleto(
    order: BoletoOrder,
    ref: KnownRef,
    bind: BindCharge,
  ): Promise<ChargeOutcome> {
    if (!(await bind())) return UNKNOWN;
    const answer = await this.#pay(ref, billetPayment(order, this.#config));
    const paid = parseAs(PaidBillet, answer);
    if (paid !== null) {
      const isOurs = paid.data.charge_id === ref.efiId && paid.data.total === order.amount;
      return isOurs ? this.#registration(order, ref, paid.data) : UNKNOWN;
    }
    const found = await this.#charges.read(order.chargeId, ref);
    if (found.kind !== "found") return UNKNOWN;
    const { detail } = found;
    if (detail.status === "new") return refusalOf(answer, ["refused"]) ?? UNKNOWN;
    const billet = detail.payment?.banking_billet ?? null;
    return billet === null || detail.total !== order.amount
      ? UNKNOWN
      : this.#registration(order, ref, billet);
  }

  async #registration(order: BoletoOrder, ref: KnownRef, billet: Billet): Promise<ChargeOutcome> {
    const boleto = await this.boletoOf(order, ref, billet);
    return boleto === null ? UNKNOWN : { kind: "registered", boleto };
  }

  /**
   * A boleto at Efí as its order says; null where it says otherwise. Keeps what a Pix by its code will name, before its
   * payer sees the code.
   */
  async boletoOf(
    order: BoletoOrder,
    ref: KnownRef,
    billet: Billet,
  ): Promise<RegisteredBoleto | null> {
    const boleto = registeredBoleto(order, ref, billet, this.#config);
    const pixTxid = txidOfCode(boleto?.qrcode ?? "");
    if (pixTxid !== null && pixTxid !== ref.pixTxid) {
      await this.#refs.savePixOf(order.chargeId, { ...ref, pixTxid });
    }
    return boleto;
  }

  /**
   * The token of a card is gone with the call, so a charge that may have been decided is looked up first, and none is
   * sent again by ourselves.
   */
  async #chargeCard(
    order: CardOrder,
    { ref, isNew }: { ref: KnownRef; isNew: boolean },
  ): Promise<ChargeOutcome> {
    if (!isNew) {
      const before = await this.#decision(order, ref);
      if (before !== "undecided") return before;
    }
    const answer = await this.#pay(ref, cardPayment(order));
    const paid = parseAs(PaidCard, answer);
    if (paid === null) {
      const after = await this.#decision(order, ref);
      if (after !== "undecided") return after;
      return refusalOf(answer, ["refused", "token_used"]) ?? UNKNOWN;
    }
    const { data } = paid;
    if (data.charge_id !== ref.efiId || data.total !== order.amount) return UNKNOWN;
    if (data.status !== "unpaid") {
      const decided = await this.#decision(order, ref);
      return decided === "undecided" ? UNKNOWN : decided;
    }
    const reason = data.refusal?.reason ?? data.reason ?? null;
    return decidedAs(refusedCard(reason, data.refusal?.retry ?? false));
  }

  /** `undecided` where Efí has heard of no card yet. */
  async #decision(order: CardOrder, ref: KnownRef): Promise<ChargeOutcome | "undecided"> {
    const found = await this.#charges.read(order.chargeId, ref);
    if (found.kind !== "found" || found.detail.total !== order.amount) return UNKNOWN;
    const report = this.#charges.report(found.about);
    if (report.kind === "not_found") return "undecided";
    return report.kind === "known" ? { kind: "decided", charge: report.charge } : UNKNOWN;
  }

  #pay(ref: KnownRef, body: unknown): Promise<ApiAnswer> {
    return this.#client.call({ method: "POST", path: ["charge", ref.efiId, "pay"], body });
  }
}

function decidedAs(card: CardReport): ChargeOutcome {
  const charge = { status: "refused" as const, payments: [], disputes: [], refunds: [], card };
  return { kind: "decided", charge };
}

function refusalOf(answer: ApiAnswer, meanings: string[]): Refused | null {
  if (answer.kind !== "problem" || !meanings.includes(meaningOf(answer.code))) return null;
  return { kind: "refused", message: answer.message, code: failureCodeOf(answer.code) };
}

/** The boleto as it was ordered; null where its line, day, amount or terms are others. */
function registeredBoleto(
  { boleto, amount }: BoletoOrder,
  { efiId }: KnownRef,
  { barcode: line, expire_at: day, pix, configurations }: Billet,
  settings: { termsProven: boolean },
) {
  const verdict = parseBoleto(line, boleto.dueDate);
  if (!verdict.valid || day !== boleto.dueDate) return null;
  if (verdict.content.dueDate !== day || verdict.content.amount !== amount) return null;
  const { fine, interest } = billetTerms(boleto, amount, settings).terms.configurations;
  const sameFine = (configurations?.fine ?? fine) === fine;
  const sameInterest =
    (configurations?.interest ?? interest.value) === interest.value &&
    (interest.value === 0 || (configurations?.interest_type ?? interest.type) === interest.type);
  if (!sameFine || !sameInterest) return null;
  const code = parseBrCode(pix?.qrcode ?? "");
  const isDynamic = code.valid && code.content.kind === "dynamic";
  return {
    barcode: verdict.content.barcode,
    digitableLine: verdict.content.digitableLine,
    // Efí gives none of its own.
    ourNumber: `${efiId}`,
    qrcode: isDynamic ? (pix?.qrcode ?? null) : null,
  };
}
