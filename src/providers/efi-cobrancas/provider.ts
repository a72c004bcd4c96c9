import type { Clock } from "../../domain/shared/clock.ts";
import { cardTokenisationOf, type CardTokenisation } from "../../domain/psp/card-tokenisation.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { PayerField } from "../../domain/charges/payer-fields.ts";
import type { EfiCobrancasSettings } from "../../domain/psp/efi-cobrancas-settings.ts";
import type { ProviderRefs } from "../../domain/psp/provider-refs.ts";
import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { FieldErrors } from "../../domain/shared/problem.ts";
import type { CallbackNotification, NoticeReport } from "../notification.ts";
import type {
  BindCharge,
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ListPage,
  PaymentReport,
  Provider,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../provider.ts";
import type { ChargeOrder, ChargeReport } from "../charge.ts";
import { House, isBound } from "../house.ts";
import { faultsOf } from "./charge-request.ts";
import { EfiCharges } from "./charges.ts";
import { EfiClient, parseAs, type EfiClientOptions } from "./client.ts";
import { EfiCreation } from "./creation.ts";
import { EfiDueDates } from "./due-dates.ts";
import { chargeIdOf } from "./lists.ts";
import { readNotice, readNotification } from "./notifications.ts";
import { meaningOf } from "./problems.ts";
import { efiIdOf, EfiRefs, type EfiCharge, type RefundRef } from "./refs.ts";
import { isGivenBack, mayRepeat, othersThanFailed, refundObstacle } from "./refunds.ts";
import { Detail } from "./wire.ts";

const UNKNOWN = { kind: "unknown" } as const;
const DONE = { kind: "done" } as const;
const PROCESSING = { kind: "processing" } as const;
const NEVER_SENT = { kind: "not_found", neverSent: true } as const;

/** What an account at Efí is reached by. */
export interface EfiCobrancasParts extends EfiClientOptions {
  account: string;
  refs: ProviderRefs;
  /** The address that Efí notifies, with the account's own token in its path. */
  notificationUrl: () => Promise<string>;
}

/**
 * Efí's API Cobranças: boletos, which may have a Pix code, and cards by a token of the payer's browser. It knows its
 * charges by ids of its own and forgets refunds, so what it must not do twice is remembered in `refs`.
 */
export class EfiCobrancasProvider extends House implements Provider {
  readonly name = "EfiCobrancas";
  readonly account: string;
  readonly cardTokenisation: CardTokenisation | null;
  readonly savesCards = false;
  readonly lists: readonly ListName[] = ["payments"];
  readonly idempotentRefunds = false;
  readonly dueDates: EfiDueDates;
  readonly #config: EfiCobrancasSettings;
  readonly #clock: Clock;
  readonly #client: EfiClient;
  readonly #refs: EfiRefs;
  readonly #charges: EfiCharges;
  readonly #creation: EfiCreation;

  constructor(parts: EfiCobrancasParts) {
    super();
    const { account, config, clock, notificationUrl } = parts;
    this.account = account;
    this.cardTokenisation = cardTokenisationOf({ provider: this.name, settings: config });
    this.#config = config;
    this.#clock = clock;
    const client = new EfiClient(parts);
    const refs = new EfiRefs(parts.refs);
    const charges = new EfiCharges({ client, refs, clock });
    this.#client = client;
    this.#refs = refs;
    this.#charges = charges;
    this.#creation = new EfiCreation({ client, refs, charges, clock, config, notificationUrl });
    this.dueDates = new EfiDueDates({ client, charges, creation: this.#creation });
  }

  requirements(method: PaymentMethod): readonly PayerField[] {
    return method === "CREDIT_CARD" ? ["email"] : [];
  }

  orderFaults(order: ChargeOrder): FieldErrors {
    const { termsProven } = this.#config;
    return faultsOf(order, { termsProven, nowMs: this.#clock.now() });
  }

  async createCharge(order: ChargeOrder, bind: BindCharge = isBound): Promise<ChargeOutcome> {
    if (order.paymentMethod === "PIX") {
      return { kind: "refused", message: "This provider accepts boletos and cards." };
    }
    return this.#creation.create(order, bind);
  }

  async findCharge(chargeId: string): Promise<ChargeReport> {
    const found = await this.#charges.find(chargeId);
    if (found.kind !== "found") return found;
    const report = this.#charges.report(found.about);
    if (report.kind === "unclear") return UNKNOWN;
    if (report.kind === "not_found") return report;
    const { charge, unreadable } = report;
    return { kind: "known", ...charge, ...(unreadable.length === 0 ? {} : { unreadable }) };
  }

  /** A payment is known by Efí's id of its charge, which must be the stored one of a charge of ours. */
  async findPayment(paymentId: string): Promise<PaymentReport> {
    const efiId = efiIdOf(paymentId);
    if (efiId === null) return { kind: "not_found" };
    const answer = await this.#client.call({ method: "GET", path: ["charge", efiId] });
    if (answer.kind === "problem" && meaningOf(answer.code) === "not_found") {
      return { kind: "not_found" };
    }
    const detail = parseAs(Detail, answer);
    if (detail === null) return UNKNOWN;
    const chargeId = chargeIdOf(detail.data.custom_id);
    if (chargeId === null) return { kind: "not_found" };
    // By the id that is stored of it.
    const report = await this.findCharge(chargeId);
    if (report.kind !== "known") return report;
    const { payments, disputes, refunds } = report;
    const payment = payments.find((each) => each.paymentId === paymentId);
    if (payment === undefined) return { kind: "not_found" };
    return { kind: "known", payment: { ...payment, chargeId, disputes, refunds } };
  }

  /** Looks first: a cancelled charge may be cancelled again, a paid one may not. */
  async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    const before = await this.#cancelState(chargeId);
    if (before.kind !== "open") return before;
    const path = ["charge", before.efiId, "cancel"];
    const answer = await this.#client.call({ method: "PUT", path });
    const after = await this.#cancelState(chargeId);
    if (after.kind !== "open") return after;
    const isRefused = answer.kind === "problem" && meaningOf(answer.code) === "wrong_state";
    return isRefused ? { kind: "refused", reason: answer.message } : UNKNOWN;
  }

  /** It keeps no cards. */
  async deleteCard(): Promise<CardDeletion> {
    return { kind: "deleted" };
  }

  async captureCharge(): Promise<CaptureOutcome> {
    return { kind: "refused", reason: "Efí takes the money of a card at once." };
  }

  /**
   * Efí has no id for a refund, so amount and time are written down before the call, and one that was sent is only
   * looked up. `processing` also where it is too early to send it.
   */
  async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    if (order.chargeId === null) {
      return { kind: "failed", reason: "Efí gives back payments of its charges only." };
    }
    const known = await this.#refs.refund(order.refundId);
    const before = known === null ? NEVER_SENT : await this.findRefund(order);
    if (before.kind !== "not_found") return before;
    const found = await this.#charges.find(order.chargeId);
    if (found.kind === "unknown") return found;
    if (found.kind === "not_found") return { kind: "failed", reason: "Efí has no such charge." };
    const { about } = found;
    const report = this.#charges.report(about);
    const paidAt = report.kind === "known" ? (report.charge.payments[0]?.paidAt ?? 0) : 0;
    const nowMs = this.#clock.now();
    const obstacle = refundObstacle(order, about, { nowMs, paidAt });
    if (obstacle === null) return this.#sendNow(order, known, about);
    // Who asks again knows by it that none was sent.
    const waits = { amount: order.amount, sentAt: null };
    if (known === null) await this.#refs.swapRefund(order.refundId, null, waits);
    return obstacle;
  }

  async findRefund(order: RefundOrder): Promise<RefundLookup> {
    const { refundId, chargeId } = order;
    const ref = await this.#refs.refund(refundId);
    const isForgotten = ref === null && (await this.#refs.mayBeLost());
    if (chargeId === null || (!isForgotten && (ref?.sentAt ?? null) === null)) return NEVER_SENT;
    const found = await this.#charges.find(chargeId);
    if (found.kind !== "found") return UNKNOWN;
    const { about } = found;
    if (isForgotten ? about.status === "refunded" : isGivenBack(about, refundId)) return DONE;
    if (mayRepeat(order, about, { sent: ref, nowMs: this.#clock.now() })) return NEVER_SENT;
    return isForgotten ? UNKNOWN : PROCESSING;
  }

  async list(
    name: ListName,
    window: { from: number; to: number },
    page: number,
  ): Promise<ListPage> {
    return name === "payments" ? this.#charges.listPayments(window, page) : UNKNOWN;
  }

  /** What a callback of Efí names: only a token. */
  readCallback(body: unknown): CallbackNotification[] {
    return readNotification(body);
  }

  /** The charges of ours that a notice tells of, as Efí says it itself. */
  readNotice(token: string): Promise<NoticeReport> {
    const nowMs = this.#clock.now();
    return readNotice({ client: this.#client, refs: this.#refs, nowMs }, token);
  }

  /** A refund is written down before it is sent. One that another call, or another refund, was faster than waits. */
  async #sendNow(
    order: RefundOrder,
    known: RefundRef | null,
    { chargeId, ref: { efiId }, refunds }: EfiCharge,
  ): Promise<RefundOutcome> {
    const refs = this.#refs;
    const { refundId, amount } = order;
    const sentAt = this.#clock.now();
    const others = othersThanFailed(refunds, order);
    const earlier = others.filter((each) => each.refundId !== refundId);
    const sent = [...earlier, { refundId, amount, sentAt }];
    if (!(await refs.swapRefunds(chargeId, refunds, sent))) return PROCESSING;
    if (!(await refs.swapRefund(refundId, known, { amount, sentAt }))) return PROCESSING;
    const path = ["charge", "card", efiId, "refund"];
    const answer = await this.#client.call({ method: "POST", path, body: { amount } });
    if (answer.kind === "ok") {
      await refs.saveRefund(refundId, { amount, sentAt, isTaken: true });
      await refs.swapRefunds(chargeId, sent, [
        ...earlier,
        { refundId, amount, sentAt, isTaken: true },
      ]);
      return PROCESSING;
    }
    const meaning = answer.kind === "unknown" ? "unknown" : meaningOf(answer.code);
    // An earlier attempt of it may be what a repeat is refused for.
    const isRepeat = (known?.sentAt ?? null) !== null;
    if (answer.kind === "unknown" || meaning === "unknown" || isRepeat) return UNKNOWN;
    // Efí says itself that it did nothing.
    await refs.swapRefunds(chargeId, sent, earlier);
    await refs.saveRefund(refundId, { amount, sentAt: null });
    const isRefused = ["refused", "not_found", "wrong_state"].includes(meaning);
    return isRefused ? { kind: "failed", reason: answer.message } : PROCESSING;
  }

  /** What a cancel of a charge as it is would come to; `open` where Efí must be asked. */
  async #cancelState(chargeId: string): Promise<CancelOutcome | { kind: "open"; efiId: number }> {
    const found = await this.#charges.find(chargeId);
    if (found.kind === "unknown") return found;
    if (found.kind === "not_found") {
      return { kind: "refused", reason: "Efí does not know this charge." };
    }
    const { status, ref } = found.about;
    if (status === "canceled") return { kind: "cancelled" };
    const mayEnd = status === "new" || status === "waiting" || status === "unpaid";
    return mayEnd
      ? { kind: "open", efiId: ref.efiId }
      : { kind: "refused", reason: `Efí says ${status} of the charge.` };
  }
}
