import { CounterPanel, liesOf } from "../counter-panel.ts";
import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { endOfDay } from "../../../../src/domain/shared/business-day.ts";
import type { DebitFate } from "./automatic/debit-book.ts";
import { FAULTS } from "./faults.ts";
import { FakePsp, PSP_CLIENT } from "./psp.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };

/** The desk's words, as a person says them of every dossier that it has. */
const WORDS = ["EM_ANALISE", "ACEITA", "RECUSADA"];

/** What the payer's bank does with a debit. */
const FATES: DebitFate[] = ["paid", "no_balance", "over_limit", "closed", "broken"];

const NOTICE_TIMES = 5;

/**
 * A PSP with a counter at `/`, where a person pays its charges by hand, disputes payments, answers the dossiers at its desk,
 * has it lie, and is the payer's bank of subscriptions: it approves, refuses or ends mandates, and decides debits before
 * their day. What happens is posted to the webhooks, five times.
 */
export class PspCounter {
  /** What a company's account is configured with: a new key for each, as a service takes one for one company only. */
  readonly settings = { ...PSP_CLIENT, pixKey: crypto.randomUUID() };
  readonly house = new FakePsp(systemClock, this.settings.pixKey);
  readonly #panel = new CounterPanel(liesOf(FAULTS, (name, on) => this.house.faultOnce(name, on)));

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method !== "POST" || pathname !== "/act")
      return this.#panel.answer(request, this.house.fetch);
    const form = new URLSearchParams(await request.text());
    this.#act(form.get("act") ?? "", form.get("of") ?? "", form.get("id") ?? "");
    await this.house.deliverCallbacks(post, (bodies) =>
      bodies.flatMap((body) => Array.from({ length: NOTICE_TIMES }, () => body)),
    );
    return new Response(null, { status: 303, headers: { Location: "/" } });
  };

  #act(act: string, of: string, id: string): void {
    if (act === "pay") this.house.pay(of);
    if (act === "dispute") this.house.dispute(of);
    if (act === "won" || act === "lost") this.house.resolveDispute(of, id, act);
    if (act === "say") this.house.desk.say(of, id === "" ? null : id);
    if (act === "approve") this.house.mandates.approve(of);
    if (act === "refuse") this.house.mandates.refuse(of);
    if (act === "end") this.house.mandates.cancelByPayer(of);
    const fate = FATES.find((each) => each === act);
    if (fate !== undefined) this.#decide(of, fate);
  }

  /** The payer's bank settles the open attempt of one debit now, and no other debit. */
  #decide(txid: string, fate: DebitFate): void {
    const { debits } = this.house.debits;
    const others = [...debits.keys()].filter((each) => each !== txid);
    for (const each of others) this.house.debits.decide(each, "silent");
    this.house.debits.decide(txid, fate);
    const day = debits.get(txid)?.attempts.at(-1)?.dataLiquidacao;
    if (day !== undefined) this.house.runBanks(endOfDay(day));
  }

  #page(): string {
    const charges = [...this.house.book.cobs].map(([txid, { status, requestBody }]) => {
      const amount = String(requestBody.valor.original);
      return rowOf([txid, amount, status], status === "CONCLUIDA" ? [] : [button("pay", txid)]);
    });
    const payments = this.house.book.received.map(({ endToEndId, valor, devolucoes }) => {
      const open = devolucoes.find(
        ({ natureza = "", status }) => natureza.startsWith("MED") && status === "EM_PROCESSAMENTO",
      );
      const acts =
        open === undefined
          ? [button("dispute", endToEndId)]
          : [button("won", endToEndId, open.id), button("lost", endToEndId, open.id)];
      return rowOf([endToEndId, valor, open === undefined ? "" : `dispute ${open.id}`], acts);
    });
    const mandates = [...this.house.mandates.mandates.values()].map(({ idRec, status, body }) => {
      const acts =
        status === "CRIADA" ? ["approve", "refuse"] : status === "APROVADA" ? ["end"] : [];
      const cells = [idRec, String(body.vinculo.objeto ?? ""), status];
      return rowOf(
        cells,
        acts.map((act) => button(act, idRec)),
      );
    });
    const debits = [...this.house.debits.debits.values()].map(
      ({ txid, status, body, attempts }) => {
        const isOpen = attempts.at(-1)?.status === "AGENDADA";
        const cells = [txid, String(body.valor.original), body.calendario.dataDeVencimento, status];
        return rowOf(cells, isOpen ? FATES.map((fate) => button(fate, txid)) : []);
      },
    );
    const dossiers = [...this.house.desk.defences].map(([key, { status, dossie }]) =>
      rowOf([key, `${dossie.length} characters`, status], []),
    );
    const words = WORDS.map((word) => button("say", word, "", word)).join("");
    return (
      `<!doctype html><title>PSP</title><h1>PSP</h1>${tableOf("Charges", charges)}` +
      `${tableOf("Payments", payments)}${tableOf("Mandates", mandates)}${tableOf("Debits", debits)}` +
      `${tableOf("Dossiers", dossiers)}${words}${this.#panel.html()}`
    );
  }
}

function button(act: string, of: string, id = "", label = act): string {
  const fields = Object.entries({ act, of, id }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  return `<form method="post" action="/act">${fields.join("")}<button>${label}</button></form>`;
}

function rowOf(cells: string[], acts: string[]): string {
  return `<tr><td>${cells.join("<td>")}<td>${acts.join("")}`;
}

function tableOf(title: string, rows: string[]): string {
  return `<h2>${title}</h2><table>${rows.join("")}</table>`;
}

/** A service that is away is told nothing. */
async function post(url: string, body: string): Promise<void> {
  await fetch(url, { method: "POST", body }).catch(() => undefined);
}
