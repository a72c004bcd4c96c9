import { describe, expect, it } from "vitest";
import { approve } from "../../../../support/builders/operations/decide.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../../../../support/faults/faulty-env.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { givenPsp } from "../../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const UNKNOWN = 99_999_999;
const PATCH = "PATCH /api/v1/operator/companies/{companyId}";

/** Changes a company; where that makes a proposal, another operator approves it: the company as it is then. */
async function patch({ id }: { id: number }, body: object, environment = env) {
  const path = `/companies/${id}`;
  const sent = { reason: "As the contract says.", ...body };
  const options = { method: "PATCH", body: sent, env: environment };
  const answer = await callAsOperator(path, options);
  if (answer.status !== 202) return answer;
  expect((await approve(answer.body.data.id, { env: environment })).status).toBe(200);
  return callAsOperator(path, { env: environment });
}
const show = async ({ id }: { id: number }) => (await callAsOperator(`/companies/${id}`)).body.data;
const trailOf = async (company: TestCompany) =>
  (await call("/api/v1/audit?limit=100", { company })).body.items;

describe("a company", () => {
  it("is renamed, with its bank account, and the audit trail masks the account", async () => {
    const company = await givenCompany({ mainPixKey: null });
    const body = {
      name: "Loja Nova",
      document: "529.982.247-25",
      pixKey: "52998224725",
      pixKeyType: "CPF",
      reason: "New owner.",
    };
    const changed = await patch(company, body);
    expect(changed.status).toBe(200);
    await expectDocumented(PATCH, changed);
    expect(changed.body.data).toMatchObject({
      name: "Loja Nova",
      mode: "sandbox",
      document: "52998224725",
      pixKey: "52998224725",
      pixKeyType: "CPF",
    });
    const masked = "***.982.247-**";
    expect(await trailOf(company)).toMatchObject([
      {
        actor: { kind: "operator", id: "operator" },
        action: "company.change",
        before: { document: "", pixKey: null },
        after: { name: "Loja Nova", document: masked, pixKey: null },
        reason: "New owner.",
      },
      {
        actor: { kind: "operator", id: "operator" },
        action: "proposal.create",
        after: { decides: "company.pix_key", pixKey: masked },
        reason: "New owner.",
      },
      {
        actor: { kind: "operator", id: "approver" },
        action: "company.change",
        after: { decides: "company.pix_key", pixKey: masked },
        reason: "New owner.",
      },
    ]);
  });

  it("withdraws to its new main key from the next request on", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await call("/api/v1/company/settings", { company });
    await patch(company, { pixKey: "maria@example.com" });
    const { body } = await requestWithdraw(company, {});
    expect([body.pixKey, body.pixKeyType]).toEqual(["maria@example.com", "EMAIL"]);
  });

  it("loses its key and document with null, and keeps what is left out", async () => {
    const company = await givenCompany();
    await patch(company, { pixKey: null, document: null });
    const { name, ...rest } = await show(company);
    expect(name).toBe(company.name);
    expect(rest).toMatchObject({ document: "", pixKey: null, pixKeyType: null });
    const before = await show(company);
    expect((await patch(company, {})).body.data).toStrictEqual(before);
  });

  it.each([
    ["an empty name", { name: "" }, "name"],
    ["a wrong document", { document: "11222333000182" }, "document"],
    ["a wrong key", { pixKey: "nobody" }, "pixKey"],
    ["a type without a key", { pixKeyType: "CPF" }, "pixKey"],
    ["an unknown field", { closedAt: 1 }, "closedAt"],
  ])("VALIDATION_FAILED: %s changes nothing", async (_case, body, field) => {
    const company = await givenCompany();
    const before = await show(company);
    await expectProblem(await patch(company, { name: "Loja Nova", ...body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
    expect(await show(company)).toStrictEqual(before);
    expect(await trailOf(company)).toEqual([]);
  });

  it.each([
    ["GET", ""],
    ["PATCH", ""],
    ["POST", "/close"],
    ["POST", "/reopen"],
  ])("NOT_FOUND: %s %s of an unknown company", async (method, path) => {
    const answer = await callAsOperator(`/companies/${UNKNOWN}${path}`, {
      method,
      ...(method === "GET" ? {} : { body: path === "" ? { name: "Loja" } : { reason: "None." } }),
    });
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
  });
});

describe("another mode", () => {
  it("is refused to a company whose clock was moved: its time would not be the bank's", async () => {
    const company = await givenCompany();
    const moved = await call("/api/v1/sandbox/clock", { company, body: { advance: "P1D" } });
    expect(moved.status).toBe(200);
    const refused = await patch(company, { mode: "live" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    expect(await show(company)).toMatchObject({ mode: "sandbox" });
  });

  it.each([
    ["after its object has moved", /^moveClock$/, "after"],
    ["before", /^dueItems$/, "before"],
  ] as const)("is refused where the move was cut off %s", async (_, on, when) => {
    const company = await givenCompany();
    const { intercept } = injectFault({ on, when });
    const environment = withAccounts(env, intercept);
    const body = { advance: "P1Y" };
    await call("/api/v1/sandbox/clock", { company, body, env: environment }).catch(() => null);
    expect((await show(company)).mode).toBe("sandbox");
    const refused = await patch(company, { mode: "live" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
  });

  it("is given to a company that was never used, whose old reads are stale", async () => {
    const company = await givenCompany();
    expect((await call("/api/v1/sandbox/settings", { company })).status).toBe(200);
    const live = await patch(company, { mode: "live", name: "Loja Viva" });
    expect(live.body.data).toMatchObject({ mode: "live", name: "Loja Viva" });
    const sandbox = await call("/api/v1/sandbox/settings", { company });
    await expectProblem(sandbox, { status: 403, code: "FORBIDDEN" });
    expect((await patch(company, { mode: "sandbox" })).body.data.mode).toBe("sandbox");
  });

  it.each([
    ["has a charge", (company: TestCompany) => givenTransaction(company)],
    [
      "has had money",
      (company: TestCompany) =>
        call("/api/v1/sandbox/payments", { company, body: { amount: 1_000 } }),
    ],
  ])("INVALID_STATE: a company that %s", async (_case, use) => {
    const company = await givenCompany();
    await use(company);
    const refused = await patch(company, { mode: "live", name: "Loja Viva" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    expect(await show(company)).toMatchObject({ mode: "sandbox", name: company.name });
  });

  it("INVALID_STATE: a company with a PSP", async () => {
    const { company } = await givenPsp();
    const refused = await patch(company, { mode: "sandbox" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
  });

  it("is not given when a charge arrives between the object's check and D1's", async () => {
    const company = await givenCompany();
    let raced = false;
    const slow = withD1(env, async (label, run) => {
      if (/update "companies" set "mode"/.test(label) && !raced) {
        raced = true;
        await givenTransaction(company);
      }
      return run();
    });
    const refused = await patch(company, { mode: "live" }, slow);
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    expect(raced).toBe(true);
    expect((await show(company)).mode).toBe("sandbox");
  });

  it("that a crash stopped half-way leaves a company that works", async () => {
    const company = await givenCompany();
    const crash = injectFault({ on: /update "companies" set/, when: "before", error: CRASH });
    expect((await patch(company, { mode: "live" }, withD1(env, crash.intercept))).status).toBe(500);
    await givenTransaction(company);
    expect((await show(company)).mode).toBe("sandbox");
  });
});
