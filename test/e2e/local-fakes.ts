import { spawn, type ChildProcess } from "node:child_process";
import { expect, vi } from "vitest";
import { providerChargeId } from "../../src/domain/charges/transaction.ts";
import { ApiClient } from "../../tools/lib/merchant.ts";
import { freePort } from "../../tools/lib/service.ts";
import { ROOT } from "../../tools/lib/wrangler.ts";

/** The last that it prints. */
const READY = "answers that lie:";
const PAYER = {
  customer: {
    name: "Maria da Silva",
    email: "maria@example.com",
    phone: "+55 11 98765-4321",
    document: { type: "CPF", number: "52998224725" },
  },
};
const CARD = {
  number: "5555555555554444",
  holder_name: "MARIA DA SILVA",
  exp_month: 12,
  exp_year: 2035,
  cvv: "123",
};
const POLL = { timeout: 120_000, interval: 100 };
const UNANSWERED = 503;
const TRIES_MAX = 5;

type House = "psp" | "efi" | "pagarme";

/** `npm run fakes` in a process of its own, used as a person uses it: by what it prints, its counters and the live company's API. */
export class LocalFakes {
  readonly merchant: ApiClient;
  readonly #service: string;
  readonly #npm: ChildProcess;
  readonly #urls: Record<House, string>;
  #keys = 0;

  private constructor(service: string, npm: ChildProcess, printed: string) {
    this.#service = service;
    this.#npm = npm;
    const [psp, efi, pagarme] = printed.match(/http:\/\/127\.0\.0\.1:\d+(?=\/)/g) as string[];
    this.#urls = { psp: psp ?? "", efi: efi ?? "", pagarme: pagarme ?? "" };
    const [, clientId = "", apiKey = ""] =
      /X-Client-Id: (\S+)".*X-API-Key: (\S+)"/.exec(printed) ?? [];
    this.merchant = new ApiClient(service, { clientId, apiKey });
  }

  static async start(service: string): Promise<LocalFakes> {
    const port = await freePort();
    const npm = spawn("npm", ["run", "fakes"], {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, SERVICE: service, FAKES_PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    for await (const chunk of npm.stdout) {
      printed += String(chunk);
      if (printed.includes(READY)) return new LocalFakes(service, npm, printed);
    }
    throw new Error(`npm run fakes ended:\n${printed}`);
  }

  stop(): void {
    process.kill(-(this.#npm.pid ?? 0), "SIGTERM");
  }

  /** Sells; repeats what was not answered, with the same key. */
  async sell(order: object): Promise<any> {
    const headers = { "Idempotency-Key": `order_${++this.#keys}` };
    const body = { ...PAYER, ...order };
    for (let tries = 0; ; tries++) {
      const sold = await this.merchant.call("POST", "/api/v1/transactions/create", body, headers);
      if (sold.status === UNANSWERED && tries < TRIES_MAX) continue;
      expect(sold.status, JSON.stringify(sold.body)).toBe(200);
      return sold.body.data;
    }
  }

  /** A card that its payer types, charged at Pagar.me. */
  async sellByCard(amount: number): Promise<any> {
    const body = JSON.stringify({ type: "card", card: CARD });
    const answer = await fetch(`${this.#urls.pagarme}/tokens`, { method: "POST", body });
    const { id: token } = (await answer.json()) as { id: string };
    return this.sell({ amount, paymentMethod: "CREDIT_CARD", card: { token, account: "pagarme" } });
  }

  async charge(id: string): Promise<any> {
    return (await this.merchant.call("GET", `/api/v1/transactions/${id}`)).body.data;
  }

  /** Waits until a charge is paid; the minute's work is done meanwhile. */
  async untilPaid({ id }: { id: string }): Promise<void> {
    await vi.waitFor(async () => {
      await fetch(`${this.#service}/cdn-cgi/local/scheduled`);
      expect((await this.charge(id)).status).toBe("PAID");
    }, POLL);
  }

  /** A payer pays a charge at a counter. */
  async pay({ id, paymentMethod }: { id: string; paymentMethod: string }): Promise<void> {
    const charge = providerChargeId(id);
    if (paymentMethod === "PIX") await this.post("psp", "/act", { act: "pay", of: charge });
    else await this.post("efi", "/pay", { charge, by: "bank" });
  }

  /** The next answer of a house to a call that begins so is a lie. */
  async lie(house: House, kind: string, on: string): Promise<void> {
    expect(await this.post(house, "/lies", { kind, on })).toBe(303);
  }

  /** Posts a counter's form; answers the status. */
  async post(house: House, path: string, form: Record<string, string>): Promise<number> {
    const sent = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
    return (await fetch(`${this.#urls[house]}${path}`, sent)).status;
  }

  /** The calls of a house that its counter shows, oldest first, without their time and with ids of charges left out. */
  async calls(house: House): Promise<string[]> {
    const page = await (await fetch(`${this.#urls[house]}/`)).text();
    const [, calls = ""] = /<pre>(.*)<\/pre>/s.exec(page) ?? [];
    const names = calls.split("\n").map((line) => line.slice("00:00:00 ".length));
    return names.map((name) => name.replace(/\/(?=\w*\d)[\w-]{8,}/g, "/:id")).toReversed();
  }
}
