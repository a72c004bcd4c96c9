import { describe, expect, it, vi } from "vitest";
import { createCard } from "../../support/builders/charges/card.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { call, type Answer, type Call } from "../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { sharedCompany } from "../../support/builders/companies/shared-company.ts";

const LIST = "/api/Transaction/company/transactions";
/** A token that was never made: the acquirer refuses the charge. */
const UNKNOWN_CARD = {
  token: "tok_1",
  number: null,
  holderName: null,
  expirationMonth: null,
  expirationYear: null,
  cvv: null,
};
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

describe("the trace id", () => {
  it("is taken from the incoming traceparent, in the header and in a problem", async () => {
    const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
    const company = await sharedCompany();
    const found = await call(LIST, { company, headers });
    expect(found.headers.get("X-Trace-Id")).toBe(TRACE_ID);
    const problem = await call("/nothing", { headers });
    expect(problem.headers.get("X-Trace-Id")).toBe(TRACE_ID);
    expect(problem.body.traceId).toBe(TRACE_ID);
  });

  it.each([
    ["missing", undefined],
    ["not a traceparent", "hello"],
    ["a zero trace id", "00-00000000000000000000000000000000-b7ad6b7169203331-01"],
    ["a zero parent id", `00-${TRACE_ID}-0000000000000000-01`],
    ["version ff", `ff-${TRACE_ID}-b7ad6b7169203331-01`],
    ["upper case", `00-${TRACE_ID.toUpperCase()}-b7ad6b7169203331-01`],
    ["version 00 with extra fields", `00-${TRACE_ID}-b7ad6b7169203331-01-more`],
  ])("is new when traceparent is %s", async (_what, traceparent) => {
    const headers = traceparent === undefined ? {} : { traceparent };
    const [one, two] = [await call("/nothing", { headers }), await call("/nothing", { headers })];
    expect(one.body.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(one.body.traceId).not.toBe(TRACE_ID);
    expect(two.body.traceId).not.toBe(one.body.traceId);
    expect(one.headers.get("X-Trace-Id")).toBe(one.body.traceId);
  });

  it("is taken from a later version of traceparent", async () => {
    const headers = { traceparent: `01-${TRACE_ID}-b7ad6b7169203331-01-more` };
    expect((await call("/nothing", { headers })).body.traceId).toBe(TRACE_ID);
  });
});

it("a problem's instance is the path of the request, without its query", async () => {
  const { body } = await call("/api/Balance/balance/1?currency=BRL&secret=1");
  expect(body.instance).toBe("/api/Balance/balance/1");
});

const traced = (id: string) => ({ headers: { traceparent: `00-${id}-b7ad6b7169203331-01` } });

describe("a replay", () => {
  const FIRST = "11111111111111111111111111111111";
  const SECOND = "22222222222222222222222222222222";

  it.each<[string, (company: TestCompany, options: Call) => Promise<Answer>, number]>([
    [
      "success",
      (company, options) => createTransaction(company, {}, { key: "k", ...options }),
      200,
    ],
    ["withdraw", (company, options) => requestWithdraw(company, {}, { key: "k", ...options }), 201],
    [
      "refusal",
      (company, options) => createCard(company, UNKNOWN_CARD, {}, { key: "k", ...options }),
      422,
    ],
  ])(
    "of a %s has the first body; only the header is of the new request",
    async (_what, send, status) => {
      const company = await givenCompany({ balance: 1_000 });
      const first = await send(company, traced(FIRST));
      const again = await send(company, traced(SECOND));

      expect([first.status, again.status]).toEqual([status, status]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      expect(first.headers.get("X-Trace-Id")).toBe(FIRST);
      expect(again.headers.get("X-Trace-Id")).toBe(SECOND);
      if (status === 422) expect(again.body.traceId).toBe(FIRST);
    },
  );
});

it("the log line of a request names the commit that answered", async () => {
  const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await call("/nowhere", { env: { ...env, COMMIT: "0123456789ab" } });
  expect(JSON.parse(lines.mock.calls[0]![0] as string)).toMatchObject({
    event: "request",
    commit: "0123456789ab",
  });
  lines.mockRestore();
});

it.each(["/*", "/nowhere"])("a problem on %s names the trace id of the header", async (path) => {
  const { body, headers } = await call(path);
  expect(body.traceId).toBe(headers.get("X-Trace-Id"));
});
