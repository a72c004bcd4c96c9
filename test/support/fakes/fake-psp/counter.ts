import { FakePsp, PSP_CLIENT } from "./psp.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };

/** A PSP with a counter at `/`, where a person pays its open charges by hand. Each payment is posted to the webhook. */
export class PspCounter {
  readonly #psp = new FakePsp();

  /** What a company's account is configured with. */
  readonly settings = PSP_CLIENT;

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method !== "POST" || pathname !== "/pay") return this.#psp.answer(request);
    const form = new URLSearchParams(await request.text());
    this.#psp.pay(form.get("txid") ?? "");
    await this.#psp.deliverCallbacks(post);
    return new Response(null, { status: 303, headers: { Location: "/" } });
  };

  #page(): string {
    const rows = [...this.#psp.book.cobs].map(([txid, { status, requestBody }]) => {
      const form = `<form method="post" action="/pay"><button name="txid" value="${txid}">Pay</button></form>`;
      const amount = String(requestBody.valor.original);
      return `<tr><td>${txid}<td>${amount}<td>${status}<td>${status === "ATIVA" ? form : ""}`;
    });
    return `<!doctype html><title>PSP</title><h1>PSP</h1><table>${rows.join("")}</table>`;
  }
}

/** A service that is away is told nothing. */
async function post(url: string, body: string): Promise<void> {
  await fetch(url, { method: "POST", body }).catch(() => undefined);
}
