import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ALARMS } from "../../src/api/operator/alarms/thresholds.ts";
import { serviceFigures } from "../../src/api/operator/status/figures.ts";
import { systemDependencies } from "../../src/dependencies.ts";
import { GIVING_TIE_MS } from "../../src/domain/operators/giving.ts";
import { env } from "../support/builders/companies/company.ts";
import { call } from "../support/builders/requests/api.ts";
import {
  callAsApprover,
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
  type TestOperator,
} from "../support/builders/companies/operator.ts";
import { REASON } from "../support/builders/operations/decide.ts";
import { givenFrozen } from "../support/builders/operations/undecided.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { expectProblem } from "../support/probes/http/problem.ts";

const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** A clock that all of a test's requests share. */
function world() {
  const clock = new TestClock();
  const options = { deps: { ...systemDependencies, clock } };
  const as = (company: Pick<TestOperator, "credentials">) => ({ ...options, company });
  return { clock, options, as };
}

async function proposeUnfreeze(company: Pick<TestOperator, "credentials">, options: object) {
  const { path } = await givenFrozen();
  const answer = await call(`/api/v1/operator${path}`, {
    ...options,
    company,
    method: "DELETE",
    body: { reason: REASON },
  });
  expect(answer.status, answer.text).toBe(202);
  return `/api/v1/operator/proposals/${answer.body.data.id}/approve`;
}

const approval = { method: "POST", body: { reason: "Me too." } };

describe("an admin's puppet", () => {
  it("who was added before the proposal does not approve it, until a day is over", async () => {
    const { clock, options, as } = world();
    const puppet = await givenOperator("admin", options);
    const thief = await givenOperator("admin", options);
    const made = await call("/api/v1/operator/people", {
      ...as(thief),
      body: { name: "Puppet", role: "admin" },
    });
    const own: TestOperator = {
      ...puppet,
      credentials: { "X-Client-Id": made.body.data.clientId, "X-API-Key": made.body.data.key },
    };
    clock.advance(60_000);

    const path = await proposeUnfreeze(thief, options);
    await expectProblem(await call(path, { ...as(own), ...approval }), CONFLICT);
    const turned = await proposeUnfreeze(own, options);
    await expectProblem(await call(turned, { ...as(thief), ...approval }), CONFLICT);

    clock.advance(GIVING_TIE_MS);
    const later = await proposeUnfreeze(thief, options);
    expect((await call(later, { ...as(own), ...approval })).status).toBe(200);
  });

  it("does not approve for another puppet of the same hand", async () => {
    const { clock, options, as } = world();
    const one = await givenOperator("admin", options);
    const other = await givenOperator("admin", options);
    clock.advance(60_000);
    const path = await proposeUnfreeze(one, options);
    await expectProblem(await call(path, { ...as(other), ...approval }), CONFLICT);
  });

  it.each([
    ["a key", "POST", "keys", { overlapHours: 0 }],
    ["a role", "PATCH", "", { role: "admin" }],
    ["a set-up link", "POST", "sign-in-link", {}],
  ])("is one by %s too", async (_what, method, suffix, body) => {
    const { clock, options, as } = world();
    const colleague = await givenOperator("admin", options);
    clock.advance(2 * GIVING_TIE_MS);
    const path = `/people/${colleague.clientId}${suffix === "" ? "" : `/${suffix}`}`;
    const given = await callAsApprover(path, { ...options, method, body });
    expect(given.status, given.text).toBeLessThan(300);
    const key = given.body.data?.key;
    const credentials =
      typeof key === "string"
        ? { ...colleague.credentials, "X-API-Key": key }
        : colleague.credentials;
    clock.advance(60_000);

    const { path: freeze } = await givenFrozen();
    const proposed = await callAsApprover(freeze, {
      ...options,
      method: "DELETE",
      body: { reason: REASON },
    });
    const approve = `/api/v1/operator/proposals/${proposed.body.data.id}/approve`;
    await expectProblem(await call(approve, { ...as({ credentials }), ...approval }), CONFLICT);
    const other = await callAsOperator(`/proposals/${proposed.body.data.id}/approve`, {
      ...options,
      ...approval,
    });
    expect(other.status, other.text).toBe(200);
  });

  it("two admins who both gave a third a key stay two", async () => {
    const { clock, options } = world();
    const third = await givenOperator("admin", options);
    await callAsApprover(`/people/${third.clientId}/keys`, {
      ...options,
      method: "POST",
      body: {},
    });
    clock.advance(60_000);
    const { path } = await givenFrozen();
    const proposed = await callAsOperator(path, {
      ...options,
      method: "DELETE",
      body: { reason: REASON },
    });
    const answer = await callAsApprover(`/proposals/${proposed.body.data.id}/approve`, {
      ...options,
      ...approval,
    });
    expect(answer.status, answer.text).toBe(200);
  });
});

it("operators_changed: an alarm shows who gave whom what", async () => {
  const { clock, options } = world();
  clock.advance(10 * GIVING_TIE_MS);
  const made = await givenOperator("read", options);
  const { findings } = ALARMS.find(({ id }) => id === "operators_changed")!;
  const shown = async () => findings(await serviceFigures(env, clock));
  const at = new Date(clock.now()).toISOString();
  expect(await shown()).toEqual([`Operator operator added operator ${made.clientId} at ${at}.`]);
  clock.advance(GIVING_TIE_MS + 1);
  expect(await shown()).toEqual([]);
});
