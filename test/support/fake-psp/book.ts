import { encodeBrCode } from "../../../src/domain/br-code.ts";
import type { Clock } from "../../../src/domain/clock.ts";

/** The key that a PSP's one customer receives by, where a test does not say another. */
export const PSP_KEY = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
const ISPB = "12345678";
const HOST = "psp.example.com/qr/v2";
const RECEBEDOR = {
  nome: "Loja Exemplo Ltda",
  cnpj: "11222333000181",
  logradouro: "Rua Um, 1",
  cidade: "Sao Paulo",
  uf: "SP",
  cep: "01310100",
};

/** An answer in the API's words. */
export interface Said {
  status: number;
  body: any;
}

export type CobKind = "cob" | "cobv";

export interface Cob {
  kind: CobKind;
  revisao: number;
  status: string;
  criacao: string;
  asked: any;
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
  idEnvio: string;
  endToEndId: string;
  valor: string;
  chave: string;
  status: string;
  motivo?: string;
  horario: { solicitacao: string };
  devolucoes: { valor: string; status: string }[];
}

/** What a PSP remembers, and the rules of BACEN's Pix API and of Efí's payouts by which it does. */
export class PspBook {
  readonly cobs = new Map<string, Cob>();
  readonly received: ReceivedPix[] = [];
  readonly envios = new Map<string, Envio>();
  readonly webhooks = new Map<string, string>();
  /** How often money left for each payout. */
  readonly paidOut = new Map<string, number>();
  /** Whether a txid that is known is refused (as Efí does) or revised (as the standard has it). */
  refusesKnownTxid = false;
  readonly #clock: Clock;
  /** The one that its customer receives by. */
  readonly #key: string;
  #sequence = 0;

  constructor(clock: Clock, key: string) {
    this.#clock = clock;
    this.#key = key;
  }

  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  putCob(kind: CobKind, txid: string, asked: any): Said {
    const known = this.cobs.get(txid);
    if (known !== undefined && this.refusesKnownTxid) {
      return { status: 409, body: { nome: "txid_duplicado", mensagem: "Campo txid já utilizado" } };
    }
    if (known !== undefined && known.status !== "ATIVA") {
      return invalid(kind, "A cobrança não está ATIVA.");
    }
    if (asked?.chave !== this.#key) {
      return invalid(kind, `O campo ${kind}.chave corresponde a uma conta de outro usuário.`);
    }
    if (/^0+\.00$/.test(asked.valor.original)) {
      return invalid(kind, `O campo ${kind}.valor.original é zero.`);
    }
    const criacao = known?.criacao ?? this.now();
    const revisao = (known?.revisao ?? -1) + 1;
    this.cobs.set(txid, { kind, revisao, status: "ATIVA", criacao, asked, pix: [] });
    return { status: 201, body: this.#cobBody(txid, false) };
  }

  patchCob(kind: CobKind, txid: string, change: any): Said {
    const cob = this.#cob(kind, txid);
    if (cob === null) return notFound(kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada");
    if (cob.status !== "ATIVA") return invalid(kind, "A cobrança não está ATIVA.");
    cob.status = change.status ?? cob.status;
    cob.revisao += 1;
    return { status: 200, body: this.#cobBody(txid, false) };
  }

  getCob(kind: CobKind, txid: string): Said {
    const cob = this.#cob(kind, txid);
    if (cob === null) return notFound(kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada");
    return { status: 200, body: this.#cobBody(txid, true) };
  }

  getPix(endToEndId: string): Said {
    const pix = this.pix(endToEndId);
    return pix === undefined ? notFound("PixNaoEncontrado") : { status: 200, body: shown(pix) };
  }

  listPix(query: URLSearchParams): Said {
    const [from, to] = [query.get("inicio") ?? "", query.get("fim") ?? ""];
    const page = Number(query.get("paginacao.paginaAtual") ?? 0);
    const size = Number(query.get("paginacao.itensPorPagina") ?? 100);
    const all = this.received.filter(
      ({ horario }) =>
        Date.parse(horario) >= Date.parse(from) && Date.parse(horario) <= Date.parse(to),
    );
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(all.length / size)),
      quantidadeTotalDeItens: all.length,
    };
    const pix = all.slice(page * size, (page + 1) * size).map(shown);
    return { status: 200, body: { parametros: { inicio: from, fim: to, paginacao }, pix } };
  }

  putDevolucao(endToEndId: string, id: string, { valor }: any): Said {
    const pix = this.pix(endToEndId);
    if (pix === undefined) return notFound("PixNaoEncontrado");
    const known = pix.devolucoes.find((devolucao) => devolucao.id === id);
    if (known !== undefined) {
      return known.valor === valor
        ? { status: 201, body: known }
        : problem(400, "PixDevolucaoInvalida", "O id já foi utilizado por outra devolução.");
    }
    const back = pix.devolucoes.filter(({ status }) => status !== "NAO_REALIZADO");
    const left =
      cents(pix.valor) - back.reduce((sum, devolucao) => sum + cents(devolucao.valor), 0);
    if (cents(valor) > left) {
      return problem(400, "PixDevolucaoInvalida", "A devolução excederia o valor do pix.");
    }
    return { status: 201, body: this.addDevolucao(pix, { id, valor }) };
  }

  getDevolucao(endToEndId: string, id: string): Said {
    const known = this.pix(endToEndId)?.devolucoes.find((devolucao) => devolucao.id === id);
    return known === undefined
      ? notFound("PixDevolucaoNaoEncontrada")
      : { status: 200, body: known };
  }

  addDevolucao(pix: ReceivedPix, devolucao: { id: string; valor: string; natureza?: string }) {
    const added = {
      ...devolucao,
      rtrId: `D${this.endToEndId().slice(1)}`,
      horario: { solicitacao: this.now() },
      status: "EM_PROCESSAMENTO",
    };
    pix.devolucoes.push(added);
    return added;
  }

  putEnvio(idEnvio: string, { valor, favorecido }: any): Said {
    const known = this.envios.get(idEnvio);
    if (known === undefined && favorecido?.chave === "") {
      return { status: 400, body: { nome: "chave_invalida", mensagem: "A chave não existe" } };
    }
    if (known === undefined) {
      this.paidOut.set(idEnvio, (this.paidOut.get(idEnvio) ?? 0) + 1);
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

  getEnvio(idEnvio: string): Said {
    const envio = this.envios.get(idEnvio);
    return envio === undefined ? notFound("PixEnviadoNaoEncontrado") : { status: 200, body: envio };
  }

  putWebhook(key: string, { webhookUrl }: any): Said {
    if (key !== this.#key) return problem(400, "WebhookOperacaoInvalida", "A chave é de outro.");
    this.webhooks.set(key, webhookUrl);
    return { status: 200, body: undefined };
  }

  pix(endToEndId: string): ReceivedPix | undefined {
    return this.received.find((pix) => pix.endToEndId === endToEndId);
  }

  endToEndId(): string {
    this.#sequence += 1;
    const minute = this.now().replaceAll(/[-:T]/g, "").slice(0, 12);
    return `E${ISPB}${minute}${String(this.#sequence).padStart(11, "0")}`;
  }

  #cob(kind: CobKind, txid: string): Cob | null {
    const cob = this.cobs.get(txid);
    return cob?.kind === kind ? cob : null;
  }

  #cobBody(txid: string, withPix: boolean) {
    const { kind, criacao, revisao, status, asked, pix } = this.cobs.get(txid)!;
    const location = `${HOST}/${kind === "cobv" ? "cobv/" : ""}${txid}`;
    const target = { location };
    return {
      ...asked,
      ...(kind === "cobv" ? { recebedor: RECEBEDOR } : {}),
      calendario: { ...asked.calendario, criacao },
      txid,
      revisao,
      status,
      loc: { id: 7, location, tipoCob: kind, criacao },
      location,
      pixCopiaECola: encodeBrCode({ target, merchantName: RECEBEDOR.nome, merchantCity: "SP" }),
      ...(withPix && pix.length > 0 ? { pix: pix.map(shown) } : {}),
    };
  }
}

export function cents(valor: string): number {
  return Number(valor.replace(".", ""));
}

export function problem(status: number, type: string, detail: string): Said {
  const title = type;
  return {
    status,
    body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title, status, detail },
  };
}

function notFound(type: string): Said {
  return problem(404, type, "Entidade não encontrada.");
}

function invalid(kind: CobKind, razao: string): Said {
  const type = kind === "cob" ? "CobOperacaoInvalida" : "CobVOperacaoInvalida";
  const { status, body } = problem(400, type, "A requisição está semanticamente errada.");
  return { status, body: { ...body, violacoes: [{ razao, propriedade: kind }] } };
}

/** A PIX as it is shown: without a list of returns where there are none. */
function shown({ devolucoes, ...pix }: ReceivedPix) {
  return devolucoes.length === 0 ? pix : { ...pix, devolucoes };
}
