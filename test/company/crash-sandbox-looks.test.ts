import { expect, it } from "vitest";
import { systemDependencies } from "../../src/dependencies.ts";
import type { Env } from "../../src/env.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { providerRegistry } from "../../src/providers/registry.ts";
import { BOLETO_REQUEST } from "../support/full-request.ts";
import { call, type Answer } from "../support/api.ts";
import { TestClock } from "../support/clock.ts";
import { drained } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { runCron, runNextCron } from "../support/cron.ts";
import { withDatabase } from "../support/database.ts";
import { fault, withAccounts, withD1, type Around } from "../support/faulty-env.ts";
import { accountsOf, movementsOf } from "../support/ledger.ts";
import { givenTransaction, pay } from "../support/transaction.ts";
import { transactionsOf } from "../support/webhook-rows.ts";
import { requestWithdraw, runPayout } from "../support/withdraw.ts";

const MINUTE_MS = 60_000;
/** Younger charges are looked at by the cron, so that what is played at them is stored nowhere else. */
const COUNTED_ON_MS = 15 * MINUTE_MS;
const LOOKED_AT_MS = 20 * MINUTE_MS;
const LEASE_MS = 35_000;

const CALLBACK = /^insert into "callbacks"/;
const BANK_WRITES = /^(insert into|update) "sandbox_/;
const NEVER = 99;

interface Play {
  /** Answers the path under `/api/v1/sandbox`. */
  given: (company: TestCompany, deps: Dependencies) => Promise<string>;
  /** What the accounts hold once it is booked. */
  after: Record<string, number>;
  /** Its transaction's status then; of a withdraw none. */
  status?: string;
}

const charge = async (company: TestCompany, deps: Dependencies) =>
  `transactions/${(await givenTransaction(company, { amount: 2_500 }, { deps })).id}`;

const PLAYS: Record<string, Play> = {
  "a payment": {
    given: async (company, deps) => `${await charge(company, deps)}/pay`,
    after: { available: 2_500, provider: -2_500 },
    status: "paid",
  },
  "a boleto's payment": {
    given: async (company, deps) => {
      const boleto = { ...BOLETO_REQUEST, amount: 2_500 };
      const { id } = await givenTransaction(company, boleto, { deps });
      return `transactions/${id}/pay`;
    },
    after: { awaiting: 2_500, provider: -2_500 },
    status: "paid",
  },
  "a failure": {
    given: async (company, deps) => `${await charge(company, deps)}/fail`,
    after: {},
    status: "failed",
  },
  "an end": {
    given: async (company, deps) => `${await charge(company, deps)}/expire`,
    after: {},
    status: "cancelled",
  },
};

const WITHDRAWS: Record<string, Play> = {
  "a withdraw that is paid": {
    given: (company) => withdrawn(company, "pay"),
    after: { available: 1_500, payout: 0, provider: -1_500 },
  },
  "a withdraw that fails": {
    given: (company) => withdrawn(company, "fail"),
    after: { available: 2_500, payout: 0, provider: -2_500 },
  },
};

const ALL = { ...PLAYS, ...WITHDRAWS };

/** A withdraw of 10.00 out of a balance of 25.00. */
async function withdrawn(company: TestCompany, what: string): Promise<string> {
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await pay(company, id);
  const { body } = await requestWithdraw(company, { amount: 1_000 });
  return `withdraws/${body.id}/${what}`;
}

async function callbacksOf(company: TestCompany): Promise<number> {
  const row = await env.DB.prepare("SELECT count(*) AS n FROM callbacks WHERE company_id = ?")
    .bind(company.id)
    .first<number>("n");
  return row ?? 0;
}

async function givenPlay({ given }: Play) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps: Dependencies = {
    ...systemDependencies,
    clock,
    providers: (each) => providerRegistry(each, clock),
  };
  const path = await given(company, deps);
  const send = (environment: Env = env): Promise<Answer> =>
    call(`/api/v1/sandbox/${path}`, {
      method: "POST",
      company,
      deps,
      env: environment,
    });
  /** The cron, so long later. */
  const sweep = async (ms: number, environment: Env = env) => {
    clock.advance(ms);
    await runCron(deps, environment);
  };
  return { clock, company, deps, send, sweep };
}

/** The bank's write is the last thing that the process lived to do. */
function deadAfterBank(): (real: Env) => Env {
  let isDead = false;
  const dying: Around = async (label, run) => {
    if (isDead) throw new Error("dead");
    const answer = await run();
    isDead = BANK_WRITES.test(label);
    if (isDead) throw new Error("dead");
    return answer;
  };
  return (real) => withAccounts(withD1(real, dying), dying);
}

/** The bank has it, and neither can it be booked nor its callback be stored. */
function unbookable(): (real: Env) => Env {
  const untold = fault({
    on: /^(settlePayment|moveCharge|recordPayout)$/,
    when: "before",
    times: NEVER,
  });
  const unstored = fault({ on: CALLBACK, when: "before", times: NEVER });
  return (real) => withAccounts(withD1(real, unstored.around), untold.around);
}

async function expectBooked(company: TestCompany, play: Play): Promise<void> {
  await drained(company);
  expect(await accountsOf(company)).toMatchObject(play.after);
  expect(await callbacksOf(company)).toBe(0);
  if (play.status === undefined) return;
  expect(await transactionsOf(company)).toMatchObject([{ status: play.status }]);
}

it.each(Object.keys(ALL))(
  "%s is booked before the answer, and no callback is stored",
  async (name) => {
    const play = ALL[name]!;
    const { company, send } = await givenPlay(play);
    const unstored = fault({ on: CALLBACK, when: "before", times: NEVER });

    const answer = await send(withD1(env, unstored.around));

    expect([answer.status, unstored.strikes()]).toEqual([200, 0]);
    await expectBooked(company, play);
  },
);

it.each(Object.keys(PLAYS))(
  "%s after which the process died is found by the cron a minute after the charge was made, once",
  async (name) => {
    const play = PLAYS[name]!;
    const { company, send, sweep } = await givenPlay(play);
    expect((await send(deadAfterBank()(env))).status).toBe(500);
    expect(await callbacksOf(company)).toBe(0);

    await sweep(MINUTE_MS + 1);
    await sweep(MINUTE_MS);

    await expectBooked(company, play);
  },
);

it.each(Object.keys(PLAYS))(
  "%s that waited for the last moment in which no callback is stored is found as well",
  async (name) => {
    const play = PLAYS[name]!;
    const { clock, company, send, sweep } = await givenPlay(play);
    await sweep(COUNTED_ON_MS - 1);
    expect((await send(deadAfterBank()(env))).status).toBe(500);
    expect(await callbacksOf(company)).toBe(0);

    clock.advance(MINUTE_MS);
    await sweep(0);

    await expectBooked(company, play);
  },
);

it.each(Object.keys(PLAYS))(
  "%s after a quarter of an hour stores its callback first",
  async (name) => {
    const play = PLAYS[name]!;
    const { company, send, sweep } = await givenPlay(play);
    await sweep(COUNTED_ON_MS);
    expect((await send(deadAfterBank()(env))).status).toBe(500);
    expect(await callbacksOf(company)).toBe(1);

    await sweep(MINUTE_MS);

    await expectBooked(company, play);
  },
);

it.each(Object.keys(PLAYS))(
  "%s that was cut off before the cron paused for hours is found after it",
  async (name) => {
    const play = PLAYS[name]!;
    const { company, send, sweep } = await givenPlay(play);
    await sweep(0);
    expect((await send(deadAfterBank()(env))).status).toBe(500);

    await sweep(3 * 60 * MINUTE_MS);

    await expectBooked(company, play);
  },
);

it.each(Object.keys(WITHDRAWS))(
  "%s after which the process died is asked about after the claim's lease, once",
  async (name) => {
    const play = WITHDRAWS[name]!;
    const { clock, company, deps, send } = await givenPlay(play);
    expect((await send(deadAfterBank()(env))).status).toBe(500);

    clock.advance(LEASE_MS);
    await runPayout(company, 1, deps.providers(env));
    await runPayout(company, 1, deps.providers(env));

    await expectBooked(company, play);
  },
);

it.each(Object.keys(ALL))(
  "%s that cannot be booked at once is stored for the cron",
  async (name) => {
    const play = ALL[name]!;
    const { company, send, sweep } = await givenPlay(play);
    const untold = fault({ on: /^(settlePayment|moveCharge|recordPayout)$/, when: "before" });
    expect((await send(withAccounts(env, untold.around))).status).toBe(500);
    expect(await callbacksOf(company)).toBe(1);

    await sweep(MINUTE_MS);

    await expectBooked(company, play);
  },
);

it.each(Object.keys({ ...WITHDRAWS, ...PLAYS }).filter((name) => !name.endsWith("payment")))(
  "%s that can be neither booked nor stored is an error, and the same request again does it once",
  async (name) => {
    const play = ALL[name]!;
    const { company, send } = await givenPlay(play);
    expect((await send(unbookable()(env))).status).toBe(500);

    expect((await send()).status).toBe(200);

    await expectBooked(company, play);
  },
);

it("a payment that can be neither booked nor stored is an error, and paying again books it once", async () => {
  const { company, send } = await givenPlay(PLAYS["a payment"]!);
  expect((await send(unbookable()(env))).status).toBe(500);
  expect(await accountsOf(company)).toEqual({});

  const again = await send();

  expect([again.status, again.body.data.status]).toEqual([200, "PAID"]);
  // The payer has paid twice: the second is nobody's debt, as ever.
  expect(await accountsOf(company)).toEqual({
    available: 2_500,
    suspense: 2_500,
    provider: -5_000,
  });
  expect((await movementsOf(company)).map(({ type }) => type)).toEqual([
    "charge_paid",
    "payment_suspended",
  ]);
});

it("of two payments at once that both died one is the charge's and the other is set aside", async () => {
  const { company, send, sweep } = await givenPlay(PLAYS["a payment"]!);
  await Promise.all([send(deadAfterBank()(env)), send(deadAfterBank()(env))]);
  // One was not the first at the bank: it is booked by its callback, or never happened.
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS n FROM sandbox_payments WHERE substr(charge_id, -6) = ?",
  )
    .bind(company.id.toString(16).padStart(6, "0"))
    .all<{ n: number }>();

  await sweep(MINUTE_MS + 1);
  await sweep(MINUTE_MS);

  const paid = results[0]!.n;
  const { available, suspense = 0 } = await accountsOf(company);
  expect([available, suspense]).toEqual([2_500, (paid - 1) * 2_500]);
  expect(await callbacksOf(company)).toBe(0);
});

it("a charge that the bank cannot be asked about is kept for later, and the look goes on to others", async () => {
  const first = await givenPlay(PLAYS["a failure"]!);
  const second = await givenPlay(PLAYS["a payment"]!);
  for (const { send } of [first, second]) await send(deadAfterBank()(env));
  const silent = fault({ on: /^moveCharge$/, when: "before" });

  await second.sweep(MINUTE_MS + 1, withAccounts(env, silent.around));

  expect(silent.strikes()).toBe(1);
  await expectBooked(second.company, PLAYS["a payment"]!);
  expect(await callbacksOf(first.company)).toBe(1);
  await second.sweep(5 * MINUTE_MS);
  await expectBooked(first.company, PLAYS["a failure"]!);
});

it("the look reads nothing of charges that it has seen for twenty minutes", async () => {
  const { clock, company, deps, send } = await givenPlay(PLAYS["a payment"]!);
  await send();
  let read = 0;
  const listening = withDatabase({
    after: (sql, rowsRead) => {
      if (/from "sandbox_payments".* union /s.test(sql)) read += rowsRead;
    },
  });
  await runCron(deps);
  clock.advance(LOOKED_AT_MS);
  await runNextCron(deps, listening);
  expect(read).toBeGreaterThan(0);
  clock.advance(LOOKED_AT_MS);
  await runNextCron(deps);
  read = 0;
  clock.advance(MINUTE_MS);

  await runNextCron(deps, listening);

  // Of each of the bank's two books the first row beyond.
  expect(read).toBeLessThanOrEqual(2);
  await expectBooked(company, PLAYS["a payment"]!);
});
