import { expect, it, vi } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SEARCH = "/api/v1/transactions";

it.each([
  ["a path of 2,049 characters", `/${"a".repeat(2_048)}`],
  ["a path of 64 KB", `/callbacks/${"a".repeat(64 * 1024)}`],
  ["a path and query of 8,193 characters", `${SEARCH}?externalRef=`.padEnd(8_193, "a")],
])("URI_TOO_LONG: %s, with every method and without credentials", async (_what, path) => {
  for (const method of ["GET", "POST", "DELETE"]) {
    const answer = await call(path, { method });
    await expectProblem(answer, { status: 414, code: "URI_TOO_LONG" });
  }
});

it("the response to a URI that is too long has the request's trace id and does not repeat the whole URI", async () => {
  const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
  const answer = await call(`/${"%".repeat(65_536)}`, { headers });
  await expectProblem(answer, { status: 414, code: "URI_TOO_LONG" });
  expect(answer.body.traceId).toBe(TRACE_ID);
  expect(answer.headers.get("X-Trace-Id")).toBe(TRACE_ID);
  expect(answer.text.length).toBeLessThan(8_192);
});

it("paths of 2,048 characters and URIs of 8,192 characters are accepted", async () => {
  const company = await givenCompany();
  const path = `/${"a".repeat(2_047)}`;
  await expectProblem(await call(path, { company }), { status: 404, code: "NOT_FOUND" });
  const ignored = "/api/Transaction/company/transactions?ignored=".padEnd(8_192, "a");
  expect((await call(ignored, { company })).status).toBe(200);
});

it("a search for 100 ids is accepted, with commas escaped or not", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const ids = Array.from({ length: 100 }, () => id);
  for (const comma of [",", "%2C"]) {
    const answer = await call(`${SEARCH}?ids=${ids.join(comma)}`, { company });
    expect(answer.body.items).toHaveLength(1);
  }
});

it("the log contains a bounded part of a URI that is too long, and no secret", async () => {
  const token = "AAAB9w2Yk1Zr0m5dT7uQp3LxVc8sEbNhJfGi";
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  try {
    await call(`/callbacks/pix-api/${token}/${"a/".repeat(32_768)}?key=${token}`);
  } finally {
    vi.restoreAllMocks();
  }
  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({ event: "request", status: 414 });
  expect(line).not.toContain(token.slice(0, 16));
  expect(line.length).toBeLessThan(600);
});

it("a route's own pattern is no address, with a body or without", async () => {
  const company = await givenCompany();
  for (const path of [
    "/api/v1/payment-links/:id",
    "/api/v1/transactions/:id/refunds",
    "/api/*",
    "/api/v1/%2a",
  ]) {
    for (const method of ["GET", "POST", "PATCH"]) {
      const body = method === "GET" ? undefined : { active: false };
      const answer = await call(path, { company, method, body });
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  }
});
