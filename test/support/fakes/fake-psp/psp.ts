import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import type { PspHeader, TokenClient } from "../../../../src/domain/psp/psp-settings.ts";
import { problem, type PspResponse } from "./answers.ts";
import { DebitBook } from "./automatic/debit-book.ts";
import { MandateBook } from "./automatic/mandate-book.ts";
import { automaticRoutes } from "./automatic/routes.ts";
import { cents, PSP_KEY, PspBook, type CobKind, type ReceivedPix } from "./book.ts";
import { PspDesk } from "./desk.ts";
import { FAULTS, type FaultName } from "./faults.ts";
import { MedBook } from "./med-book.ts";

const TOKEN_SECONDS = 3_600;

/** The OAuth client of the PSP's customer. */
export const PSP_CLIENT = { clientId: "client-7", clientSecret: "s3cret:with/colon" };

/** The fate of a callback. */
export type CallbackDelivery = "once" | "lost" | "twice" | "late";

/**
 * A PSP in memory with BACEN's Pix API 2.9.0, OAuth tokens and Efí's payouts. It is a function
 * from request to response, used as a `fetch` or behind a socket. A test plays the payers, the
 * other banks and the faults.
 */
export class FakePsp {
  readonly book: PspBook;
  /** Mandates and automatic debits, with the payer's bank. */
  readonly mandates: MandateBook;
  readonly debits: DebitBook;
  readonly desk = new PspDesk();
  /** Efí's list of infractions, and its defences. */
  readonly med: MedBook;
  /** `METHOD /path` of each request, token requests included. */
  readonly requests: string[] = [];
  /** How its token requests name the client. */
  tokenClient: TokenClient = "basic";
  /** A header that each call to the API must have. */
  header: PspHeader | null = null;
  /** Bodies of the pending callbacks, oldest first. */
  readonly callbacks: unknown[] = [];
  readonly #faults: { name: FaultName; on: RegExp }[] = [];
  readonly #tokens = new Set<string>();
  readonly #routes: Route[];
  readonly #delayedCallbacks: unknown[] = [];
  #ids = 0;

  constructor(clock: Clock = systemClock, key: string = PSP_KEY) {
    this.book = new PspBook(clock, key);
    const { book } = this;
    const notify = (body: unknown) => void this.callbacks.push(body);
    this.mandates = new MandateBook(book, notify);
    const receive = (pix: ReceivedPix) => {
      book.received.push(pix);
      this.#queueCallback(pix);
    };
    this.debits = new DebitBook({ book, mandates: this.mandates, receive, notify });
    this.med = new MedBook(clock);
    const { mandates, debits } = this;
    this.#routes = [
      ...routesOf(book),
      ...automaticRoutes({ book, mandates, debits }),
      ...deskRoutes(this.desk),
      ...medRoutes(this.med),
    ];
  }

  /**
   * Makes the next call that matches `METHOD /path` fail; each call of this method adds one
   * fault.
   */
  faultOnce(name: FaultName, on = /^(?!POST \/oauth)/): void {
    this.#faults.push({ name, on });
  }

  /** Makes every call fail until `clearFaults`. */
  faultAlways(name: FaultName, on = /^(?!POST \/oauth)/): void {
    for (let times = 0; times < 50; times++) this.faultOnce(name, on);
  }

  clearFaults(): void {
    this.#faults.length = 0;
  }

  /** Revokes every issued token. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** The PSP as a `fetch`. */
  readonly fetch = (request: Request): Promise<Response> => this.answer(request);

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${decodeURIComponent(pathname)}`;
    this.requests.push(call);
    const at = this.#faults.findIndex(({ on }) => on.test(call));
    const [fault] = at === -1 ? [] : this.#faults.splice(at, 1);
    if (fault === undefined) return this.#handle(request, call);
    const { isApplied, answer } = FAULTS[fault.name];
    return answer(isApplied ? await this.#handle(request, call) : new Response());
  }

  /** A payer pays a charge, by default its amount; returns the end-to-end id. */
  pay(txid: string, valor?: string): string {
    const cob = this.book.cobs.get(txid)!;
    const pix = this.#receive({ valor: valor ?? cob.requestBody.valor.original, txid });
    cob.pix.push(pix);
    cob.status = "CONCLUIDA";
    return pix.endToEndId;
  }

  /** A payer pays to the key, or to another key of the account, without a charge. */
  payKey(valor: string, chave?: string): string {
    return this.#receive({ valor, ...(chave === undefined ? {} : { chave }) }).endToEndId;
  }

  /** A payer pays a static code; returns the end-to-end id. */
  payStaticCode(txid: string, valor: string, gnExtras?: object): string {
    const named = gnExtras === undefined ? {} : { gnExtras };
    return this.#receive({ valor, txid, ...named }).endToEndId;
  }

  /** The PSP says who paid, in its answers from now on (Efí). */
  namePayer(endToEndId: string, pagador: object): void {
    Object.assign(this.book.pix(endToEndId)!, { gnExtras: { pagador } });
  }

  removeCharge(txid: string): void {
    this.book.cobs.get(txid)!.status = "REMOVIDA_PELO_PSP";
  }

  /** The payer's bank requests the return of a part of a payment (MED). */
  requestReturn(endToEndId: string, id: string, valor: string, natureza = "MED_FRAUDE"): void {
    this.book.addDevolucao(this.book.pix(endToEndId)!, { id, valor, natureza });
    this.#queueCallback(this.book.pix(endToEndId)!);
  }

  /** The payer's bank opens a MED, by default for the remaining amount; returns the bank's id. */
  dispute(endToEndId: string, valor?: string, natureza = "MED_FRAUDE"): string {
    const id = `med${++this.#ids}`;
    this.requestReturn(endToEndId, id, valor ?? this.remainingAmount(endToEndId), natureza);
    return id;
  }

  /** Resolves a dispute: `lost` returns the money to the payer. */
  resolveDispute(endToEndId: string, id: string, end: "lost" | "won"): void {
    this.settleDevolucao(endToEndId, id, end === "lost" ? "DEVOLVIDO" : "NAO_REALIZADO");
  }

  /** The account's owner refunds a payment in the bank's app; returns the bank's id. */
  refundExternally(endToEndId: string, valor: string, status = "DEVOLVIDO"): string {
    const id = `app${++this.#ids}`;
    const pix = this.book.pix(endToEndId)!;
    if (cents(valor) > cents(this.remainingAmount(endToEndId)))
      throw new Error("more than is left of it");
    this.book.addDevolucao(pix, { id, valor, status });
    this.#queueCallback(pix);
    return id;
  }

  /** The account's owner makes a payout in the bank's app; returns the end-to-end id. */
  payOutExternally(valor: string, chave?: string): string {
    return this.book.addEnvio(valor, chave).endToEndId;
  }

  /** Settles a refund or a return request. */
  settleDevolucao(endToEndId: string, id: string, status: string, motivo?: string): void {
    const pix = this.book.pix(endToEndId)!;
    const devolucao = pix.devolucoes.find((known) => known.id === id);
    Object.assign(devolucao, { status, ...(motivo === undefined ? {} : { motivo }) });
    this.#queueCallback(pix);
  }

  /** The receiving bank decides a payout. */
  settlePayout(idEnvio: string, status: string, motivo?: string): void {
    const envio = this.book.envios.get(idEnvio)!;
    Object.assign(envio, { status, ...(motivo === undefined ? {} : { motivo }) });
    const { endToEndId, valor, chave } = envio;
    const erro = motivo === undefined ? {} : { erro: { codigo: "AC03", motivo } };
    const gnExtras = { idEnvio, ...erro };
    const horario = status === "REALIZADO" ? this.book.now() : null;
    const notice = { endToEndId, chave, tipo: "SOLICITACAO", status, valor, horario, gnExtras };
    this.callbacks.push({ pix: [notice] });
  }

  /**
   * The receiving bank returns a payout in one or more parts, with a callback for each. Efí's
   * manual does not show that callback: only `gnExtras.idEnvio` is certain.
   */
  returnPayout(idEnvio: string, ...valores: string[]): void {
    const { devolucoes, endToEndId, chave } = this.book.envios.get(idEnvio)!;
    for (const valor of valores) {
      const horario = { solicitacao: this.book.now() };
      devolucoes.push({ id: `ret${++this.#ids}`, valor, status: "DEVOLVIDO", horario });
      const about = { tipo: "DEVOLUCAO", status: "DEVOLVIDO", valor, gnExtras: { idEnvio } };
      this.callbacks.push({ pix: [{ endToEndId, chave, ...about }] });
    }
  }

  /** Freezes the views of the named records, or of all, until `refreshViews`. */
  freezeViews(...ids: string[]): void {
    const { received, cobs, envios, views } = this.book;
    const all: [string, unknown][] = [
      ...received.map((pix): [string, unknown] => [pix.endToEndId, pix]),
      ...cobs,
      ...envios,
    ];
    for (const [id, record] of all) {
      if (ids.length === 0 || ids.includes(id)) views.freeze(id, record);
    }
  }

  refreshViews(): void {
    this.book.views.catchUp();
  }

  /** Decides the fate of each pending callback; late ones return with `releaseDelayedCallbacks`. */
  scheduleCallbacks(choose: (body: any, index: number) => CallbackDelivery): void {
    for (const [index, body] of this.callbacks.splice(0).entries()) {
      const decided = choose(body, index);
      if (decided === "late") this.#delayedCallbacks.push(body);
      if (decided === "once" || decided === "twice") this.callbacks.push(body);
      if (decided === "twice") this.callbacks.push(structuredClone(body));
    }
  }

  releaseDelayedCallbacks(): void {
    this.callbacks.push(...this.#delayedCallbacks.splice(0));
  }

  /** The refundable amount of a payment, in reais. */
  remainingAmount(endToEndId: string): string {
    const { valor } = this.book.pix(endToEndId)!;
    return ((cents(valor) - this.refundedAmount(endToEndId)) / 100).toFixed(2);
  }

  /** The refunded amount of a payment, pending refunds included, in centavos. */
  refundedAmount(endToEndId: string): number {
    const { devolucoes } = this.book.pix(endToEndId)!;
    return devolucoes
      .filter(({ status }) => status !== "NAO_REALIZADO")
      .reduce((sum, { valor }) => sum + cents(valor), 0);
  }

  /**
   * Does what is due at the payers' banks by the clock, or by a later time (epoch milliseconds): requests expire, debits
   * settle, fail and end.
   */
  runBanks(byMs?: number): void {
    this.mandates.expireRequests();
    this.debits.run(byMs);
  }

  /** Posts the pending callbacks to the webhook of their kind, in the order of `arrange`. */
  async deliverCallbacks(
    post: (url: string, body: string) => Promise<unknown>,
    arrange: (bodies: unknown[]) => unknown[] = (bodies) => bodies,
  ): Promise<void> {
    const [url] = this.book.webhooks.values();
    const { automaticWebhooks } = this.book;
    for (const body of arrange(this.callbacks.splice(0))) {
      const kind = kindOfNotice(body);
      const target = kind === "pix" ? url : automaticWebhooks.get(kind);
      // Nobody registered for it.
      if (kind !== "pix" && target === undefined) continue;
      await post(`${target}/${kind}`, JSON.stringify(body));
    }
  }

  #receive(paid: { valor: string; txid?: string; chave?: string; gnExtras?: object }): ReceivedPix {
    const horario = this.book.now();
    const pix = { endToEndId: this.book.endToEndId(), ...paid, horario, devolucoes: [] };
    this.book.received.push(pix);
    this.#queueCallback(pix);
    return pix;
  }

  #queueCallback(pix: ReceivedPix): void {
    this.callbacks.push({ pix: [structuredClone(pix)] });
  }

  async #handle(request: Request, call: string): Promise<Response> {
    const text = new TextDecoder().decode(await request.arrayBuffer());
    if (call === "POST /oauth/token") return this.#issueToken(request, text);
    const token = request.headers.get("Authorization")?.replace(/^Bearer /, "") ?? "";
    if (!this.#tokens.has(token)) return respond(problem(401, "AcessoNegado", "Token inválido."));
    if (this.header !== null && !request.headers.has(this.header)) {
      return respond(problem(403, "AcessoNegado", `O header ${this.header} é obrigatório.`));
    }
    const { pathname, searchParams } = new URL(request.url);
    const body = text === "" ? undefined : JSON.parse(text);
    for (const [method, path, answer] of this.#routes) {
      const match = method === request.method ? path.exec(pathname) : null;
      if (match === null) continue;
      const ids = match.slice(1).map(decodeURIComponent) as [string, string];
      return respond(answer({ ids, body, query: searchParams }));
    }
    return respond(problem(404, "NaoEncontrado", "Rota inexistente."));
  }

  /** OAuth2 client credentials, as a form or as Efí's JSON. */
  #issueToken(request: Request, text: string): Response {
    const { clientId, clientSecret } = PSP_CLIENT;
    const isForm = request.headers.get("Content-Type") === "application/x-www-form-urlencoded";
    const asked = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    const basic = request.headers.get("Authorization");
    const isKnown = {
      basic: basic === `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      body: asked.client_id === clientId && asked.client_secret === clientSecret,
      certificate: asked.client_id === clientId && !("client_secret" in asked),
    };
    if (!isKnown[this.tokenClient] || asked.grant_type !== "client_credentials") {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    const token = crypto.randomUUID();
    this.#tokens.add(token);
    return Response.json({
      access_token: token,
      token_type: "Bearer",
      expires_in: TOKEN_SECONDS,
      scope: asked.scope,
    });
  }
}

function kindOfNotice(body: unknown): "pix" | "rec" | "cobr" {
  const notice = body as { recs?: unknown; cobsr?: unknown };
  if (notice.recs !== undefined) return "rec";
  return notice.cobsr === undefined ? "pix" : "cobr";
}

function respond({ status, body, text }: PspResponse): Response {
  if (text !== undefined) return new Response(text, { status });
  if (body === undefined) return new Response(null, { status });
  const type = status < 400 ? "application/json" : "application/problem+json";
  return Response.json(body, { status, headers: { "Content-Type": type } });
}

/** Routes by method and path; the open parts of a path are ids. */
type Route = [
  method: string,
  path: RegExp,
  answer: (ask: { ids: [string, string]; body: any; query: URLSearchParams }) => PspResponse,
];

const COB = /^\/(cob|cobv)\/(\w+)$/;
const DEVOLUCAO = /^\/pix\/(\w+)\/devolucao\/(\w+)$/;
const WEBHOOK = /^\/webhook\/(.+)$/;
const DEFENCE = /^\/med\/([^/]+)\/([\w-]+)$/;
const INFRACAO = /^\/gn\/infracoes\/([\w-]+)\/defesa$/;
const ENVIO = /^\/v3\/gn\/pix\/(\w+)$/;
const ENVIADO = /^\/v2\/gn\/pix\/enviados\/id-envio\/(\w+)$/;

function deskRoutes(desk: PspDesk): Route[] {
  return [
    ["PUT", DEFENCE, ({ ids: [dispute, id], body }) => desk.put(dispute, id, body)],
    ["GET", DEFENCE, ({ ids: [dispute, id] }) => desk.get(dispute, id)],
  ];
}

function medRoutes(med: MedBook): Route[] {
  return [
    ["GET", /^\/gn\/infracoes$/, ({ query }) => med.list(query)],
    ["POST", INFRACAO, ({ ids: [id], body }) => med.defend(id, body)],
  ];
}

function routesOf(book: PspBook): Route[] {
  return [
    ["PUT", COB, ({ ids: [kind, txid], body }) => book.putCob(kind as CobKind, txid, body)],
    ["PATCH", COB, ({ ids: [kind, txid], body }) => book.patchCob(kind as CobKind, txid, body)],
    ["GET", COB, ({ ids: [kind, txid] }) => book.getCob(kind as CobKind, txid)],
    ["GET", /^\/pix$/, ({ query }) => book.listPix(query)],
    ["GET", /^\/cob$/, ({ query }) => book.listCobs("cob", query)],
    ["GET", /^\/cobv$/, ({ query }) => book.listCobs("cobv", query)],
    ["GET", /^\/v2\/gn\/pix\/enviados$/, ({ query }) => book.listEnvios(query)],
    ["GET", /^\/v2\/gn\/saldo$/, () => book.saldo()],
    ["GET", /^\/pix\/(\w+)$/, ({ ids: [endToEndId] }) => book.getPix(endToEndId)],
    ["PUT", DEVOLUCAO, ({ ids: [pix, id], body }) => book.putDevolucao(pix, id, body)],
    ["GET", DEVOLUCAO, ({ ids: [pix, id] }) => book.getDevolucao(pix, id)],
    ["PUT", WEBHOOK, ({ ids: [key], body }) => book.putWebhook(key, body)],
    ["GET", WEBHOOK, ({ ids: [key] }) => book.getWebhook(key)],
    ["DELETE", WEBHOOK, ({ ids: [key] }) => book.deleteWebhook(key)],
    ["PUT", ENVIO, ({ ids: [idEnvio], body }) => book.putEnvio(idEnvio, body)],
    ["GET", ENVIADO, ({ ids: [idEnvio] }) => book.getEnvio(idEnvio)],
  ];
}
