import { crc16, PIX_GUI } from "../../../../../src/methods/pix/br-code.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { pageOf, problem, type PspResponse } from "../answers.ts";
import type { PspBook } from "../book.ts";
import { ListViews } from "./list-views.ts";

const HOST = "psp.example.com/qr/v2";
const ISPB = "09089356";
const OPEN_REQUEST = new Set(["CRIADA", "ENVIADA", "RECEBIDA"]);
export const RECEIVER = { cnpj: "11222333000181", nome: "Loja Exemplo Ltda" };

/** The payer's bank in an approval: its ISPB, the payer's town (IBGE code). */
export interface PayerBank {
  ispb?: string;
  codMun?: string;
  journey?: "JORNADA_1" | "JORNADA_2" | "JORNADA_3" | "JORNADA_4";
}

export interface MandateRecord {
  idRec: string;
  status: string;
  body: any;
  criacao: string;
  loc: { id: number; location: string; criacao: string } | null;
  history: { status: string; data: string }[];
  journey: string;
  pagador: Record<string, string> | null;
  end: object | null;
}

/** An order that got no answer is in the lists by then. */
const UNLISTED_MS_MAX = 9 * 60_000;

interface Request {
  idSolicRec: string;
  status: string;
  body: any;
  history: { status: string; data: string }[];
}

/** The mandates of a PSP by BACEN's rules for `locrec`, `rec` and `solicrec`. */
export class MandateBook {
  readonly mandates = new Map<string, MandateRecord>();
  readonly requests = new Map<string, Request>();
  /** How far lists are behind: a mandate is as it was then, a new one is left out for some minutes at most. */
  readonly listed = new ListViews();
  readonly #locations = new Map<number, { id: number; location: string; criacao: string }>();
  readonly #book: PspBook;
  readonly #notify: (body: unknown) => void;
  #sequence = 0;

  constructor(book: PspBook, notify: (body: unknown) => void) {
    this.#book = book;
    this.#notify = notify;
  }

  createLocation(): PspResponse {
    const id = ++this.#sequence;
    const location = `${HOST}/rec/${String(id).padStart(32, "0")}`;
    this.#locations.set(id, { id, location, criacao: this.#book.now() });
    return { status: 201, body: this.#locations.get(id) };
  }

  create(body: any): PspResponse {
    const fault = this.#faultOf(body);
    if (fault !== null) return invalid("RecOperacaoInvalida", fault);
    const criacao = this.#book.now();
    const retries = body.politicaRetentativa === "PERMITE_3R_7D" ? "R" : "N";
    const idRec = `R${retries}${ISPB}${this.#dated("Rec")}`;
    this.mandates.set(idRec, {
      idRec,
      status: "CRIADA",
      body,
      criacao,
      loc: this.#locations.get(body.loc) ?? null,
      history: [{ status: "CRIADA", data: criacao }],
      journey: "AGUARDANDO_DEFINICAO",
      pagador: null,
      end: null,
    });
    this.#keep(idRec);
    return { status: 201, body: this.#view(idRec) };
  }

  get(idRec: string, txid: string | null): PspResponse {
    const mandate = this.mandates.get(idRec);
    if (mandate === undefined) return problem(404, "RecNaoEncontrada", "Recorrência inexistente.");
    const cob = txid === null ? undefined : this.#book.cobs.get(txid);
    const own: string | undefined = mandate.body.ativacao?.dadosJornada?.txid;
    if (txid !== null && (cob === undefined || (own !== undefined && own !== txid))) {
      return invalid("RecConsultaInvalida", "O parâmetro txid corresponde a outra cobrança.");
    }
    return { status: 200, body: this.#wholeView(mandate, txid) };
  }

  patch(idRec: string, change: any): PspResponse {
    const mandate = this.mandates.get(idRec);
    if (mandate === undefined) return problem(404, "RecNaoEncontrada", "Recorrência inexistente.");
    if (!["CRIADA", "APROVADA"].includes(mandate.status)) {
      return invalid(
        "RecOperacaoInvalida",
        "A recorrência encontra-se expirada, cancelada ou rejeitada.",
      );
    }
    if (change.status === "CANCELADA") {
      const descricao = "Cancelamento solicitado pelo usuário recebedor";
      const cancelamento = { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR", descricao };
      this.#end(mandate, "CANCELADA", { cancelamento });
    }
    return { status: 200, body: this.#view(idRec) };
  }

  list(query: URLSearchParams): PspResponse {
    const [cpf, cnpj] = [query.get("cpf"), query.get("cnpj")];
    const now = Date.parse(this.#book.now());
    const until = now - Math.min(this.listed.lagMs, UNLISTED_MS_MAX);
    const all = [...this.mandates.values()].filter(({ body, criacao }) => {
      const { devedor } = body.vinculo;
      const isOf = (cpf ?? devedor.cpf) === devedor.cpf && (cnpj ?? devedor.cnpj) === devedor.cnpj;
      return isOf && Date.parse(criacao) <= until;
    });
    return pageOf(
      "recs",
      all,
      query,
      ({ criacao }) => criacao,
      (mandate) => this.listed.shown(mandate.idRec, now, this.#wholeView(mandate, null)),
    );
  }

  createRequest(body: any): PspResponse {
    const mandate = this.mandates.get(body.idRec);
    if (mandate === undefined) return problem(404, "RecNaoEncontrada", "Recorrência inexistente.");
    const isOpen = [...this.requests.values()].some(
      (each) => each.body.idRec === body.idRec && OPEN_REQUEST.has(each.status),
    );
    if (isOpen) {
      return invalid(
        "SolicRecOperacaoInvalida",
        "Existe uma solicitação ativa referente ao mesmo idRec.",
      );
    }
    if (Date.parse(body.calendario.dataExpiracaoSolicitacao) <= Date.parse(this.#book.now())) {
      return invalid(
        "SolicRecOperacaoInvalida",
        "A data de expiração é anterior à data de criação.",
      );
    }
    const idSolicRec = `SC${ISPB}${this.#dated("Sol")}`;
    const history = [{ status: "CRIADA", data: this.#book.now() }];
    this.requests.set(idSolicRec, { idSolicRec, status: "CRIADA", body, history });
    this.#keep(body.idRec);
    return { status: 201, body: this.#requestView(idSolicRec) };
  }

  getRequest(idSolicRec: string): PspResponse {
    return this.requests.has(idSolicRec)
      ? { status: 200, body: this.#requestView(idSolicRec) }
      : problem(404, "SolicRecNaoEncontrada", "Solicitação inexistente.");
  }

  /** The payer approves at his bank. */
  approve(idRec: string, { ispb = "60701190", codMun = "3550308", journey }: PayerBank = {}): void {
    const mandate = this.#open(idRec);
    const { cpf, cnpj } = mandate.body.vinculo.devedor;
    const person = cpf === undefined ? { cnpj } : { cpf };
    mandate.pagador = { ispbParticipante: ispb, codMun, ...person };
    mandate.journey = journey ?? this.#askedJourney(mandate);
    // An approval in another way cancels the request.
    this.#answerRequests(idRec, (journey ?? "JORNADA_1") === "JORNADA_1" ? "ACEITA" : "CANCELADA");
    this.#become(mandate, "APROVADA");
  }

  /** The payer refuses at his bank: AP13 or AP14. */
  refuse(idRec: string, codigo = "AP14"): void {
    this.#answerRequests(idRec, "REJEITADA");
    const rejeicao = { codigo, descricao: "Recorrência rejeitada pelo usuário pagador" };
    this.#end(this.#open(idRec), "REJEITADA", { rejeicao });
  }

  /** The payer, or his bank, cancels. */
  cancelByPayer(idRec: string, codigo = "SLDB", solicitante = "USUARIO_PAGADOR"): void {
    const descricao = "Cancelamento solicitado pelo pagador";
    const cancelamento = { solicitante, codigo, descricao };
    this.#end(this.mandates.get(idRec)!, "CANCELADA", { cancelamento });
  }

  /** Requests whose time is over expire. */
  expireRequests(): void {
    for (const request of this.requests.values()) {
      const end = Date.parse(request.body.calendario.dataExpiracaoSolicitacao);
      const isOver = OPEN_REQUEST.has(request.status) && end <= Date.parse(this.#book.now());
      if (isOver) this.#becomeRequest(request, "EXPIRADA");
    }
  }

  #open(idRec: string): MandateRecord {
    const mandate = this.mandates.get(idRec);
    if (mandate?.status !== "CRIADA") throw new Error(`the mandate ${idRec} waits for nobody`);
    return mandate;
  }

  #askedJourney({ idRec, body, loc }: MandateRecord): string {
    const isAsked = [...this.requests.values()].some((each) => each.body.idRec === idRec);
    if (isAsked || loc === null) return "JORNADA_1";
    return body.ativacao === undefined ? "JORNADA_2" : "JORNADA_3";
  }

  #answerRequests(idRec: string, status: string): void {
    for (const request of this.requests.values()) {
      const isOpen = request.body.idRec === idRec && OPEN_REQUEST.has(request.status);
      if (isOpen) this.#becomeRequest(request, status);
    }
  }

  #becomeRequest(request: Request, status: string): void {
    request.status = status;
    request.history.push({ status, data: this.#book.now() });
    this.#keep(request.body.idRec);
  }

  #keep(idRec: string): void {
    const view = this.#wholeView(this.mandates.get(idRec)!, null);
    this.listed.keep(idRec, Date.parse(this.#book.now()), view);
  }

  #end(mandate: MandateRecord, status: string, end: object): void {
    mandate.end = end;
    this.#become(mandate, status);
  }

  #become(mandate: MandateRecord, status: string): void {
    mandate.status = status;
    mandate.history.push({ status, data: this.#book.now() });
    this.#keep(mandate.idRec);
    const { idRec, history: atualizacao, end, journey } = mandate;
    const encerramento = end === null ? {} : { encerramento: end };
    const ativacao = { tipoJornada: journey };
    const rec = { idRec, status, atualizacao, ativacao, ...encerramento };
    this.#notify({ recs: [structuredClone(rec)] });
  }

  /** `yyyymmdd` and eleven characters, letters of both cases among them. */
  #dated(kind: string): string {
    const day = saoPauloDay(Date.parse(this.#book.now())).replaceAll("-", "");
    return `${day}${kind}${String(++this.#sequence).padStart(8, "0")}`;
  }

  #faultOf({ calendario, valor, loc }: any): string | null {
    const { dataInicial, dataFinal } = calendario;
    if (dataInicial < saoPauloDay(Date.parse(this.#book.now()))) {
      return "O campo rec.calendario.dataInicial é anterior à data de criação da recorrência.";
    }
    if (dataFinal !== undefined && dataFinal < dataInicial) {
      return "O campo rec.calendario.dataFinal é anterior ao campo rec.calendario.dataInicial.";
    }
    if (valor?.valorRec !== undefined && valor.valorMinimoRecebedor !== undefined) {
      return "Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.";
    }
    if (loc === undefined) return null;
    if (!this.#locations.has(loc)) return "O location referenciado por rec.loc inexiste.";
    const isUsed = [...this.mandates.values()].some((each) => each.loc?.id === loc);
    return isUsed ? "O location referenciado por rec.loc já está sendo utilizado." : null;
  }

  #view(idRec: string) {
    const { body, status, loc, history, journey, end } = this.mandates.get(idRec)!;
    const { vinculo, calendario, valor, politicaRetentativa, ativacao } = body;
    return {
      idRec,
      status,
      vinculo,
      calendario,
      valor,
      politicaRetentativa,
      recebedor: RECEIVER,
      ...(loc === null ? {} : { loc: { ...loc, idRec } }),
      ativacao: { ...ativacao, tipoJornada: journey },
      atualizacao: history,
      ...(end === null ? {} : { encerramento: end }),
    };
  }

  /** As `GET` shows it. BACEN's API knows an expired mandate only when it is asked after its end. */
  #wholeView(mandate: MandateRecord, txid: string | null) {
    const { idRec, pagador, loc, body } = mandate;
    const asked = [...this.requests.values()].filter((each) => each.body.idRec === idRec);
    const solicitacao = asked.map((each) => this.#requestView(each.idSolicRec));
    const isOver = body.calendario.dataFinal < saoPauloDay(Date.parse(this.#book.now()));
    const status = isOver && mandate.status === "APROVADA" ? { status: "EXPIRADA" } : {};
    return {
      ...this.#view(idRec),
      ...status,
      ...(pagador === null ? {} : { pagador }),
      ...(solicitacao.length === 0 ? {} : { solicitacao }),
      ...(loc === null ? {} : { dadosQR: this.#codeOf(loc.location, txid) }),
    };
  }

  #codeOf(location: string, txid: string | null) {
    const cob = txid === null ? undefined : this.#book.cobs.get(txid)!;
    const path = cob?.kind === "cobv" ? "cobv/" : "";
    const charge = cob === undefined ? "" : tlv("25", `${HOST}/${path}${txid}`);
    const body = [
      tlv("00", "01"),
      tlv("26", tlv("00", PIX_GUI) + charge),
      tlv("52", "0000") + tlv("53", "986") + tlv("58", "BR"),
      tlv("59", RECEIVER.nome) + tlv("60", "SP") + tlv("62", tlv("05", "***")),
      tlv("80", tlv("00", PIX_GUI) + tlv("25", location)),
      "6304",
    ].join("");
    const jornada =
      cob === undefined ? "JORNADA_2" : cob.kind === "cob" ? "JORNADA_3" : "JORNADA_4";
    return { jornada, pixCopiaECola: body + crc16(body) };
  }

  #requestView(id: string) {
    const { idSolicRec, status, body, history } = this.requests.get(id)!;
    const {
      ativacao: _ativacao,
      encerramento: _end,
      loc: _loc,
      status: _status,
      ...rec
    } = this.#view(body.idRec);
    const recPayload = { ...rec, recebedor: { ...RECEIVER, ispbParticipante: ISPB } };
    return { ...body, idSolicRec, status, atualizacao: history, recPayload };
  }
}

/** A refusal of BACEN's API with its reason. */
export function invalid(type: string, razao: string): PspResponse {
  const { status, body } = problem(400, type, "A requisição está semanticamente errada.");
  return { status, body: { ...body, violacoes: [{ razao, propriedade: "corpo" }] } };
}

function tlv(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}
