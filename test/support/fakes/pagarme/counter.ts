import { FakePagarMe, SECRET_KEY } from "./house.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };
const PUBLIC_KEY = "pk_test_0123456789abcdef";
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };

/**
 * Pagar.me with a counter at `/`, where a person pays its boletos and decides its cards by hand. Notices go to the URL
 * that is typed there, as in its dashboard, each of them twice. Browsers get tokens of cards.
 */
export class PagarMeCounter {
  readonly #house = new FakePagarMe();
  #url = "";

  /** What a company's account is configured with. */
  readonly settings = { publicKey: PUBLIC_KEY, kind: "psp", secretKey: SECRET_KEY };

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "OPTIONS") return new Response(null, { headers: CORS });
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method === "POST" && pathname === "/tokens") return this.#tokenize(request);
    if (request.method === "POST" && pathname === "/act") return this.#act(request);
    const answer = await this.#house.answer(request);
    await this.#notify();
    return answer;
  };

  /** As a person types it at the counter. */
  notifyAt(url: string): void {
    this.#url = url;
  }

  async #tokenize(request: Request): Promise<Response> {
    const { card }: any = await request.json();
    const id = this.#house.book.tokenize({
      number: card.number,
      holderName: card.holder_name,
      expirationMonth: Number(card.exp_month),
      expirationYear: Number(card.exp_year),
      cvv: card.cvv,
    });
    return Response.json({ id, type: "card" }, { headers: CORS });
  }

  async #act(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const [code, act] = [form.get("code") ?? "", form.get("act")];
    this.#url = form.get("url") ?? this.#url;
    if (act === "pay") this.#house.payBoleto(code);
    if (act === "approved" || act === "not_authorized") this.#house.decideCard(code, act);
    if (act === "chargeback") this.#house.chargeBack(code);
    await this.#notify();
    return new Response(null, { status: 303, headers: { Location: "/" } });
  }

  async #notify(): Promise<void> {
    if (this.#url === "") return;
    const headers = { "Content-Type": "application/json" };
    for (const notice of this.#house.notices.splice(0)) {
      const sent = { method: "POST", headers, body: JSON.stringify(notice) };
      for (let times = 0; times < 2; times++) await fetch(this.#url, sent).catch(() => undefined);
    }
  }

  #page(): string {
    const rows = this.#house.book.orders.map(({ code, charges: [charge] }) => {
      const acts =
        charge.payment_method === "boleto" ? ["pay"] : ["approved", "not_authorized", "chargeback"];
      const buttons = acts.map((act) => `<button name="act" value="${act}">${act}</button>`);
      const form = `<form method="post" action="/act"><input type="hidden" name="code" value="${code}">${buttons.join(" ")}</form>`;
      return `<tr><td>${charge.id}<td>${(charge.amount / 100).toFixed(2)}<td>${charge.status}<td>${form}`;
    });
    const address = `<form method="post" action="/act"><input name="url" value="${this.#url}"><button>Notify</button></form>`;
    return `<!doctype html><title>Pagar.me</title><h1>Pagar.me</h1>${address}<table>${rows.join("")}</table>`;
  }
}
