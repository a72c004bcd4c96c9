import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { anchorLedgers } from "../../../../../src/api/operator/audit/anchors.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { daySigningPayload, digestPreimage } from "../../../../../src/domain/ledger/anchor.ts";
import { GENESIS_HASH } from "../../../../../src/domain/ledger/movement-hash.ts";
import { fromBase64 } from "../../../../../src/lib/base64.ts";
import { sha256Hex } from "../../../../../src/lib/hash.ts";
import { anchorNothing } from "../../../../support/builders/reconciliation/anchors.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { decide } from "../../../../support/builders/reconciliation/decisions.ts";
import { runCheck } from "../../../../support/probes/database/projection-checks.ts";
import { rehashMovements } from "../../../../support/faults/ledger-sql.ts";
import { givenSettled } from "../../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../../support/probes/ledger/audit.ts";
import { backUpLedger, withoutTriggers } from "../../../../support/faults/tamper.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";

const DAY_MS = 86_400_000;
/** More runs than a day's companies need. */
const RUNS_MAX = 10;

let clock: TestClock;
/** The newest company of other tests, of which there may be thousands. */
let others: number;
const deps = () => ({ ...systemDependencies, platformClock: clock });

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM anchor_days").run();
  await env.DB.prepare("DELETE FROM ledger_anchors").run();
  clock = new TestClock();
  others =
    (await env.DB.prepare("SELECT max(id) AS id FROM companies").first<number | null>("id")) ?? 0;
});

afterAll(() => anchorNothing(env.DB));

/** One run of the cron, after which the next one is at this test's companies: those of others have had their turn. */
async function anchorOnce(): Promise<"more" | "done"> {
  const state = await anchorLedgers(env, deps());
  await env.DB.prepare("UPDATE anchor_days SET at_company = ?1 WHERE at_company < ?1")
    .bind(others)
    .run();
  return state;
}

/** Runs the cron until a day is finished. */
async function anchorAll(): Promise<void> {
  for (let run = 1; run <= RUNS_MAX; run++) {
    if ((await anchorOnce()) === "done") return;
  }
  throw new Error("the day does not end");
}

/** Runs the cron until the day's heads are signed, before they are announced. */
async function collectAll(): Promise<void> {
  for (let run = 1; run <= RUNS_MAX; run++) {
    await anchorOnce();
    if ((await dayRow()).signature !== null) return;
  }
  throw new Error("the heads are not signed");
}

async function anchorRows(): Promise<Record<string, any>[]> {
  const { results } = await env.DB.prepare(
    "SELECT * FROM ledger_anchors ORDER BY day, company_id",
  ).all<any>();
  return results;
}

const dayRow = () => env.DB.prepare("SELECT * FROM anchor_days ORDER BY day DESC").first<any>();

const operatorEvents = async (company: TestCompany) =>
  (await eventsOf(company)).filter(({ type }) => type === "ledger.anchored");

async function holds(publicKey: string, signature: string, text: string): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", fromBase64(publicKey), "Ed25519", false, [
    "verify",
  ]);
  return crypto.subtle.verify(
    "Ed25519",
    key,
    fromBase64(signature),
    new TextEncoder().encode(text),
  );
}

describe("the daily anchors", () => {
  it("contain each ledger's head and one signed digest of all heads, and are announced", async () => {
    const first = await givenCompany({ balance: 2_500 });
    const empty = await givenCompany();
    const second = await givenCompany({ balance: 700 });
    expect((await balanceOf(first)).ledgerAnchor).toBeNull();

    await anchorAll();

    const rows = await anchorRows();
    const ids = rows.map((row) => row["company_id"]);
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(ids).not.toContain(empty.id);
    let digest = GENESIS_HASH;
    for (const { company_id: companyId, day, movement, hash, digest: stored } of rows) {
      digest = await sha256Hex(digestPreimage(digest, companyId, { day, movement, hash }));
      expect(stored).toBe(digest);
    }
    const day = await dayRow();
    expect(day).toMatchObject({ digest, companies: rows.length, at_company: null });
    expect(await holds(day.public_key, day.signature, daySigningPayload(day.day, digest))).toBe(
      true,
    );

    const { ledgerAnchor, ledgerHash, ledgerSequence } = await balanceOf(first);
    expect(ledgerAnchor).toEqual({
      day: day.day,
      sequence: ledgerSequence,
      hash: ledgerHash,
      digest,
      signature: expect.any(String),
      publicKey: day.public_key,
    });
    const head = { day: day.day, movement: 1, hash: ledgerHash };
    // Written out, because merchants compute it from their own copies.
    const text = `centavo-ledger-anchor ${head.day} ${digest} ${first.id} ${head.movement} ${head.hash}`;
    expect(await holds(day.public_key, ledgerAnchor.signature, text)).toBe(true);
    const [event, ...more] = await operatorEvents(first);
    expect(more).toEqual([]);
    expect(event?.body).toMatchObject({
      type: "ledger.anchored",
      sequence: 1,
      data: { companyId: first.id, ...ledgerAnchor, previousStatus: null },
    });
    expect(await operatorEvents(empty)).toEqual([]);
  });

  it("are created once; an unchanged ledger gets no new anchor", async () => {
    const idle = await givenCompany({ balance: 2_500 });
    const busy = await givenCompany({ balance: 2_500 });
    await anchorAll();
    const first = await dayRow();
    expect(await anchorLedgers(env, deps())).toBe("done");
    const before = (await anchorRows()).length;

    clock.advance(DAY_MS);
    await givenSettled(busy, 100);
    await anchorAll();

    const rows = await anchorRows();
    expect(rows.slice(before).map((row) => row["company_id"])).toEqual([busy.id]);
    const { day, hash, movement, digest } = rows.at(-1)! as any;
    const head = { day, movement, hash };
    expect(digest).toBe(await sha256Hex(digestPreimage(first.digest, busy.id, head)));
    expect(await operatorEvents(idle)).toHaveLength(1);
    expect((await operatorEvents(busy)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it("resume after a crashed run: no head is written twice and no event is sent twice", async () => {
    const company = await givenCompany({ balance: 2_500 });
    await collectAll();
    const [rows, day] = [await anchorRows(), await dayRow()];
    // The run crashed before it stored its progress, and the ledger changed since.
    await env.DB.prepare(
      `UPDATE anchor_days SET at_company = 0, signature = NULL, companies = 0, digest = ?`,
    )
      .bind(GENESIS_HASH)
      .run();
    await givenSettled(company, 100);
    await collectAll();
    expect(await anchorRows()).toEqual(rows);
    expect(await dayRow()).toMatchObject({ digest: day.digest, signature: day.signature });

    await anchorAll();
    await env.DB.prepare("UPDATE anchor_days SET at_company = 0").run();
    await anchorAll();

    expect(await operatorEvents(company)).toHaveLength(1);
  });

  it("skip a company whose object does not respond, log an error, and do not delay the others", async () => {
    const broken = await givenCompany({ balance: 2_500 });
    const other = await givenCompany({ balance: 2_500 });
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const rename = (from: string, to: string) =>
      inAccount(broken.id, (_, { storage: { sql } }) => {
        sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    await rename("movements", "kept_movements");

    await anchorAll();

    const ids = (await anchorRows()).map((row) => row["company_id"]);
    expect(ids).toContain(other.id);
    expect(ids).not.toContain(broken.id);
    expect(error.mock.calls.flat().join()).toContain("anchor_failed");
    error.mockRestore();
    await rename("kept_movements", "movements");
  });
});

/** Rewrites a past payment with all hashes and watermarks. */
async function rewriteAll(company: TestCompany): Promise<void> {
  await inAccount(company.id, (_, { storage: { sql } }) =>
    withoutTriggers(sql, () => {
      sql.exec("UPDATE movements SET details = json_set(details, '$.paymentId', 'another')");
      rehashMovements(sql);
      sql.exec(
        `UPDATE audits SET hash = (SELECT hash FROM movements m WHERE m.sequence = movement)`,
      );
      sql.exec(
        `UPDATE newest_anchor SET hash = (SELECT hash FROM movements ORDER BY sequence LIMIT 1)`,
      );
    }),
  );
}

describe("a history that is rewritten together with its hashes and watermarks", () => {
  it("is found by the check, freezes withdraws and is shown to an operator", async () => {
    const company = await givenCompany({ balance: 2_500 });
    await runCheck(company);
    await anchorAll();
    await givenSettled(company, 100);
    const undo = await backUpLedger(company);
    await rewriteAll(company);
    expect((await auditAll(company)).violations).toEqual([]);

    const { violations } = await runCheck(company);

    const { day } = await dayRow();
    const violation = `I1 movement 1 is not what was anchored on ${day}`;
    expect(violations).toContain(violation);
    expect((await runCheck(company)).violations).toContain(violation);
    expect(await callsTo(company.id).isFrozen()).toBe(true);
    const contradictions = await inAccount(company.id, (_, { storage: { sql } }) =>
      sql.exec("SELECT kind, object, status FROM contradictions").toArray(),
    );
    expect(contradictions).toEqual([
      { kind: "ledger_anchor", object: "movement:1", status: "open" },
    ]);
    await undo();
    await inAccount(company.id, (_, { storage: { sql } }) => void sql.exec("DELETE FROM audits"));
    await waitUntilDrained(company);
    expect((await runCheck(company)).violations).toEqual([
      `contradiction ${company.id}-1 is open: ledger_anchor of movement:1`,
    ]);
    await decide(`${company.id}-1`, { action: "dismiss", reason: "It is the past again." });
    expect((await runCheck(company)).violations).toEqual([]);
  });
});
