import { describe, expect, it } from "vitest";
import { decideByTwo } from "../../../../support/builders/operations/decide.ts";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { depsWithBank } from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { settle, termsOf } from "../../../../support/builders/charges/charge-commands.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { call } from "../../../../support/builders/requests/api.ts";

/** Far above the companies of other tests. */
const UNKNOWN = 99_999_999;
const DOCUMENTED = "GET /api/v1/operator/companies";
const TERMS = `${DOCUMENTED}/{companyId}/terms`;

describe("the list of companies", () => {
  it("shows each company with its mode and the result of its last check", async () => {
    const clock = new TestClock();
    const sandboxed = await givenCompany({ clock, balance: 1_000 });
    const live = await givenCompany({ mode: "live" });
    const list = () => callAsOperator(`/companies?after=${sandboxed.id - 1}&limit=2`);
    const neverChecked = { closedAt: null, checkedAt: null, violations: [] };
    const before = await list();
    expect(before.status).toBe(200);
    expect(before.body.items).toStrictEqual([
      { id: sandboxed.id, name: sandboxed.name, mode: "sandbox", ...neverChecked },
      { id: live.id, name: live.name, mode: "live", ...neverChecked },
    ]);

    await checkCompany(env, sandboxed.id, clock.now());

    const after = await list();
    expect(after.body.items[0]).toMatchObject({
      checkedAt: new Date(clock.now()).toISOString(),
      violations: [],
    });
    await expectDocumented(DOCUMENTED, after);
    expect(after.text).not.toContain(sandboxed.clientId);
    expect(after.text).not.toContain("whsec");
  });

  it.each([1, 2, 3, 100])(
    "returns every company once when it is read %i at a time",
    async (limit) => {
      const first = (await givenCompany()).id;
      const made = [first, (await givenCompany()).id, (await givenCompany()).id];
      const walked: number[] = [];
      let after = String(first - 1);
      for (let page = 0; page < made.length + 1; page++) {
        const { status, body } = await callAsOperator(`/companies?after=${after}&limit=${limit}`);
        expect(status).toBe(200);
        expect(body.items.length).toBeLessThanOrEqual(limit);
        expect(body.hasMore).toBe(body.after !== null);
        walked.push(...body.items.map((item: any) => item.id));
        if (!body.hasMore) break;
        ({ after } = body);
      }
      expect(walked).toEqual(made);
    },
  );

  it("starts at the first company without a cursor and ends after the last one", async () => {
    await sharedCompany();
    // Another test file may have migrated company 1 to another database.
    const first = await env.DB.prepare("SELECT min(id) AS id FROM companies").first<number>("id");
    const { body } = await callAsOperator("/companies?limit=1");
    expect(body).toMatchObject({ items: [{ id: first }], after: String(first) });
    expect((await callAsOperator(`/companies?after=${UNKNOWN}`)).body).toStrictEqual({
      items: [],
      after: null,
      hasMore: false,
    });
  });

  it.each(["limit=0", "limit=101", "limit=x", "after=x", "after=-1"])(
    "VALIDATION_FAILED: %s",
    async (query) => {
      await expectProblem(await callAsOperator(`/companies?${query}`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: [query.split("=")[0] ?? ""],
      });
    },
  );
});

describe("the terms of a company", () => {
  it("of a live company are shown and changed in parts", async () => {
    const live = await givenCompany({ mode: "live" });
    const path = `/companies/${live.id}/terms`;
    const shown = await callAsOperator(path);
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({
      fees: { PIX: { basisPoints: 0, fixed: 0 } },
      minimumWithdraw: 1_000,
      frozen: false,
    });
    await expectDocumented(TERMS, shown);

    await callAsOperator(path, { method: "PUT", body: { fees: { PIX: { basisPoints: 99 } } } });
    const changed = await callAsOperator(path, {
      method: "PUT",
      body: { fees: { PIX: { fixed: 30 } }, releaseDays: { PIX: 1 }, minimumWithdraw: 5_000 },
    });

    expect(changed.body).toStrictEqual({
      ...shown.body,
      fees: { ...shown.body.fees, PIX: { basisPoints: 99, fixed: 30 } },
      releaseDays: { ...shown.body.releaseDays, PIX: 1 },
      minimumWithdraw: 5_000,
    });
    expect((await callAsOperator(path)).body).toStrictEqual(changed.body);
    await expectDocumented(TERMS.replace("GET", "PUT"), changed);
  });

  it("apply to the next charge and the next withdraw", async () => {
    const live = await givenCompany({ mode: "live" });
    const deps = depsWithBank(new FakeBank());
    const body = { fees: { PIX: { basisPoints: 100 }, WITHDRAW: { fixed: 50 } } };
    await callAsOperator(`/companies/${live.id}/terms`, { method: "PUT", body });
    const transaction = await givenTransaction(live, { amount: 10_000 }, { deps });
    const row = await env.DB.prepare(
      `SELECT fee_basis_points AS basisPoints, fee_fixed AS fixed FROM transactions
       WHERE id = ?`,
    )
      .bind(transaction.id)
      .first<{ basisPoints: number; fixed: number }>();
    expect(row).toEqual({ basisPoints: 100, fixed: 0 });
    await settle(live, transaction, {}, { ...termsOf(transaction), fee: row! });
    expect(await accountsOf(live)).toMatchObject({ available: 9_900, fees: 100 });
    const withdraw = await requestWithdraw(live, {}, { deps });
    expect(withdraw.body).toMatchObject({ value: 10, fee: 0.5 });
  });

  it("freeze and thaw a live company, which its balance shows", async () => {
    const live = await givenCompany({ mode: "live" });
    const path = `/companies/${live.id}/terms`;
    const frozen = await callAsOperator(path, { method: "PUT", body: { frozen: true } });
    expect(frozen.body.frozen).toBe(true);
    expect((await balanceOf(live)).enBalanceStatus).toBe("Blocked");
    await expectProblem(await requestWithdraw(live), { status: 422, code: "COMPANY_FROZEN" });
    expect((await decideByTwo(path, { frozen: false }, { method: "PUT" })).status).toBe(200);
    expect((await balanceOf(live)).enBalanceStatus).toBe("Released");
  });

  it("of a sandbox company equal the settings that it sees and sets itself", async () => {
    const company = await givenCompany();
    const body = { fees: { PIX: { fixed: 7 } }, frozen: true };
    await callAsOperator(`/companies/${company.id}/terms`, { method: "PUT", body });
    const own = await call("/api/v1/sandbox/settings", { company });
    expect(own.body).toMatchObject(body);
    expect((await callAsOperator(`/companies/${company.id}/terms`)).body).toStrictEqual(own.body);
  });

  it.each([
    ["fees.PIX.basisPoints", { fees: { PIX: { basisPoints: 10_001 } } }],
    ["releaseDays.PIX", { releaseDays: { PIX: "1" } }],
    ["minimumWithdraw", { minimumWithdraw: 999 }],
    ["frozen", { frozen: "yes" }],
  ])("VALIDATION_FAILED: %s", async (field, body) => {
    const company = await sharedCompany();
    const path = `/companies/${company.id}/terms`;
    const before = (await callAsOperator(path)).body;
    await expectProblem(await callAsOperator(path, { method: "PUT", body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
    expect((await callAsOperator(path)).body).toStrictEqual(before);
  });

  it("a missing, malformed or non-JSON body is rejected as on every route", async () => {
    const path = `/companies/${(await sharedCompany()).id}/terms`;
    await expectProblem(await callAsOperator(path, { method: "PUT" }), {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
    await expectProblem(await callAsOperator(path, { method: "PUT", rawBody: "{" }), {
      status: 400,
      code: "MALFORMED_JSON",
    });
  });
});

const ROUTES: [string, string, object | undefined][] = [
  ["GET", "terms", undefined],
  ["PUT", "terms", { frozen: false }],
  ["GET", "suspense", undefined],
  ["POST", "suspense/E00000000202611200000000000001/return", { reason: "The payer asks." }],
  ["POST", "reconcile", {}],
];

describe.each(ROUTES)("%s %s", (method, route, body) => {
  const callCompany = (companyId: string | number) =>
    callAsOperator(`/companies/${companyId}/${route}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });

  it("NOT_FOUND: rejects an unknown company", async () => {
    await expectProblem(await callCompany(UNKNOWN), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await callCompany(0), { status: 404, code: "NOT_FOUND" });
  });

  it.each(["x", "1.5", "-1", "999999999"])(
    "VALIDATION_FAILED: rejects company %s",
    async (companyId) => {
      await expectProblem(await callCompany(companyId), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["companyId"],
      });
    },
  );
});
