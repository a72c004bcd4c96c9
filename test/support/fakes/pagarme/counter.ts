import { CounterPanel, liesOf } from "../counter-panel.ts";
import { FAULTS } from "../fake-psp/faults.ts";
import { FakePagarMe, PAGARME_LIES, SECRET_KEY } from "./house.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };
const NOTICE_TIMES = 5;
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };

/**
 * Pagar.me with a counter at `/`, where a person pays its boletos, decides its cards and has it lie. Notices go to the URL
 * that is typed there, as in its dashboard, each of them five times. Browsers get tokens of cards.
 */
export class PagarMeCounter {
  readonly house = new FakePagarMe();
  readonly #panel = new CounterPanel({
    ...liesOf(FAULTS, (name, on) => this.house.faultOnce(name, on)),
    ...Object.fromEntries(PAGARME_LIES.map((lie) => [lie, () => this.house.lieOnce(lie)])),
  });
  #url = "";

  /** What a company's account is configured with: new for each, as a service takes an account for one company only. */
  readonly settings = {
    publicKey: `pk_test_${crypto.randomUUID().slice(-12)}`,
    kind: "psp",
    secretKey: SECRET_KEY,
  };

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "OPTIONS") return new Response(null, { headers: CORS });
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method === "POST" && pathname === "/act") return this.#act(request);
    const answer = await this.#panel.answer(request, this.house.fetch);
    if (pathname === "/tokens") {
      for (const [name, value] of Object.entries(CORS)) answer.headers.set(name, value);
    }
    // Told after the answer, as the house does.
    void this.#notify();
    return answer;
  };

  /** As a person types it at the counter. */
  notifyAt(url: string): void {
    this.#url = url;
  }

  async #act(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const [code, act] = [form.get("code") ?? "", form.get("act")];
    this.#url = form.get("url") ?? this.#url;
    if (act === "pay") this.house.payBoleto(code);
    if (act === "approved" || act === "not_authorized") this.house.decideCard(code, act);
    if (act === "chargeback") this.house.chargeBack(code);
    await this.#notify();
    return new Response(null, { status: 303, headers: { Location: "/" } });
  }

  async #notify(): Promise<void> {
    if (this.#url === "") return;
    const headers = { "Content-Type": "application/json" };
    for (const notice of this.house.notices.splice(0)) {
      const sent = { method: "POST", headers, body: JSON.stringify(notice) };
      for (let times = 0; times < NOTICE_TIMES; times++)
        await fetch(this.#url, sent).catch(() => undefined);
    }
  }

  #page(): string {
    const rows = this.house.book.orders.map(({ code, charges: [charge] }) => {
      const acts =
        charge.payment_method === "boleto" ? ["pay"] : ["approved", "not_authorized", "chargeback"];
      const buttons = acts.map((act) => `<button name="act" value="${act}">${act}</button>`);
      const form = `<form method="post" action="/act"><input type="hidden" name="code" value="${code}">${buttons.join(" ")}</form>`;
      return `<tr><td>${charge.id}<td>${(charge.amount / 100).toFixed(2)}<td>${charge.status}<td>${form}`;
    });
    const address = `<form method="post" action="/act"><input name="url" value="${this.#url}"><button>Notify</button></form>`;
    return `<!doctype html><title>Pagar.me</title><h1>Pagar.me</h1>${address}<table>${rows.join("")}</table>${this.#panel.html()}`;
  }
}
