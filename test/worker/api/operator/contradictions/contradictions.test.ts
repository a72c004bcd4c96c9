import { describe, expect, it } from "vitest";
import {
  DECISION_ACTIONS,
  ALLOWED_ACTIONS,
  CONTRADICTION_KINDS,
} from "../../../../../src/domain/reconciliation/contradiction.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  decide,
  givenContradiction,
  propose,
} from "../../../../support/builders/reconciliation/decisions.ts";
import { approve } from "../../../../support/builders/operations/decide.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { accountsOf, movementsOf } from "../../../../support/probes/ledger/ledger.ts";
import {
  unavailableProjection,
  evict,
  replaceInObject,
} from "../../../../support/faults/object.ts";
import { callAsApprover, callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { anyTime } from "../../../../support/probes/http/matchers.ts";

const PATH = "/api/v1/operator/contradictions";
const DISMISS = { action: "dismiss", reason: "The bank has taken it back." };
const CONFLICT = { status: 409, code: "INVALID_STATE" };

/** The list cursor before a company's first contradiction. */
function oldContradictionId({ id }: TestCompany): string {
  return id === 1 ? "" : `&after=${id - 1}-999999999`;
}

/** A company's contradictions in the list. */
async function listed(company: TestCompany, query = ""): Promise<any[]> {
  const { body } = await callAsOperator(
    `/contradictions?limit=100${query}${oldContradictionId(company)}`,
  );
  return body.items.filter((item: { companyId: number }) => item.companyId === company.id);
}

async function eventTypesOf(company: TestCompany): Promise<string[]> {
  const types: string[] = [];
  let from = "";
  while (true) {
    const { body } = await callAsOperator(`/events?limit=100${from}`);
    for (const { companyId, type } of body.items) if (companyId === company.id) types.push(type);
    if (!body.hasMore) return types;
    from = `&after=${body.after}`;
  }
}

/** The last page of operator events. */
async function readLastOperatorPage(): Promise<any> {
  let page = (await callAsOperator("/events?limit=100")).body;
  while (page.hasMore) page = (await callAsOperator(`/events?limit=100&after=${page.after}`)).body;
  return page;
}

function correct(amount: number) {
  return { action: "correct", amount, reason: "As the bank says." };
}

/** A company with an entry that D1 rejects. */
async function givenQuarantinedEntry() {
  const company = await givenCompany();
  await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO outbox_set_aside (subject, entry, reason, since, refusals)
       VALUES ('withdraw:9', '{"kind":"none"}', 'constraint', 0, 1)`,
    );
  });
  const found = { kind: "entry_set_aside", object: "withdraw:9", amount: 0 } as const;
  return { company, id: await givenContradiction(company, found) };
}

describe("a contradiction", () => {
  it("is listed, shown and announced to operators", async () => {
    const company = await givenCompany();
    const id = await givenContradiction(company, { held: 4_000 });
    const expected = {
      id,
      kind: "payout_unknown",
      companyId: company.id,
      object: "withdraw:7",
      said: { status: "Paid" },
      booked: { status: "Failed" },
      amount: 10_000,
      held: 4_000,
      since: anyTime,
      status: "open",
      proposal: null,
      decision: null,
    };
    expect(await listed(company)).toEqual([expected]);
    const shown = await callAsOperator(`/contradictions/${id}`);
    expect(shown.body).toEqual(expected);
    await expectDocumented(`GET ${PATH}/{id}`, shown);
    await expectDocumented(`GET ${PATH}`, await callAsOperator("/contradictions?limit=1"));
    const newest = await callAsOperator("/events?limit=1");
    await expectDocumented("GET /api/v1/operator/events", newest);
    const { after } = await readLastOperatorPage();
    expect(await callAsOperator(`/events?after=${after}`)).toMatchObject({
      body: { hasMore: false },
    });
    expect(after).toMatch(/^\d+-\d+-\d+$/);
    expect(await eventTypesOf(company)).toEqual(["contradiction.opened"]);
  });

  it("is recorded once although it is found several times", async () => {
    const company = await givenCompany();
    const id = await givenContradiction(company);
    expect(await givenContradiction(company, { amount: 5 })).toBe(id);
    await decide(id, DISMISS);
    expect(await givenContradiction(company)).toBe(id);
    expect(await listed(company)).toHaveLength(1);
  });

  it("is listed by its status, page by page", async () => {
    const company = await givenCompany();
    const ids: string[] = [];
    for (let number = 1; number <= 3; number++) {
      ids.push(await givenContradiction(company, { object: `withdraw:${number}` }));
    }
    await decide(ids[2]!, DISMISS);
    for (const [status, some] of [
      ["open", [ids[0], ids[1]]],
      ["proposed", []],
      ["decided", [ids[2]]],
    ] as const) {
      const items = await listed(company, `&status=${status}`);
      expect(items.map((item) => item.id)).toEqual(some);
    }
    const first = await callAsOperator(`/contradictions?limit=2${oldContradictionId(company)}`);
    expect(first.body).toMatchObject({ after: ids[1], hasMore: true });
    const rest = await callAsOperator(`/contradictions?after=${first.body.after}&limit=1`);
    expect(rest.body.items[0].id).toBe(ids[2]);
  });

  it("VALIDATION_FAILED, NOT_FOUND: rejects an id that is not a contradiction's", async () => {
    const company = await givenCompany();
    const id = await givenContradiction(company);
    for (const [path, field] of [
      ["/contradictions?status=closed", "status"],
      ["/contradictions?after=x", "after"],
      ["/events?after=1-2", "after"],
    ] as const) {
      const expected = { status: 400, code: "VALIDATION_FAILED", fields: [field] };
      await expectProblem(await callAsOperator(path), expected);
    }
    const missing = { status: 404, code: "NOT_FOUND" };
    await expectProblem(await callAsOperator("/contradictions/7"), missing);
    await expectProblem(await callAsOperator(`/contradictions/${company.id}-2`), missing);
    await expectProblem(await propose(`${company.id}-2`, DISMISS), missing);
    await expectProblem(await callAsOperator("/contradictions/9999999-1"), missing);
    expect((await callAsOperator(`/contradictions/${id}`)).status).toBe(200);
  });
});

describe("two operators", () => {
  it("resolve a contradiction: one proposes, another approves", async () => {
    const company = await givenCompany();
    const id = await givenContradiction(company);
    const proposed = await propose(id, DISMISS);
    expect(proposed.status).toBe(202);
    expect(proposed.body.data).toMatchObject({
      action: "contradiction.decide",
      target: `contradiction:${id}`,
      request: { action: "dismiss" },
      reason: DISMISS.reason,
      status: "pending",
      proposedBy: { id: "operator" },
    });
    await expectDocumented(`POST ${PATH}/{id}/decide`, proposed);
    const approved = await approve(proposed.body.data.id);
    expect([approved.status, approved.body.data.status]).toEqual([200, "approved"]);
    const shown = await callAsOperator(`/contradictions/${id}`);
    expect(shown.body).toMatchObject({
      status: "decided",
      decision: {
        ...DISMISS,
        amount: null,
        transactionId: null,
        proposedBy: "operator",
        proposedAt: anyTime,
        agreedBy: "approver",
        decidedAt: anyTime,
      },
    });
    expect(await listed(company)).toEqual([shown.body]);
    const announced = ["opened", "decided"].map((type) => `contradiction.${type}`);
    expect(await eventTypesOf(company)).toEqual(announced);
  });

  it("INVALID_STATE: must be two different people", async () => {
    const company = await givenCompany();
    const id = await givenContradiction(company);
    const { body } = await propose(id, DISMISS);
    const own = { method: "POST", body: { reason: "I am sure." } };
    const again = await callAsOperator(`/proposals/${body.data.id}/approve`, own);
    await expectProblem(again, CONFLICT);
    expect(again.body.detail).toContain("another one must");
    expect((await callAsOperator(`/contradictions/${id}`)).body.status).toBe("open");
  });

  it("INVALID_STATE: propose one thing at a time", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const id = await givenContradiction(company);
    const { body } = await propose(id, DISMISS);
    const other = await propose(id, correct(-700));
    await expectProblem(other, CONFLICT);
    expect(other.body.detail).toContain(body.data.id);
    const refusal = { method: "POST", body: { reason: "It is another amount." } };
    expect((await callAsOperator(`/proposals/${body.data.id}/refuse`, refusal)).status).toBe(200);
    expect((await propose(id, correct(-700))).status).toBe(202);
  });

  it("get the same response on a repeat, and the decision is final", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const id = await givenContradiction(company);
    const body = { action: "correct", amount: -700, reason: "Sent from the bank's app." };
    const decided = await decide(id, body);
    const again = await approve(decided.body.data.id);
    expect([again.status, again.body]).toEqual([200, decided.body]);
    await expectProblem(await propose(id, body), CONFLICT);
    await expectProblem(await propose(id, DISMISS), CONFLICT);
    const corrections = (await movementsOf(company)).filter(({ type }) => type === "correction");
    expect(corrections).toMatchObject([{ type: "correction" }]);
  });

  it("can continue after the object crashed between both while D1 was down", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const id = await givenContradiction(company);
    const proposed = await propose(id, DISMISS);
    expect(proposed.status).toBe(202);
    const restore = await replaceInObject(company, {
      projection: unavailableProjection().projection,
    });
    expect(await listed(company)).toMatchObject([{ id, status: "open" }]);
    await restore();
    await evict(company, { clock });
    clock.advance(60_000);
    expect((await approve(proposed.body.data.id)).status).toBe(200);
    expect(await listed(company)).toMatchObject([{ id, status: "decided" }]);
  });
});

describe("the resolutions of each kind", () => {
  it.each(CONTRADICTION_KINDS)("are a closed table: %s", async (kind) => {
    const company = await givenCompany();
    const id = await givenContradiction(company, { kind });
    for (const action of DECISION_ACTIONS) {
      const amount = action === "correct" ? { amount: 5 } : {};
      if (action === "credit") continue;
      const answer = await propose(id, { action, ...amount, reason: "As the bank says." });
      if (ALLOWED_ACTIONS[kind].includes(action)) {
        expect(answer.status, action).toBe(202);
        const refusal = { method: "POST", body: { reason: "Another one is tried." } };
        await callAsOperator(`/proposals/${answer.body.data.id}/refuse`, refusal);
      } else {
        await expectProblem(answer, CONFLICT);
        expect(answer.body.detail).toContain(ALLOWED_ACTIONS[kind].join(", "));
      }
    }
  });

  it.each([
    ["amount", { action: "correct" }],
    ["amount", { action: "correct", amount: 0 }],
    ["amount", { action: "correct", amount: 1.5 }],
    ["amount", { action: "dismiss", amount: 1 }],
    ["transactionId", { action: "credit" }],
    ["transactionId", { action: "credit", transactionId: "7" }],
    ["transactionId", { action: "return", transactionId: crypto.randomUUID() }],
    ["action", { action: "forget" }],
    ["reason", { action: "dismiss", reason: "" }],
  ])("VALIDATION_FAILED: %s of %o", async (field, body) => {
    const id = await givenContradiction(await givenCompany());
    const answer = await propose(id, { reason: "As the bank says.", ...body });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });
});

describe("a correction", () => {
  it("credits the company with money that its bank holds", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const before = await accountsOf(company);
    await decide(await givenContradiction(company), correct(700));
    const after = await accountsOf(company);
    expect(after["available"]).toBe(before["available"]! + 700);
    expect(after["provider"]).toBe(before["provider"]! - 700);
  });

  it("debits money that the bank no longer holds; a shortfall becomes debt, which is repaid first", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const before = await accountsOf(company);
    await decide(await givenContradiction(company), correct(-2_500));
    const debt = before["available"]! - 2_500;
    expect(await accountsOf(company)).toMatchObject({
      available: 0,
      debt,
      provider: before["provider"]! + 2_500,
    });
    await decide(await givenContradiction(company, { object: "withdraw:8" }), correct(2_000));
    expect(await accountsOf(company)).toMatchObject({ available: 2_000 + debt, debt: 0 });
  });

  it("INVALID_STATE: cannot exceed the disputed amount", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const id = await givenContradiction(company, { amount: 500 });
    await expectProblem(await propose(id, correct(501)), CONFLICT);
    await expectProblem(await propose(id, correct(-501)), CONFLICT);
    expect((await propose(id, correct(-500))).status).toBe(202);
  });

  it("INVALID_STATE: of a sum that an earlier correction explains would be counted nowhere", async () => {
    const company = await givenCompany();
    const booked = { corrected: 1_000 };
    const id = await givenContradiction(company, { kind: "refund_status", booked });
    for (const amount of [-500, 500]) {
      const answer = await propose(id, correct(amount));
      await expectProblem(answer, CONFLICT);
      expect(answer.body).toMatchObject({
        reason: "corrected_already",
        detail: expect.stringMatching(/took this money.*counted nowhere: dismiss it\.$/),
      });
    }
    expect((await propose(id, DISMISS)).status).toBe(202);
  });

  it("may have any amount when the record was unreadable", async () => {
    const company = await givenCompany();
    const found = { kind: "record_unreadable", object: "record:ab", amount: 0 } as const;
    const answer = await decide(await givenContradiction(company, found), correct(900));
    expect(answer.status).toBe(200);
    expect((await accountsOf(company))["available"]).toBe(900);
  });

  it("appears in the statement", async () => {
    const company = await givenCompany();
    await decide(await givenContradiction(company), correct(700));
    expect(await movementsOf(company)).toMatchObject([{ type: "correction" }]);
  });
});

describe("a quarantined outbox entry", () => {
  it("is never written to D1 after operators drop it", async () => {
    const { company, id } = await givenQuarantinedEntry();
    expect((await decide(id, DISMISS)).status).toBe(200);
    const left = await inAccount(company.id, (_, { storage }) =>
      storage.sql.exec("SELECT * FROM outbox_set_aside").toArray(),
    );
    expect(left).toEqual([]);
  });
});

it("the second operator has the same rights as the first", async () => {
  const company = await givenCompany();
  const id = await givenContradiction(company);
  expect((await callAsApprover(`/contradictions/${id}`)).status).toBe(200);
  const path = `/contradictions/${id}/decide`;
  const proposed = await callAsApprover(path, { method: "POST", body: DISMISS });
  expect(proposed.status).toBe(202);
  const approval = { method: "POST", body: { reason: DISMISS.reason } };
  const { id: proposal } = proposed.body.data;
  expect((await callAsOperator(`/proposals/${proposal}/approve`, approval)).status).toBe(200);
});
