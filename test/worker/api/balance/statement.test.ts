import { expect, it } from "vitest";
import { GENESIS_HASH, movementHash } from "../../../../src/domain/ledger/movement-hash.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const path = (company: TestCompany, query = "") =>
  `/api/Balance/statement/${company.id}?currency=BRL${query}`;

/** A payment of 50.00 and a paid withdraw of 20.00: four lines besides the provider's. */
async function givenHistory(): Promise<{ company: TestCompany; transactionId: string }> {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 5_000);
  const { body } = await requestWithdraw(company, { amount: 2_000 });
  await runPayout(company, body.id);
  return { company, transactionId: id };
}

it("the statement shows every posting of the company's own accounts, oldest first, with its running balance", async () => {
  const { company, transactionId } = await givenHistory();

  const { status, body } = await call(path(company), { company });

  expect(status).toBe(200);
  const line = {
    sequence: expect.any(Number),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    detailsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  };
  const paid = { ...line, type: "charge_paid", transactionId, withdrawId: null };
  const requested = { ...line, type: "withdraw_requested", transactionId: null, withdrawId: 1 };
  const sent = { ...requested, type: "withdraw_paid", detailsHash: null };
  expect(body).toEqual({
    items: [
      { ...paid, account: "available", amount: 5_000, balance: 5_000 },
      { ...requested, account: "available", amount: -2_000, balance: 3_000 },
      { ...requested, account: "payout", amount: 2_000, balance: 2_000 },
      { ...sent, account: "payout", amount: -2_000, balance: 0 },
    ],
    after: String(body.items[3].sequence),
    hasMore: false,
  });
});

it("the last line of an account in the statement equals the balance", async () => {
  const { company } = await givenHistory();
  const { body } = await call(path(company), { company });
  const last = body.items.findLast((item: any) => item.account === "available");
  expect(last.balance / 100).toBe((await balanceOf(company)).accBalance);
});

it("the hashes of the statement can be recomputed from its lines", async () => {
  const { company } = await givenHistory();
  const { body } = await call(path(company), { company });
  let previous = GENESIS_HASH;
  let sequence = 0;
  for (const hash of new Set<string>(body.items.map((item: any) => item.hash))) {
    const lines = body.items.filter((item: any) => item.hash === hash);
    const [{ createdAt, type, transactionId, withdrawId, detailsHash }] = lines;
    sequence += 1;
    expect(
      movementHash(previous, {
        sequence,
        createdAt: Date.parse(createdAt),
        type,
        transactionId,
        withdrawId,
        lines,
        detailsHash,
      }),
    ).toBe(hash);
    previous = hash;
  }
  expect(sequence).toBe(3);
});

it.each([1, 2, 3, 4, 100])(
  "the statement returns every line once when it is read %i lines at a time",
  async (limit) => {
    const { company } = await givenHistory();
    const whole = (await call(path(company), { company })).body.items;
    const walked: unknown[] = [];
    let after = "";
    for (let page = 0; page <= whole.length; page++) {
      const query = `&limit=${limit}${after === "" ? "" : `&after=${after}`}`;
      const { body } = await call(path(company, query), { company });
      walked.push(...body.items);
      if (!body.hasMore) break;
      after = body.after;
    }
    expect(walked).toEqual(whole);
  },
);

it("from and to limit the period of the statement", async () => {
  const { company } = await givenHistory();
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  const count = async (query: string) =>
    (await call(path(company, query), { company })).body.items.length;
  expect(await count(`&from=${past}&to=${future}`)).toBe(4);
  expect(await count(`&from=${future}`)).toBe(0);
  expect(await count(`&to=${past}`)).toBe(0);
});

it("the statement is empty for a company without history", async () => {
  const company = await givenCompany();
  const { body } = await call(path(company), { company });
  expect(body).toEqual({ items: [], after: null, hasMore: false });
});

it.each(["limit=0", "limit=101", "after=x", "from=yesterday"])(
  "VALIDATION_FAILED: %s",
  async (query) => {
    const company = await givenCompany();
    const answer = await call(path(company, `&${query}`), { company });
    await expectProblem(answer, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [query.split("=")[0] ?? ""],
    });
  },
);

it("NOT_FOUND: there is no statement in another currency", async () => {
  const company = await givenCompany();
  const answer = await call(`/api/Balance/statement/${company.id}?currency=USD`, { company });
  await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
});

it("the statement shows the provider's postings on request, and each movement sums to zero", async () => {
  const company = await givenCompany({ balance: 2_500 });
  await requestWithdraw(company, { amount: 1_000 });
  await runPayout(company, 1);
  const own = (await call(path(company), { company })).body.items;

  const { body } = await call(`${path(company)}&accounts=all`, { company });

  const all: any[] = body.items;
  expect(all.filter(({ account }) => account !== "provider")).toEqual(own);
  expect(all.filter(({ account }) => account === "provider")).toEqual([
    expect.objectContaining({ sequence: 31, amount: -2_500, balance: -2_500 }),
    expect.objectContaining({ sequence: 63, amount: 1_000, balance: -1_500 }),
  ]);
  const sums = new Map<string, number>();
  for (const { hash, amount } of all) sums.set(hash, (sums.get(hash) ?? 0) + amount);
  expect([...sums.values()]).toEqual([0, 0, 0]);
  const page = await call(`${path(company)}&accounts=all&after=16&limit=1`, { company });
  expect(page.body.items).toEqual([all[1]]);
});
