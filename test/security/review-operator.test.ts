import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { processRecheck } from "../../src/api/withdraws/tasks.ts";
import { call, type Call } from "../support/builders/requests/api.ts";
import { givenMarkedCompany } from "../support/builders/companies/marked-company.ts";
import { givenContradiction } from "../support/builders/reconciliation/decisions.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import { keyByOperator } from "../support/builders/companies/callers.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import {
  callAsApprover,
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../support/builders/companies/operator.ts";
import { givenFrozen, givenUnansweredWithdraw } from "../support/builders/operations/undecided.ts";
import { approve, proposeOn, REASON } from "../support/builders/operations/decide.ts";
import { depsWithBank } from "../support/builders/operations/operations.ts";
import { HOUR_MS } from "../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { contradictionsOf } from "../support/probes/contradictions/contradictions.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const CONFLICT = { status: 409, code: "INVALID_STATE" };
const DAY_MS = 24 * HOUR_MS;

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** A company whose withdraws above R$ 50.00 wait for its second application. */
async function givenApproval() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 500_000, clock });
  const settings = {
    withdrawApprovalAbove: 5_000,
    allowedPixKeys: { enforced: true, coolDownHours: 168 },
  };
  const put = { company, method: "PUT", body: settings, deps: { platformClock: clock } };
  expect((await call("/api/v1/company/settings", put)).status).toBe(200);
  const approver = await givenApplication(company);
  clock.advance(30 * DAY_MS);
  const request = (by: TestCompany) =>
    call("/api/Withdraw/request", {
      method: "POST",
      company: by,
      body: { amount: 100_000 },
      headers: { "Idempotency-Key": crypto.randomUUID() },
      deps: { platformClock: clock },
    });
  const approveAs = (by: TestCompany, id: number) =>
    call(`/api/v1/withdraws/${id}/approve`, {
      method: "POST",
      company: by,
      body: {},
      deps: { platformClock: clock },
    });
  return { clock, company, approver, request, approveAs };
}

describe("an admin alone, as the company", () => {
  it("issues a key of the approving application after the request: it does not approve", async () => {
    const { clock, company, approver, request, approveAs } = await givenApproval();
    const { body } = await request(company);
    expect(body.approval).toBe("pending");
    clock.advance(1_000);
    const stolen = await keyByOperator(approver, clock);
    expect((await approveAs(stolen, body.id)).status).toBe(403);
  });

  it("issues keys of both applications, asks and approves: no money leaves", async () => {
    const { clock, company, approver, request, approveAs } = await givenApproval();
    const asking = await keyByOperator(company, clock);
    const approving = await keyByOperator(approver, clock);
    clock.advance(1_000);
    const { body } = await request(asking);
    expect(body.approval).toBe("pending");
    expect((await approveAs(approving, body.id)).status).toBe(403);
    expect((await approveAs(approver, body.id)).status, "the application's own key").toBe(200);
  });
});

describe("an admin alone, as another operator", () => {
  it.each(["role", "key"])(
    "gives another one a %s after his proposal: that one cannot approve",
    async (what) => {
      const { path, options } = await givenUnansweredWithdraw();
      const other = await givenOperator(what === "role" ? "read" : "finance");
      const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
      let credentials = other.credentials;
      if (what === "role") {
        const body = { role: "finance" };
        const changed = await callAsOperator(`/people/${other.clientId}`, {
          method: "PATCH",
          body,
        });
        expect(changed.status, changed.text).toBe(200);
      } else {
        const body = { overlapHours: 1 };
        const issued = await callAsOperator(`/people/${other.clientId}/keys`, {
          method: "POST",
          body,
        });
        credentials = { ...credentials, "X-API-Key": issued.body.data.key };
      }
      const answer = await call(`/api/v1/operator/proposals/${id}/approve`, {
        ...options,
        method: "POST",
        company: { credentials },
        body: { reason: "I was made for this." },
      });
      await expectProblem(answer, CONFLICT);
      expect((await approve(id, options)).status, "the real second operator").toBe(200);
    },
  );
});

it("a payout that came back is not credited again by the correction of its contradiction", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const bank = new FakeBank();
  const options: Call = { deps: depsWithBank(bank) };
  const { body: withdraw } = await requestWithdraw(company);
  await runPayout(company, withdraw.id, bank.registry());
  bank.onFindPayout = async () => ({ kind: "failed", reason: "no such account", code: "UNKNOWN" });
  await recheckAll(company, bank);
  expect(await contradictionsOf(company)).toMatchObject([{ kind: "payout_status", amount: 1_000 }]);
  bank.onFindPayout = async () => ({ kind: "unknown" });
  const path = `/companies/${company.id}/withdraws/${withdraw.id}/decide`;
  // Both were proposed before either was booked.
  const returned = (await proposeOn(path, { outcome: "returned" }, options)).body.data;
  const contradiction = `/contradictions/${company.id}-1/decide`;
  const corrected = await proposeOn(contradiction, { action: "correct", amount: 1_000 }, options);
  expect((await approve(returned.id, options)).status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });

  const answer = await approve(corrected.body.data.id, options);

  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
  await expectProblem(answer, CONFLICT);
});

/** Runs all rechecks of a company now. */
async function recheckAll(company: TestCompany, bank: FakeBank): Promise<void> {
  const ids = await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("UPDATE rechecks SET next_check_at = 0");
    return storage.sql.exec<{ id: number }>("SELECT id FROM rechecks").toArray();
  });
  for (const { id } of ids) await processRecheck(env, depsWithBank(bank), company.id, id);
}

it("a second freeze outlasts the proposal to end the first", async () => {
  const { company, path } = await givenFrozen();
  const { id } = (await proposeOn(path, {}, { method: "DELETE" })).body.data;
  await callAsApprover(path, { method: "POST", body: { reason: "Another key was stolen." } });
  const answer = await approve(id);
  expect(answer.status).toBe(409);
  const { body } = await callAsOperator(`/companies/${company.id}/terms`);
  expect(body.frozen).toBe(true);
});

it("an approval that crashed before its effect asks the provider again", async () => {
  const { company, bank, path, options } = await givenUnansweredWithdraw();
  const before = await accountsOf(company);
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  await env.DB.prepare(
    `UPDATE operator_proposals SET decided_by = 'approver', decided_by_name = 'x', decision_reason = 'x',
       decided_at = ?, provider = 'silent' WHERE id = ?`,
  )
    .bind(Date.now(), id)
    .run();
  bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null });
  const answer = await approve(id, options);
  await expectProblem(answer, {
    status: 409,
    code: "PROVIDER_DISAGREES",
    extensions: { provider: "PixApi", says: "paid" },
  });
  expect(await accountsOf(company)).toEqual(before);
});

it("no look at payers in the list of contradictions leaves no trace: it shows them masked to every role", async () => {
  const company = await givenCompany();
  const body = JSON.stringify({ pagador: { nome: "Joana Prado", cpf: "12345678909" } });
  const said = { body, payer: { name: "Joana Prado", document: "12345678909" } };
  const id = await givenContradiction(company, {
    kind: "record_unreadable",
    object: "record:1",
    said,
  });
  await inAccount(company.id, (account) => account.runNow());
  // Other tests' companies have contradictions too.
  const before = `${company.id - 1}-999999`;
  for (const role of ["read", "support"] as const) {
    const { credentials } = await givenOperator(role);
    const by = { company: { credentials } };
    const list = await call(`/api/v1/operator/contradictions?after=${before}`, by);
    expect(list.text).toContain(id);
    expect(list.text).not.toMatch(/Joana Prado|12345678909/);
  }
});

it("the role read sees no payer on any route", async () => {
  const marked = await givenMarkedCompany();
  const { company } = marked;
  const { credentials, clientId } = await givenOperator("read");
  const by = { company: { credentials } };
  const key = { pixKey: "joana.prado@example.com", reason: REASON };
  const asked = await callAsOperator(`/companies/${company.id}`, { method: "PATCH", body: key });
  expect(asked.status, asked.text).toBe(202);
  const paths = [
    `/companies/${company.id}`,
    `/companies/${company.id}/terms`,
    `/companies/${company.id}/inspect`,
    `/companies/${company.id}/inspect?transactionId=${marked.transactionId}`,
    `/companies/${company.id}/inspect?withdrawId=1`,
    `/companies/${company.id}/suspense`,
    `/companies/${company.id}/status`,
    `/companies/${company.id}/keys`,
    `/companies/${company.id}/health`,
    `/audit?companyId=${company.id}&limit=100`,
    `/audit?order=newest&limit=100`,
    `/proposals?companyId=${company.id}`,
    `/contradictions?limit=100`,
    `/events?limit=100`,
    `/dead-letters?limit=100`,
    `/status`,
  ];
  for (const path of paths) {
    const answer = await call(`/api/v1/operator${path}`, by);
    expect([answer.status, path]).toEqual([200, path]);
    const [leak = null] = /.{0,200}(marked-secret@|joana\.prado@).{0,40}/.exec(answer.text) ?? [];
    expect.soft(leak, path).toBeNull();
  }
  const { body } = await callAsOperator(`/audit?order=newest&limit=100&actor=${clientId}`);
  const seen = body.items.map(({ action }: { action: string }) => action);
  expect(seen.toSorted()).toEqual([
    "inspection.view",
    "inspection.view",
    "inspection.view",
    "suspense.view",
  ]);
});
