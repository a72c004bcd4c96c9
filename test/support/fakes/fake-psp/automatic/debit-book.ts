import { saoPauloDay, startOfDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays, daysBetween } from "../../../../../src/domain/shared/calendar-day.ts";
import {
  businessDaysBefore,
  nextBusinessDay,
} from "../../../../../src/domain/subscriptions/business-calendar.ts";
import { cycleAfter } from "../../../../../src/domain/subscriptions/schedule.ts";
import type { Period } from "../../../../../src/domain/subscriptions/subscription.ts";
import { pageOf, problem, type PspResponse } from "../answers.ts";
import type { PspBook, ReceivedPix } from "../book.ts";
import { ListViews } from "./list-views.ts";
import { invalid, RECEIVER, type MandateRecord, type MandateBook } from "./mandate-book.ts";

/** What the payer's bank does on the day of a debit; `silent`: nothing, and its day never ends. */
export type DebitFate =
  | "paid"
  | "no_balance"
  | "over_limit"
  | "closed"
  | "other_amount"
  | "broken"
  | "silent";

const CODES: Partial<Record<DebitFate, string>> = {
  over_limit: "AM02",
  closed: "AC05",
  other_amount: "AM09",
  broken: "AB10",
};
const ENDING = new Set(["AC05", "AM09", "DTED"]);
const PERIODS: Record<string, Period> = {
  SEMANAL: "WEEKLY",
  MENSAL: "MONTHLY",
  TRIMESTRAL: "QUARTERLY",
  SEMESTRAL: "SEMIANNUAL",
  ANUAL: "ANNUAL",
};
const SETTLES_AT_MS = 3 * 3_600_000;
const CLOSES_AT_MS = 21 * 3_600_000;
const RETRIES_MAX = 3;
const RETRY_DAYS_MAX = 7;

interface Attempt {
  dataLiquidacao: string;
  tipo: "AGND" | "NTAG" | "RIFL";
  status: string;
  endToEndId: string;
  atualizacao: { status: string; data: string }[];
  rejeicao?: { codigo: string; descricao: string };
}

export interface Debit {
  txid: string;
  status: string;
  criacao: string;
  body: any;
  attempts: Attempt[];
  history: { status: string; data: string }[];
  end: object | null;
  pix: ReceivedPix[];
}

/** Automatic debits by BACEN's rules for `cobr`, with the payer's bank behind them. Strict about windows and retries. */
export class DebitBook {
  readonly debits = new Map<string, Debit>();
  /** What the payer's bank does with the next attempts of a debit, in order; then `paid`. */
  readonly fates = new Map<string, DebitFate[]>();
  /** How far lists are behind: a new debit is left out, any other is as it was then. */
  readonly listed = new ListViews();
  readonly #book: PspBook;
  readonly #mandates: MandateBook;
  readonly #receive: (pix: ReceivedPix) => void;
  readonly #notify: (body: unknown) => void;

  constructor(parts: {
    book: PspBook;
    mandates: MandateBook;
    receive: (pix: ReceivedPix) => void;
    notify: (body: unknown) => void;
  }) {
    this.#book = parts.book;
    this.#mandates = parts.mandates;
    this.#receive = parts.receive;
    this.#notify = parts.notify;
  }

  put(txid: string, body: any): PspResponse {
    const mandate = this.#mandates.mandates.get(body.idRec);
    const fault = this.#orderFault(txid, body, mandate);
    if (fault !== null || mandate === undefined) {
      return invalid("CobROperacaoInvalida", fault ?? "A recorrência não existe.");
    }
    const now = this.#book.now();
    const debit: Debit = {
      txid,
      status: "CRIADA",
      criacao: now,
      body,
      attempts: [],
      history: [{ status: "CRIADA", data: now }],
      end: null,
      pix: [],
    };
    this.debits.set(txid, debit);
    const code = this.#windowCode(body, mandate);
    if (code === null) this.#attempt(debit, "AGND", this.#settlementDay(debit));
    else this.#reject(debit, code);
    return { status: 201, body: this.#view(debit, false) };
  }

  get(txid: string): PspResponse {
    const debit = this.debits.get(txid);
    if (debit === undefined) return problem(404, "CobRNaoEncontrado", "Cobrança inexistente.");
    return { status: 200, body: this.#view(debit, true) };
  }

  patch(txid: string): PspResponse {
    const debit = this.debits.get(txid);
    if (debit === undefined) return problem(404, "CobRNaoEncontrado", "Cobrança inexistente.");
    const [first] = debit.attempts;
    if (!["CRIADA", "ATIVA"].includes(debit.status)) {
      return invalid("CobROperacaoInvalida", "A cobrança está encerrada.");
    }
    if (first !== undefined && this.#today() >= first.dataLiquidacao) {
      return invalid(
        "CobROperacaoInvalida",
        "Não é possível cancelar uma cobrança em uma data igual ou maior que a da primeira tentativa.",
      );
    }
    this.#cancel(debit, "USUARIO_RECEBEDOR", "SLCR");
    return { status: 200, body: this.#view(debit, false) };
  }

  retry(txid: string, day: string): PspResponse {
    const debit = this.debits.get(txid);
    if (debit === undefined) return problem(404, "CobRNaoEncontrado", "Cobrança inexistente.");
    const fault = this.#retryFault(debit, day);
    if (fault !== null) return invalid("CobROperacaoInvalida", fault);
    this.#attempt(debit, "NTAG", day);
    return { status: 201, body: this.#view(debit, true) };
  }

  list(query: URLSearchParams): PspResponse {
    const now = Date.parse(this.#book.now());
    const until = now - this.listed.lagMs;
    return pageOf(
      "cobsr",
      [...this.debits.values()].filter(({ criacao }) => Date.parse(criacao) <= until),
      query,
      ({ criacao }) => criacao,
      (debit) => this.listed.shown(debit.txid, now, this.#view(debit, true)),
    );
  }

  /** What the payer's bank does with the next attempts of a debit. */
  decide(txid: string, ...fates: DebitFate[]): void {
    this.fates.set(txid, fates);
  }

  /** The payer cancels a debit in his bank's app. */
  cancelByPayer(txid: string): void {
    this.#cancel(this.debits.get(txid)!, "USUARIO_PAGADOR", "SLBD");
  }

  /**
   * Settles, fails and ends what is due by a time (epoch milliseconds), which may be ahead of the clock. A mandate that has
   * ended takes its open debits with it.
   */
  run(byMs: number = Date.parse(this.#book.now())): void {
    for (const debit of this.debits.values()) {
      const mandate = this.#mandates.mandates.get(debit.body.idRec);
      const isOpen = debit.status === "CRIADA" || debit.status === "ATIVA";
      if (isOpen && mandate?.status === "CANCELADA") this.#cancel(debit, "PSP_RECEBEDOR", "CCLD");
      for (const attempt of debit.attempts) {
        if (attempt.status === "AGENDADA") this.#settle(debit, attempt, byMs);
      }
      if (debit.status === "ATIVA") this.#expire(debit, mandate, byMs);
    }
  }

  #orderFault(txid: string, body: any, mandate: MandateRecord | undefined): string | null {
    if (this.debits.has(txid)) return "O campo cobr.txid encontra-se em uso.";
    if (mandate?.status !== "APROVADA") return "A recorrência não está aprovada.";
    const { dataDeVencimento } = body.calendario;
    if (dataDeVencimento < this.#today()) {
      return "O campo cobr.calendario.dataDeVencimento é anterior à data de criação da cobrança.";
    }
    const cycle = cycleOf(mandate, dataDeVencimento);
    const isSecond = [...this.debits.values()].some(
      (each) =>
        each.body.idRec === body.idRec &&
        !["REJEITADA", "CANCELADA"].includes(each.status) &&
        cycleOf(mandate, each.body.calendario.dataDeVencimento) === cycle,
    );
    return isSecond ? "Existe uma CobR referente ao mesmo cobr.idRec no mesmo ciclo." : null;
  }

  /** The code with which the payer's bank refuses an order; null where it takes it. Stricter than any reading. */
  #windowCode({ calendario, valor }: any, mandate: MandateRecord): string | null {
    const { dataDeVencimento } = calendario;
    const { valorRec } = mandate.body.valor ?? {};
    const { dataInicial, dataFinal } = mandate.body.calendario;
    if (valorRec !== undefined && valorRec !== valor.original) return "AM09";
    if (dataDeVencimento < dataInicial || dataDeVencimento > (dataFinal ?? "9999")) return "DTED";
    const city = mandate.pagador?.["codMun"] ?? null;
    const settles = nextBusinessDay(dataDeVencimento, city);
    if (daysBetween(this.#today(), settles) > 10) return "FCD1";
    return this.#today() > businessDaysBefore(dataDeVencimento, 2, city) ? "FCD2" : null;
  }

  #retryFault(debit: Debit, day: string): string | null {
    const { body, attempts, status } = debit;
    const mandate = this.#mandates.mandates.get(body.idRec)!;
    const retries = attempts.filter(({ tipo }) => tipo === "NTAG");
    if (attempts.some((each) => ["SOLICITADA", "AGENDADA"].includes(each.status))) {
      return "Existe uma tentativa com status SOLICITADA ou AGENDADA.";
    }
    if (attempts.some((each) => each.dataLiquidacao === day)) {
      return "Existe uma tentativa vigente para a data informada.";
    }
    if (day <= this.#today()) return "O parâmetro data não corresponde a uma data futura.";
    const { dataDeVencimento } = body.calendario;
    const isLate = day > addDays(dataDeVencimento, RETRY_DAYS_MAX);
    const isOfNext = cycleOf(mandate, day) !== cycleOf(mandate, dataDeVencimento);
    if (
      mandate.body.politicaRetentativa !== "PERMITE_3R_7D" ||
      retries.length >= RETRIES_MAX ||
      isLate ||
      isOfNext ||
      status !== "ATIVA"
    ) {
      return "A política configurada na recorrência não permite retentativa de cobrança.";
    }
    return null;
  }

  #attempt(debit: Debit, tipo: Attempt["tipo"], day: string): void {
    const data = this.#book.now();
    const endToEndId = this.#book.endToEndId();
    const atualizacao = ["SOLICITADA", "AGENDADA"].map((status) => ({ status, data }));
    debit.attempts.push({ dataLiquidacao: day, tipo, status: "AGENDADA", endToEndId, atualizacao });
    if (debit.status === "CRIADA") this.#become(debit, "ATIVA");
    this.#keep(debit);
  }

  #settle(debit: Debit, attempt: Attempt, byMs: number): void {
    const day = startOfDay(attempt.dataLiquidacao);
    const [fate = "paid", ...rest] = this.fates.get(debit.txid) ?? [];
    const isDue = byMs >= day + (fate === "no_balance" ? CLOSES_AT_MS : SETTLES_AT_MS);
    if (fate === "silent" || !isDue) return;
    this.fates.set(debit.txid, rest);
    if (fate === "paid") return this.#pay(debit, attempt);
    const codigo = CODES[fate];
    if (codigo === undefined) return this.#becomeAttempt(debit, attempt, "EXPIRADA");
    attempt.rejeicao = { codigo, descricao: `Rejeição ${codigo}` };
    if (ENDING.has(codigo)) this.#reject(debit, codigo);
    this.#becomeAttempt(debit, attempt, "REJEITADA");
  }

  #pay(debit: Debit, attempt: Attempt): void {
    const { txid, body } = debit;
    const { endToEndId } = attempt;
    const horario = this.#book.now();
    const pix = { endToEndId, txid, valor: body.valor.original, horario, devolucoes: [] };
    debit.pix.push(pix);
    attempt.status = "PAGA";
    attempt.atualizacao.push({ status: "PAGA", data: this.#book.now() });
    this.#receive(pix);
    this.#become(debit, "CONCLUIDA");
  }

  #expire(debit: Debit, mandate: MandateRecord | undefined, byMs: number): void {
    if (debit.attempts.some(({ status }) => status === "AGENDADA")) return;
    const { dataDeVencimento } = debit.body.calendario;
    const allows = mandate?.body.politicaRetentativa === "PERMITE_3R_7D";
    const last = allows ? addDays(dataDeVencimento, RETRY_DAYS_MAX) : dataDeVencimento;
    if (saoPauloDay(byMs) > last) this.#become(debit, "EXPIRADA");
  }

  #reject(debit: Debit, codigo: string): void {
    debit.end = { rejeicao: { codigo, descricao: `Rejeição ${codigo}` } };
    this.#become(debit, "REJEITADA");
  }

  #cancel(debit: Debit, solicitante: string, codigo: string): void {
    const descricao = "Cancelamento de agendamento";
    debit.end = { cancelamento: { solicitante, codigo, descricao } };
    for (const attempt of debit.attempts) {
      if (attempt.status === "AGENDADA") attempt.status = "CANCELADA";
    }
    this.#become(debit, "CANCELADA");
  }

  #becomeAttempt(debit: Debit, attempt: Attempt, status: string): void {
    attempt.status = status;
    attempt.atualizacao.push({ status, data: this.#book.now() });
    this.#tell(debit);
  }

  #become(debit: Debit, status: string): void {
    debit.status = status;
    debit.history.push({ status, data: this.#book.now() });
    this.#tell(debit);
  }

  #keep(debit: Debit): void {
    this.listed.keep(debit.txid, Date.parse(this.#book.now()), this.#view(debit, true));
  }

  #tell(debit: Debit): void {
    this.#keep(debit);
    const { txid, status, body, history: atualizacao, attempts, end } = debit;
    const encerramento = end === null ? {} : { encerramento: end };
    const tentativas = attempts.length === 0 ? {} : { tentativas: attempts };
    const cobr = { idRec: body.idRec, txid, status, atualizacao, ...tentativas, ...encerramento };
    this.#notify({ cobsr: [structuredClone(cobr)] });
  }

  #view(debit: Debit, isWhole: boolean) {
    const { txid, status, criacao, body, attempts, history, end, pix } = debit;
    const mandate = this.#mandates.mandates.get(body.idRec)!;
    const tentativas = attempts.length === 0 ? {} : { tentativas: attempts };
    const paid = pix.map(withReturns);
    return {
      ...body,
      txid,
      status,
      calendario: { ...body.calendario, criacao: saoPauloDay(Date.parse(criacao)) },
      politicaRetentativa: mandate.body.politicaRetentativa,
      recebedor: { ...body.recebedor, ...RECEIVER },
      atualizacao: history,
      ...(isWhole ? tentativas : {}),
      ...(isWhole && paid.length > 0 ? { pix: paid } : {}),
      ...(end === null ? {} : { encerramento: end }),
    };
  }

  #settlementDay({ body }: Debit): string {
    const mandate = this.#mandates.mandates.get(body.idRec)!;
    return nextBusinessDay(body.calendario.dataDeVencimento, mandate.pagador?.["codMun"] ?? null);
  }

  #today(): string {
    return saoPauloDay(Date.parse(this.#book.now()));
  }
}

/** The number of the cycle that a day is in: from one due date to the day before the next. */
function cycleOf({ body }: MandateRecord, day: string): number {
  const { dataInicial, periodicidade } = body.calendario;
  const period = PERIODS[periodicidade] ?? "MONTHLY";
  return cycleAfter({ period, firstDueDate: dataInicial, endDate: null }, day) - 1;
}

/** A payment as the API shows it: without `devolucoes` where there are none. */
function withReturns({ devolucoes, ...pix }: ReceivedPix) {
  return devolucoes.length === 0 ? pix : { ...pix, devolucoes };
}
