import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { createCard } from "../../../support/builders/charges/card.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { openApi } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { BOLETO_REQUEST, FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { createTransaction, givenPaid } from "../../../support/builders/charges/transaction.ts";

const CREATE = "/api/v1/transactions/create";
const IGNORED = "Centavo-Ignored";

describe("VALIDATION_FAILED: a create with a misspelt field charges nothing", () => {
  it.each<[Record<string, unknown>, string, string]>([
    [{ amout: 100 }, "amout", "did you mean amount?"],
    [{ Installments: 3 }, "Installments", "did you mean installments?"],
    [{ payment_method: "PIX" }, "payment_method", "did you mean paymentMethod?"],
    [{ postbackURI: "x" }, "postbackURI", "did you mean postbackUrl?"],
    [{ customer: { nmae: "A" } }, "customer.nmae", "did you mean customer.name?"],
    [
      { customer: { document: { numbr: "1" } } },
      "customer.document.numbr",
      "did you mean customer.document.number?",
    ],
    [{ items: [{ unitPrce: 1 }] }, "items.0.unitPrce", "did you mean items.0.unitPrice?"],
    [{ card: { amount: 1 } }, "card.amount", "did you mean amount?"],
    [{ dueDate: "2030-01-01" }, "dueDate", "did you mean pix.dueDate or boleto.dueDate?"],
    [{ pix: { expiresInSecond: 60 } }, "pix.expiresInSecond", "did you mean pix.expiresInSeconds?"],
    [
      { pix: { additionalInfo: [{ nome: "a" }] } },
      "pix.additionalInfo.0.nome",
      "did you mean pix.additionalInfo.0.name?",
    ],
    [
      { expiresInDays: 2 },
      "expiresInDays",
      "did you mean pix.expiresInDays or boleto.expiresInDays?",
    ],
  ])("%j is misspelt", async (fields, path, question) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () => createTransaction(company, fields));
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("VALIDATION_FAILED");
    expect(answer.body.errors[path]).toEqual([`unknown field; ${question}`]);
  });

  it("capture is next to the card instead of inside it", async () => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createCard(company, {}, { capture: false }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["capture"] });
    expect(answer.body.errors.capture).toEqual(["unknown field; did you mean card.capture?"]);
  });

  it("the misspelt fields are reported together with the other invalid fields", async () => {
    const company = await sharedCompany();
    const body = {
      amout: 100,
      paymentMethod: "PIX",
      boleto: { discunt: 1, dueDate: "2020-01-01" },
      postbackUrl: "ftp://loja.example.com",
      currency: "USD",
    };
    const answer = await expectNoSideEffects(company, () => call(CREATE, { company, body }));
    await expectProblem(answer, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount", "amout", "boleto.discunt", "boleto.dueDate", "currency", "postbackUrl"],
    });
  });
});

describe("a create with unknown fields lists them in the Centavo-Ignored header", () => {
  it("at any depth", async () => {
    const company = await givenCompany();
    const answer = await createTransaction(company, {
      id: 7,
      status: "PAID",
      companyId: 99,
      paidAt: "2020-01-01T00:00:00.000Z",
      customer: { name: "A", birthday: "1990-01-01" },
      items: [{ title: "Caneca" }, { title: "Copo", sku: "c-1" }],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data.status).toBe("WAITING_PAYMENT");
    expect(answer.headers.get(IGNORED)).toBe(
      "id, status, companyId, paidAt, customer.birthday, items.1.sku",
    );
  });

  it("also when the response is a problem or a replay", async () => {
    const company = await givenCompany();
    const refused = await createTransaction(company, { status: "PAID", installments: 2 });
    expect([refused.status, refused.headers.get(IGNORED)]).toEqual([422, "status"]);
    await createTransaction(company, {}, { key: "tx_1" });
    const replay = await createTransaction(company, { sentAt: 1 }, { key: "tx_1" });
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.headers.get(IGNORED)).toBe("sentAt");
  });

  it("without names that a header cannot hold, and at most 20 of them", async () => {
    const company = await givenCompany();
    const unfit = { "a,b": 1, "a\r\nX-Evil: 1": 1, é: 1, ["x".repeat(65)]: 1, __proto__: null };
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`zz${index}`, 1]));
    const answer = await createTransaction(company, { ...unfit, ...many });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(IGNORED)?.split(", ")).toEqual(Object.keys(many).slice(0, 20));
    expect(answer.headers.has("X-Evil")).toBe(false);
  });

  it("also when each of 100 items has twelve of them", async () => {
    const company = await givenCompany();
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`erp${index}`, 1]));
    const items = Array.from({ length: 100 }, () => ({ title: "Caneca", ...fields }));
    const answer = await createTransaction(company, { items });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(IGNORED)).toContain("items.1.erp0");
  });

  it("and has no such header when all fields are known", async () => {
    const company = await givenCompany();
    for (const body of [FULL_REQUEST, BOLETO_REQUEST]) {
      const answer = await call(CREATE, { company, body });
      expect([answer.status, answer.headers.has(IGNORED)]).toEqual([200, false]);
    }
    const metadata = { amout: 1, capture: false };
    const answer = await createTransaction(company, { metadata });
    expect([answer.status, answer.headers.has(IGNORED)]).toEqual([200, false]);
    expect(answer.body.data.metadata).toBe(JSON.stringify(metadata));
  });
});

describe("null for an optional field means that the field is absent", () => {
  const NULLS = {
    currency: null,
    installments: null,
    externalRef: null,
    customer: null,
    shipping: null,
    items: null,
    pix: null,
    boleto: null,
    card: null,
    postbackUrl: null,
    metadata: null,
    traceable: null,
    ip: null,
  };

  it("in a create, which the same request without these fields replays", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, NULLS, { key: "tx_1" });
    expect(first.status).toBe(200);
    expect(first.headers.has(IGNORED)).toBe(false);
    const again = await createTransaction(company, {}, { key: "tx_1" });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it("at any depth", async () => {
    const company = await givenCompany();
    const customer = { name: "A", email: null, document: { number: "52998224725", type: null } };
    const answer = await createTransaction(company, {
      customer,
      shipping: { fee: null, address: { city: null } },
      items: [{ title: "Caneca", quantity: null }],
      pix: { expiresInDays: null },
    });
    expect(answer.status).toBe(200);
  });

  it("in a card's capture, which is then true", async () => {
    const company = await givenCompany();
    const answer = await createCard(company, { capture: null, token: null });
    expect(answer.body.data.status).toBe("PAID");
  });

  it("but not for a required field or an item", async () => {
    const company = await sharedCompany();
    const body = { amount: null, paymentMethod: null, items: [null] };
    await expectProblem(await call(CREATE, { company, body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount", "paymentMethod", "items.0"],
    });
  });
});

/** Unknown members. */
const many = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, index) => [`am${index}nt`, 1]));

describe("VALIDATION_FAILED: a refund with an unknown field refunds nothing", () => {
  const headers = { "Idempotency-Key": "refund_1" };

  it.each<[object, string, string]>([
    [{ amout: 100 }, "amout", "unknown field; did you mean amount?"],
    [{ amount: 100, reason: "x" }, "reason", "unknown field; known here: amount, insteadOf"],
    [{ status: null }, "status", "unknown field; known here: amount, insteadOf"],
  ])("%j is misspelt", async (body, path, message) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const answer = await expectNoSideEffects(company, () =>
      call(`/api/v1/transactions/${id}/refund`, { company, body, headers }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [path] });
    expect(answer.body.errors[path]).toEqual([message]);
  });

  it("the names of JavaScript's object properties are unknown fields too", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const names = ["__proto__", "constructor", "toString"];
    const rawBody = `{ ${names.map((name) => `"${name}": 1`).join(", ")} }`;
    const path = `/api/v1/transactions/${id}/refund`;
    const answer = await call(path, { company, rawBody, headers });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors).toSorted()).toEqual(names.toSorted());
  });

  it("at most 20 of many unknown fields are reported", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const path = `/api/v1/transactions/${id}/refund`;
    const body = { ["x".repeat(1_000)]: 1, ...many(700) };
    const answer = await call(path, { company, body, headers });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toHaveLength(20);
    expect(answer.text.length).toBeLessThan(4_096);
    const flood = await call(path, { company, body: many(1_100), headers });
    await expectProblem(flood, { status: 400, code: "VALIDATION_FAILED", fields: ["body"] });
  });
});

const credentialsFor = (company: TestCompany, path: string) =>
  path.includes("/operator/") ? { credentials: OPERATOR_CREDENTIALS } : company;

describe("every other route that can have a body", () => {
  /** A callback and a receipt to verify may have any field, a file has none; resending webhooks moves no money. */
  const EXEMPT = [
    CREATE,
    "/callbacks/",
    "/resend",
    "/receipts/verify",
    "/statement/verify",
    "/evidence/files",
  ];

  async function routesWithBody(): Promise<[method: string, path: string][]> {
    const { paths } = await openApi();
    return Object.entries<any>(paths)
      .flatMap(([path, item]) =>
        Object.keys(item).map((method): [string, string] => [method, path]),
      )
      .filter(([method, path]) => {
        const isRead = method === "get" || method === "delete";
        return !isRead && !EXEMPT.some((part) => path.includes(part));
      });
  }

  it("rejects an unknown field without any effect", async () => {
    const company = await sharedCompany();
    const routes = await routesWithBody();
    expect(routes.length).toBeGreaterThanOrEqual(25);
    for (const [method, template] of routes) {
      const path = template.replaceAll(/\{\w+\}/g, "1");
      const answer = await expectNoSideEffects(company, () =>
        call(path, {
          method: method.toUpperCase(),
          company: credentialsFor(company, path),
          headers: { "Idempotency-Key": "k_1" },
          body: { zzUnknown: 1 },
        }),
      );
      expect([answer.status, answer.body.errors?.zzUnknown], `${method} ${path}`).toEqual([
        400,
        [expect.stringMatching(/^unknown field; (?:known here: \w|none is known here$)/)],
      ]);
    }
  });
});
