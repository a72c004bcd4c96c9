import { beforeAll, expect, it } from "vitest";
import { listCompanies, nextCompanies } from "../../../../src/db/companies/companies.ts";
import { Round } from "../../../../src/db/sharding/round.ts";
import { keyOwnersAfter } from "../../../../src/db/webhook-secrets.ts";
import { moveCompany } from "../../../../src/db/sharding/migration/migrate.ts";
import { awaitExpiry } from "../../../../src/api/transactions/sweep-list.ts";
import { deliveryId } from "../../../../src/domain/events/delivery.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { homeOf } from "../../../support/builders/home.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  spreadObject,
} from "../../../support/builders/spread.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/transaction.ts";

const HOOK = "https://loja.example.com/webhooks";
const LATER_MS = 60_000;

beforeAll(givenSecondDatabase);

async function givenHomes(): Promise<{ here: TestCompany; there: TestCompany }> {
  const companies = [];
  for (let count = 0; count < 2; count++) {
    const company = await givenCompany({ webhookUrl: HOOK });
    await givenPaid(company, 2_500);
    await spreadObject(company);
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

it("overdue deliveries are hinted wherever their companies live", async () => {
  const { here, there } = await givenHomes();
  const hints = await runCron(laterDeps(), newIsolate());
  for (const { id } of [here, there]) {
    expect(hints).toContain(deliveryId({ companyId: id, companySequence: 1, target: "endpoint" }));
  }
});

it("stuck creates are swept wherever their companies live", async () => {
  const { here, there } = await givenHomes();
  const due = 1;
  for (const company of [here, there]) {
    const { id } = await givenTransaction(company, {}, { env: newIsolate() });
    await (
      await homeOf(company.id)
    )
      .prepare(`UPDATE transactions SET next_sweep_at = ? WHERE id = ?`)
      .bind(due, id)
      .run();
  }
  await runCron(laterDeps(), newIsolate());
  for (const company of [here, there]) {
    const swept = await (
      await homeOf(company.id)
    )
      .prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ? AND next_sweep_at = ?")
      .bind(company.id, due)
      .first<number>("n");
    expect(swept).toBe(0);
  }
});

it("a company behind its fence is not swept, and is again once the move is off", async () => {
  const company = await givenCompany({ webhookUrl: HOOK });
  await givenPaid(company, 2_500);
  await spreadObject(company);
  const isolate = newIsolate();
  const id = deliveryId({ companyId: company.id, companySequence: 1, target: "endpoint" });
  let report;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  // Somebody is at it, so that the cron leaves it to them.
  await setLease(company, Date.now() + 2 * LATER_MS);
  // Its rows are in both databases by now, and it lives in one.
  expect((await runCron(laterDeps(), isolate)).filter((hint) => hint === id)).toEqual([id]);
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

it("walks and lists go through the companies of all databases once, by their number", async () => {
  const { here, there } = await givenHomes();
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

it("a company that is in two databases for a while is listed once, as it is where it lives", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  let report;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  await env.DB.prepare("UPDATE companies SET name = 'Here' WHERE id = ?").bind(company.id).run();
  const listed = await listCompanies(isolate, company.id - 1, 2);
  expect(listed).toMatchObject([{ id: company.id, name: "Here" }]);
});

it("a create that got stuck before a move is swept after it", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  await spreadObject(company);
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

const putOff = () => awaitExpiry(new Round(newIsolate()), Date.now() + 2 * LATER_MS);

it("a charge behind its company's fence is not put off to its expiry", async () => {
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
  expect(await putOff()).toBe(true);
  expect(await row.bind(id).first("at")).toBe(before);

  await env.DB.prepare("DELETE FROM fences WHERE company_id = ?").bind(company.id).run();
  expect(await putOff()).toBe(true);
  expect(await row.bind(id).first("at")).toBe(await row.bind(id).first("expires_at"));
});
