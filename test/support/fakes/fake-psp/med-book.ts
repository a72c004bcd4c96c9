import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { pageOf, problem, type PspResponse } from "./answers.ts";

/** How long the receiver's institution analyses a case (BACEN, MED). */
const ANALYSIS_MS = 7 * 24 * 60 * 60_000;

type CaseStatus = "ABERTA" | "EM_DEFESA" | "ACEITA" | "REJEITADA" | "CANCELADA_EFI";

/** A case as the types of Efí's package have it; its manual writes some of the numbers as texts. */
interface MedCase {
  idInfracao: string;
  endToEndId: string;
  status: CaseStatus;
  defesa?: string;
  justificativaAnalista?: string;
  dadosAnalise: {
    abertura: string;
    prazoFinalizacao: string;
    recebimentoDefesa?: string;
    finalizacao?: string;
  };
}

const OTHER_FIELDS = {
  valor: 25,
  razao: "Solicitação de devolução",
  identificadorTicket: [94],
  origem: { nomeParticipante: "BANCO XYZ", conta: 10_001, nome: "Ana", documento: "52998224725" },
  destino: {
    nomeParticipante: "Efí S/A",
    conta: 10_002,
    nome: "Loja",
    documento: "11222333000181",
  },
};

/**
 * Efí's cases of the MED and the defences to them (`/v2/gn/infracoes`), by its package and, where that says nothing, by
 * its manual. What it does with a defence of a case that is neither open nor defended is ours.
 */
export class MedBook {
  /** The oldest first, which is ours. */
  readonly cases: MedCase[] = [];
  /** The body of each defence that was taken. */
  readonly defences: unknown[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The payer's bank reports a payment; returns the case, which a test may change. */
  open(endToEndId: string): MedCase {
    const abertura = this.#now();
    const prazoFinalizacao = new Date(this.#clock.now() + ANALYSIS_MS).toISOString();
    const dadosAnalise = { abertura, prazoFinalizacao };
    const idInfracao = crypto.randomUUID();
    const opened: MedCase = { idInfracao, endToEndId, status: "ABERTA", dadosAnalise };
    this.cases.push(opened);
    return opened;
  }

  list(query: URLSearchParams): PspResponse {
    return pageOf("infracoes", this.cases, query, timeOf, (each) => this.#body(each));
  }

  defend(idInfracao: string, body: { analise?: unknown; justificativa?: unknown }): PspResponse {
    const known = this.cases.find((each) => each.idInfracao === idInfracao);
    if (known === undefined) {
      return problem(404, "InfracaoNaoEncontrada", "Infração não encontrada.");
    }
    const { analise, justificativa } = body;
    if (analise !== "rejeitado" || typeof justificativa !== "string") {
      return problem(400, "InfracoesConsultaInvalida", "A requisição não respeita o schema.");
    }
    if (known.defesa !== undefined)
      return invalid(409, "A defesa para essa infração já foi criada.");
    const isLate = !(this.#clock.now() <= Date.parse(known.dadosAnalise.prazoFinalizacao));
    if (isLate) return invalid(422, "O prazo para defesa foi excedido.");
    if (known.status !== "ABERTA") return invalid(422, "A infração não está aberta.");
    known.status = "EM_DEFESA";
    known.defesa = justificativa;
    known.dadosAnalise.recebimentoDefesa = this.#now();
    this.defences.push(body);
    return { status: 201, body: null, text: "Defesa de infração MED criada" };
  }

  #body(each: MedCase) {
    const { abertura, recebimentoDefesa = abertura, finalizacao } = each.dadosAnalise;
    return {
      ...OTHER_FIELDS,
      ...each,
      protocolo: this.cases.indexOf(each) + 1,
      dataTransacao: abertura,
      criadoEm: abertura,
      atualizadoEm: finalizacao ?? recebimentoDefesa,
    };
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function timeOf({ dadosAnalise }: MedCase): string {
  return dadosAnalise.abertura;
}

function invalid(status: number, detail: string): PspResponse {
  return problem(status, "InfracaoOperacaoInvalida", detail);
}
