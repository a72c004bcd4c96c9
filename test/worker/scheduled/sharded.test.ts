import { beforeAll, expect, it } from "vitest";
import { listCompanies, nextCompanies } from "../../../src/db/companies/companies.ts";
import { FanOut } from "../../../src/db/sharding/fan-out.ts";
import { keyOwnersAfter } from "../../../src/db/companies/webhook-secrets.ts";
import { moveCompany } from "../../../src/db/sharding/move/move-company.ts";
import { deferToExpiry } from "../../../src/api/transactions/sweep/repository.ts";
import { deliveryId } from "../../../src/domain/events/delivery.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../support/fakes/cron.ts";
import { FakeBank } from "../../support/fakes/fake-bank.ts";
import { shardOf } from "../../support/probes/database/shards.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../support/builders/companies/sharded.ts";
import { givenPaid, givenTransaction } from "../../support/builders/charges/transaction.ts";

const WEBHOOK_URL = "https://loja.example.com/webhooks";
const LATER_MS = 60_000;

beforeAll(givenSecondDatabase);

async function givenCompaniesInBothShards(): Promise<{ here: TestCompany; there: TestCompany }> {
  const companies = [];
  for (let count = 0; count < 2; count++) {
    const company = await givenCompany({ webhookUrl: WEBHOOK_URL });
    await givenPaid(company, 2_500);
    await useShards(company);
    companies.push(company);
  }
  const [here, there] = companies as [TestCompany, TestCompany];
  await moveTo(newIsolate(), there, "DB_2");
  return { here, there };
}

function laterDeps() {
  const clock = new TestClock();
  clock.advance(LATER_MS);
  return cronDeps(clock, new FakeBank());
}

it("wake-ups for overdue deliveries are sent in every shard", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  const wakeUps = await runCron(laterDeps(), newIsolate());
  for (const { id } of [here, there]) {
    expect(wakeUps).toContain(
      deliveryId({ companyId: id, companySequence: 1, target: "endpoint" }),
    );
  }
});

it("stuck creates are swept in every shard", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  const due = 1;
  for (const company of [here, there]) {
    const { id } = await givenTransaction(company, {}, { env: newIsolate() });
    await (
      await shardOf(company.id)
    )
      .prepare(`UPDATE transactions SET next_sweep_at = ? WHERE id = ?`)
      .bind(due, id)
      .run();
  }
  await runCron(laterDeps(), newIsolate());
  for (const company of [here, there]) {
    const swept = await (
      await shardOf(company.id)
    )
      .prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ? AND next_sweep_at = ?")
      .bind(company.id, due)
      .first<number>("n");
    expect(swept).toBe(0);
  }
});

it("a company that is being moved is not swept until its move ends", async () => {
  const company = await givenCompany({ webhookUrl: WEBHOOK_URL });
  await givenPaid(company, 2_500);
  await useShards(company);
  const isolate = newIsolate();
  const id = deliveryId({ companyId: company.id, companySequence: 1, target: "endpoint" });
  let report;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  // A step lease is held, so the cron skips the migration.
  await setLease(company, Date.now() + 2 * LATER_MS);
  // Its rows are in both databases, and one of them is active.
  expect((await runCron(laterDeps(), isolate)).filter((wakeUp) => wakeUp === id)).toEqual([id]);
  await env.DB.prepare("UPDATE fences SET state = 'closing' WHERE company_id = ?")
    .bind(company.id)
    .run();
  expect(await runCron(laterDeps(), isolate)).not.toContain(id);
  await setLease(company, 0);
  do report = await moveCompany(isolate, company.id, { abort: true }, Date.now);
  while (report.target !== null);
  expect(await runCron(laterDeps(), isolate)).toContain(id);
});

async function setLease(company: TestCompany, until: number): Promise<void> {
  await env.DB.prepare("UPDATE placements SET lease_until = ? WHERE company_id = ?")
    .bind(until, company.id)
    .run();
}

it("passes and lists cover the companies of all shards once, by their number", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  const [low, high] = [here.id, there.id].toSorted((left, right) => left - right) as [
    number,
    number,
  ];
  const isolate = newIsolate();
  const listed = await listCompanies(isolate, low - 1, 2);
  expect(listed.map((row) => row.id)).toEqual([low, high]);
  const owners = await keyOwnersAfter(isolate, low - 1, 2);
  expect(owners.map((owner) => owner.id)).toEqual([low, high]);

  await env.DB.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES ('check', ?)")
    .bind(low - 1)
    .run();
  expect(await nextCompanies(isolate, "check", 1)).toEqual([low]);
  expect(await nextCompanies(isolate, "check", 1)).toEqual([high]);
  expect(await nextCompanies(isolate, "check", 1)).toEqual([]);
  expect(await nextCompanies(isolate, "check", 1)).not.toEqual([]);
});

it("a company that is in two shards during its move is listed once, from its active shard", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  let report;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  await env.DB.prepare("UPDATE companies SET name = 'Here' WHERE id = ?").bind(company.id).run();
  const listed = await listCompanies(isolate, company.id - 1, 2);
  expect(listed).toMatchObject([{ id: company.id, name: "Here" }]);
});

it("a create that got stuck before a company move is swept after it", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  await useShards(company);
  const { id } = await givenTransaction(company, {}, { env: isolate, deps: laterDeps() });
  await env.DB.prepare(
    "UPDATE transactions SET status = 'creating', answered_at = NULL, next_sweep_at = 1 WHERE id = ?",
  )
    .bind(id)
    .run();
  await moveTo(isolate, company, "DB_2");

  await runCron(laterDeps(), newIsolate());

  const row = isolate.DB_2.prepare("SELECT status FROM transactions WHERE id = ?").bind(id);
  expect(await row.first("status")).toBe("waiting_payment");
});

const postponed = () => deferToExpiry(new FanOut(newIsolate()), Date.now() + 2 * LATER_MS);

it("a charge of a company that is being moved is not postponed to its expiry", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const row = env.DB.prepare(
    "SELECT next_sweep_at AS at, expires_at FROM transactions WHERE id = ?",
  );
  const before = await row.bind(id).first<number>("at");
  await env.DB.prepare(
    "INSERT INTO fences (company_id, state, move, turn) VALUES (?, 'closing', 1, 1)",
  )
    .bind(company.id)
    .run();
  expect(await postponed()).toBe(true);
  expect(await row.bind(id).first("at")).toBe(before);

  await env.DB.prepare("DELETE FROM fences WHERE company_id = ?").bind(company.id).run();
  expect(await postponed()).toBe(true);
  expect(await row.bind(id).first("at")).toBe(await row.bind(id).first("expires_at"));
});
