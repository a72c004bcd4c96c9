import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ALARMS } from "../../src/api/operator/alarms/thresholds.ts";
import { serviceFigures } from "../../src/api/operator/status/figures.ts";
import { systemDependencies } from "../../src/dependencies.ts";
import { env } from "../support/builders/companies/company.ts";
import { call, type Answer } from "../support/builders/requests/api.ts";
import {
  APPROVER_CREDENTIALS,
  callAsOperator,
  givenOperator,
  OPERATOR_CREDENTIALS,
  restoreLocalOperators,
  type TestOperator,
} from "../support/builders/companies/operator.ts";
import { REASON } from "../support/builders/operations/decide.ts";
import { givenFrozen } from "../support/builders/operations/undecided.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { expectProblem } from "../support/probes/http/problem.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Hand = Pick<TestOperator, "credentials">;
/** Two admins of whom nobody made the other. */
const OPERATOR: Hand = { credentials: OPERATOR_CREDENTIALS };
const APPROVER: Hand = { credentials: APPROVER_CREDENTIALS };

/** Why an operator is no second person. */
const TIED = "less than 24 hours before the proposal, or one hand gave to both";
const CHANGED = "a role, a key or a set-up link after the proposal";

async function expectRefused(answer: Answer, why: string): Promise<void> {
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(answer.body.detail).toContain(why);
}

/** What one operator can give another: the route below him, and what it takes. */
const GIFTS: [string, string, string, object][] = [
  ["a key", "POST", "/keys", { overlapHours: 1 }],
  ["a role", "PATCH", "", { role: "admin" }],
  ["a set-up link", "POST", "/sign-in-link", {}],
];

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** A clock that all of a test's requests share. It is ahead of the objects' clocks: what they froze was before. */
function world() {
  const clock = new TestClock();
  clock.advance(DAY_MS);
  const options = { deps: { ...systemDependencies, platformClock: clock } };
  const as = (company: Hand) => ({ ...options, company });
  return {
    clock,
    /** A new admin, made by another one. */
    make: (by: Hand) => givenOperator("admin", as(by)),
    give: async (by: Hand, to: string, [, method, suffix, body]: (typeof GIFTS)[number]) => {
      const path = `/api/v1/operator/people/${to}${suffix}`;
      const given = await call(path, { ...as(by), method, body });
      expect(given.status, given.text).toBeLessThan(300);
      return given;
    },
    /** Proposes the end of a freeze; returns the proposal's id. */
    propose: async (by: Hand): Promise<string> => {
      const { path } = await givenFrozen();
      const body = { reason: REASON };
      const answer = await call(`/api/v1/operator${path}`, { ...as(by), method: "DELETE", body });
      expect(answer.status, answer.text).toBe(202);
      return answer.body.data.id;
    },
    approve: (by: Hand, id: string): Promise<Answer> =>
      call(`/api/v1/operator/proposals/${id}/approve`, {
        ...as(by),
        method: "POST",
        body: { reason: "Me too." },
      }),
  };
}

describe("an admin's puppet", () => {
  it("who was added before the proposal does not approve it, until a day is over", async () => {
    const { clock, make, propose, approve } = world();
    const puppet = await make(APPROVER);
    clock.advance(DAY_MS - MINUTE_MS);

    await expectRefused(await approve(puppet, await propose(APPROVER)), TIED);
    await expectRefused(await approve(APPROVER, await propose(puppet)), TIED);

    clock.advance(2 * MINUTE_MS);
    expect((await approve(puppet, await propose(APPROVER))).status).toBe(200);
  });

  it("does not approve what was proposed in his first day, however long it waits", async () => {
    const { clock, make, propose, approve } = world();
    const puppet = await make(APPROVER);
    clock.advance(MINUTE_MS);
    const id = await propose(APPROVER);
    clock.advance(2 * DAY_MS);
    await expectRefused(await approve(puppet, id), TIED);
    expect((await approve(OPERATOR, id)).status).toBe(200);
  });

  it("does not approve for another puppet of the same hand", async () => {
    const { clock, make, propose, approve } = world();
    const one = await make(OPERATOR);
    const other = await make(OPERATOR);
    clock.advance(MINUTE_MS);
    await expectRefused(await approve(other, await propose(one)), TIED);
  });

  it("is one by a puppet too, also after that one was removed", async () => {
    const { clock, make, propose, approve } = world();
    const between = await make(APPROVER);
    const puppet = await make(between);
    const removed = await callAsOperator(`/people/${between.clientId}`, { method: "DELETE" });
    expect(removed.status, removed.text).toBe(200);
    clock.advance(MINUTE_MS);
    await expectRefused(await approve(puppet, await propose(APPROVER)), TIED);
    await expectRefused(await approve(APPROVER, await propose(puppet)), TIED);
  });

  it("stays one after somebody else gave him something too", async () => {
    const { clock, make, give, propose, approve } = world();
    const puppet = await make(APPROVER);
    await give(OPERATOR, puppet.clientId, GIFTS[1]!);
    clock.advance(MINUTE_MS);
    await expectRefused(await approve(puppet, await propose(APPROVER)), TIED);
  });

  it.each(GIFTS)("is one by %s too", async (...gift) => {
    const { clock, make, give, propose, approve } = world();
    const colleague = await make(OPERATOR);
    clock.advance(2 * DAY_MS);
    const { body } = await give(APPROVER, colleague.clientId, gift);
    const key = body.data?.key ?? colleague.key;
    const own = { credentials: { ...colleague.credentials, "X-API-Key": key } };
    clock.advance(MINUTE_MS);
    const id = await propose(APPROVER);
    await expectRefused(await approve(own, id), TIED);
    expect((await approve(OPERATOR, id)).status).toBe(200);
  });
});

describe("two admins stay two", () => {
  it("who both gave a third a key", async () => {
    const { clock, make, give, propose, approve } = world();
    const third = await make(OPERATOR);
    await give(APPROVER, third.clientId, GIFTS[0]!);
    clock.advance(MINUTE_MS);
    expect((await approve(APPROVER, await propose(OPERATOR))).status).toBe(200);
  });

  it("of whom one made the other long ago, though a third has given him a role since", async () => {
    const { clock, make, give, propose, approve } = world();
    const colleague = await make(OPERATOR);
    clock.advance(2 * DAY_MS);
    await give(APPROVER, colleague.clientId, GIFTS[1]!);
    clock.advance(MINUTE_MS / 2);
    expect((await approve(colleague, await propose(OPERATOR))).status).toBe(200);
  });

  it("of whom one issues himself a key before he approves", async () => {
    const { clock, make, give, propose, approve } = world();
    const colleague = await make(OPERATOR);
    clock.advance(2 * DAY_MS);
    const id = await propose(APPROVER);
    clock.advance(MINUTE_MS);
    await give(colleague, colleague.clientId, GIFTS[0]!);
    const answer = await approve(colleague, id);
    expect(answer.status, answer.text).toBe(200);
  });
});

it.each(GIFTS)(
  "an operator whom a third gave %s after the proposal does not approve it",
  async (...gift) => {
    const { clock, make, give, propose, approve } = world();
    const colleague = await make(OPERATOR);
    clock.advance(2 * DAY_MS);
    const id = await propose(APPROVER);
    clock.advance(MINUTE_MS);
    await give(OPERATOR, colleague.clientId, gift);
    await expectRefused(await approve(colleague, id), CHANGED);
  },
);

it("operators_changed: an alarm shows who gave whom what", async () => {
  const { clock, make } = world();
  clock.advance(10 * DAY_MS);
  const made = await make(OPERATOR);
  const { findings } = ALARMS.find(({ id }) => id === "operators_changed")!;
  const shown = async () => findings(await serviceFigures(env, clock));
  const at = new Date(clock.now()).toISOString();
  const text = `Operator operator added operator ${made.clientId} at ${at}.`;
  expect(await shown()).toMatchObject([{ text }]);
  clock.advance(DAY_MS + 1);
  expect(await shown()).toEqual([]);
});
