import { beforeAll, describe, expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const REFUSED_AMOUNT = 1_099;
const KEY = "52998224725";
const OTHER_KEY = "maria@example.com";

let company: TestCompany;

/** 1 was paid to a CPF, 2 was refused, 3 waits; both of them to an e-mail. */
beforeAll(async () => {
  company = await givenCompany({ balance: 20_000 });
  const requests = [
    { amount: 1_000, pixKey: KEY, pixKeyType: "CPF", description: "=1+1" },
    { amount: REFUSED_AMOUNT, pixKey: OTHER_KEY },
    { amount: 3_000, pixKey: OTHER_KEY },
  ];
  for (const [index, request] of requests.entries()) {
    const { body } = await requestWithdraw(company, request, { key: `wd_${index + 1}` });
    if (index < 2) await runPayout(company, body.id);
  }
});

type Filters = Record<string, string | number>;

function byQuery(filters: Filters, options = {}): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [name, String(value)]),
  );
  return call(`/api/v1/withdraws?${query.toString()}`, { company, ...options });
}

const byBody = (filters: Filters, options = {}): Promise<Answer> =>
  call("/api/v1/withdraws/search", { company, body: filters, ...options });

const idsOf = ({ body }: Answer) => body.items.map(({ id }: { id: number }) => id);

it("an item is the withdraw's record, and a failed one says why", async () => {
  const answer = await byQuery({ status: "Failed" });
  const found = await call("/api/Withdraw/2", { company });
  expect(answer.body).toStrictEqual({ items: [found.body], after: null, hasMore: false });
  expect(found.body.failureReason).toEqual({
    code: "REFUSED_BY_BANK",
    message: "The receiver's bank refused the payment.",
    retryable: false,
  });
  await expectDocumented("GET /api/v1/withdraws", answer);
  const events = await call("/api/v1/events", { company });
  const failed = events.body.items.find(({ type }: { type: string }) => type === "withdraw.failed");
  expect(failed.data.failureReason).toEqual(found.body.failureReason);
});

describe("a search finds", () => {
  it.each<[string, Filters, number[]]>([
    ["all, newest first", {}, [3, 2, 1]],
    ["by status", { status: "Paid" }, [1]],
    ["by key, however it is written", { pixKey: "529.982.247-25" }, [1]],
    ["by key and status", { pixKey: OTHER_KEY, status: "Awaiting" }, [3]],
    ["by amount, both ends included", { amountFrom: 1_000, amountTo: REFUSED_AMOUNT }, [2, 1]],
    ["until a time", { to: "2000-01-01" }, []],
    ["from a time on", { from: "2000-01-01", to: "2999-01-01" }, [3, 2, 1]],
    ["from a time to come", { from: "2999-01-01" }, []],
  ])("%s", async (_what, filters, ids) => {
    const [query, body] = [await byQuery(filters), await byBody(filters)];
    expect([query.status, idsOf(query)]).toEqual([200, ids]);
    expect(body.text).toBe(query.text);
  });

  it.each<[string, Filters]>([
    ["without filters", {}],
    ["with a filter", { amountFrom: 1 }],
  ])("each once over pages %s", async (_what, filters) => {
    const found: number[] = [];
    let after: string | null = null;
    do {
      const page = await byQuery({ ...filters, limit: 2, ...(after === null ? {} : { after }) });
      found.push(...idsOf(page));
      ({ after } = page.body);
    } while (after !== null);
    expect(found).toEqual([3, 2, 1]);
  });
});

it("VALIDATION_FAILED: all wrong filters are told at once", async () => {
  const wrong = {
    status: "paid",
    approval: "open",
    amountFrom: "x",
    from: "x",
    pixKey: "",
    after: "x",
  };
  for (const search of [byQuery, byBody]) {
    await expectProblem(await search(wrong), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: Object.keys(wrong),
    });
    const backwards = await search({ amountFrom: 2, amountTo: 1 });
    expect(backwards.body.errors).toEqual({ amountTo: ["must not be before amountFrom"] });
  }
});

it("as CSV the result has a header, centavos and no formula", async () => {
  const headers = { Accept: "text/csv" };
  const [header, third, second, first, end] = (await byQuery({}, { headers })).text.split("\r\n");
  expect(header).toBe(
    "id,status,amountCents,feeCents,returnedCents,pixKey,pixKeyType,creditorDocument,description," +
      "endToEndId,failureCode,idempotencyKey,requestedBy,createdAt,updatedAt",
  );
  expect(third).toMatch(/^3,Awaiting,3000,0,0,maria@example\.com,EMAIL,/);
  expect(second).toMatch(/^2,Failed,1099,.*,REFUSED_BY_BANK,wd_2,/);
  expect(first).toMatch(/^1,Paid,1000,0,0,52998224725,CPF,52998224725,'=1\+1,E\w+,,wd_1,/);
  expect(end).toBe("");
  const page = await byBody({ limit: 1, status: "Failed" }, { headers });
  expect(page.text.split("\r\n")).toHaveLength(3);
});

it("in Portuguese the CSV has Portuguese words, semicolons and reais", async () => {
  const headers = { Accept: "text/csv", "Accept-Language": "pt-BR" };
  const { text } = await byQuery({}, { headers });
  const [header, third, second, first] = text.split("\r\n");
  expect(header).toMatch(/^Pedido em;Hora;Situação;Valor;Taxa;Devolvido;Chave Pix;/);
  expect(third).toMatch(/^\d\d\/\d\d\/\d{4};[\d:]{8};Aguardando;30,00;0,00;0,00;maria@/);
  expect(second).toContain(";Falhou;10,99;");
  expect(first).toContain(";'=1+1;");
});

describe("without pii:read", () => {
  it("keys are masked, and the filter pixKey is a 403", async () => {
    const masked = await givenCompany({ balance: 5_000 });
    await requestWithdraw(masked, { pixKey: KEY, pixKeyType: "CPF" });
    await setScopes(masked, ["withdraws:read"]);
    const { body } = await byQuery({}, { company: masked });
    expect(body.items[0].pixKey).toBe("***.982.247-**");
    const csv = await byQuery({}, { company: masked, headers: { Accept: "text/csv" } });
    expect(csv.text).not.toContain(KEY);
    const asked = await byBody({ pixKey: KEY }, { company: masked });
    await expectProblem(asked, { status: 403, code: "FORBIDDEN" });
  });
});
