import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { FailureCode } from "../../domain/charges/failure-reason.ts";
import type { PayerField } from "../../domain/charges/payer-fields.ts";
import { cardTokenisationOf, type CardTokenisation } from "../../domain/psp/card-tokenisation.ts";
import type { PagarMeSettings } from "../../domain/psp/pagarme-settings.ts";
import type { ProviderRefs } from "../../domain/psp/provider-refs.ts";
import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { FieldErrors } from "../../domain/shared/problem.ts";
import type { CallbackNotification, NoticeReport } from "../notification.ts";
import type {
  BindCharge,
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ListedRecord,
  ListPage,
  PaymentReport,
  Provider,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
  SettlementList,
} from "../provider.ts";
import type { ChargeOrder, ChargeReport, UnreadableRecord } from "../charge.ts";
import { House, isBound } from "../house.ts";
import { readNotice } from "./callback.ts";
import {
  chargeDetails,
  chargeOfPayment,
  isAuthorized,
  moneyFaultOf,
  paidAmountOf,
  refusalMessage,
  registeredBoleto,
} from "./charge-report.ts";
import { PagarMeClient, type PagarMeClientOptions } from "./client.ts";
import { orderFaults, orderRequest, requirements, type PagarMeOrder } from "./order-request.ts";
import { mayBeForgotten } from "../../domain/psp/provider-refs.ts";
import { codeOf, PagarMeOrders, readPage, type FoundCharge } from "./orders.ts";
import { PagarMePayables } from "./payables.ts";
import { PagarMeRefs } from "./refs.ts";
import { PagarMeRefunds } from "./refunds.ts";
import { walletCard } from "./saved-card.ts";
import { unreadableOrder } from "./unreadable-order.ts";
import type { Charge } from "./wire.ts";

/** The house's limit of a page is not known; the SDK's samples have 30. */
const PAGE_SIZE = 30;
/** The HTTP status of a request that is right, and that a rule of the house forbids. */
const BUSINESS_RULE = 412;
const UNKNOWN = { kind: "unknown" } as const;
type Told = Parameters<typeof chargeDetails>[1];
const NOT_SENT = { kind: "not_found" } as const;
const NOT_AUTHORIZED = "The charge is not authorized.";
const NOT_CARRIED_OUT = "This provider accepts only boletos and cards.";

/**
 * An account at Pagar.me (API v5). An order has our charge's id as its code and as its idempotency key, one item and one
 * charge. A refusal of a create is checked by a look-up: there may be an order all the same.
 */
export class PagarMeProvider extends House implements Provider {
  readonly name = "PagarMe";
  readonly account: string;
  readonly cardTokenisation: CardTokenisation | null;
  readonly savesCards = true;
  /** By creation only: the house lists neither payments by arrival nor, of a gateway, payouts. */
  readonly lists: readonly ListName[] = ["charges"];
  /** Only for a day; within it the adapter says itself what may be sent again. */
  readonly idempotentRefunds = false;
  /** A gateway's money is settled by the merchant's own acquirer. */
  readonly settlements: SettlementList | undefined;
  readonly #config: PagarMeSettings;
  readonly #createdAt: number;
  readonly #clock: Clock;
  readonly #client: PagarMeClient;
  readonly #refs: PagarMeRefs;
  readonly #orders: PagarMeOrders;
  readonly #refunds: PagarMeRefunds;

  constructor(
    parts: PagarMeClientOptions & {
      account: string;
      createdAt: number;
      config: PagarMeSettings;
      refs: ProviderRefs;
    },
  ) {
    super();
    const { clock } = parts;
    this.account = parts.account;
    this.#createdAt = parts.createdAt;
    this.cardTokenisation = cardTokenisationOf({ provider: this.name, settings: parts.config });
    this.#config = parts.config;
    this.#clock = clock;
    const client = new PagarMeClient(parts);
    const refs = new PagarMeRefs(parts.refs);
    const orders = new PagarMeOrders({ client, refs, clock });
    this.settlements = parts.config.kind === "psp" ? new PagarMePayables(client) : undefined;
    this.#client = client;
    this.#refs = refs;
    this.#orders = orders;
    this.#refunds = new PagarMeRefunds({ client, orders, refs, clock });
  }

  requirements(method: PaymentMethod): readonly PayerField[] {
    return requirements(method);
  }

  orderFaults(order: ChargeOrder): FieldErrors {
    return order.paymentMethod === "PIX" ? {} : orderFaults(order, this.#config);
  }

  async createCharge(order: ChargeOrder, bind: BindCharge = isBound): Promise<ChargeOutcome> {
    if (order.paymentMethod === "PIX") return { kind: "refused", message: NOT_CARRIED_OUT };
    const { chargeId } = order;
    const before = await this.#refs.charge(chargeId);
    // Of an old one nothing is remembered where the database was taken back in time.
    const isNew = before === null && !mayBeForgotten(chargeId, this.#clock.now());
    const known = isNew ? NOT_SENT : await this.#orders.find(chargeId);
    if (known.kind !== "not_found") return this.#outcome(order, known);
    if (!(await bind())) return UNKNOWN;
    if (before === null) await this.#refs.saveCharge(chargeId, { sentAt: this.#clock.now() });
    const answer = await this.#client.call({
      method: "POST",
      path: ["orders"],
      body: orderRequest(order),
      idempotencyKey: chargeId,
    });
    if (answer.kind === "ok") {
      return this.#outcome(order, await this.#orders.read(chargeId, answer.body));
    }
    if (answer.kind !== "refused") return UNKNOWN;
    const found = await this.#orders.find(chargeId);
    return found.kind === "not_found"
      ? { kind: "refused", message: answer.message, code: refusalCodeOf(order, answer) }
      : this.#outcome(order, found);
  }

  async findCharge(chargeId: string): Promise<ChargeReport> {
    const found = await this.#orders.find(chargeId);
    if (found.kind !== "found") return found;
    const details = chargeDetails(found.charge, this.#about(chargeId));
    return details === null ? UNKNOWN : { kind: "known", ...details };
  }

  /** A charge that others made of the account is none of ours. */
  async findPayment(paymentId: string): Promise<PaymentReport> {
    const id = chargeOfPayment(paymentId);
    if (id === null) return { kind: "not_found" };
    const found = await this.#orders.findById(id);
    if (found.kind !== "found") return found;
    const details = chargeDetails(found.charge, this.#about(found.chargeId));
    if (details === null) return UNKNOWN;
    const { payments, disputes, refunds } = details;
    const [payment] = payments;
    if (payment === undefined) return { kind: "not_found" };
    return {
      kind: "known",
      payment: { ...payment, chargeId: found.chargeId, disputes, refunds },
    };
  }

  /** Queries first: the same call would give the money of a paid one back. */
  async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    const found = await this.#orders.find(chargeId);
    if (found.kind === "unknown") return found;
    if (found.kind === "not_found") {
      return { kind: "refused", reason: "Pagar.me does not know this charge." };
    }
    const before = cancelResult(found.charge, this.#about(chargeId));
    if (before !== "open") return before;
    const answer = await this.#client.call({
      method: "DELETE",
      path: ["charges", found.charge.id],
      body: {},
      idempotencyKey: `cancel-${chargeId}`,
    });
    const again = await this.#orders.find(chargeId);
    const after =
      again.kind === "found" ? cancelResult(again.charge, this.#about(chargeId)) : "open";
    if (after !== "open") return after;
    const isRefused = again.kind === "found" && answer.kind === "refused";
    return isRefused ? { kind: "refused", reason: answer.message } : UNKNOWN;
  }

  async deleteCard(savedCard: string, kept: string[]): Promise<CardDeletion> {
    const { customerId, cardId } = walletCard(savedCard);
    if (kept.some((each) => walletCard(each).cardId === cardId)) return { kind: "deleted" };
    const path = ["customers", customerId, "cards", cardId];
    const { kind } = await this.#client.call({ method: "DELETE", path });
    return kind === "ok" || kind === "not_found" ? { kind: "deleted" } : UNKNOWN;
  }

  async captureCharge(chargeId: string, amount: Cents): Promise<CaptureOutcome> {
    const found = await this.#orders.find(chargeId);
    if (found.kind !== "found") {
      return found.kind === "unknown" ? found : { kind: "refused", reason: NOT_AUTHORIZED };
    }
    const before = captureResult(found.charge, amount);
    if (before !== "authorized") return before;
    const answer = await this.#client.call({
      method: "POST",
      path: ["charges", found.charge.id, "capture"],
      body: { amount, code: chargeId },
      idempotencyKey: `capture-${chargeId}-${amount}`,
    });
    const again = await this.#orders.find(chargeId);
    const after = again.kind === "found" ? captureResult(again.charge, amount) : UNKNOWN;
    if (after !== "authorized") return after;
    return answer.kind === "refused" ? { kind: "refused", reason: answer.message } : UNKNOWN;
  }

  sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    return this.#refunds.send(order);
  }

  findRefund(order: RefundOrder): Promise<RefundLookup> {
    return this.#refunds.find(order);
  }

  /** Orders of ours by creation, each with what was paid of it since. Two of one code are for people to look at. */
  async list(
    name: ListName,
    window: { from: number; to: number },
    page: number,
  ): Promise<ListPage> {
    if (name !== "charges") return UNKNOWN;
    const query = {
      created_since: new Date(window.from).toISOString(),
      created_until: new Date(window.to).toISOString(),
      page: `${page + 1}`,
      size: `${PAGE_SIZE}`,
    };
    const read = readPage(await this.#client.call({ method: "GET", path: ["orders"], query }));
    if (read === null) return UNKNOWN;
    const records: ListedRecord[] = [];
    const unreadable: UnreadableRecord[] = [];
    const refs = await this.#refs.ahead(read.data.flatMap((entry) => codeOf(entry) ?? []));
    for (const entry of read.data) {
      const listed = await this.#listed(entry, refs);
      if (listed === null) continue;
      if ("kind" in listed) records.push(listed);
      else unreadable.push(listed);
    }
    return { kind: "known", records, unreadable, hasMore: (read.paging?.next ?? null) !== null };
  }

  /** What a notice names, of which nothing is believed. */
  readCallback(body: unknown): CallbackNotification[] {
    return readNotice(body);
  }

  /** The house names the charge in its notices themselves. */
  async readNotice(): Promise<NoticeReport> {
    return { kind: "not_found" };
  }

  async #outcome(order: PagarMeOrder, found: FoundCharge): Promise<ChargeOutcome> {
    if (found.kind !== "found" || found.amount !== order.amount) return UNKNOWN;
    const { charge } = found;
    const details = chargeDetails(charge, this.#about(order.chargeId));
    if (details === null) return UNKNOWN;
    if (order.paymentMethod === "CREDIT_CARD") return { kind: "decided", charge: details };
    if (details.status === "failed") return { kind: "refused", message: refusalMessage(charge) };
    const boleto = registeredBoleto(charge, order.boleto.dueDate);
    return boleto === null ? UNKNOWN : { kind: "registered", boleto };
  }

  /** An order in a list; null for one of others, or one whose state says nothing yet. */
  async #listed(
    entry: unknown,
    refs: PagarMeRefs,
  ): Promise<ListedRecord | UnreadableRecord | null> {
    const chargeId = codeOf(entry);
    if (chargeId === null) return null;
    const listed = await this.#orders.listed(chargeId, entry, refs);
    if (listed.kind === "unreadable") return unreadableOrder(entry, listed.fault);
    const about = this.#about(chargeId);
    const charge = chargeDetails(listed.charge, about);
    if (charge !== null) return { kind: "charge", chargeId, charge };
    const hasMoney = (paidAmountOf(listed.charge) ?? 0) > 0;
    return hasMoney ? unreadableOrder(entry, moneyFaultOf(listed.charge, about.kind)) : null;
  }

  /** What its answers about a charge of ours are read by. */
  #about(chargeId: string): Told {
    const bounds = { since: this.#createdAt, nowMs: this.#clock.now() };
    return { kind: this.#config.kind, chargeId, bounds };
  }
}

/**
 * Why the house made no order. It has no codes: which of its rules forbids one, such as that it verifies the card first,
 * only its words say. Where they name the token of an order by one, that has expired or was used.
 */
function refusalCodeOf(
  order: PagarMeOrder,
  { status, message }: { status: number; message: string },
): FailureCode {
  const isByToken = order.paymentMethod === "CREDIT_CARD" && "token" in order.card.source;
  const isOfToken = status === BUSINESS_RULE && /token/i.test(message);
  return isByToken && isOfToken ? "CARD_TOKEN_EXPIRED" : "PROVIDER_REFUSED";
}

/** Whether a charge can be cancelled as it is: `open`, or how a cancel of it ends. */
function cancelResult(charge: Charge, told: Told): CancelOutcome | "open" {
  const details = chargeDetails(charge, told);
  if (details === null) return UNKNOWN;
  const { payments, status } = details;
  if (payments.length > 0) return { kind: "refused", reason: "The charge was paid." };
  if (status === "cancelled") return { kind: "cancelled" };
  return status === "open" || status === "authorized"
    ? "open"
    : { kind: "refused", reason: "The charge has ended." };
}

/** Whether so much of a charge can be captured: `authorized`, or how a capture of it ends. */
function captureResult(charge: Charge, amount: Cents): CaptureOutcome | "authorized" {
  if (charge.payment_method !== "credit_card") return { kind: "refused", reason: NOT_AUTHORIZED };
  if (isAuthorized(charge)) {
    return amount <= charge.amount
      ? "authorized"
      : { kind: "refused", reason: "The amount is more than was authorized." };
  }
  const paid = paidAmountOf(charge) ?? 0;
  if (paid === amount) return { kind: "captured" };
  if (paid > 0) return { kind: "refused", reason: "The charge was captured for another amount." };
  return charge.status === "processing" ? UNKNOWN : { kind: "refused", reason: NOT_AUTHORIZED };
}
