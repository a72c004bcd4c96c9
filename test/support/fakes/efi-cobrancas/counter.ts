import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { CounterPanel, liesOf } from "../counter-panel.ts";
import { EFI_CLIENT, EFI_FAULTS, FakeEfi } from "./efi.ts";
import { EfiTokeniser } from "./tokeniser.ts";

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };
const ACTS = { bank: "Pay at a bank", pix: "Pay by Pix", credit: "Credit the card" } as const;

/** A boleto is also paid after it was cancelled. */
const PAYABLE = new Set(["waiting", "approved", "canceled"]);

/**
 * Efí with a counter at `/`, where a person pays its charges by hand and has it lie. Each payment is posted to the charge's
 * `notification_url`, five times, as Efí may. Browsers get tokens of cards.
 */
export class EfiCounter {
  /** What a company's account is configured with: new for each, as a service takes an account for one company only. */
  readonly settings = { ...EFI_CLIENT, clientId: newId(), payeeCode: newId() };
  readonly house = new FakeEfi(systemClock, this.settings);
  readonly tokeniser = new EfiTokeniser();
  readonly #panel = new CounterPanel(
    liesOf(EFI_FAULTS, (name, on) => this.house.faultOnce(name, on)),
  );

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === "/") return new Response(this.#page(), HTML);
    if (request.method !== "POST" || pathname !== "/pay") {
      return this.#panel.answer(
        request,
        async (each) => this.tokeniser.answer(each) ?? this.house.answer(each),
      );
    }
    const form = new URLSearchParams(await request.text());
    const by = form.get("by") === "pix" ? "pix" : "bank";
    this.house.pay(form.get("charge") ?? "", { by });
    await this.#notify();
    return new Response(null, { status: 303, headers: { Location: "/" } });
  };

  async #notify(): Promise<void> {
    for (const { url, token } of this.house.book.notices.splice(0)) {
      const body = new URLSearchParams({ notification: token });
      await fetch(url, { method: "POST", body }).catch(() => undefined);
    }
  }

  #page(): string {
    const rows = this.house.book.charges.map(({ id, total, status, custom_id, payment }) => {
      const acts =
        payment?.credit_card === undefined ? (["bank", "pix"] as const) : (["credit"] as const);
      const isOpen = PAYABLE.has(status) && payment !== null;
      const buttons = acts.map((by) => `<button name="by" value="${by}">${ACTS[by]}</button>`);
      const form = `<form method="post" action="/pay"><input type="hidden" name="charge" value="${custom_id}">${buttons.join(" ")}</form>`;
      return `<tr><td>${id}<td>${(total / 100).toFixed(2)}<td>${status}<td>${isOpen ? form : ""}`;
    });
    return `<!doctype html><title>Efí</title><h1>Efí</h1><table>${rows.join("")}</table>${this.#panel.html()}`;
  }
}

/** 32 hexadecimal digits. */
function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
