import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import { pageOf, problem, type PspResponse } from "./answers.ts";
import { RecordViews, withoutOffset } from "./record-views.ts";

/** The PIX key of the PSP's customer, by default. */
export const PSP_KEY = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
/** The account that debits are paid to. */
export const PSP_RECEIVER = {
  account: "12345678",
  accountType: "PAYMENT",
  branch: "0001",
} as const;
const ISPB_DIGITS = 8;
const HOST = "psp.example.com/qr/v2";
const RECEBEDOR = {
  nome: "Loja Exemplo Ltda",
  cnpj: "11222333000181",
  logradouro: "Rua Um, 1",
  cidade: "Sao Paulo",
  uf: "SP",
  cep: "01310100",
};

export type CobKind = "cob" | "cobv";

export interface Cob {
  kind: CobKind;
  revisao: number;
  status: string;
  criacao: string;
  requestBody: any;
  pix: ReceivedPix[];
}

export interface ReceivedPix {
  endToEndId: string;
  txid?: string;
  chave?: string;
  valor: string;
  horario: string;
  devolucoes: any[];
}

export interface Envio {
  /** Absent for payouts that the account's owner made in the bank's app. */
  idEnvio?: string;
  endToEndId: string;
  valor: string;
  chave: string;
  status: string;
  motivo?: string;
  horario: { solicitacao: string };
  devolucoes: { valor: string; status: string; [field: string]: unknown }[];
}

/** A PSP's state with the rules of BACEN's Pix API and of Efí's payouts. */
export class PspBook {
  readonly cobs = new Map<string, Cob>();
  readonly received: ReceivedPix[] = [];
  readonly envios = new Map<string, Envio>();
  readonly webhooks = new Map<string, string>();
  /** Where notices of mandates and of automatic debits go. */
  readonly automaticWebhooks = new Map<"rec" | "cobr", string>();
  /** How often each payout was paid. */
  readonly payoutCounts = new Map<string, number>();
  /** Views that differ from the true state. */
  readonly views = new RecordViews();
  /** The opening balance, in centavos. */
  openingBalance = 0;
  /** Whether a known txid is rejected (Efí) or updated (BACEN). */
  rejectsKnownTxid = false;
  readonly #clock: Clock;
  /** All keys of the account: more than one where companies share its client. */
  readonly keys: Set<string>;
  /** The customer's PIX key. */
  readonly #key: string;
  /** Whose payments these are: two banks give no two the same id. */
  readonly #ispb: string;
  #sequence = 0;

  constructor(clock: Clock, key: string) {
    this.#clock = clock;
    this.#key = key;
    this.#ispb = key.replaceAll(/\D/g, "").padEnd(ISPB_DIGITS, "0").slice(0, ISPB_DIGITS);
    this.keys = new Set([key]);
  }

  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  putCob(kind: CobKind, txid: string, requestBody: any): PspResponse {
    const known = this.cobs.get(txid);
    if (known !== undefined && this.rejectsKnownTxid) {
      return { status: 409, body: { nome: "txid_duplicado", mensagem: "Campo txid já utilizado" } };
    }
    if (known !== undefined && known.status !== "ATIVA") {
      return invalid(kind, "A cobrança não está ATIVA.");
    }
    if (!this.keys.has(requestBody?.chave)) {
      return invalid(kind, `O campo ${kind}.chave corresponde a uma conta de outro usuário.`);
    }
    if (/^0+\.00$/.test(requestBody.valor.original)) {
      return invalid(kind, `O campo ${kind}.valor.original é zero.`);
    }
    const criacao = known?.criacao ?? this.now();
    const fault = kind === "cobv" ? dueChargeFault(requestBody, criacao) : null;
    if (fault !== null) return invalid(kind, fault);
    const revisao = (known?.revisao ?? -1) + 1;
    this.cobs.set(txid, { kind, revisao, status: "ATIVA", criacao, requestBody, pix: [] });
    return { status: 201, body: this.#cobBody(txid, false) };
  }

  patchCob(kind: CobKind, txid: string, change: any): PspResponse {
    const cob = this.#cob(kind, txid);
    if (cob === null) return notFound(kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada");
    if (cob.status !== "ATIVA") return invalid(kind, "A cobrança não está ATIVA.");
    cob.status = change.status ?? cob.status;
    cob.requestBody = {
      ...cob.requestBody,
      ...("calendario" in change ? { calendario: change.calendario } : {}),
    };
    cob.revisao += 1;
    return { status: 200, body: this.#cobBody(txid, false) };
  }

  getCob(kind: CobKind, txid: string): PspResponse {
    const cob = this.#cob(kind, txid);
    if (cob === null || this.views.isHidden(txid, "look_up"))
      return notFound(kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada");
    return { status: 200, body: this.#cobBody(txid, true) };
  }

  getPix(endToEndId: string): PspResponse {
    const pix = this.pix(endToEndId);
    return pix === undefined || this.views.isHidden(endToEndId, "look_up")
      ? notFound("PixNaoEncontrado")
      : { status: 200, body: this.#pixBody(pix) };
  }

  listPix(query: URLSearchParams): PspResponse {
    const seen = this.#visible("payments", this.received, ({ endToEndId }) => endToEndId);
    return pageOf(
      "pix",
      seen,
      query,
      ({ horario }) => horario,
      (pix) => this.#pixBody(pix),
    );
  }

  /** Ordered by creation time. */
  listCobs(kind: CobKind, query: URLSearchParams): PspResponse {
    const all = [...this.cobs].filter(([, cob]) => cob.kind === kind);
    const seen = this.#visible(kind === "cob" ? "charges" : "due_charges", all, ([txid]) => txid);
    return pageOf(
      "cobs",
      seen,
      query,
      ([, cob]) => cob.criacao,
      ([txid]) => this.#cobBody(txid, true),
    );
  }

  /** Payouts by request time, external ones included. */
  listEnvios(query: URLSearchParams): PspResponse {
    const seen = this.#visible("payouts", [...this.envios], ([id]) => id);
    return pageOf(
      "pix",
      seen,
      query,
      ([, { horario }]) => horario.solicitacao,
      ([id, envio]) => this.#envioBody(id, envio),
    );
  }

  saldo(): PspResponse {
    return { status: 200, body: { saldo: (this.balance() / 100).toFixed(2) } };
  }

  /** The account's balance in centavos: payments less refunds and payouts. */
  balance(): number {
    const came = sum(
      this.received.map(({ valor, devolucoes }) => cents(valor) - returnedTotal(devolucoes)),
    );
    const left = [...this.envios.values()].map(({ valor, status, devolucoes }) =>
      status === "REALIZADO" || (status === "DEVOLVIDO" && devolucoes.length > 0)
        ? cents(valor) - returnedTotal(devolucoes)
        : 0,
    );
    return this.openingBalance + came - sum(left);
  }

  putDevolucao(endToEndId: string, id: string, { valor }: any): PspResponse {
    const pix = this.pix(endToEndId);
    if (pix === undefined) return notFound("PixNaoEncontrado");
    const known = pix.devolucoes.find((devolucao) => devolucao.id === id);
    if (known !== undefined) {
      return known.valor === valor
        ? { status: 201, body: known }
        : problem(400, "PixDevolucaoInvalida", "O id já foi utilizado por outra devolução.");
    }
    const others = pix.devolucoes.filter(({ status }) => status !== "NAO_REALIZADO");
    const left = cents(pix.valor) - sum(others.map((devolucao) => cents(devolucao.valor)));
    if (cents(valor) > left) {
      return problem(400, "PixDevolucaoInvalida", "A devolução excederia o valor do pix.");
    }
    return { status: 201, body: this.addDevolucao(pix, { id, valor }) };
  }

  getDevolucao(endToEndId: string, id: string): PspResponse {
    const pix = this.pix(endToEndId);
    const seen = pix === undefined ? [] : this.views.currentView(endToEndId, pix).devolucoes;
    const known = seen.find((devolucao) => devolucao.id === id);
    return known === undefined
      ? notFound("PixDevolucaoNaoEncontrada")
      : { status: 200, body: known };
  }

  addDevolucao(
    pix: ReceivedPix,
    devolucao: { id: string; valor: string; natureza?: string; status?: string },
  ) {
    const added = {
      status: "EM_PROCESSAMENTO",
      ...devolucao,
      rtrId: `D${this.endToEndId().slice(1)}`,
      horario: { solicitacao: this.now() },
    };
    pix.devolucoes.push(added);
    return added;
  }

  putEnvio(idEnvio: string, { valor, favorecido }: any): PspResponse {
    const known = this.envios.get(idEnvio);
    if (known === undefined && favorecido?.chave === "") {
      return { status: 400, body: { nome: "chave_invalida", mensagem: "A chave não existe" } };
    }
    if (known === undefined) {
      this.payoutCounts.set(idEnvio, (this.payoutCounts.get(idEnvio) ?? 0) + 1);
      this.envios.set(idEnvio, {
        idEnvio,
        endToEndId: this.endToEndId(),
        valor,
        chave: this.#key,
        status: "EM_PROCESSAMENTO",
        horario: { solicitacao: this.now() },
        devolucoes: [],
      });
    }
    const { endToEndId, devolucoes: _devolucoes, ...envio } = this.envios.get(idEnvio)!;
    return { status: 201, body: { ...envio, e2eId: endToEndId } };
  }

  /** A payout that the account's owner makes in the bank's app; its id is its end-to-end id. */
  addEnvio(valor: string, chave: string = this.#key): Envio {
    const endToEndId = this.endToEndId();
    const horario = { solicitacao: this.now() };
    const envio = { endToEndId, valor, chave, status: "REALIZADO", horario, devolucoes: [] };
    this.envios.set(endToEndId, envio);
    return envio;
  }

  getEnvio(idEnvio: string): PspResponse {
    const envio = this.envios.get(idEnvio);
    return envio?.idEnvio === undefined || this.views.isHidden(idEnvio, "look_up")
      ? notFound("PixEnviadoNaoEncontrado")
      : { status: 200, body: this.#envioBody(idEnvio, envio) };
  }

  putWebhook(key: string, { webhookUrl }: any): PspResponse {
    if (!this.keys.has(key)) return problem(400, "WebhookOperacaoInvalida", "A chave é de outro.");
    this.webhooks.set(key, webhookUrl);
    return { status: 200, body: undefined };
  }

  getWebhook(key: string): PspResponse {
    const webhookUrl = this.webhooks.get(key);
    if (webhookUrl === undefined) return notFound("WebhookNaoEncontrado");
    return { status: 200, body: { webhookUrl, cnpj: RECEBEDOR.cnpj, criacao: this.now() } };
  }

  deleteWebhook(key: string): PspResponse {
    const isThere = this.webhooks.delete(key);
    return isThere ? { status: 204, body: undefined } : notFound("WebhookNaoEncontrado");
  }

  pix(endToEndId: string): ReceivedPix | undefined {
    return this.received.find((pix) => pix.endToEndId === endToEndId);
  }

  endToEndId(): string {
    this.#sequence += 1;
    const minute = this.now().replaceAll(/[-:T]/g, "").slice(0, 12);
    return `E${this.#ispb}${minute}${String(this.#sequence).padStart(11, "0")}`;
  }

  #cob(kind: CobKind, txid: string): Cob | null {
    const cob = this.cobs.get(txid);
    return cob?.kind === kind ? cob : null;
  }

  #visible<Value>(list: ListName, records: Value[], idOf: (record: Value) => string): Value[] {
    return records.filter((record) => !this.views.isHidden(idOf(record), list));
  }

  /** A PIX as the API returns it: without `devolucoes` if there are none. */
  #pixBody(record: ReceivedPix) {
    const id = record.endToEndId;
    const { devolucoes, ...pix } = this.views.currentView(id, record);
    const horario = this.views.isUnreadable(id)
      ? (this.views.wrongTimeOf(id) ?? withoutOffset(pix.horario))
      : pix.horario;
    return { ...pix, horario, ...(devolucoes.length === 0 ? {} : { devolucoes }) };
  }

  #envioBody(id: string, record: Envio) {
    const envio = this.views.currentView(id, record);
    return this.views.isUnreadable(id) ? { ...envio, valor: Number(envio.valor) } : envio;
  }

  #cobBody(txid: string, withPix: boolean) {
    const cob = this.cobs.get(txid)!;
    const { kind, revisao, requestBody, pix, ...state } = this.views.currentView(txid, cob);
    const isUnreadable = this.views.isUnreadable(txid);
    const criacao = isUnreadable ? withoutOffset(cob.criacao) : cob.criacao;
    const status = isUnreadable ? "EM_ANALISE" : state.status;
    const location = `${HOST}/${kind === "cobv" ? "cobv/" : ""}${txid}`;
    const target = { location };
    return {
      ...requestBody,
      ...(kind === "cobv" ? { recebedor: RECEBEDOR } : {}),
      calendario: { ...requestBody.calendario, criacao },
      txid,
      revisao,
      status,
      loc: { id: 7, location, tipoCob: kind, criacao },
      location,
      pixCopiaECola: encodeBrCode({ target, merchantName: RECEBEDOR.nome, merchantCity: "SP" }),
      ...(withPix && pix.length > 0 ? { pix: pix.map((each) => this.#pixBody(each)) } : {}),
    };
  }
}

/** BACEN's rules of a `cobv` that its schema does not have. */
function dueChargeFault({ calendario, devedor, valor }: any, criacao: string): string | null {
  const { dataDeVencimento } = calendario;
  if (devedor?.nome === undefined) return "O objeto cobv.devedor não respeita o schema.";
  if (dataDeVencimento < saoPauloDay(Date.parse(criacao))) {
    return "O campo cobv.calendario.dataDeVencimento é anterior à data de criação da cobrança.";
  }
  const discounts: { data: string; valorPerc: string }[] = valor.desconto?.descontoDataFixa ?? [];
  const whole = valor.desconto?.modalidade === 2 ? 10_000 : cents(valor.original);
  if (discounts.some(({ data }) => data > dataDeVencimento)) {
    return "O objeto cobv.valor.desconto apresenta data posterior à data de vencimento.";
  }
  return discounts.some(({ valorPerc }) => cents(valorPerc) >= whole)
    ? "O objeto cobv.valor.desconto representa um valor maior ou igual ao da cobrança."
    : null;
}

export function cents(valor: string): number {
  return Number(valor.replace(".", ""));
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The returned amount, in centavos. */
function returnedTotal(devolucoes: { valor: string; status: string }[]): number {
  const done = devolucoes.filter(({ status }) => status === "DEVOLVIDO");
  return sum(done.map(({ valor }) => cents(valor)));
}

function notFound(type: string): PspResponse {
  return problem(404, type, "Entidade não encontrada.");
}

function invalid(kind: CobKind, razao: string): PspResponse {
  const type = kind === "cob" ? "CobOperacaoInvalida" : "CobVOperacaoInvalida";
  const { status, body } = problem(400, type, "A requisição está semanticamente errada.");
  return { status, body: { ...body, violacoes: [{ razao, propriedade: kind }] } };
}
