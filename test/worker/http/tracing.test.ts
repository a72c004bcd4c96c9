import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { sharedCompany } from "../../support/builders/companies/shared-company.ts";

const LIST = "/api/Transaction/company/transactions";
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
