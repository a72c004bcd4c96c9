import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyTime, anyEndToEndId } from "../../../support/probes/http/matchers.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

/** Amounts that steer the sandbox bank: one is refused, one stays open. */
const REFUSED_AMOUNT = 1_099;
const OPEN_AMOUNT = 1_098;

const find = (company: TestCompany, id: number | string): Promise<Answer> =>
  call(`/api/Withdraw/${id}`, { company });

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`/api/Withdraw/company/withdraws${query}`, { company });

const simulate = (company: TestCompany, id: number | string, move: string): Promise<Answer> =>
  call(`/api/v1/sandbox/withdraws/${id}/${move}`, { method: "POST", company });

async function givenWithdraw(amount = 1_000): Promise<{ company: TestCompany; withdraw: any }> {
  const company = await givenCompany({ balance: 10_000 });
  const { body } = await requestWithdraw(company, { amount, description: "d", metadata: "m" });
  return { company, withdraw: body };
}

it("a withdraw is read as it was returned", async () => {
  const { company, withdraw } = await givenWithdraw();
  const found = await find(company, withdraw.id);
  expect(found.status).toBe(200);
  expect(found.body).toStrictEqual(withdraw);
});

it.each(["0", "2", "-1", "1.0", "01", "abc", "1e0", "9999999999999999", "%00"])(
  "NOT_FOUND: rejects withdraw %s",
  async (id) => {
    const { company } = await givenWithdraw();
    await expectProblem(await find(company, id), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await simulate(company, id, "pay"), { status: 404, code: "NOT_FOUND" });
  },
);

it("NOT_FOUND: rejects a company without withdraws", async () => {
  const company = await givenCompany();
  await expectProblem(await find(company, 1), { status: 404, code: "NOT_FOUND" });
});

describe("the list", () => {
  it("has the records and the envelope of the transactions' list", async () => {
    const { company, withdraw } = await givenWithdraw();
    expect((await list(company)).body).toStrictEqual({
      ok: true,
      res: { items: [withdraw], totalItems: 1, totalPages: 1, currentPage: 1, pageSize: 50 },
    });
  });

  it("of a company without withdraws is empty", async () => {
    const company = await givenCompany();
    expect((await list(company)).body).toStrictEqual({
      ok: true,
      res: { items: [], totalItems: 0, totalPages: 0, currentPage: 1, pageSize: 50 },
    });
  });

  it("has pages in both orders, and is empty beyond the last page", async () => {
    const company = await givenCompany({ balance: 10_000 });
    for (let count = 0; count < 5; count++) await requestWithdraw(company);
    const idsOf = async (query: string) =>
      (await list(company, query)).body.res.items.map((item: any) => item.id);
    expect(await idsOf("")).toEqual([5, 4, 3, 2, 1]);
    expect(await idsOf("?pageSize=2&page=1")).toEqual([5, 4]);
    expect(await idsOf("?pageSize=2&page=3")).toEqual([1]);
    expect(await idsOf("?pageSize=2&page=2&sort=createdAt_asc")).toEqual([3, 4]);
    const beyond = await list(company, "?pageSize=2&page=4");
    expect(beyond.body.res).toStrictEqual({
      items: [],
      totalItems: 5,
      totalPages: 3,
      currentPage: 4,
      pageSize: 2,
    });
    expect((await list(company, "?pageSize=500")).body.res.pageSize).toBe(100);
  });

  it("VALIDATION_FAILED: rejects an invalid page", async () => {
    const company = await givenCompany();
    await expectProblem(await list(company, "?page=0&pageSize=-1&sort=id"), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["page", "pageSize", "sort"],
    });
  });
});

const REFUSED_BY_BANK = {
  code: "REFUSED_BY_BANK",
  message: "The receiver's bank refused the payment.",
  retryable: false,
};

describe("the receiving bank", () => {
  it("pays", async () => {
    const { company, withdraw } = await givenWithdraw();
    await runPayout(company, withdraw.id);
    expect((await find(company, withdraw.id)).body).toStrictEqual({
      ...withdraw,
      enTransaction: "Paid",
      endToEndId: anyEndToEndId,
      paidAt: anyTime,
      updatedAt: anyTime,
    });
    expect((await balanceOf(company)).accBalance).toBe(90);
  });

  it("refuses an amount that ends in 99 centavos, and the money is returned", async () => {
    const { company, withdraw } = await givenWithdraw(REFUSED_AMOUNT);
    await runPayout(company, withdraw.id);
    expect((await find(company, withdraw.id)).body).toMatchObject({
      enTransaction: "Failed",
      failureReason: REFUSED_BY_BANK,
      endToEndId: null,
    });
    expect((await balanceOf(company)).accBalance).toBe(100);
  });

  it.each([
    ["pay", "Paid", 89.02],
    ["fail", "Failed", 100],
  ])(
    "keeps an amount that ends in 98 open until the sandbox simulates %s",
    async (move, status, reais) => {
      const { company, withdraw } = await givenWithdraw(OPEN_AMOUNT);
      await runPayout(company, withdraw.id);
      expect((await find(company, withdraw.id)).body.enTransaction).toBe("Processing");
      expect((await balanceOf(company)).accBalance).toBe(89.02);
      const decided = await simulate(company, withdraw.id, move);
      expect(decided.status).toBe(200);
      expect(decided.body.enTransaction).toBe(status);
      expect((await find(company, withdraw.id)).body).toStrictEqual(decided.body);
      expect((await balanceOf(company)).accBalance).toBe(reais);
    },
  );

  it.each([
    ["pay", "Paid", 90],
    ["fail", "Failed", 100],
  ])("can simulate %s before the payout was sent", async (move, status, reais) => {
    const { company, withdraw } = await givenWithdraw();
    const decided = await simulate(company, withdraw.id, move);
    expect(decided.status).toBe(200);
    expect(decided.body).toStrictEqual({
      ...withdraw,
      enTransaction: status,
      failureReason: status === "Failed" ? REFUSED_BY_BANK : null,
      endToEndId: status === "Paid" ? anyEndToEndId : null,
      paidAt: status === "Paid" ? anyTime : null,
      updatedAt: anyTime,
    });
    expect((await balanceOf(company)).accBalance).toBe(reais);
  });

  it("returns a paid withdraw with its money", async () => {
    const { company, withdraw } = await givenWithdraw();
    await simulate(company, withdraw.id, "pay");
    const returned = await simulate(company, withdraw.id, "return");
    expect(returned.status).toBe(200);
    expect(returned.body).toStrictEqual({
      ...withdraw,
      enTransaction: "Returned",
      returnedValue: 10,
      endToEndId: anyEndToEndId,
      paidAt: anyTime,
      updatedAt: anyTime,
    });
    expect((await balanceOf(company)).accBalance).toBe(100);
  });

  it("returns a part of it and shows the total returned amount", async () => {
    const { company, withdraw } = await givenWithdraw();
    await simulate(company, withdraw.id, "pay");
    const back = (amount: number) =>
      call(`/api/v1/sandbox/withdraws/${withdraw.id}/return`, { company, body: { amount } });

    for (const amount of [300, 700, 700]) {
      const { status, body } = await back(amount);
      expect([status, body.enTransaction, body.returnedValue]).toEqual([200, "Paid", amount / 100]);
    }

    expect((await balanceOf(company)).accBalance).toBe(97);
    await expectProblem(await back(500), { status: 409, code: "INVALID_STATE" });
    expect((await back(1_000)).body).toMatchObject({ enTransaction: "Returned" });
    expect((await balanceOf(company)).accBalance).toBe(100);
    await expectProblem(await back(700), { status: 409, code: "INVALID_STATE" });
  });
});

describe("INVALID_STATE", () => {
  it.each([
    ["return", []],
    ["fail", ["pay"]],
    ["pay", ["fail"]],
    ["return", ["fail"]],
    ["pay", ["pay", "return"]],
    ["fail", ["pay", "return"]],
  ])("rejects %s after %j", async (last, before) => {
    const { company, withdraw } = await givenWithdraw();
    for (const move of before) {
      expect((await simulate(company, withdraw.id, move)).status).toBe(200);
    }
    const answer = await expectNoSideEffects(company, () => simulate(company, withdraw.id, last));
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it("does not apply to a repeat of the same transition", async () => {
    for (const moves of [["pay"], ["fail"], ["pay", "return"]]) {
      const { company, withdraw } = await givenWithdraw();
      for (const move of moves) await simulate(company, withdraw.id, move);
      const last = moves.at(-1) ?? "";
      const again = await expectNoSideEffects(company, () => simulate(company, withdraw.id, last));
      expect(again.status, last).toBe(200);
    }
  });
});
