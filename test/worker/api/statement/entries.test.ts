import { beforeAll, describe, expect, it } from "vitest";
import { saoPauloDay, saoPauloHour } from "../../../../src/domain/shared/business-day.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { givenTwoMonths } from "../../../support/builders/ledger/two-months.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";

const PATH = "/api/v1/statement/entries";
const PAYMENTS = new Set(["charge_paid", "suspense_credited"]);

let company: TestCompany;
let months: string[];

beforeAll(async () => {
  ({ company, months } = await givenTwoMonths());
});

const entriesOf = (month: string, query = "", by = company) =>
  call(`${PATH}?month=${month}${query}`, { company: by });

const sumOf = (items: any[], name: string): number =>
  items.reduce((sum, item) => sum + item[name], 0);

/** What each movement left of the company's own money, by the number of its last line. */
async function ledgerBalances(): Promise<Map<number, number>> {
  const { body } = await call(`/api/Balance/statement/${company.id}?currency=BRL&limit=100`, {
    company,
  });
  const accounts: Record<string, number> = { available: 0, awaiting: 0, debt: 0 };
  const balances = new Map<number, number>();
  for (const { account, balance, sequence } of body.items) {
    if (account in accounts) accounts[account] = balance;
    balances.set(
      sequence,
      Object.values(accounts).reduce((sum, each) => sum + each, 0),
    );
  }
  return balances;
}

const shown = ({ body }: any) =>
  body.items.map(({ type, externalRef, gross, fee, net, availableNet }: any) => [
    type,
    externalRef,
    gross,
    fee,
    net,
    availableNet,
  ]);

describe("the entries of a month", () => {
  it("add up from its opening to its closing balance, each with the ledger's balance after it", async () => {
    const ledger = await ledgerBalances();
    let opening = 0;
    for (const month of months) {
      const answer = await entriesOf(month, "&limit=100");
      await expectDocumented(`GET ${PATH}`, answer);
      const { summary, items, hasMore } = answer.body;
      expect(hasMore).toBe(false);
      expect(summary.opening).toBe(opening);
      expect(opening + sumOf(items, "net")).toBe(summary.closing);
      const payments = items.filter(({ type }: any) => PAYMENTS.has(type));
      const others = items.filter(({ type }: any) => !PAYMENTS.has(type));
      expect(sumOf(payments, "gross")).toBe(summary.moneyIn);
      expect(sumOf(items, "fee")).toBe(summary.fees);
      expect(0 - sumOf(others, "gross")).toBe(summary.moneyOut);
      for (const { sequence, balance, gross, fee, net } of items) {
        expect(ledger.get(sequence)).toBe(balance);
        expect(gross - fee).toBe(net);
      }
      const ascending = items.toReversed();
      let balance = opening;
      for (const item of ascending) expect((balance += item.net)).toBe(item.balance);
      opening = summary.closing;
    }
    const { accBalance, accBalanceCreditAwaiting, accBalanceDebt } = await balanceOf(company);
    expect(accBalanceDebt).toBeGreaterThan(0);
    expect(opening / 100).toBeCloseTo(accBalance + accBalanceCreditAwaiting - accBalanceDebt, 2);
  });

  it("say what happened in one line, newest first, with payer and order", async () => {
    const [first, second] = await Promise.all(months.map((month) => entriesOf(month)));
    expect(shown(first)).toEqual([
      ["withdraw_requested", null, -2_000, 100, -2_100, -2_100],
      ["refund_requested", "pedido-1", -700, 0, -700, -700],
      ["charge_paid", "pedido-2", 9_000, 35, 8_965, 0],
      ["charge_paid", "pedido-1", 5_000, 0, 5_000, 5_000],
    ]);
    expect(shown(second)).toContainEqual(["credit_released", "pedido-2", 0, 0, 0, 8_965]);
    expect(first?.body.items[0].counterpart).toBe("11222333000181");
    expect(first?.body.items[3]).toMatchObject({
      counterpart: "Maria & Filhos; Ltda",
      paymentMethod: "PIX",
    });
  });

  it("mask payer and PIX key without pii:read", async () => {
    const masked = await givenApplication(company, { scopes: ["balance:read"] });
    const { body } = await entriesOf(months[0] ?? "", "", masked);
    expect(body.items[3].counterpart).toBe("M*** &*** F*** L***");
    expect(body.items[0].counterpart).not.toContain("11222333");
  });

  it.each([1, 2, 3])("come once each when they are read %i at a time", async (limit) => {
    for (const month of months) {
      const whole = (await entriesOf(month)).body.items;
      const walked: unknown[] = [];
      let after = "";
      do {
        const { body } = await entriesOf(month, `&limit=${limit}${after}`);
        walked.push(...body.items);
        expect(body.hasMore).toBe(body.after !== null);
        after = body.after === null ? "" : `&after=${body.after}`;
      } while (after !== "");
      expect(walked).toEqual(whole);
    }
  });

  it("of days, of an hour and of a kind add up to the sums of these days", async () => {
    const { items, summary } = (await entriesOf(months[0] ?? "")).body;
    const day = saoPauloDay(Date.parse(items[0].createdAt));
    const ofDay = (query: string) => call(`${PATH}?from=${day}&to=${day}${query}`, { company });
    const whole = (await ofDay("")).body;
    expect(whole.items).toEqual(items);
    expect(whole.summary).toEqual({ ...summary, from: day, to: day });
    const sums = { in: "moneyIn", out: "moneyOut", fees: "fees" } as const;
    for (const [only, name] of Object.entries(sums)) {
      const { body } = await ofDay(`&only=${only}`);
      const sum = sumOf(body.items, only === "fees" ? "fee" : "gross");
      expect(only === "out" ? 0 - sum : sum).toBe(summary[name]);
      expect(body.summary).toEqual(whole.summary);
    }
    const hour = saoPauloHour(Date.parse(items[0].createdAt));
    expect((await ofDay(`&hour=${hour}`)).body.items).toEqual(items);
    expect((await ofDay(`&hour=${(hour + 1) % 24}`)).body.items).toEqual([]);
    expect((await call(`${PATH}?to=${day}`, { company })).body.summary).toEqual(whole.summary);
  });

  it("are none in a month without movements, whose balance stands", async () => {
    const { body } = await entriesOf("2020-02");
    expect(body).toMatchObject({ items: [], after: null, hasMore: false });
    const empty = await givenCompany();
    expect((await call(PATH, { company: empty })).body.summary).toMatchObject({
      opening: 0,
      moneyIn: 0,
      fees: 0,
      moneyOut: 0,
      closing: 0,
    });
  });

  it.each([
    ["from=2026-11-02&to=2026-11-01", "to"],
    ["from=2020-01-01&to=2026-11-01", "to"],
    // `to` is today.
    ["from=2020-01-01", "to"],
    ["from=2999-01-01", "to"],
    ["from=ontem", "from"],
    ["hour=24", "hour"],
    ["only=all", "only"],
  ])("VALIDATION_FAILED: %s at %s", async (query, field) => {
    const answer = await call(`${PATH}?${query}`, { company });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it.each(["month=2026-13", "month=hoje", "month=2026-11-01", "limit=0", "after=x"])(
    "VALIDATION_FAILED: %s",
    async (query) => {
      const answer = await call(`${PATH}?${query}`, { company });
      const fields = [query.split("=")[0] ?? ""];
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
    },
  );
});
