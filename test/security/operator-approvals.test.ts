import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { PROPOSAL_WINDOW_MS } from "../../src/domain/operators/proposal.ts";
import { env } from "../support/builders/companies/company.ts";
import {
  APPROVER_CREDENTIALS,
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../support/builders/companies/operator.ts";
import { approve, proposeOn, REASON } from "../support/builders/operations/decide.ts";
import { givenFrozen, givenUnansweredWithdraw } from "../support/builders/operations/undecided.ts";
import { call } from "../support/builders/requests/api.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

it("of two approvers at once one decides, and it has one effect", async () => {
  const { company, path, options } = await givenUnansweredWithdraw();
  // Had the proposer made him, he could not approve at all.
  const third = await givenOperator("finance", { company: { credentials: APPROVER_CREDENTIALS } });
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  const answers = await Promise.all([
    approve(id, options),
    call(`/api/v1/operator/proposals/${id}/approve`, {
      ...options,
      method: "POST",
      company: third,
      body: { reason: REASON },
    }),
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

it("an approval that began in time is finished after the proposal's time", async () => {
  const { company, path, options } = await givenUnansweredWithdraw();
  const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
  await approve(id, { ...options, env: dyingEnv("object") });
  const clock = new TestClock();
  clock.advance(PROPOSAL_WINDOW_MS + 60_000);

  const finished = await approve(id, { deps: { ...options.deps, clock } });

  expect(finished.status, finished.text).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
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
