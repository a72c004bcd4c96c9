import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll } from "vitest";
import { cors } from "hono/cors";
import { ROOT } from "../../../tools/lib/wrangler.ts";

/** Imported by their paths, because their types need the Workers platform, which these tests lack. */
const PAGES = join(ROOT, "src/pages");
const { cardPage } = (await import(join(PAGES, "payment-link/card-page.tsx"))) as {
  cardPage: (c: unknown, shown: object) => Response;
};
const { assetRoutes } = (await import(join(PAGES, "checkout/ui/assets.ts"))) as {
  assetRoutes: (app: Hono) => void;
};

export const ACCOUNT = "house";
const TYPED = {
  key: "k".repeat(22),
  checkout: "c".repeat(22),
  amount: "",
  quantity: "1",
  method: "CREDIT_CARD",
  installments: "",
  name: "Maria da Silva",
  document: "52998224725",
  email: "maria@example.com",
};
const LINK = {
  slug: "curso",
  name: "Curso de fotografia",
  terms: {
    amount: 30_000,
    maxQuantity: 1,
    maxInstallments: 3,
    paymentMethods: ["PIX", "CREDIT_CARD"],
    returnUrl: null,
  },
};
const PAYEE = { id: 1, name: "Loja Exemplo", mode: "live", brand: null, embedOrigins: [] };

const servers: ServerType[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** What a house answers to the next card. */
type HouseAnswer = "token" | "down" | "refused";

/** A house of cards on loopback: its two protocols for browsers, and the cards that reached it. */
export class FakeHouse {
  answer: HouseAnswer = "token";
  readonly cards: string[] = [];
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly app = new Hono();
  base = "";

  constructor() {
    const { app } = this;
    app.use(cors());
    app.post("/tokens", async (c) => this.#take(c, JSON.stringify((await c.req.json()).card)));
    app.get("/v1/pubkey", (c) =>
      c.json({ code: 200, data: this.#keys.publicKey.export({ type: "spki", format: "pem" }) }),
    );
    app.get("/v1/card/:payee/jsonp", (c) => this.#take(c, this.#open(c.req.query("data") ?? "")));
  }

  /** What a page needs of an account at it, by the kind of house. */
  tokenisation(kind: "pagarme" | "efi-cobrancas"): object {
    return kind === "pagarme"
      ? { kind, publicKey: "pk_1", tokensUrl: `${this.base}/tokens` }
      : { kind, payeeCode: "0".repeat(32), apiUrl: this.base, tokenizerUrl: null };
  }

  #open(data: string): string {
    const key = { key: this.#keys.privateKey, padding: constants.RSA_PKCS1_PADDING };
    return privateDecrypt(key, Buffer.from(data, "base64")).toString();
  }

  #take(c: { json: (body: object, status: 200 | 422 | 503) => Response }, card: string): Response {
    if (this.answer === "down") return c.json({}, 503);
    if (this.answer === "refused") return c.json({ errors: { "card.number": ["invalid"] } }, 422);
    this.cards.push(card);
    const token = `token_${this.cards.length}`;
    return c.json({ id: token, code: 200, data: { payment_token: token } }, 200);
  }
}

/** This service as a card's page knows it, with all that is ever asked of it. */
export class RecordedOrigin {
  readonly requests: string[] = [];
  readonly forms: Record<string, unknown>[] = [];
  /** The notice of its next answers to a card; null once it is paid. */
  notice: "cardEnded" | null = null;
  readonly app = new Hono();
  base = "";

  constructor(tokenisation: object) {
    const shown = {
      link: LINK,
      payee: PAYEE,
      typed: TYPED,
      house: { account: ACCOUNT, tokenisation },
    };
    const { app } = this;
    app.use(async (c, next) => {
      const { method, url, headers } = c.req.raw;
      const body = await c.req.raw.clone().text();
      this.requests.push(JSON.stringify([method, url, Object.fromEntries(headers), body]));
      await next();
    });
    const files = new Hono();
    assetRoutes(files);
    app.route("/checkout", files);
    app.get("/l/curso", (c) => cardPage(c, shown));
    app.post("/l/curso", async (c) => {
      this.forms.push(await c.req.parseBody());
      const { notice } = this;
      return notice === null ? c.html("<h1>Pago</h1>") : cardPage(c, { ...shown, notice });
    });
  }
}

/** Serves an app on loopback until the file's tests are over, and tells it where it is. */
export async function started<App extends { app: Hono; base: string }>(served: App): Promise<App> {
  const server = await new Promise<ServerType>((resolve) => {
    const listening = serve({ fetch: served.app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
      resolve(listening),
    );
  });
  servers.push(server);
  served.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return served;
}
