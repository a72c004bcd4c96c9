import type { Clock } from "../../domain/shared/clock.ts";
import { LIST_NAMES, type ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { PspClient } from "../../domain/psp/psp-settings.ts";
import { isEndToEndId, isOtherPixKey, isSameTxid, ourPayoutId } from "../../domain/psp/psp-ids.ts";
import type { PayoutOrder } from "../../domain/withdraws/withdraw.ts";
import { decimalReais } from "../../domain/shared/money.ts";
import type {
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ExtendOutcome,
  ListPage,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  ProviderBalance,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../provider.ts";
import type { ChargeOrder, ChargeReport, UnreadableRecord } from "../charge.ts";
import type { DisputeDesk } from "../dispute-desk.ts";
import { chargeOfDebit } from "../mandate-provider.ts";
import type { CallbackNotification, CallbackReader, NoticeReport } from "../notification.ts";
import { parseDebitCallback, parseMandateCallback } from "./automatic/callback.ts";
import { PixApiMandates } from "./automatic/mandates.ts";
import { parseCallback } from "./callback.ts";
import { chargeReport, openUntil, toRegistration } from "./charge-report.ts";
import { chargeRequest, secondsToPay, type CobKind } from "./charge-request.ts";
import { disputeDeskOf } from "./disputes/desk-of.ts";
import { parseAs, PixApiClient, type ApiAnswer, type PixApiClientOptions } from "./client.ts";
import type { PixApiConfig } from "./config.ts";
import { DueCob } from "./due-charge.ts";
import { failureCodeOf } from "./failure-codes.ts";
import { LISTS, parseEntries } from "./lists.ts";
import type { TimeBounds } from "../calls/told-time.ts";
import { idEnvioOf, payoutReport, payoutRequest, refundOutcome } from "./refunds-and-payouts.ts";
import { emptyPage, readPage } from "./pages.ts";
import { isForAnotherKey, parsePix } from "./received-pix.ts";
import { Cob, CobState, Devolucao, entriesOf, Envio, Saldo } from "./wire.ts";

/** Efí needs this to register a URL without client certificates; other PSPs ignore it. */
const WITHOUT_MTLS = { "x-skip-mtls-checking": "true" };

export type WebhookOutcome =
  | { kind: "registered" }
  | { kind: "unknown" }
  | { kind: "refused"; message: string };

/** What an account tells may be of a payment that is older than it: a return may come so long after (BACEN). */
const RETURNS_MS = 90 * 24 * 60 * 60_000;
/** A PSP counts whole seconds from its own clock's creation, which may be some before ours. */
const EXTENSION_TOLERANCE_MS = 60_000;

const UNKNOWN = { kind: "unknown" } as const;

type FoundCob =
  | { kind: "found"; in: CobKind; cob: CobState; answer: ApiAnswer }
  | { kind: "not_found" }
  | { kind: "unknown" };

/**
 * A PSP with the central bank's Pix API 2.9.0, which pays out by Efí's `gn/pix`. A refusal is checked by
 * a look-up: an earlier call under the same id may have succeeded.
 */
export class PixApiProvider implements Provider, CallbackReader {
  readonly name = "PixApi";
  readonly account: string;
  readonly pixKey: string;
  readonly pspClient: PspClient;
  readonly cardTokenisation = null;
  readonly savesCards = false;
  readonly mandates: PixApiMandates | null;
  readonly lists: readonly ListName[];
  readonly paymentMethods = ["PIX"] as const;
  readonly idempotentPayouts = true;
  readonly idempotentRefunds = true;
  readonly refundMethods = ["PIX"] as const;
  readonly disputeDesk: DisputeDesk | null;
  readonly #config: PixApiConfig;
  readonly #oldest: number;
  readonly #clock: Clock;
  readonly #client: PixApiClient;

  constructor(parts: PixApiClientOptions & { account: string; createdAt: number }) {
    this.account = parts.account;
    this.#oldest = parts.createdAt - RETURNS_MS;
    const { clientId, tokenUrl } = parts.config;
    this.pixKey = parts.config.pixKey;
    this.pspClient = { clientId, host: new URL(tokenUrl).host };
    this.lists = LIST_NAMES.filter((name) => name !== "payouts" || parts.config.payouts !== null);
    this.#config = parts.config;
    this.#clock = parts.clock;
    this.#client = new PixApiClient(parts);
    const { baseUrl, receiver } = parts.config;
    const { clock } = parts;
    this.mandates =
      receiver === undefined
        ? null
        : new PixApiMandates({
            client: this.#client,
            baseUrl,
            receiver,
            clock,
            since: this.#oldest,
          });
    this.disputeDesk = disputeDeskOf(parts.config, { client: this.#client, clock });
  }

  /** A body is of one kind, whichever address it comes to. */
  readCallback(body: unknown): CallbackNotification[] {
    const payments = parseCallback(body);
    if (this.mandates === null) return payments;
    return [...payments, ...parseMandateCallback(body), ...parseDebitCallback(body)];
  }

  /** The Pix API gives no notices. */
  async readNotice(): Promise<NoticeReport> {
    return { kind: "not_found" };
  }

  requirements(): readonly never[] {
    return [];
  }

  orderFaults(): Record<string, never> {
    return {};
  }

  async createCharge(order: ChargeOrder): Promise<ChargeOutcome> {
    if (order.paymentMethod !== "PIX") {
      return { kind: "refused", message: "This provider accepts only PIX." };
    }
    const { kind, body } = chargeRequest(order, this.#config);
    const answer = await this.#call("PUT", [kind, order.chargeId], body);
    if (answer.kind === "ok") return this.#toRegistration(answer, order);
    if (answer.kind !== "refused" && answer.kind !== "conflict") return { kind: "unknown" };
    const known = await this.#findCob(order.chargeId);
    if (known.kind === "found") return this.#toRegistration(known.answer, order);
    if (known.kind !== "not_found" || answer.kind !== "refused") return { kind: "unknown" };
    const code = failureCodeOf([answer.name, answer.message], "PROVIDER_REFUSED");
    return { kind: "refused", message: answer.message, code };
  }

  /** A charge that a payer pays, or an automatic debit under the same id. */
  async findCharge(chargeId: string): Promise<ChargeReport> {
    const found = await this.#findCob(chargeId);
    if (found.kind === "not_found" && this.mandates !== null) {
      return chargeOfDebit(await this.mandates.findDebit(chargeId));
    }
    if (found.kind !== "found") return found;
    const report = chargeReport(found.cob, chargeId, this.#bounds());
    if (report.kind !== "known") return { kind: "unknown" };
    return { kind: "known", ...report.charge, ...unreadableField(report) };
  }

  async findPayment(paymentId: string): Promise<PaymentReport> {
    const answer = await this.#call("GET", ["pix", paymentId]);
    // A callback may name any text; the PSP refuses a malformed id, which no payment has.
    if (answer.kind === "not_found" || answer.kind === "refused") return { kind: "not_found" };
    if (answer.kind !== "ok") return { kind: "unknown" };
    if (isForAnotherKey(answer.body, this.#config.pixKey)) return { kind: "not_found" };
    const read = parsePix(answer.body, this.#bounds());
    if (read.kind === "unreadable" || read.payment.paymentId !== paymentId) {
      return { kind: "unknown" };
    }
    return { kind: "known", payment: read.payment, ...unreadableField(read) };
  }

  /** Queries first: a cancelled charge may be cancelled again, a paid one may not. */
  async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    const found = await this.#findCob(chargeId);
    if (found.kind === "unknown") return found;
    if (found.kind === "not_found") {
      const debit = await this.mandates?.cancelDebit(chargeId);
      if (debit?.kind === "refused") return { kind: "refused", reason: debit.message };
      return debit ?? { kind: "refused", reason: "The PSP does not know this charge." };
    }
    const before = this.#cancelResult(found.cob, chargeId);
    if (before !== "open") return before;
    const status = "REMOVIDA_PELO_USUARIO_RECEBEDOR";
    const answer = await this.#call("PATCH", [found.in, chargeId], { status });
    const now = parseAs(CobState, answer);
    const done = now.success && now.data.status === status && isSameTxid(now.data.txid, chargeId);
    if (done && entriesOf(now.data.pix).length === 0) return { kind: "cancelled" };
    const again = await this.#findCob(chargeId);
    const after = again.kind === "found" ? this.#cancelResult(again.cob, chargeId) : "open";
    if (after !== "open") return after;
    const refused = again.kind === "found" && answer.kind === "refused";
    return refused ? { kind: "refused", reason: answer.message } : { kind: "unknown" };
  }

  /** Revises a `cob` (BACEN Pix API, `PATCH /cob/{txid}`), whose code stays. One with a due date is never extended. */
  async extendCharge(chargeId: string, expiresAt: number): Promise<ExtendOutcome> {
    const calendario = { expiracao: secondsToPay(chargeId, expiresAt) };
    const answer = await this.#call("PATCH", ["cob", chargeId], { calendario });
    if (answer.kind === "refused" || answer.kind === "not_found") return { kind: "refused" };
    const cob = parseAs(CobState, answer);
    const until = cob.success && cob.data.txid === chargeId ? openUntil(cob.data) : null;
    if (until === null || until < expiresAt - EXTENSION_TOLERANCE_MS) return UNKNOWN;
    return { kind: "extended", expiresAt: until };
  }

  async cardOfToken(): Promise<null> {
    return null;
  }

  /** It keeps no cards. */
  async deleteCard(): Promise<CardDeletion> {
    return { kind: "deleted" };
  }

  async captureCharge(): Promise<CaptureOutcome> {
    return { kind: "refused", reason: "A PIX charge cannot be captured." };
  }

  async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    // A boleto's Pix is known by its boleto's provider.
    if (order.paymentId === null || !isEndToEndId(order.paymentId)) {
      return { kind: "failed", reason: "A PIX refund needs the end-to-end id of its payment." };
    }
    const path = ["pix", order.paymentId, "devolucao", order.refundId];
    const answer = await this.#call("PUT", path, { valor: decimalReais(order.amount) });
    const devolucao = parseAs(Devolucao, answer);
    if (devolucao.success) return refundOutcome(devolucao.data, order);
    if (answer.kind !== "refused" && answer.kind !== "conflict") return { kind: "unknown" };
    const found = await this.findRefund(order);
    return found.kind === "not_found" ? toFailure(answer) : found;
  }

  async findRefund(order: RefundOrder): Promise<RefundLookup> {
    if (order.paymentId === null || !isEndToEndId(order.paymentId)) return { kind: "not_found" };
    const answer = await this.#call("GET", ["pix", order.paymentId, "devolucao", order.refundId]);
    if (answer.kind === "not_found") return answer;
    const devolucao = parseAs(Devolucao, answer);
    return devolucao.success ? refundOutcome(devolucao.data, order) : { kind: "unknown" };
  }

  async sendPayout(order: PayoutOrder): Promise<PayoutOutcome> {
    const { payouts, pixKey } = this.#config;
    if (payouts === null) return { kind: "unknown" };
    const answer = await this.#client.call({
      method: "PUT",
      base: payouts.url,
      path: ["v3", "gn", "pix", idEnvioOf(order.payoutId)],
      body: payoutRequest(order, pixKey),
    });
    const envio = parseAs(Envio, answer);
    if (envio.success) {
      const asked = envio.data.valor === order.amount;
      const outcome = asked ? payoutReport(envio.data, order.payoutId) : UNKNOWN;
      // Only the look-up gives the returned amount.
      return outcome.kind === "returned" ? UNKNOWN : outcome;
    }
    if (answer.kind !== "refused" && answer.kind !== "conflict") return { kind: "unknown" };
    const found = await this.findPayout(order.payoutId);
    if (found.kind !== "not_found") return found;
    const failure = toFailure(answer);
    if (failure.kind === "unknown" || answer.kind !== "refused") return failure;
    return { ...failure, code: failureCodeOf([answer.name, answer.message], "PROVIDER_REFUSED") };
  }

  async findPayout(payoutId: string): Promise<PayoutLookup> {
    const { payouts } = this.#config;
    if (payouts === null) return { kind: "unknown" };
    const answer = await this.#client.call({
      method: "GET",
      base: payouts.url,
      path: ["v2", "gn", "pix", "enviados", "id-envio", idEnvioOf(payoutId)],
    });
    if (answer.kind === "not_found") return answer;
    const envio = parseAs(Envio, answer);
    if (!envio.success) return { kind: "unknown" };
    // A payout by another key of the account is not this company's.
    const isOwn = ourPayoutId(envio.data.idEnvio ?? "") !== null;
    if (!isOwn && isOtherPixKey(envio.data.chave ?? "", this.#config.pixKey)) {
      return { kind: "not_found" };
    }
    return payoutReport(envio.data, payoutId);
  }

  /** Each entry is read by itself. */
  async list(
    name: ListName,
    window: { from: number; to: number },
    page: number,
  ): Promise<ListPage> {
    const { of, path, member, mayBeNotFound } = LISTS[name];
    const { payouts, baseUrl, pixKey } = this.#config;
    const base = of === "api" ? baseUrl : payouts?.url;
    if (base === undefined) return { kind: "unknown" };
    const period = {
      inicio: new Date(window.from).toISOString(),
      fim: new Date(window.to).toISOString(),
    };
    const ask = async (at: number, size: number): Promise<ApiAnswer> => {
      const pages = { "paginacao.paginaAtual": `${at}`, "paginacao.itensPorPagina": `${size}` };
      const query = { ...period, ...pages };
      const answer = await this.#client.call({ method: "GET", base, path: [...path], query });
      return answer.kind === "not_found" && mayBeNotFound ? emptyPage(at) : answer;
    };
    const read = await readPage(ask, member, page);
    if (read === null) return { kind: "unknown" };
    const about = { pixKey, bounds: this.#bounds() };
    return { kind: "known", ...parseEntries(name, read, about), hasMore: read.hasMore };
  }

  /** Efí's `saldo`; the standard has nothing of the kind. */
  async balance(): Promise<ProviderBalance> {
    const { payouts } = this.#config;
    if (payouts === null) return { kind: "unsupported" };
    const path = ["v2", "gn", "saldo"];
    const answer = await this.#client.call({ method: "GET", base: payouts.url, path });
    const read = parseAs(Saldo, answer);
    return read.success ? { kind: "known", balance: read.data.saldo } : { kind: "unknown" };
  }

  /**
   * Registers the URL for callbacks about the key, to which the PSP appends `/pix`; with automatic debits also for those
   * about the account's mandates and debits (`/rec`, `/cobr`). The first that fails is the outcome.
   */
  async registerWebhook(url: string): Promise<WebhookOutcome> {
    const paths = [
      ["webhook", this.#config.pixKey],
      ...(this.mandates === null ? [] : [["webhookrec"], ["webhookcobr"]]),
    ];
    for (const path of paths) {
      const outcome = await this.#registerWebhookAt(path, url);
      if (outcome.kind !== "registered") return outcome;
    }
    return { kind: "registered" };
  }

  async #registerWebhookAt(path: string[], webhookUrl: string): Promise<WebhookOutcome> {
    const answer = await this.#client.call({
      method: "PUT",
      base: this.#config.baseUrl,
      path,
      headers: WITHOUT_MTLS,
      body: { webhookUrl },
    });
    if (answer.kind === "ok") return { kind: "registered" };
    return answer.kind === "refused"
      ? { kind: "refused", message: answer.message }
      : { kind: "unknown" };
  }

  #bounds(): TimeBounds {
    return { since: this.#oldest, nowMs: this.#clock.now() };
  }

  #call(method: "GET" | "PUT" | "PATCH", path: string[], body?: unknown): Promise<ApiAnswer> {
    return this.#client.call({ method, base: this.#config.baseUrl, path, body });
  }

  #toRegistration(answer: ApiAnswer, order: Extract<ChargeOrder, { paymentMethod: "PIX" }>) {
    const cob = parseAs(order.pix?.due === undefined ? Cob : DueCob, answer);
    if (!cob.success) return { kind: "unknown" as const };
    return toRegistration(cob.data, order, this.#config.pixKey);
  }

  /** A charge of either kind: the config may have changed since it was made. */
  async #findCob(chargeId: string): Promise<FoundCob> {
    for (const kind of ["cob", "cobv"] as const) {
      const answer = await this.#call("GET", [kind, chargeId]);
      if (answer.kind === "not_found") continue;
      const cob = parseAs(CobState, answer);
      return cob.success ? { kind: "found", in: kind, cob: cob.data, answer } : { kind: "unknown" };
    }
    return { kind: "not_found" };
  }

  /** The outcome of a cancel by the charge's present state; `open` where the PSP must be asked. */
  #cancelResult(cob: CobState, chargeId: string): CancelOutcome | "open" {
    const report = chargeReport(cob, chargeId, this.#bounds());
    if (report.kind !== "known") return { kind: "unknown" };
    const { payments, status } = report.charge;
    if (payments.length > 0) return { kind: "refused", reason: "The charge was paid." };
    if (status === "cancelled") return { kind: "cancelled" };
    return status === "failed"
      ? { kind: "refused", reason: "The PSP has removed the charge." }
      : "open";
  }
}

/** The unreadable parts of a report; no field where there are none. */
function unreadableField({ unreadable }: { unreadable: UnreadableRecord[] }) {
  return unreadable.length === 0 ? {} : { unreadable };
}

/** A refusal stands where the PSP says, too, that it has nothing under the id. */
function toFailure(answer: ApiAnswer): { kind: "failed"; reason: string } | { kind: "unknown" } {
  return answer.kind === "refused"
    ? { kind: "failed", reason: answer.message }
    : { kind: "unknown" };
}
