import { servePsp, type Served } from "../../e2e/pix-api/server.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { centsOf } from "../../kill/psp/live-bank.ts";

/** A company's PSP over HTTP, which can fall silent. */
export class Bank {
  readonly psp: FakePsp;
  readonly pixKey: string;
  #isSilent = false;
  #served: Served | null = null;

  constructor(pixKey: string) {
    this.pixKey = pixKey;
    this.psp = new FakePsp(undefined, pixKey);
  }

  get url(): string {
    if (this.#served === null) throw new Error("the bank is not open");
    return this.#served.url;
  }

  async open(): Promise<void> {
    this.#served = await servePsp({ answer: (request) => this.#answer(request) });
  }

  async close(): Promise<void> {
    await this.#served?.close();
  }

  /** Takes every request and answers none. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  speak(): void {
    this.#isSilent = false;
  }

  /** Posts the callbacks that wait to the service's address; those that nobody takes are lost. */
  async callBack(service: string): Promise<void> {
    await this.psp.deliverCallbacks((url, body) =>
      fetch(`${service}${new URL(url).pathname}`, { method: "POST", body }).catch(() => null),
    );
  }

  /** What payers have paid and did not get back, in centavos. */
  net(): number {
    return this.psp.book.received.reduce(
      (sum, pix) => sum + centsOf(pix.valor) - returned(pix.devolucoes),
      0,
    );
  }

  #answer(request: Request): Promise<Response> {
    return this.#isSilent ? new Promise(() => undefined) : this.psp.answer(request);
  }
}

function returned(devolucoes: readonly { status: string; valor: unknown }[]): number {
  return devolucoes
    .filter(({ status }) => status === "DEVOLVIDO")
    .reduce((sum, { valor }) => sum + centsOf(String(valor)), 0);
}
