import { systemDependencies } from "../../../../src/dependencies.ts";
import { expect, it } from "vitest";
import { processOperation } from "../../../../src/api/transactions/operations.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { CONNECTION_LOST, withD1, type Interceptor } from "../../../support/faults/faulty-env.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel, refund, simulate } from "../../../support/builders/operations/refund.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

/** Longer than any lease, and than the wait of the sweep for a payment that was cut off. */
const LEASES_EXPIRED_MS = 90_000;
const KEY = "d1_down";
/** An answer that was lost, and a D1 that is away: once, or from then on. */
const FAULTS = [
  { error: CONNECTION_LOST, lasting: false },
  { error: CONNECTION_LOST, lasting: true },
  { error: "D1_ERROR: D1 is down", lasting: true },
];
const WRITES = /\b(insert|update|delete)\b/i;
const ENDPOINT = "https://loja.example.com/webhooks";

interface World {
  company: TestCompany;
  clock: TestClock;
  deps: Dependencies;
  /** What the request is about: a transaction's or a withdraw's id. */
  subject: string;
  /** How often requests during faults have written to D1. */
  writes: number;
}

interface Scenario {
  given: (company: TestCompany) => Promise<string>;
  request: (world: World, environment: typeof env) => Promise<Answer>;
  /** What a client does once D1 is back; answers what came of it. */
  retry: (world: World) => Promise<Answer>;
  /** Statuses the retry may have: a request without a key may be refused as done already. */
  retried: number[];
}

/** With a key, the retry is the same request. */
function keyed(
  given: Scenario["given"],
  request: (world: World, options: { key: string; env?: typeof env }) => Promise<Answer>,
  retried: number[],
): Scenario {
  return {
    given,
    request: (world, environment) => request(world, { key: KEY, env: environment }),
    retry: (world) => request(world, { key: KEY }),
    retried,
  };
}

/** Without one, it is the same request too, which is refused where it was done already. */
function withoutKey(
  given: Scenario["given"],
  path: (subject: string) => string,
  body?: object,
): Scenario {
  const request = ({ company, subject, deps }: World, environment = env) =>
    call(path(subject), {
      method: "POST",
      company,
      deps,
      env: environment,
      ...(body === undefined ? {} : { body }),
    });
  return { given, request, retry: (world) => request(world), retried: [200, 409] };
}

const givenCharge = async (company: TestCompany) => (await givenTransaction(company)).id as string;
const givenPayment = async (company: TestCompany) => (await givenPaid(company, 2_500)).id as string;
const givenDispute = async (company: TestCompany) => {
  const id = await givenPayment(company);
  expect((await simulate(company, id, "dispute")).status).toBe(200);
  return id;
};
const givenWithdraw = async (company: TestCompany) => {
  await givenPaid(company, 5_000);
  return String((await requestWithdraw(company, { amount: 2_000 })).body.id);
};
const simulatedPayment = (what: string) => (id: string) =>
  `/api/v1/sandbox/transactions/${id}/${what}`;

const SCENARIOS: Record<string, Scenario> = {
  create: keyed(
    async () => "",
    ({ company, deps }, options) => createTransaction(company, {}, { deps, ...options }),
    [200],
  ),
  "refund of a part": keyed(
    givenPayment,
    ({ company, deps, subject }, options) => refund(company, subject, 1_000, { deps, ...options }),
    [200, 202],
  ),
  "refund of the whole": keyed(
    givenPayment,
    ({ company, deps, subject }, options) =>
      refund(company, subject, undefined, { deps, ...options }),
    [200, 202],
  ),
  cancel: keyed(
    givenCharge,
    ({ company, deps, subject }, options) => cancel(company, subject, { deps, ...options }),
    [200, 202],
  ),
  withdraw: keyed(
    givenPayment,
    ({ company, deps }, options) => requestWithdraw(company, {}, { deps, ...options }),
    [201],
  ),
  "withdraw's cancel": keyed(
    givenWithdraw,
    ({ company, deps, subject }, { key, env: environment = env }) =>
      call(`/api/Withdraw/${subject}/cancel`, {
        method: "POST",
        company,
        deps,
        env: environment,
        headers: { "Idempotency-Key": key },
      }),
    [200],
  ),
  dispute: withoutKey(givenPayment, simulatedPayment("dispute")),
  "dispute's loss": withoutKey(givenDispute, simulatedPayment("dispute/resolve"), {
    outcome: "lost",
  }),
  "dispute's win": withoutKey(givenDispute, simulatedPayment("dispute/resolve"), {
    outcome: "won",
  }),
  chargeback: withoutKey(givenPayment, simulatedPayment("chargeback")),
  "sandbox payment": {
    given: givenCharge,
    request: ({ company, deps, subject }, environment) =>
      pay(company, subject, undefined, { deps, env: environment }),
    // The payer pays again only where the first payment never reached the bank.
    retry: async (world) => {
      await runCron(world.deps);
      const [charge] = await transactionsOf(world.company);
      return charge?.status === "paid"
        ? call("/openapi.json")
        : pay(world.company, world.subject, undefined, { deps: world.deps });
    },
    retried: [200],
  },
};

const CASES = Object.keys(SCENARIOS).flatMap((name) => FAULTS.map((fault) => ({ name, fault })));

it.each(CASES)(
  "a $name during which D1 goes down, at any statement, happens once or not at all ($fault.error lasting: $fault.lasting)",
  async ({ name, fault }) => {
    const scenario = SCENARIOS[name]!;
    const { statements, outcome } = await withoutFault(scenario);
    expect(statements.length).toBeGreaterThan(0);
    let world: World | null = null;
    for (const [from, sql] of statements.entries()) {
      // A read that ran and whose answer was lost is one that did not run.
      for (const when of WRITES.test(sql) ? (["before", "after"] as const) : ["before" as const]) {
        const where = `statement ${from + 1} of ${statements.length}, ${when}`;
        world ??= await givenWorld(scenario);
        const written = await writesIn(world);
        const answer = await withD1Down(world, scenario, {
          at: placeOf(statements, from),
          when,
          ...fault,
        });
        await expectSuccessOrProblem(answer, where);
        // Where nothing was written, the world is as new, and the next statement fails in it.
        const isLast = from === statements.length - 1;
        if (!isLast && when === "before" && (await writesIn(world)) === written) continue;

        world.clock.advance(LEASES_EXPIRED_MS);
        await waitUntilDrained(world.company);
        const retried = await scenario.retry(world);
        expect(scenario.retried, `${where}: ${retried.text}`).toContain(retried.status);
        if (answer.status < 300) expectSameAnswer(scenario, answer, retried, where);
        await finishOperations(world);

        expect(await outcomeOf(world), where).toEqual(outcome);
        world = null;
      }
    }
  },
);

async function givenWorld(scenario: Scenario): Promise<World> {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const deps: Dependencies = { ...systemDependencies, platformClock: clock };
  return { clock, company, deps, subject: await scenario.given(company), writes: 0 };
}

/** A statement of a request by its text, and which time: a request that comes again knows its application already. */
interface Place {
  sql: string;
  time: number;
}

function placeOf(statements: string[], index: number): Place {
  const sql = statements[index]!;
  return { sql, time: statements.slice(0, index + 1).filter((each) => each === sql).length };
}

/** How many rows were written, by the requests to D1 and by whatever in the object. */
async function writesIn({ company, writes }: World): Promise<number> {
  const inObject = await inAccount(
    company.id,
    (_, { storage }) =>
      storage.sql.exec<{ writes: number }>("SELECT total_changes() AS writes").one().writes,
  );
  return writes + inObject;
}

type Run = Awaited<ReturnType<typeof runWithoutFault>>;
const runs = new Map<Scenario, Promise<Run>>();

/** What the request does with a D1 that is well, and what it asks of D1: the same for each fault. */
function withoutFault(scenario: Scenario): Promise<Run> {
  const run = runs.get(scenario) ?? runWithoutFault(scenario);
  runs.set(scenario, run);
  return run;
}

async function runWithoutFault(scenario: Scenario) {
  const world = await givenWorld(scenario);
  const statements: string[] = [];
  const counting: Interceptor = (sql, run) => {
    statements.push(sql);
    return run();
  };
  const answer = await scenario.request(world, withD1(env, counting));
  expect(answer.status).toBeLessThan(300);
  await waitUntilDrained(world.company);
  return { statements, outcome: await outcomeOf(world) };
}

/** The request, while D1 fails at one statement, or from it on, also for the object. */
async function withD1Down(
  world: World,
  scenario: Scenario,
  fault: { at: Place; when: "before" | "after"; error: string; lasting: boolean },
): Promise<Answer> {
  const { at, when, error, lasting } = fault;
  let times = 0;
  let restore: (() => Promise<void>) | null = null;
  const failing: Interceptor = async (sql, run) => {
    const isFirst = restore === null && sql === at.sql && ++times === at.time;
    if (!isFirst && (restore === null || !lasting)) {
      if (WRITES.test(sql)) world.writes += 1;
      return run();
    }
    restore ??= await replaceInObject(world.company, unavailableProjection());
    if (isFirst && when === "after") await run();
    throw new Error(error);
  };
  const answer = await scenario.request(world, withD1(env, failing));
  expect(restore, "D1 went down").not.toBeNull();
  await restore!();
  return answer;
}

/** A success, or a problem that says nothing of what is inside. */
async function expectSuccessOrProblem(answer: Answer, where: string): Promise<void> {
  if (answer.status < 300) return;
  expect([500, 503], `${where}: ${answer.text}`).toContain(answer.status);
  await expectProblem(answer, { status: answer.status, code: answer.body.code });
}

/** What was acknowledged while D1 was down is what the retry tells again. */
function expectSameAnswer(scenario: Scenario, first: Answer, retried: Answer, where: string): void {
  if (scenario.retried.includes(409) || scenario === SCENARIOS["sandbox payment"]) return;
  expect(retried.headers.get("Idempotent-Replayed"), where).toBe("true");
  expect({ status: retried.status, body: retried.body }, where).toEqual({
    status: first.status,
    body: first.body,
  });
}

/** What the queue's consumer does with the hints of operations that are still open. */
async function finishOperations({ company, deps }: World): Promise<void> {
  const open = await inAccount(company.id, (_, state) =>
    state.storage.sql
      .exec<{ id: number }>("SELECT id FROM operations WHERE status = 'PENDING'")
      .toArray(),
  );
  for (const { id } of open) await processOperation(env, deps, company.id, id);
  await waitUntilDrained(company);
}

/** All that a merchant could tell two worlds apart by. */
async function outcomeOf({ company }: World) {
  const events = await eventsOf(company);
  const transactions = await transactionsOf(company);
  const { results: withdraws } = await env.DB.prepare(
    "SELECT id, status FROM withdraws WHERE company_id = ? ORDER BY id",
  )
    .bind(company.id)
    .all();
  return {
    accounts: await accountsOf(company),
    movements: await movementsOf(company),
    events: events.map(({ type, sequence, companySequence }) => ({
      type,
      sequence,
      companySequence,
    })),
    transactions: transactions.map(({ status }) => status),
    withdraws,
  };
}
