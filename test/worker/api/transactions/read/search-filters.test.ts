import { beforeAll, describe, expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { setScopes } from "../../../../support/builders/companies/credentials.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const DAY_MS = 86_400_000;
const HEADER =
  "id,providerTxId,externalRef,paymentMethod,status,amount,paidAmount,underpaid,refundedAmount," +
  "createdAt,updatedAt,paidAt,endToEndId,fiscalKey,failureCode,leadName,leadDocument,leadEmail,subscriptionId";

/** An access key whose issuer's CNPJ has letters. */
const KEY_OF_2026 = "35261112ABC34501DE35550010000001231000001235";

interface Filters {
  [name: string]: string | number | string[];
}

let company: TestCompany;
/** The `data` of the transactions 1 to 4; 3 was paid before 1, 4 never. */
let data: any[];
let times: string[];

beforeAll(async () => {
  const clock = new TestClock();
  company = await givenCompany();
  const deps = { platformClock: clock };
  const requests = [
    { amount: 1_000, externalRef: "a", customer: { name: "José Antônio" } },
    {
      amount: 2_000,
      customer: { name: '=HYPERLINK("x"), "y"', document: { number: "52998224725" } },
    },
    { amount: 3_000, customer: { name: "JOSE DA SILVA" } },
    { amount: 4_000, customer: { name: "Maria" } },
  ];
  const created = [];
  for (const request of requests) created.push(await givenTransaction(company, request, { deps }));
  data = [...created];
  times = [];
  for (const index of [2, 0, 1]) {
    clock.advance(DAY_MS / 4);
    const { body } = await pay(company, created[index].id, undefined, { deps });
    data[index] = body.data;
    times.push(body.data.paidAt);
  }
});

function byQuery(filters: Filters, options = {}): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [name, String(value)]),
  );
  return call(`/api/v1/transactions?${query.toString()}`, { company, ...options });
}

const byBody = (filters: Filters, options = {}): Promise<Answer> =>
  call("/api/v1/transactions/search", { company, body: filters, ...options });

const numbersOf = ({ body }: Answer) => body.items.map(({ id }: { id: number }) => id);

describe("a search finds", () => {
  it.each<[string, () => Filters, number[]]>([
    ["by end-to-end id", () => ({ endToEndId: data[1].endToEndId }), [2]],
    ["no other company's", () => ({ endToEndId: "E00000000000000000000000000000000" }), []],
    [
      "amounts in a range, both ends included",
      () => ({ amountFrom: 2_000, amountTo: 3_000 }),
      [3, 2],
    ],
    ["names by their beginning, without case and accents", () => ({ payerName: "jose" }), [3, 1]],
    ["names with accents", () => ({ payerName: "JOSÉ AN" }), [1]],
    ["names with an amount", () => ({ payerName: "JOSÉ", amountTo: 1_000 }), [1]],
    ["the paid ones in the order of payment", () => ({ paidFrom: "2000-01-01" }), [2, 1, 3]],
    ["paid from a time on", () => ({ paidFrom: times[1]! }), [2, 1]],
    ["paid up to a time", () => ({ paidTo: times[1]! }), [1, 3]],
    ["paid, with other filters", () => ({ paidTo: times[2]!, amountFrom: 2_000 }), [2, 3]],
    ["paid, created before", () => ({ paidFrom: times[0]!, to: "2000-01-01" }), []],
    ["a reference that was paid", () => ({ externalRef: "a", paidFrom: times[0]! }), [1]],
    ["a reference that was not paid then", () => ({ externalRef: "a", paidFrom: times[2]! }), []],
    [
      "whatever day it was created on",
      () => ({ from: "0001-01-01", to: "9999-12-31" }),
      [4, 3, 2, 1],
    ],
    ["no fiscal key", () => ({ fiscalKey: KEY_OF_2026 }), []],
    [
      "an end-to-end id with a wrong amount",
      () => ({ endToEndId: data[1].endToEndId, amountTo: 5 }),
      [],
    ],
  ])("%s", async (_what, filters, numbers) => {
    const [query, body] = [await byQuery(filters()), await byBody(filters())];
    expect([query.status, numbersOf(query)]).toEqual([200, numbers]);
    expect(body.text).toBe(query.text);
  });

  it("ids in a body's list, and a document that stands in no address", async () => {
    const ids = [data[0].id, data[3].id.toUpperCase()];
    expect(numbersOf(await byBody({ ids, payerName: "maria" }))).toEqual([4]);
    expect(numbersOf(await byBody({ document: "529.982.247-25" }))).toEqual([2]);
    await expectDocumented("POST /api/v1/transactions/search", await byBody({ ids }));
  });

  it("a linked fiscal document by its key", async () => {
    const fiscalKey = "35261112345678000195550010000001231000001235";
    await env.DB.prepare("UPDATE transactions SET fiscal_key = ? WHERE company_id = ? AND seq = 4")
      .bind(fiscalKey, company.id)
      .run();
    expect(numbersOf(await byQuery({ fiscalKey }))).toEqual([4]);
    const { body } = await call(`/api/v1/transactions/${data[3].id}`, { company });
    expect(body.data.fiscalKey).toBe(fiscalKey);
  });

  it("all pages of the order of payment, each once, by an opaque cursor", async () => {
    const found: number[] = [];
    let after: string | null = null;
    do {
      const page = await byQuery({
        paidFrom: "2000-01-01",
        limit: 1,
        ...(after === null ? {} : { after }),
      });
      found.push(...numbersOf(page));
      ({ after } = page.body);
    } while (after !== null);
    expect(found).toEqual([2, 1, 3]);
  });
});

describe("VALIDATION_FAILED", () => {
  it.each<[Filters, string]>([
    [{ amountFrom: "-1" }, "amountFrom"],
    [{ amountTo: "10.5" }, "amountTo"],
    [{ payerName: "" }, "payerName"],
    [{ fiscalKey: "123" }, "fiscalKey"],
    [{ endToEndId: "a b" }, "endToEndId"],
    [{ amountFrom: 10, amountTo: 9 }, "amountTo"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "to"],
    [{ paidFrom: "2026-01-02", paidTo: "2026-01-01" }, "paidTo"],
    [{ paidFrom: "yesterday" }, "paidFrom"],
    [{ after: "1.2" }, "after"],
    [{ after: "2", paidFrom: "2026-01-01" }, "after"],
    [{ after: "1.2.3" }, "after"],
  ])("%j", async (filters, field) => {
    for (const search of [byQuery, byBody]) {
      const answer = await search(filters);
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    }
  });

  it("a misspelt filter in a body, which would find too much", async () => {
    const answer = await byBody({ amoutFrom: 1 });
    expect(answer.body.errors).toEqual({ amoutFrom: ["unknown field; did you mean amountFrom?"] });
  });
});

it("FORBIDDEN: the document in a body needs pii:read too", async () => {
  const masked = await givenCompany();
  await setScopes(masked, ["transactions:read"]);
  const answer = await byBody({ document: "52998224725" }, { company: masked });
  await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
});

const linesOf = ({ text }: Answer) => text.split("\r\n");

describe("as CSV", () => {
  const headers = { Accept: "text/csv" };
  it("in Portuguese it has Portuguese words, semicolons, reais and times of São Paulo", async () => {
    const portuguese = { ...headers, "Accept-Language": "pt-BR,en;q=0.5" };
    const answer = await byQuery({ paidFrom: "2000-01-01" }, { headers: portuguese });
    const [header, paid = ""] = linesOf(answer);
    expect(header).toMatch(/^Criada em;Hora;Pagador;CPF\/CNPJ;.*;Situação;Valor;/);
    expect(paid).toMatch(
      /^\d\d\/\d\d\/\d{4};[\d:]{8};.*;52998224725;.*;Pix;Pago;20,00;20,00;0,00;/,
    );
    expect(answer.headers.get("Vary")).toContain("Accept-Language");
  });

  it("the result has a header, one line each, and no formula", async () => {
    const answer = await byQuery({ paidFrom: "2000-01-01" }, { headers });
    expect([answer.status, answer.headers.get("Content-Disposition")]).toEqual([
      200,
      'attachment; filename="transactions.csv"',
    ]);
    const [, paid] = data;
    expect(linesOf(answer)).toEqual([
      HEADER,
      `2,${paid.id},,PIX,PAID,2000,2000,false,0,${paid.createdAt},${paid.updatedAt},${paid.paidAt},` +
        `${paid.endToEndId},,,"'=HYPERLINK(""x""), ""y""",52998224725,,`,
      expect.stringMatching(/^1,.*,José Antônio,,,$/),
      expect.stringMatching(/^3,.*,JOSE DA SILVA,,,$/),
      "",
    ]);
  });

  it("`limit` ends it, `after` begins it, and a body is answered alike", async () => {
    const all = linesOf(await byBody({}, { headers }));
    expect(all.map((line) => line.split(",")[0])).toEqual(["id", "4", "3", "2", "1", ""]);
    const some = linesOf(await byQuery({ limit: 2, after: "4" }, { headers }));
    expect(some.map((line) => line.split(",")[0])).toEqual(["id", "3", "2", ""]);
  });

  it("is masked without pii:read", async () => {
    const masked = await givenCompany();
    await givenTransaction(masked, { customer: { document: { number: "52998224725" } } });
    await setScopes(masked, ["transactions:read"]);
    const { text } = await byQuery({}, { headers, company: masked });
    expect(text).toContain("***.982.247-**");
    expect(text).not.toContain("52998224725");
  });
});
