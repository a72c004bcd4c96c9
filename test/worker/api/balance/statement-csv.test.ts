import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { endToEndId, settleCommand } from "../../../support/builders/charges/charge-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { expectDocumented, openApi } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { updateSettings, refund } from "../../../support/builders/operations/refund.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const HEADER =
  "sequence,createdAt,type,account,amount,balance,transactionId,withdrawId,hash,detailsHash" as const;
const CSV = { Accept: "text/csv" };
/** More lines than one internal read returns, and not a multiple of them. */
const MANY = 1_207;

const path = (company: TestCompany, query = "") =>
  `/api/Balance/statement/${company.id}?currency=BRL${query}`;

const csv = (company: TestCompany, query = "", options: Call = {}): Promise<Answer> =>
  call(path(company, query), { headers: CSV, ...options, company });

const json = async (company: TestCompany, query = ""): Promise<any[]> =>
  (await call(path(company, query), { company })).body.items;

/** The lines of a CSV in the form of the JSON statement. */
function parsed(text: string): object[] {
  const [header, ...rows] = text.split("\r\n");
  expect(header).toBe(HEADER);
  expect(rows.pop(), "the last line ends like the others").toBe("");
  return rows.map((row) => {
    const values = row.split(",");
    expect(values).toHaveLength(10);
    const [
      sequence,
      createdAt,
      type,
      account,
      amount,
      balance,
      transaction,
      withdraw,
      hash,
      details,
    ] = values;
    return {
      sequence: Number(sequence),
      createdAt,
      type,
      account,
      amount: Number(amount),
      balance: Number(balance),
      transactionId: transaction === "" ? null : transaction,
      withdrawId: withdraw === "" ? null : Number(withdraw),
      hash,
      detailsHash: details === "" ? null : details,
    };
  });
}

async function givenHistory(): Promise<TestCompany> {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { fixed: 10 }, WITHDRAW: { fixed: 5 } } });
  const { id } = await givenPaid(company, 5_000);
  await refund(company, id, 1_000);
  const { body } = await requestWithdraw(company, { description: 'a "quoted", broken\r\nline' });
  await runPayout(company, body.id);
  return company;
}

describe("the statement as CSV", () => {
  it("has a header and the values of the JSON, each line ended by CR LF", async () => {
    const company = await givenHistory();
    const answer = await csv(company);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/csv;.*charset=utf-8/i);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      new RegExp(`^attachment; filename="[\\w-]*${company.id}\\.csv"$`),
    );
    expect(answer.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
    const lines = await json(company);
    expect(lines.length).toBeGreaterThan(7);
    expect(parsed(answer.text)).toEqual(lines);
    expect(answer.text.replaceAll("\r\n", "")).not.toMatch(/[\r\n"]/);
  });

  it("has only its header for a company without history", async () => {
    const { status, text } = await csv(await givenCompany());
    expect(status).toBe(200);
    expect(text).toBe(`${HEADER}\r\n`);
  });

  it("does not show the statement to another company", async () => {
    const company = await givenHistory();
    const answer = await call(path(company), { company: await sharedCompany(), headers: CSV });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });

  it("is documented next to the JSON", async () => {
    const company = await givenHistory();
    const name = "GET /api/Balance/statement/{companyId}";
    await expectDocumented(name, await csv(company));
    await expectDocumented(name, await call(path(company), { company }));
    const { paths } = await openApi();
    expect(
      Object.keys(paths["/api/Balance/statement/{companyId}"].get.responses[200].content),
    ).toEqual(["application/json", "text/csv", "application/x-ofx"]);
  });
});

describe("when no limit is given", () => {
  it("returns the whole statement, in several internal reads", async () => {
    const company = await givenCompany();
    const transaction = await givenPaid(company, 2_500);
    const numbers = Array.from({ length: MANY - 1 }, (_, index) => index + 2);
    // Called at once, they commit in this order and share their drains.
    await inAccount(company.id, (account) =>
      Promise.all(
        numbers.map((number) =>
          account.settlePayment(
            settleCommand(company, transaction, { paymentId: endToEndId(number), amount: number }),
          ),
        ),
      ),
    );

    const lines = parsed((await csv(company)).text) as any[];

    expect(lines).toHaveLength(MANY);
    const sequences = lines.map((line) => line.sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, two) => one - two));
    expect(lines.slice(1).map((line) => line.amount)).toEqual(numbers);
    expect(lines.slice(0, 100)).toEqual(await json(company, "&limit=100"));
    const after = sequences[1_050];
    const rest = parsed((await csv(company, `&after=${after}`)).text);
    expect(rest).toEqual(lines.slice(1_051));
    expect(parsed((await csv(company, `&after=${after}&limit=100`)).text)).toEqual(
      rest.slice(0, 100),
    );
  });
});

describe("when it is bounded", () => {
  it.each([1, 2, 7, 100])("by a limit of %i, it equals that page of the JSON", async (limit) => {
    const company = await givenHistory();
    const lines = await json(company, `&limit=${limit}`);
    expect(parsed((await csv(company, `&limit=${limit}`)).text)).toEqual(lines);
    const next = `&limit=${limit}&after=${lines.at(-1).sequence}`;
    expect(parsed((await csv(company, next)).text)).toEqual(await json(company, next));
  });

  it("by after, it starts behind that line and has only its header behind the last line", async () => {
    const company = await givenHistory();
    const lines = await json(company);
    const third = lines[2].sequence;
    expect(parsed((await csv(company, `&after=${third}`)).text)).toEqual(lines.slice(3));
    const last = lines.at(-1).sequence;
    expect((await csv(company, `&after=${last}`)).text).toBe(`${HEADER}\r\n`);
  });

  it("by from and to, it has the lines of that period", async () => {
    const company = await givenHistory();
    const lines = await json(company);
    const past = new Date(Date.now() - 3_600_000).toISOString();
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect(parsed((await csv(company, `&from=${past}&to=${future}`)).text)).toEqual(lines);
    const exact = `&from=${lines[0].createdAt}&to=${lines[0].createdAt}`;
    expect(parsed((await csv(company, exact)).text)).toEqual(await json(company, exact));
    expect((await csv(company, `&from=${future}`)).text).toBe(`${HEADER}\r\n`);
    expect((await csv(company, `&to=${past}`)).text).toBe(`${HEADER}\r\n`);
  });
});

describe("Accept", () => {
  it.each([
    "text/csv",
    "TEXT/CSV",
    "text/*",
    "TEXT/*",
    "text/csv; charset=utf-8",
    "text/csv;q=0.1",
    "text/csv, application/json;q=0.9",
    "application/json;q=0.4, text/*;q=0.5",
    "application/json;q=0, */*",
    "text/html, text/csv;q=0.5",
    "text/csv, */*;q=0.1",
  ])("%s gives CSV", async (accept) => {
    const answer = await csv(await sharedCompany(), "", { headers: { Accept: accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/csv/);
  });

  it.each([
    "application/json",
    "*/*",
    "",
    "application/*",
    "application/json, text/csv",
    "text/csv, application/json",
    "application/json, text/csv;q=0.5",
    "text/csv;q=0.5, application/json;q=0.6",
    "text/csv;q=0, */*",
    "text/html, */*;q=0.1",
  ])("%j gives JSON", async (accept) => {
    const answer = await csv(await sharedCompany(), "", { headers: { Accept: accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  });

  it.each(["text/html", "text/csv;q=0", "application/xml, image/*", "text/csv;q=0, text/html"])(
    "NOT_ACCEPTABLE: %s",
    async (accept) => {
      const answer = await csv(await sharedCompany(), "", { headers: { Accept: accept } });
      await expectProblem(answer, { status: 406, code: "NOT_ACCEPTABLE" });
    },
  );

  it.each([
    "/api/Balance/balance/1?currency=BRL",
    "/api/Balance/forecast/1?currency=BRL",
    "/api/Transaction/company/transactions",
    "/api/Withdraw/company/withdraws",
    "/api/v1/sandbox/settings",
  ])("NOT_ACCEPTABLE: text/csv at %s", async (other) => {
    const answer = await call(other, { company: await sharedCompany(), headers: CSV });
    await expectProblem(answer, { status: 406, code: "NOT_ACCEPTABLE" });
  });
});

describe("errors are problem documents, not CSV", () => {
  it.each(["limit=0", "limit=101", "limit=x", "after=x", "from=yesterday", "to=1"])(
    "VALIDATION_FAILED: %s",
    async (query) => {
      const answer = await csv(await sharedCompany(), `&${query}`);
      await expectProblem(answer, {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: [query.split("=")[0] ?? ""],
      });
    },
  );

  it("NOT_FOUND, INVALID_CREDENTIALS: rejects another currency and missing credentials", async () => {
    const company = await sharedCompany();
    const dollars = await call(`/api/Balance/statement/${company.id}?currency=USD`, {
      company,
      headers: CSV,
    });
    await expectProblem(dollars, { status: 404, code: "NOT_FOUND" });
    await expectProblem(await call(path(company), { headers: CSV }), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
  });
});
