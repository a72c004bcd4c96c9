import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { APPROVAL_LEASE_MS, PROPOSAL_WINDOW_MS } from "../../src/domain/operators/proposal.ts";
import { decide, newestUnexpected } from "../support/builders/charges/unexpected.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import {
  APPROVER_CREDENTIALS,
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../support/builders/companies/operator.ts";
import { approve, proposeOn, REASON } from "../support/builders/operations/decide.ts";
import {
  givenFrozen,
  givenUnexpected,
  givenUnansweredWithdraw,
} from "../support/builders/operations/undecided.ts";
import { call } from "../support/builders/requests/api.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** The approval of a third operator. Had the proposer made him, he could not approve at all. */
async function givenThird() {
  const company = await givenOperator("finance", {
    company: { credentials: APPROVER_CREDENTIALS },
  });
  return { method: "POST", company, body: { reason: REASON } };
}

it("an approval that another operator has begun is his to finish", async () => {
  const { company, path, options } = await givenUnansweredWithdraw();
  const third = await givenThird();
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  await approve(id, { ...options, env: dyingEnv("object") });
  const answer = await call(`/api/v1/operator/proposals/${id}/approve`, { ...options, ...third });
  await expectProblem(answer, CONFLICT);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
});

it("of two approvers at once one decides, and it has one effect", async () => {
  const { company, path, options } = await givenUnansweredWithdraw();
  const third = await givenThird();
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  const answers = await Promise.all([
    approve(id, options),
    call(`/api/v1/operator/proposals/${id}/approve`, { ...options, ...third }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    200, 409,
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
});

/** A Worker that dies before the object decides, or after it, before D1 has the outcome. */
function dyingEnv(at: "object" | "D1") {
  const on = at === "object" ? /decideByOperators/ : /"outcome" = /;
  const { intercept } = injectFault({ on, when: "before", error: CRASH });
  return at === "object" ? withAccounts(env, intercept) : withD1(env, intercept);
}

describe("a crash of an approval", () => {
  it.each(["before the object", "after the object"])(
    "%s is finished by the same operator's repeat, once",
    async (when) => {
      const { company, path, options } = await givenUnansweredWithdraw();
      const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
      const dead = dyingEnv(when === "before the object" ? "object" : "D1");
      const crashed = await approve(id, { ...options, env: dead });
      expect(crashed.status).toBeGreaterThanOrEqual(500);
      expect((await callAsOperator(`/proposals/${id}`)).body.data.status).toBe("pending");
      const refusing = { method: "POST", body: { reason: "Too late." } };
      await expectProblem(await callAsOperator(`/proposals/${id}/refuse`, refusing), CONFLICT);

      const finished = await approve(id, options);

      expect(finished.body.data).toMatchObject({
        status: "approved",
        decidedBy: { id: "approver" },
      });
      expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
    },
  );
});

/** The time after which whoever began is taken to have crashed. */
function afterTheLease(): TestClock {
  const clock = new TestClock();
  clock.advance(APPROVAL_LEASE_MS + 60_000);
  return clock;
}

async function givenCrashed(at: "object" | "D1") {
  const undecided = await givenUnansweredWithdraw();
  const { path, options } = undecided;
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  expect((await approve(id, { ...options, env: dyingEnv(at) })).status).toBeGreaterThanOrEqual(500);
  return { ...undecided, id };
}

const refuse = (id: string, clock: TestClock) =>
  callAsOperator(`/proposals/${id}/refuse`, {
    method: "POST",
    body: { reason: "Nobody knows what became of it." },
    deps: { platformClock: clock },
  });

describe("a crash of an approval that its operator does not repeat", () => {
  it("before its effect can be refused", async () => {
    const { company, id } = await givenCrashed("object");
    const { body } = await refuse(id, afterTheLease());
    expect(body.data).toMatchObject({ status: "refused", decidedBy: { id: "operator" } });
    expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
  });

  it("after its effect is approved by who began it, and cannot be refused", async () => {
    const { company, id } = await givenCrashed("D1");
    await expectProblem(await refuse(id, afterTheLease()), CONFLICT);
    expect((await callAsOperator(`/proposals/${id}`)).body.data).toMatchObject({
      status: "approved",
      decidedBy: { id: "approver" },
      outcome: { status: "Failed" },
    });
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
  });

  it("before its effect is over with the proposal's time, and can be proposed anew", async () => {
    const { company, id, path, options } = await givenCrashed("object");
    const clock = new TestClock();
    clock.advance(PROPOSAL_WINDOW_MS + 60_000);
    const deps = { ...options.deps, platformClock: clock };
    // Until somebody settles it, what became of it is not known.
    const shown = await callAsOperator(`/proposals/${id}`, { deps: { platformClock: clock } });
    expect(shown.body.data.status).toBe("pending");
    await expectProblem(await approve(id, { deps }), CONFLICT);
    expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
    const anew = await proposeOn(path, { outcome: "failed" }, { deps });
    expect(anew.body.data.id).not.toBe(id);
    expect((await callAsOperator(`/proposals/${id}`)).body.data.status).toBe("expired");
  });

  it("before its effect makes way for another proposal about the same thing", async () => {
    const { id, path, options } = await givenCrashed("object");
    const clock = new TestClock();
    clock.advance(PROPOSAL_WINDOW_MS + 60_000);
    const deps = { ...options.deps, platformClock: clock };
    const { body } = await proposeOn(path, { outcome: "done" }, { deps });
    expect(body.data).toMatchObject({ status: "pending" });
    expect(body.data.id).not.toBe(id);
  });

  it("after its effect makes way, too: what was decided is decided", async () => {
    const { path, options } = await givenCrashed("D1");
    const deps = { ...options.deps, platformClock: afterTheLease() };
    await expectProblem(await proposeOn(path, { outcome: "failed" }, { deps }), CONFLICT);
  });

  it("of another main PIX key after its effect is approved", async () => {
    const company = await givenCompany();
    const path = `/companies/${company.id}`;
    const body = { pixKey: "caixa@loja.example", reason: REASON };
    const proposed = await callAsOperator(path, { method: "PATCH", body });
    const { id } = proposed.body.data;
    await approve(id, { env: dyingEnv("D1") });
    await expectProblem(await refuse(id, afterTheLease()), CONFLICT);
    expect((await callAsOperator(`/proposals/${id}`)).body.data.status).toBe("approved");
  });
});

it("a return that a crash left is settled though the payment was credited since", async () => {
  const { company, path, bank, options } = await givenUnexpected();
  bank.onRefund = async () => ({ kind: "failed", reason: "The account is closed" });
  const { id } = (await proposeOn(path, {}, options)).body.data;
  await approve(id, { ...options, env: dyingEnv("D1") });
  const payment = await newestUnexpected(company);
  const credited = await decide(company, payment.id, "credit");
  expect(credited.status, credited.text).toBe(200);

  const finished = await approve(id, options);

  expect(finished.body.data).toMatchObject({
    status: "approved",
    outcome: { returnStatus: "FAILED" },
  });
});

it("a proposal whose approval was refused waits again, for anybody", async () => {
  const { company, path } = await givenFrozen();
  const { id } = (await proposeOn(path, {}, { method: "DELETE" })).body.data;
  await callAsOperator(path, { method: "POST", body: { reason: "Another key was stolen." } });

  await expectProblem(await approve(id), CONFLICT);

  const shown = (await callAsOperator(`/proposals/${id}`)).body.data;
  expect(shown).toMatchObject({ status: "pending", decidedBy: null });
  const refusing = { method: "POST", body: { reason: "It must be proposed anew." } };
  const refused = await callAsOperator(`/proposals/${id}/refuse`, refusing);
  expect(refused.body.data).toMatchObject({ status: "refused", decidedBy: { id: "operator" } });
  expect((await callAsOperator(`/companies/${company.id}/terms`)).body.frozen).toBe(true);
});
