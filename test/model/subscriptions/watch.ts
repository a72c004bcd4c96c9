import { cents } from "../../support/fakes/fake-psp/book.ts";
import type { Debit } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import type { MandateRecord } from "../../support/fakes/fake-psp/automatic/mandate-book.ts";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  cycleDueOn,
  dayAt,
  dueDay,
  isWorkday,
  plusDays,
  settlesOn,
  timeOf,
  workdaysBefore,
} from "./calendar.ts";

const APPROVAL_MS_MAX = 30 * 86_400_000;
const OPEN = new Set(["SOLICITADA", "AGENDADA"]);

/** An order as the PSP gets it. */
interface Order {
  at: number;
  ids: string[];
  body: any;
}

/**
 * Watches what a PSP is asked for, and says what no receiver may ask, by the rules of Pix Automático alone. It believes the
 * PSP's books and the clock, and nothing of the product.
 */
export class Watch {
  readonly faults: string[] = [];
  /** Orders that were judged, by their kind. */
  readonly seen = new Map<string, number>();
  /** Subscriptions (`contrato`) whose merchant was told that they have ended, or are paused. */
  readonly stopped = new Set<string>();
  readonly #psp: FakePsp;
  readonly #now: () => number;
  /** The debit of each mandate and cycle. */
  readonly #debits = new Map<string, string>();

  constructor(psp: FakePsp, now: () => number) {
    this.#psp = psp;
    this.#now = now;
  }

  /** The PSP behind the watch. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const copy = request.clone();
    const call = `${request.method} ${new URL(request.url).pathname}`;
    for (const [kind, path, judge] of this.#judges) {
      const ids = path.exec(call)?.slice(1);
      if (ids === undefined) continue;
      const text = await copy.text();
      const body = text === "" ? null : JSON.parse(text);
      this.seen.set(kind, (this.seen.get(kind) ?? 0) + 1);
      const fault = judge({ at: this.#now(), ids, body });
      const when = new Date(this.#now()).toISOString();
      if (fault !== null) this.faults.push(`${when} ${call}: ${fault}`);
    }
    return this.#psp.fetch(request);
  };

  readonly #judges: [kind: string, call: RegExp, judge: (order: Order) => string | null][] = [
    ["mandate", /^POST \/rec$/, (order) => this.#judgeMandate(order)],
    ["request", /^POST \/solicrec$/, (order) => this.#judgeRequest(order)],
    ["debit", /^PUT \/cobr\/(\w+)$/, (order) => this.#judgeDebit(order)],
    ["retry", /^POST \/cobr\/(\w+)\/retentativa\/([\d-]+)$/, (order) => this.#judgeRetry(order)],
    ["cancel", /^PATCH \/cobr\/(\w+)$/, (order) => this.#judgeCancel(order)],
  ];

  #judgeMandate({ body }: Order): string | null {
    const { contrato } = body.vinculo;
    const isSecond = [...this.#psp.mandates.mandates.values()].some(
      (each) => each.body.vinculo.contrato === contrato,
    );
    return isSecond ? "a second mandate of one subscription" : null;
  }

  #judgeRequest({ at, body }: Order): string | null {
    const end = Date.parse(body.calendario.dataExpiracaoSolicitacao);
    return end - at > APPROVAL_MS_MAX ? "more than 30 days to approve" : null;
  }

  #judgeDebit({ at, ids: [txid = ""], body }: Order): string | null {
    const mandate = this.#psp.mandates.mandates.get(body.idRec);
    if (mandate?.status !== "APROVADA") return "a debit without the payer's approval";
    if (this.#psp.debits.debits.has(txid)) return "a debit that was ordered before";
    if (this.#isStopped(mandate)) return "a debit of what its merchant has stopped";
    const { dataDeVencimento: due } = body.calendario;
    const days = mandate.body.calendario;
    const cycle = cycleDueOn(days, due);
    if (cycle === null) return `no cycle is due on ${due}`;
    const isPaidByCode = mandate.journey === "JORNADA_3" || mandate.journey === "JORNADA_4";
    if (cycle === 1 && isPaidByCode) return "a debit of what a code is for";
    const place = `${body.idRec}/${cycle}`;
    if ((this.#debits.get(place) ?? txid) !== txid) return `a second debit of cycle ${cycle}`;
    this.#debits.set(place, txid);
    return amountFault(mandate, body.valor.original) ?? orderFault(due, townOf(mandate), at);
  }

  #judgeRetry({ at, ids: [txid = "", day = ""] }: Order): string | null {
    const debit = this.#psp.debits.debits.get(txid);
    if (debit === undefined) return "a retry of nothing";
    const mandate = this.#psp.mandates.mandates.get(debit.body.idRec)!;
    if (this.#isStopped(mandate)) return "a retry of what its merchant has stopped";
    if (mandate.body.politicaRetentativa !== "PERMITE_3R_7D") return "a retry that nobody approved";
    return retryFault(debit, mandate, { day, at });
  }

  #judgeCancel({ at, ids: [txid = ""] }: Order): string | null {
    const debit = this.#psp.debits.debits.get(txid);
    const first = debit?.attempts[0]?.dataLiquidacao;
    if (first === undefined || at < timeOf(plusDays(first, -1), 22)) return null;
    return `a cancel after 22:00 of the day before ${first}`;
  }

  #isStopped({ body }: MandateRecord): boolean {
    return this.stopped.has(body.vinculo.contrato);
  }
}

function townOf({ pagador }: MandateRecord): string {
  return pagador?.["codMun"] ?? "";
}

function amountFault({ body }: MandateRecord, amount: string): string | null {
  const { valorRec, valorMinimoRecebedor } = body.valor;
  if (valorRec !== undefined && valorRec !== amount) return `${amount} where ${valorRec} is agreed`;
  const isLess = valorMinimoRecebedor !== undefined && cents(amount) < cents(valorMinimoRecebedor);
  return isLess ? `${amount} is less than ${valorMinimoRecebedor}` : null;
}

/** At most 10 calendar days before it settles, and at least 2 business days. */
function orderFault(due: string, town: string, at: number): string | null {
  const today = dayAt(at);
  const settles = settlesOn(due, town);
  if (today < plusDays(settles, -10)) return `too early for ${settles}`;
  return today > workdaysBefore(settles, 2, town) ? `too late for ${settles}` : null;
}

function retryFault(
  { attempts, body }: Debit,
  mandate: MandateRecord,
  { day, at }: { day: string; at: number },
): string | null {
  const { dataDeVencimento: due } = body.calendario;
  const days = mandate.body.calendario;
  const next = dueDay(days, (cycleDueOn(days, due) ?? 0) + 1);
  const retries = attempts.filter(({ tipo }) => tipo === "NTAG");
  if (attempts.some(({ status }) => OPEN.has(status))) return "a retry while an attempt is open";
  if (attempts.some(({ status }) => status === "PAGA")) return "a retry of what is paid";
  if (retries.length >= 3) return "a fourth retry";
  if (attempts.some(({ dataLiquidacao }) => dataLiquidacao === day)) return `two on ${day}`;
  if (day <= dayAt(at)) return `a retry for ${day}, which has begun`;
  if (day > plusDays(due, 7)) return `a retry on ${day}, over 7 days after ${due}`;
  if (day >= next) return `a retry on ${day}, when the next cycle is due on ${next}`;
  if (days.dataFinal !== undefined && day > days.dataFinal) return "a retry after the mandate";
  // It would settle on another day.
  return isWorkday(day, townOf(mandate)) ? null : `a retry on ${day}, without banks`;
}
