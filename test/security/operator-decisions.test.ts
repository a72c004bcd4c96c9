import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { PROPOSAL_WINDOW_MS } from "../../src/domain/operators/proposal.ts";
import { processRecheck } from "../../src/api/withdraws/tasks.ts";
import { call } from "../support/builders/requests/api.ts";
import { env, inAccount, type TestCompany } from "../support/builders/companies/company.ts";
import {
  APPROVER_CREDENTIALS,
  callAsApprover,
  callAsOperator,
  givenOperator,
  removeAllOperators,
  restoreLocalOperators,
} from "../support/builders/companies/operator.ts";
import {
  CASES,
  givenFrozen,
  givenUnansweredRefund,
  givenUnansweredWithdraw,
} from "../support/builders/operations/undecided.ts";
import { approve, decideByTwo, proposeOn, REASON } from "../support/builders/operations/decide.ts";
import { depsWithBank } from "../support/builders/operations/operations.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { contradictionsOf } from "../support/probes/contradictions/contradictions.ts";
import { expectDocumented } from "../support/probes/http/documented.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";
import { eventsOf } from "../support/probes/webhooks/webhook-rows.ts";

const CONFLICT = { status: 409, code: "INVALID_STATE" };
/** Makes an operator by another hand than the proposer's, whose own could not approve at all. */
const BY_APPROVER = { company: { credentials: APPROVER_CREDENTIALS } };

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

describe.each(Object.keys(CASES))("%s", (action) => {
  it("takes two: the proposer alone changes nothing, another operator's approval does", async () => {
    const { company, state, propose, options } = await CASES[action]!();
    const before = await state();

    const proposed = await propose();

    expect(proposed.status, proposed.text).toBe(202);
    const { id } = proposed.body.data;
    expect(proposed.body.data).toMatchObject({ action, status: "pending", companyId: company.id });
    const own = { ...options, method: "POST", body: { reason: "I agree with myself." } };
    await expectProblem(await callAsOperator(`/proposals/${id}/approve`, own), CONFLICT);
    expect((await propose()).body.data.id, "the same proposal again").toBe(id);
    expect(await state()).toEqual(before);

    const approved = await approve(id, options);

    expect(approved.status, approved.text).toBe(200);
    await expectDocumented("POST /api/v1/operator/proposals/{id}/approve", approved);
    expect(approved.body.data).toMatchObject({
      status: "approved",
      proposedBy: { id: "operator" },
      decidedBy: { id: "approver" },
    });
    const after = await state();
    expect(after).not.toEqual(before);
    expect((await approve(id, options)).status, "a repeat").toBe(200);
    expect(await state()).toEqual(after);
  });

  it("is not decided after its time, nor after it was refused", async () => {
    const { state, propose, options } = await CASES[action]!();
    const before = await state();
    const { id } = (await propose()).body.data;
    const clock = new TestClock();
    clock.advance(PROPOSAL_WINDOW_MS + 60_000);
    const late = { ...options, deps: { ...options?.deps, platformClock: clock } };
    const tooLate = await approve(id, late);
    await expectProblem(tooLate, CONFLICT);
    expect(tooLate.body.detail).toBe("The proposal has expired.");
    const listed = await callAsOperator(`/proposals/${id}`, late);
    expect(listed.body.data.status).toBe("expired");

    const refused = await callAsApprover(`/proposals/${id}/refuse`, {
      method: "POST",
      body: { reason: "The letter is forged." },
    });
    expect(refused.body.data).toMatchObject({ status: "refused", decidedBy: { id: "approver" } });
    await expectProblem(await approve(id, options), CONFLICT);
    expect(await state()).toEqual(before);
  });

  it("SECOND_OPERATOR_REQUIRED: an only operator cannot even propose, and is told what to do", async () => {
    const { state, propose } = await CASES[action]!();
    const before = await state();
    await env.DB.prepare("UPDATE operators SET removed_at = 1 WHERE client_id <> 'operator'").run();

    const answer = await propose();

    await expectProblem(answer, { status: 409, code: "SECOND_OPERATOR_REQUIRED" });
    expect(answer.body.detail).toContain("npm run operator -- add");
    expect(await state()).toEqual(before);
    await restoreLocalOperators();
    await env.DB.prepare(
      "UPDATE operator_keys SET revoked_at = 1 WHERE client_id <> 'operator'",
    ).run();
    // One who is there but cannot sign in approves nothing either.
    await expectProblem(await propose(), { status: 409, code: "SECOND_OPERATOR_REQUIRED" });
  });

  it("stores both operators with what they decided, and in both trails", async () => {
    const { company, propose, options } = await CASES[action]!();
    const { id } = (await propose()).body.data;
    await approve(id, options);

    const inObject = !["company.pix_key", "company.provider"].includes(action);
    const rows = await inAccount(company.id, (_, { storage }) =>
      storage.sql.exec("SELECT * FROM operator_decisions").toArray(),
    );
    expect(rows).toMatchObject(
      inObject
        ? [
            {
              proposal_id: id,
              reason: REASON,
              proposed_by: expect.stringContaining("operator"),
              approved_by: expect.stringContaining("approver"),
            },
          ]
        : [],
    );
    for (const trail of [
      `/audit?companyId=${company.id}&limit=100`,
      "/audit?order=newest&limit=100",
    ]) {
      const { body } = await callAsOperator(trail);
      const about = body.items.filter(
        ({ after }: { after?: { proposal?: string } }) => after?.proposal === id,
      );
      const actors = about.map(({ actor }: { actor: { id: string } }) => actor.id);
      expect(actors.toSorted()).toEqual(["approver", "operator"]);
    }
  });
});

it("the same person by another operator's name cannot approve", async () => {
  const { path, options } = await givenUnansweredWithdraw();
  const other = await givenOperator("finance", BY_APPROVER);
  await env.DB.prepare("UPDATE operators SET user_id = 'u1' WHERE client_id = 'operator'").run();
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  await env.DB.batch([
    env.DB.prepare("UPDATE operators SET user_id = NULL WHERE client_id = 'operator'"),
    env.DB.prepare("UPDATE operators SET user_id = 'u1' WHERE client_id = ?").bind(other.clientId),
  ]);
  const answer = await call(`/api/v1/operator/proposals/${id}/approve`, {
    ...options,
    method: "POST",
    company: other,
    body: { reason: "It is me again." },
  });
  await expectProblem(answer, CONFLICT);
  expect(answer.body.detail).toContain("who proposed it cannot approve it");
});

it("an operator who was added after the proposal cannot approve it", async () => {
  const { path, options } = await givenUnansweredWithdraw();
  const clock = new TestClock();
  clock.advance(-60_000);
  const { id } = (
    await proposeOn(
      path,
      { outcome: "failed" },
      { deps: { ...options.deps, platformClock: clock } },
    )
  ).body.data;
  const late = await givenOperator("finance", BY_APPROVER);
  const answer = await call(`/api/v1/operator/proposals/${id}/approve`, {
    ...options,
    method: "POST",
    company: late,
    body: { reason: "I was made for this." },
  });
  await expectProblem(answer, CONFLICT);
  expect(answer.body.detail).toContain("was added after the proposal");
});

it("no role without the action's permission proposes or approves", async () => {
  const { path, options } = await givenUnansweredWithdraw();
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  for (const role of ["read", "support"] as const) {
    const company = await givenOperator(role);
    for (const [to, body] of [
      [path, { outcome: "failed", reason: REASON }],
      [`/proposals/${id}/approve`, { reason: REASON }],
    ] as const) {
      const answer = await call(`/api/v1/operator${to}`, { method: "POST", company, body });
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
  }
  const finance = await givenOperator("finance");
  const { company: frozen } = await givenFrozen();
  const unfreeze = {
    action: "company.unfreeze",
    companyId: frozen.id,
    target: `company:${frozen.id}`,
    reason: REASON,
  };
  const answer = await call("/api/v1/operator/proposals", {
    method: "POST",
    company: finance,
    body: unfreeze,
  });
  await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  const pending = await callAsOperator("/proposals", { body: unfreeze });
  const approved = await call(`/api/v1/operator/proposals/${pending.body.data.id}/approve`, {
    method: "POST",
    company: finance,
    body: { reason: REASON },
  });
  await expectProblem(approved, { status: 403, code: "FORBIDDEN" });
});

/** Runs all rechecks of a company now. */
async function recheckAll(company: TestCompany, bank: FakeBank): Promise<void> {
  const ids = await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("UPDATE rechecks SET next_check_at = 0");
    return storage.sql.exec<{ id: number }>("SELECT id FROM rechecks").toArray();
  });
  for (const { id } of ids) await processRecheck(env, depsWithBank(bank), company.id, id);
}

describe("a decision without the provider", () => {
  it.each([
    ["failed", 5_000],
    ["returned", 5_000],
  ])(
    "a withdraw decided as %s is asked for on: a bank that paid it opens a contradiction",
    async (outcome, available) => {
      const { company, bank, path, options } = await givenUnansweredWithdraw();
      const approved = await decideByTwo(path, { outcome }, options);
      expect(approved.body.data).toMatchObject({ provider: "silent", withoutProvider: true });
      expect(await accountsOf(company)).toMatchObject({ available });
      expect(await contradictionsOf(company)).toEqual([]);
      bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null });

      await recheckAll(company, bank);

      expect(await contradictionsOf(company)).toMatchObject([
        { kind: "payout_status", status: "open", held: 1_000 },
      ]);
    },
  );

  it("a refund decided as failed is asked for on: a bank that made it opens a contradiction", async () => {
    const { company, bank, path, options } = await givenUnansweredRefund();
    expect((await decideByTwo(path, { outcome: "failed" }, options)).status).toBe(200);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
    bank.onFindRefund = async () => ({ kind: "done" });

    await recheckAll(company, bank);

    expect(await contradictionsOf(company)).toMatchObject([
      { kind: "refund_status", status: "open", held: 1_000 },
    ]);
  });

  it("is asked for by nobody where the bank said the same at once", async () => {
    const { company, bank, path, options } = await givenUnansweredWithdraw();
    bank.onFindPayout = async () => ({ kind: "failed", reason: "no such key" });
    const approved = await decideByTwo(path, { outcome: "failed" }, options);
    expect(approved.body.data).toMatchObject({ provider: "agreed", withoutProvider: false });
    let asked = 0;
    bank.onFindPayout = async () => {
      asked += 1;
      return { kind: "paid", endToEndId: null };
    };
    await recheckAll(company, bank);
    expect(asked).toBe(0);
    expect(await contradictionsOf(company)).toEqual([]);
  });

  it("is asked for no more once the bank says the same", async () => {
    const { company, bank, path, options } = await givenUnansweredWithdraw();
    await decideByTwo(path, { outcome: "failed" }, options);
    bank.onFindPayout = async () => ({ kind: "failed", reason: "no such key" });
    await recheckAll(company, bank);
    const left = await inAccount(company.id, (_, { storage }) =>
      storage.sql.exec("SELECT id FROM rechecks").toArray(),
    );
    expect(left).toEqual([]);
    expect(await contradictionsOf(company)).toEqual([]);
  });
});

describe("a freeze", () => {
  it("is shown with its reason, who made it and when, also after another one asks for it", async () => {
    const { path } = await givenFrozen();
    const again = await callAsApprover(path, { method: "POST", body: { reason: "Another." } });
    expect(again.body.data).toMatchObject({
      frozen: true,
      since: expect.any(String),
      reason: "A key was stolen.",
      by: { kind: "operator", id: "operator" },
    });
  });

  it("takes one person, says why and by whom, and is announced; its end is announced too", async () => {
    const { company, path } = await givenFrozen();
    await callAsOperator(path, { method: "POST", body: { reason: "Another reason." } });
    expect((await decideByTwo(path, {}, { method: "DELETE" })).status).toBe(200);
    const events = (await eventsOf(company)).filter(({ type }) => type.startsWith("company."));
    expect(events.map(({ type }) => type)).toEqual(["company.frozen", "company.unfrozen"]);
    const data = events.map(({ body }) => body.data);
    expect(data).toMatchObject([
      { reason: "A key was stolen.", by: { kind: "operator", id: "operator" } },
      { reason: REASON, by: { kind: "operator", id: "approver" } },
    ]);
  });

  it("does not end by the terms: that is a proposal too", async () => {
    const { company } = await givenFrozen();
    const path = `/companies/${company.id}/terms`;
    const body = { frozen: false, reason: REASON };
    const answer = await callAsOperator(path, { method: "PUT", body });
    expect([answer.status, answer.body.data?.action]).toEqual([202, "company.unfreeze"]);
    expect((await callAsOperator(path)).body.frozen).toBe(true);
    const without = await callAsOperator(path, { method: "PUT", body: { frozen: false } });
    await expectProblem(without, { status: 400, code: "VALIDATION_FAILED", fields: ["reason"] });
  });
});

it("a gateway without operators has nobody who decides", async () => {
  const { path, options } = await givenUnansweredWithdraw();
  await removeAllOperators();
  await expectProblem(await proposeOn(path, { outcome: "failed" }, options), {
    status: 401,
    code: "INVALID_CREDENTIALS",
  });
});

it("INVALID_STATE: the approval of what another proposal decided while this one was made", async () => {
  const { company, path, bank, options } = await givenUnansweredWithdraw();
  const body = { outcome: "failed" };
  const first = (await proposeOn(path, body, options)).body.data.id;
  const ask = bank.onFindPayout;
  bank.onFindPayout = async (payoutId) => {
    bank.onFindPayout = ask;
    expect((await approve(first, options)).status).toBe(200);
    return ask(payoutId);
  };
  const second = await proposeOn(path, body, options);
  expect(second.status).toBe(202);
  expect(second.body.data.id).not.toBe(first);
  await expectProblem(await approve(second.body.data.id, options), CONFLICT);
  expect((await callAsOperator(`/proposals/${second.body.data.id}`)).body.data.status).toBe(
    "pending",
  );
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
});
