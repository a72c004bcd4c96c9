import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { routesOf } from "../../support/probes/http/routes.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { sharedCompany } from "../../support/builders/companies/shared-company.ts";

const LIST = "/api/Transaction/company/transactions";

/** Whether a route's path, such as `/things/:id`, matches another route's path. */
function covers(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
}

describe("Accept", () => {
  it.each([
    "text/html",
    "text/*",
    "application/xml",
    "image/png, text/html;q=0.9",
    "application/json;q=0",
    "application/json;q=0.0, text/html",
    "application/json;q=0, */*",
    "*/*;q=0",
    "application/*;q=0",
    "application/jsonp",
  ])("NOT_ACCEPTABLE: %s", async (accept) => {
    const company = await sharedCompany();
    const headers = { Accept: accept };
    await expectProblem(await call(LIST, { company, headers }), {
      status: 406,
      code: "NOT_ACCEPTABLE",
    });
    const refused = await expectNoSideEffects(company, () =>
      createTransaction(company, {}, { headers }),
    );
    await expectProblem(refused, { status: 406, code: "NOT_ACCEPTABLE" });
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json;q=0.1",
    "text/html, application/json;q=0.5",
    "text/html, */*;q=0.1",
    "application/*",
    "APPLICATION/*",
    "text/html, Application/*;q=0.5",
    "*/*",
    "*/*;q=0, application/json",
    "",
  ])("accepts %j", async (accept) => {
    const company = await sharedCompany();
    expect((await call(LIST, { company, headers: { Accept: accept } })).status).toBe(200);
  });

  it("is optional", async () => {
    const company = await sharedCompany();
    expect((await call(LIST, { company })).status).toBe(200);
  });
});

describe("paths and methods", () => {
  it.each([
    "/api",
    "/api/v1",
    "/api/v1/transactions/create/more",
    "/api/transaction/company/transactions",
    "/nothing",
    "/openapi.yaml",
    "/.env",
  ])("NOT_FOUND: %s", async (path) => {
    const company = await sharedCompany();
    await expectProblem(await call(path, { company }), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await call(path), { status: 404, code: "NOT_FOUND" });
  });

  it.each(routesOf().map((route) => [route.path, route.method]))(
    "METHOD_NOT_ALLOWED: %s allows %s",
    async (path, method) => {
      const concrete = path.replaceAll(/:\w+/g, "1");
      const routes = routesOf();
      const isTaken = (wrong: string) =>
        routes.some((route) => covers(route.path, path) && route.method === wrong);
      for (const wrong of ["DELETE", "PATCH"].filter((each) => !isTaken(each))) {
        const answer = await call(concrete, { method: wrong });
        await expectProblem(answer, { status: 405, code: "METHOD_NOT_ALLOWED" });
        const allowed = (answer.headers.get("Allow") ?? "").split(", ");
        expect(allowed).toContain(method);
        expect(allowed).not.toContain(wrong);
      }
    },
  );

  it("METHOD_NOT_ALLOWED: GET creates and withdraws nothing", async () => {
    const company = await sharedCompany();
    for (const path of ["/api/v1/transactions/create", "/api/Withdraw/request"]) {
      const answer = await call(path, { company });
      await expectProblem(answer, { status: 405, code: "METHOD_NOT_ALLOWED" });
      expect(answer.headers.get("Allow")).toContain("POST");
    }
  });
});
