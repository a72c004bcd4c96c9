import { beforeAll, describe, expect, it } from "vitest";
import { givenAuthorized, givenCard, NUMBERS } from "../../../support/builders/charges/card.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { expectClean } from "../../../support/builders/console/page-checks.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { BOLETO_REQUEST, FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany({ balance: 50_000 });
});

const open = (secureId: string, headers: Record<string, string> = {}) =>
  call(`/checkout/${secureId}`, { headers });

const act = (id: string, action: string, body?: object) =>
  call(`/api/v1/sandbox/transactions/${id}/${action}`, { method: "POST", company, body });

const refund = (id: string, amount: number) =>
  call(`/api/v1/transactions/${id}/refund`, {
    method: "POST",
    company,
    body: { amount },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });

const item = (title: string, quantity = 1) => ({ title, quantity, unitPrice: 100 });

describe("an open PIX", () => {
  it("shows amount, payee, QR code, code and deadline in the browser's language", async () => {
    const { secureId, pix } = await givenTransaction(company, { amount: 12_345 });
    const { status, text } = await open(secureId);
    expect(status).toBe(200);
    expect(text).toMatch(/R\$\s123,45/);
    for (const shown of [company.name, pix.qrcode, "<svg", "Pague com Pix", 'lang="pt-BR"']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain(`data-until="${Date.parse(pix.expirationDate)}"`);
    expectClean(text);
    const english = await open(secureId, { "Accept-Language": "en-US,pt;q=0.5" });
    expect(english.headers.get("Content-Language")).toBe("en");
    expect(english.headers.get("Vary")).toContain("Accept-Language");
    expect(english.text).toMatch(/R\$123\.45/);
    expect(english.text).toContain("Pay with Pix");
    expectClean(english.text);
  });

  it("costs one storage trip, and the status, receipt and way back as well", async () => {
    const { id, secureId } = await givenTransaction(company, {
      returnUrl: "https://loja.example.com/fim",
    });
    await pay(company, id);
    const trips = countRoundTrips();
    for (const path of ["", "/return"]) {
      expect((await call(`/checkout/${secureId}${path}`, { env: trips.env })).status).toBeLessThan(
        400,
      );
      expect(trips.lap().trips).toHaveLength(1);
    }
    const files = (await open(secureId)).text.match(/\/checkout\/assets\/[\w.-]+/g) ?? [];
    for (const file of files) expect((await call(file, { env: trips.env })).status).toBe(200);
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(trips.lap().trips).toEqual([]);
  });

  it("shows nothing of the payer, and no search engine, frame, referrer or cache keeps it", async () => {
    const { secureId } = await givenTransaction(company, FULL_REQUEST);
    const { text, headers } = await open(secureId);
    for (const secret of ["Concei", "maria@", "52998224725", "529.982", "11987654321", "Flores"]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('name="robots" content="noindex"');
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Set-Cookie")).toBeNull();
    const policy = headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it("says what is bought, and how much of it, three things at most", async () => {
    const { secureId } = await givenTransaction(company, {
      items: [item("<b>Pão</b>", 2), item("Bolo"), item("Café"), item("Suco"), item("Chá")],
    });
    const { text } = await open(secureId);
    expect(text).toContain('class="bought">2 × &lt;b&gt;Pão&lt;/b&gt;, Bolo, Café, e mais 2</p>');
    expectClean(text);
  });

  it("names the payee once, and the name that the payer's bank shows where it is another", async () => {
    const other = await givenCompany();
    const { secureId } = await givenTransaction(other);
    expect((await open(secureId)).text).not.toContain("No app do banco");
    const brand = { name: "Padaria" };
    await call("/api/v1/company/settings", { method: "PUT", company: other, body: { brand } });
    const { text } = await open(secureId);
    expect(text).toMatch(/class="payee">\s*Padaria/);
    expect(text).toContain(`<dt>No app do banco</dt><dd>${other.name}</dd>`);
  });

  it("escapes the company's name", async () => {
    const other = await givenCompany();
    await env.DB.prepare("UPDATE companies SET name = ? WHERE id = ?")
      .bind(`<img src=x onerror="alert(1)">`, other.id)
      .run();
    const { secureId } = await givenTransaction(other);
    const { text } = await open(secureId);
    expect(text).not.toContain("<img src=x");
    expect(text).toContain("&lt;img src=x");
  });

  it("with a due date shows what a payment today costs", async () => {
    const dueDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const { secureId } = await givenTransaction(company, {
      amount: 10_000,
      customer: BOLETO_REQUEST.customer,
      pix: { dueDate, discount: { type: "FIXED", value: 1_000 } },
    });
    const { text } = await open(secureId);
    expect(text).toMatch(/class="amount">R\$\s90,00/);
    expect(text).toContain("Valor original");
    expectClean(text);
  });
});

const STATES: Record<string, { given: () => Promise<any>; words: string; english: string }> = {
  paid: {
    given: () => givenOpenThen(({ id }) => pay(company, id)),
    words: "Pagamento recebido",
    english: "Payment received",
  },
  underpaid: {
    given: () => givenOpenThen(({ id }) => pay(company, id, 2_000)),
    words: "a menor",
    english: "Less was received",
  },
  expired: {
    given: () => givenOpenThen(({ id }) => act(id, "expire")),
    words: "O prazo terminou",
    english: "The deadline has passed",
  },
  "paid late": {
    given: () =>
      givenOpenThen(async ({ id }) => {
        await act(id, "expire");
        // No test waits for a deadline, so it moves back.
        await env.DB.prepare("UPDATE transactions SET expires_at = ? WHERE id = ?")
          .bind(Date.now() - 60_000, id)
          .run();
        return pay(company, id);
      }),
    words: "depois do prazo",
    english: "after the deadline",
  },
  cancelled: {
    given: () =>
      givenOpenThen(({ id }) =>
        call(`/api/v1/transactions/${id}/cancel`, { method: "POST", company }),
      ),
    words: "Cobrança cancelada",
    english: "Charge cancelled",
  },
  "refunded in part": {
    given: () =>
      givenOpenThen(async ({ id }) => {
        await pay(company, id);
        return refund(id, 500);
      }),
    words: "devolvido em parte",
    english: "refunded in part",
  },
  refunded: {
    given: () =>
      givenOpenThen(async ({ id }) => {
        await pay(company, id);
        return refund(id, 2_500);
      }),
    words: "Pagamento devolvido",
    english: "Payment refunded",
  },
  disputed: {
    given: () =>
      givenOpenThen(async ({ id }) => {
        await pay(company, id);
        return act(id, "dispute");
      }),
    words: "em análise",
    english: "under analysis",
  },
  failed: {
    given: () => givenOpenThen(({ id }) => act(id, "fail")),
    words: "Não foi possível",
    english: "could not be made ready",
  },
  "an authorized card": {
    given: () => givenAuthorized(company),
    words: "Cartão aprovado",
    english: "Card approved",
  },
  "a card without an answer": {
    given: () => givenCard(company, { number: NUMBERS.unanswered }),
    words: "Cartão em processamento",
    english: "Card being processed",
  },
  "a refused card": {
    given: () => givenCard(company, { number: NUMBERS.declined }),
    words: "Cartão recusado",
    english: "Card declined",
  },
};

async function givenOpenThen(change: (charge: any) => Promise<{ status: number; text: string }>) {
  const charge = await givenTransaction(company);
  const answer = await change(charge);
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return charge;
}

describe("each state has its own words, and no code to pay", () => {
  it.each(Object.entries(STATES))("%s", async (_, { given, words, english }) => {
    const { secureId } = await given();
    const portuguese = (await open(secureId)).text;
    expect(portuguese).toContain(words);
    expect(portuguese).not.toContain('class="qr"');
    expectClean(portuguese);
    const inEnglish = (await open(secureId, { "Accept-Language": "en" })).text;
    expect(inEnglish).toContain(english);
    expectClean(inEnglish);
  });
});

it("a boleto shows its line, the slip and, first, the PIX of the same debt", async () => {
  const { secureId, boleto } = await givenTransaction(company, BOLETO_REQUEST);
  const { text } = await open(secureId);
  expect(boleto.qrcode).not.toBeNull();
  const order = [boleto.qrcode, boleto.formattedLine, `/boletos/${secureId}"`].map((part) =>
    text.indexOf(part),
  );
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((left, right) => left - right));
  expect(text).toContain(boleto.digitableLine);
  expectClean(text);
});

describe("an address of no charge", () => {
  it.each(["nothing", "a".repeat(43), "019aa6c0-5e00-8d2c-9f31-6b1f0c000001", "x/y"])(
    "is a 404 page: %s",
    async (secureId) => {
      const { status, text, headers } = await open(secureId);
      expect(status).toBe(404);
      expect(text).toContain("Cobrança não encontrada");
      expect(headers.get("X-Robots-Tag")).toBe("noindex");
      expectClean(text);
    },
  );

  it("is also the transaction's UUID, and a secureId with a guessed half", async () => {
    const { id, secureId } = await givenTransaction(company);
    expect((await open(id)).status).toBe(404);
    const last = secureId.at(-2) === "A" ? "B" : "A";
    expect((await open(secureId.slice(0, -2) + last + secureId.slice(-1))).status).toBe(404);
  });
});

it("secureUrl is the page's address where the public address is known, also in a replay", async () => {
  const known = { ...env, PUBLIC_URL: "https://pay.loja.example" };
  const headers = { "Idempotency-Key": "secure-url" };
  const created = await givenTransaction(company, {}, { env: known, headers });
  expect(created.secureUrl).toBe(`https://pay.loja.example/checkout/${created.secureId}`);
  const replayed = await givenTransaction(company, {}, { env: known, headers });
  expect(replayed).toEqual(created);
  const current = await call(`/api/v1/transactions/${created.id}`, { company, env: known });
  expect(current.body.data.secureUrl).toBe(created.secureUrl);
  expect((await givenTransaction(company)).secureUrl).toBeNull();
});
