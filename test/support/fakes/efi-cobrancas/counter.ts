import { EFI_CLIENT, FakeEfi } from "./efi.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };
const ACTS = { bank: "Pay at a bank", pix: "Pay by Pix", credit: "Credit the card" } as const;

/**
 * Efí with a counter at `/`, where a person pays its charges by hand. Each payment is posted to the charge's
 * `notification_url`, five times, as Efí may.
 */
export class EfiCounter {
  readonly #efi = new FakeEfi();

  /** What a company's account is configured with. */
  readonly settings = { clientId: EFI_CLIENT.clientId, clientSecret: EFI_CLIENT.clientSecret };

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method !== "POST" || pathname !== "/pay") return this.#efi.answer(request);
    const form = new URLSearchParams(await request.text());
    const by = form.get("by") === "pix" ? "pix" : "bank";
    this.#efi.pay(form.get("charge") ?? "", { by });
    await this.#notify();
    return new Response(null, { status: 303, headers: { Location: "/" } });
  };

  async #notify(): Promise<void> {
    for (const { url, token } of this.#efi.book.notices.splice(0)) {
      const body = new URLSearchParams({ notification: token });
      await fetch(url, { method: "POST", body }).catch(() => undefined);
    }
  }

  #page(): string {
    const rows = this.#efi.book.charges.map(({ id, total, status, custom_id, payment }) => {
      const acts =
        payment?.credit_card === undefined ? (["bank", "pix"] as const) : (["credit"] as const);
      const isOpen = status === "waiting" || status === "approved";
      const buttons = acts.map((by) => `<button name="by" value="${by}">${ACTS[by]}</button>`);
      const form = `<form method="post" action="/pay"><input type="hidden" name="charge" value="${custom_id}">${buttons.join(" ")}</form>`;
      return `<tr><td>${id}<td>${(total / 100).toFixed(2)}<td>${status}<td>${isOpen ? form : ""}`;
    });
    return `<!doctype html><title>Efí</title><h1>Efí</h1><table>${rows.join("")}</table>`;
  }
}
