import { beforeEach, expect, it } from "vitest";
import { AccountBudget, RunBudget } from "../../../../src/api/bank-reconciliation/call-budget.ts";
import { takeListedDebits, takeListedMandates } from "../../../../src/api/subscriptions/listed.ts";
import type { ListedAccount } from "../../../../src/api/subscriptions/mandates/news.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
  subscribe,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { AMOUNT } from "../../../support/builders/charges/subscriptions.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import type { PspSetup } from "../../../support/builders/providers/psp.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

const DAY_MS = 86_400_000;

beforeEach(restoreLocalOperators);

/** What a list of the world's PSP has, and an account that takes it; each call to anybody is counted. */
async function givenList(world: PspSetup) {
  const { clock, company, deps, psp } = world;
  const count = { calls: 0 };
  const { DB } = withDatabase({ after: () => void (count.calls += 1) });
  const COMPANY_ACCOUNT = new Proxy(world.env.COMPANY_ACCOUNT, {
    get: (target, name) => {
      if (name === "getByName") count.calls += 1;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const found = (await findCompany(world.env, company.id))!;
  const provider = (await deps
    .providers(world.env)
    .ofAccount(found, found.accounts[0]!.account, "PIX"))!;
  const run = new RunBudget(clock);
  const at: ListedAccount = {
    env: { ...world.env, DB, COMPANY_ACCOUNT },
    deps: depsOfCompany(deps, found),
    company: found,
    provider,
    mandates: provider.mandates!,
    budget: new AccountBudget(run, clock),
  };
  const now = clock.now();
  const window = { from: now - 60 * DAY_MS, to: now + DAY_MS };
  const debits = await at.mandates.listDebits(window, 0);
  const mandates = await at.mandates.listMandates(window, 0);
  if (debits.kind === "unknown" || mandates.kind === "unknown") throw new Error("no list came");
  /** What a step spends of the budget, and the calls that it makes. */
  const costOf = async (step: () => Promise<unknown>) => {
    const [before, asked] = [run.calls, psp.requests.length];
    count.calls = 0;
    await step();
    return { spent: before - run.calls, made: count.calls + psp.requests.length - asked };
  };
  return { at, run, debits, mandates: mandates.mandates, costOf };
}

async function givenPaidDebit(payments: number): Promise<PspSetup> {
  const world = await givenLiveWorld();
  const { transactionId } = await givenDebit(world);
  const { clock, psp } = world;
  clock.advance(Date.parse("2026-12-10T12:00:00-03:00") - clock.now());
  psp.runBanks();
  const txid = txidOf(transactionId);
  for (let more = 1; more < payments; more++)
    psp.debits.debits.get(txid)!.pix.push(psp.book.pix(psp.payStaticCode(txid, "49.90"))!);
  return world;
}

it("a debit with money takes no more calls than it spends", async () => {
  const world = await givenPaidDebit(4);
  const { at, debits, costOf } = await givenList(world);
  const { made, spent } = await costOf(() => takeListedDebits(at, debits));
  await waitUntilDrained(world.company);
  expect(await availableOf(world)).toBeGreaterThanOrEqual(AMOUNT);
  expect(made).toBeLessThanOrEqual(spent);
});

it.each([[{}], [{ journey: "QR_AND_PAY", firstPayment: { amount: 1_000 } }]])(
  "a mandate of %j takes no more calls than it spends",
  async (body) => {
    const world = await givenLiveWorld();
    const { id } = await subscribe(world, body);
    world.psp.mandates.approve(mandateOf(world));
    for (const [txid, { status }] of world.psp.book.cobs)
      if (status === "ATIVA") world.psp.pay(txid);
    const { at, mandates, costOf } = await givenList(world);
    const { made, spent } = await costOf(() => takeListedMandates(at, mandates));
    expect(made).toBeLessThanOrEqual(spent);
    const { body: shown } = await send(world, `/api/v1/subscriptions/${id}`);
    expect(shown.data.status).toBe("active");
  },
);

it("a page is left where the budget ends, and taken by a later run", async () => {
  const world = await givenPaidDebit(1);
  const { at, run, debits } = await givenList(world);
  run.calls = 2;
  expect(await takeListedDebits(at, debits)).toBe(false);
  expect(await availableOf(world)).toBe(0);
  run.calls = 100;
  expect(await takeListedDebits(at, debits)).toBe(true);
  expect(await availableOf(world)).toBe(AMOUNT);
});

it("money of an ended cycle, and a debit that nobody ordered, are told once", async () => {
  const world = await givenPaidDebit(1);
  const { id, transactionId } = await endedCycle(world);
  const { at, debits, costOf } = await givenList(world);
  const [debit] = debits.debits;
  const chargeId = debit!.debit.chargeId.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const page = { ...debits, debits: [debit!, { debit: { ...debit!.debit, chargeId } }] };
  await takeListedDebits(at, page);
  await waitUntilDrained(world.company);
  await endedCycle(world);
  const again = await costOf(() => takeListedDebits(at, page));
  // One look at the object, and one at what was told before, of two statements.
  expect(again.made).toBeLessThanOrEqual(3);
  expect(await chargesOf(world, id)).toMatchObject([{ transactionId }]);
});

const DUNNING = { dunning: { link: "event", days: 3, then: "cancel" } };

it.each([
  ["open", "no_balance", DUNNING],
  // The bank ends the debit with its attempt.
  ["open", "closed", DUNNING],
  ["failed", "no_balance", {}],
] as const)(
  "an older page is no news of a cycle that is %s after %s",
  async (status, fate, body) => {
    const world = await givenLiveWorld();
    const { id, transactionId } = await givenDebit(world, { retry: "none", ...body });
    world.psp.debits.decide(txidOf(transactionId), fate);
    const { debits: older } = await givenList(world);
    await liveUntil(world, "2026-12-10T22:00:00");
    await liveUntil(world, "2026-12-11T12:00:00");
    const told = async () => (await eventsOf(world.company)).map(({ type }) => type);
    const before = await told();
    expect(before).toContain("subscription.charge_attempt_failed");
    const { at, run } = await givenList(world);
    const calls = run.calls;
    await takeListedDebits(at, older);
    await waitUntilDrained(world.company);

    expect(await chargesOf(world, id)).toMatchObject([
      { status, attempts: [{ status: "failed" }] },
    ]);
    expect(await told()).toEqual(before);
    // One look at the object.
    expect(calls - run.calls).toBe(1);
  },
);

/** The cycle of a world, cancelled in the object although its debit was paid. */
async function endedCycle({ company }: PspSetup): Promise<{ id: string; transactionId: string }> {
  await env.DB.prepare("UPDATE subscription_cycles SET status = 'skipped' WHERE company_id = ?")
    .bind(company.id)
    .run();
  return inAccount(company.id, (_, { storage: { sql } }) => {
    sql.exec("UPDATE subscription_cycles SET status = 'skipped'");
    const query =
      "SELECT subscription_id AS id, transaction_id AS transactionId FROM subscription_cycles";
    return sql.exec<{ id: string; transactionId: string }>(query).one();
  });
}

it("a listed debit that cannot be read, or whose payment cannot, is told once and loses no money", async () => {
  const world = await givenPaidDebit(1);
  const { psp, company } = world;
  const [debit] = psp.debits.debits.values();
  debit!.pix[0]!.horario = "ontem";
  const foreign = { ...structuredClone(debit!), txid: "loja".repeat(8), status: "NOVA" };
  const other = {
    ...structuredClone(debit!),
    txid: debit!.txid.replace(/.$/, "f"),
    status: "NOVA",
  };
  psp.debits.debits.set(foreign.txid, foreign).set(other.txid, other);
  const { at, debits } = await givenList(world);
  await takeListedDebits(at, debits);
  await takeListedDebits(at, debits);
  await waitUntilDrained(company);
  const sql = "SELECT said FROM contradictions WHERE company_id = ?";
  const { results } = await env.DB.prepare(sql).bind(company.id).all<{ said: string }>();
  const bodies = results.map(({ said }) => JSON.parse(said).body);
  expect(bodies).toHaveLength(2);
  expect(bodies.join(" ")).not.toContain(foreign.txid);
  debit!.pix[0]!.horario = new Date(world.clock.now()).toISOString();
  const { at: later, debits: readable } = await givenList(world);
  await takeListedDebits(later, readable);
  expect(await availableOf(world)).toBe(AMOUNT);
});

function moveCharges(from: number, to: number) {
  return env.DB.prepare("UPDATE transactions SET company_id = ? WHERE company_id = ?")
    .bind(to, from)
    .run();
}

it("money of an ended cycle whose charge D1 has lost is told again, until it is booked", async () => {
  const world = await givenPaidDebit(1);
  await endedCycle(world);
  const { at, debits } = await givenList(world);
  await moveCharges(world.company.id, -world.company.id);
  await takeListedDebits(at, debits);
  expect(await availableOf(world)).toBe(0);
  await moveCharges(-world.company.id, world.company.id);
  await takeListedDebits(at, debits);
  expect(await availableOf(world)).toBe(AMOUNT);
});
