import { beforeAll, describe, expect, it } from "vitest";
import { appendAuditEntry, listAuditEntries } from "../../../src/db/audit-entries.ts";
import { searchAuditEntries } from "../../../src/db/audit-entries.ts";
import type { NewAuditEntry } from "../../../src/domain/access/audit-entry.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
} from "../../support/builders/companies/sharded.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../support/faults/faulty-env.ts";
import { countRoundTrips } from "../../support/probes/database/round-trips.ts";
import { auditEntryView } from "../../../src/api/audit/views.ts";
import { verifyAuditTrail } from "../../../tools/lib/audit-verdict.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

function entry(changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    actor: { kind: "application", id: "app_1", name: "Loja", keyPrefix: "sk_test_abcd" },
    action: "settings.change",
    target: "company:1",
    before: { withdrawDailyLimit: null },
    after: { withdrawDailyLimit: 5_000 },
    reason: null,
    address: "203.0.113.7",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    ...changes,
  };
}

const append = (company: { id: number }, changes: Partial<NewAuditEntry> = {}, environment = env) =>
  appendAuditEntry(environment, company.id, entry(changes), NOW);

async function expectValid(company: { id: number }, length: number, environment = env) {
  const entries = await listAuditEntries(environment, company.id, 0, 1_000);
  const verdict = verifyAuditTrail(entries.map(auditEntryView));
  expect(verdict).toMatchObject({ error: null, sequence: length });
}

describe("a trail", () => {
  it("is dense and chained after 50 appends at once", async () => {
    const company = await givenCompany();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => append(company, { target: `company:${index}` })),
    );
    await expectValid(company, 50);
    const targets = (await listAuditEntries(env, company.id, 0, 100)).map(({ target }) => target);
    expect(new Set(targets).size).toBe(50);
  });

  it("takes an entry once when D1's answer is lost", async () => {
    const company = await givenCompany();
    const lost = injectFault({
      on: /insert into "audit_entries"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    await append(company, {}, withD1(env, lost.intercept));
    expect(lost.injections()).toBe(1);
    await expectValid(company, 1);
  });

  it("costs two trips to D1 an entry, however long it is", async () => {
    const company = await givenCompany();
    const trips = async () => {
      const counted = countRoundTrips(env);
      await append(company, {}, counted.env);
      return counted.lap().trips.length;
    };
    expect(await trips()).toBe(2);
    for (let more = 0; more < 20; more++) await append(company);
    expect(await trips()).toBe(2);
  });

  it("is one company's own", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    await append(ours);
    await append(theirs);
    await append(ours);
    await expectValid(ours, 2);
    await expectValid(theirs, 1);
  });

  it.each([
    ["changes", "UPDATE audit_entries SET reason = 'none' WHERE company_id = ?"],
    ["loses", "DELETE FROM audit_entries WHERE company_id = ?"],
  ])("never %s an entry", async (_verb, sql) => {
    const company = await givenCompany();
    await append(company);
    await expect(env.DB.prepare(sql).bind(company.id).run()).rejects.toThrow("an audit entry");
    await expectValid(company, 1);
  });
});

async function givenTrail(): Promise<TestCompany> {
  const company = await givenCompany();
  for (let made = 0; made < 3; made++) await append(company);
  return company;
}

describe("a company that moves to another database", () => {
  beforeAll(givenSecondDatabase);

  it("takes its trail with it, also the entries of meanwhile", async () => {
    const company = await givenTrail();
    const isolate = newIsolate();
    let steps = 0;
    await moveTo(isolate, company, "DB_2", async () => {
      steps += 1;
      if (steps < 6) await append(company, {}, isolate);
    });
    await append(company, {}, newIsolate());
    await expectValid(company, 9, newIsolate());
    const left = env.DB.prepare("SELECT count(*) AS n FROM audit_entries WHERE company_id = ?");
    expect(await left.bind(company.id).first("n")).toBe(0);
    const tampered = isolate.DB_2.prepare("DELETE FROM audit_entries WHERE company_id = ?");
    await expect(tampered.bind(company.id).run()).rejects.toThrow("an audit entry");
  });

  it("and back", async () => {
    const company = await givenTrail();
    await moveTo(newIsolate(), company, "DB_2");
    await append(company, {}, newIsolate());
    await moveTo(newIsolate(), company, "DB");
    await expectValid(company, 4, newIsolate());
  });
});

describe("a search in a trail", () => {
  const TRAIL = 77_000_001;
  const search = async (order: "oldest" | "newest", target?: string) => {
    const found: number[] = [];
    const steps: number[] = [];
    for (let after = 0; ;) {
      const options = { target, order, after, limit: 10 };
      const { entries, next } = await searchAuditEntries(env, TRAIL, options);
      found.push(...entries.map(({ sequence }) => sequence));
      if (next === null || steps.length === 5) return { found, steps };
      steps.push(next);
      after = next;
    }
  };

  it("reads 500 entries a step, in both directions, to the end", async () => {
    expect(await search("newest")).toEqual({ found: [], steps: [] });
    await env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
       INSERT INTO audit_entries (company_id, sequence, at, actor_kind, actor_id, actor_name, action, target, hash)
       SELECT ?, n, 0, 'task', 't', 'T', 'a.b', CASE WHEN n IN (1, 600, 601) THEN 'wanted:1' ELSE 'x' END, '' FROM numbers`,
    )
      .bind(TRAIL)
      .run();
    expect(await search("oldest", "wanted")).toEqual({
      found: [1, 600, 601],
      steps: [500, 1_000],
    });
    expect(await search("newest", "wanted")).toEqual({
      found: [601, 600, 1],
      steps: [701, 201],
    });
    expect((await search("newest")).found.slice(0, 3)).toEqual([1_200, 1_199, 1_198]);
  });
});
