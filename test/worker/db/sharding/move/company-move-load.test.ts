import { beforeAll, expect, it } from "vitest";
import { moveCompany } from "../../../../../src/db/sharding/move/move-company.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import {
  givenSecondDatabase,
  newIsolate,
  useShards,
  type ShardedEnv,
} from "../../../../support/builders/companies/sharded.ts";
import { rowCountsIn } from "../../../../support/probes/database/shards.ts";
import { createTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

const WEBHOOK_URL = "https://loja.example.com/webhooks";
/** Enough that the copy takes several steps, and the clients several rounds beside it. */
const OLD_CALLBACKS = 700;
const TIMEOUT_MS = 60_000;

beforeAll(givenSecondDatabase);

/** Callbacks that were there before, due in years, so that there is something to copy. */
async function givenOldCallbacks(company: TestCompany): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
     INSERT INTO callbacks (id, company_id, object_id, due_at, attempts)
     SELECT ?1 || '-' || n, ?1, 'object', 9000000000000, 0 FROM numbers`,
  )
    .bind(company.id, OLD_CALLBACKS)
    .run();
}

/** What one client saw of the service; it waits where it is told to. */
interface LoadResult {
  created: Set<string>;
  withdraws: number;
  refused: number;
  delivered: number;
}

/** Charges, is paid, reads its own writes, lists, withdraws and is told by webhook, again and again. */
async function runLoad(
  company: TestCompany,
  isolates: ShardedEnv[],
  result: LoadResult,
  shouldContinue: () => boolean,
): Promise<void> {
  const sink = new WebhookSink(new TestClock());
  for (let round = 0; shouldContinue(); round++) {
    const [one, other] = [
      isolates[round % isolates.length]!,
      isolates[(round + 1) % isolates.length]!,
    ];
    const reference = `round-${company.clientId}-${round}`;
    const answer = await createTransaction(company, { externalRef: reference }, { env: one });
    if (answer.status === 503) {
      expect(answer.headers.get("Retry-After")).not.toBeNull();
      result.refused += 1;
      continue;
    }
    expect(answer.status).toBe(200);
    const { id } = answer.body.data;
    result.created.add(id);
    // What was acknowledged is there for everybody, whatever an isolate remembers.
    const path = `/api/Transaction/transactionByTransactionId/${id}`;
    expect((await call(path, { company, env: other })).status).toBe(200);
    const paid = await pay(company, id, undefined, { env: other });
    expect([200, 503]).toContain(paid.status);
    const listed = await call("/api/Transaction/company/transactions?pageSize=5", {
      company,
      env: one,
    });
    expect(listed.body.res.totalItems).toBeGreaterThanOrEqual(result.created.size);
    expect((await requestWithdraw(company, {}, { env: other })).status).toBe(201);
    result.withdraws += 1;
    await sink
      .deliver(company, result.created.size, { target: "endpoint", env: one })
      .catch(() => 0);
    result.delivered = sink.received.length;
  }
}

it(
  "a company that is moved under load loses nothing, duplicates nothing and stays readable",
  async () => {
    const company = await givenCompany({ webhookUrl: WEBHOOK_URL, balance: 5_000_00 });
    await givenOldCallbacks(company);
    await useShards(company);
    const isolates = [newIsolate(), newIsolate()];
    const seen: LoadResult = { created: new Set(), withdraws: 0, refused: 0, delivered: 0 };
    let isMoving = true;
    const clients = runLoad(company, isolates, seen, () => isMoving);
    const mover = newIsolate();
    let report;
    const stages = new Set<string>();
    try {
      do {
        report = await moveCompany(mover, company.id, { to: "DB_2" }, Date.now);
        stages.add(report.stage ?? "over");
      } while (report.target !== null);
    } finally {
      isMoving = false;
    }
    await clients;

    expect([...stages]).toEqual(
      expect.arrayContaining([
        "copying",
        "comparing",
        "catching_up",
        "closing",
        "clearing",
        "over",
      ]),
    );
    expect(seen.created.size).toBeGreaterThan(3);
    expect(await rowCountsIn("DB", company.id)).toEqual({});
    const rows = await rowCountsIn("DB_2", company.id);
    expect(rows).toMatchObject({ callbacks: OLD_CALLBACKS });
    expect(rows).toMatchObject({ transactions: seen.created.size + 1 });
    const withdraws = await call("/api/Withdraw/company/withdraws", { company, env: newIsolate() });
    expect(withdraws.body.res.totalItems).toBe(seen.withdraws);
    const list = await call("/api/Transaction/company/transactions?pageSize=100", {
      company,
      env: newIsolate(),
    });
    for (const id of seen.created) expect(list.text).toContain(id);
  },
  TIMEOUT_MS,
);
