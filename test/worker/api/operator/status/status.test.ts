import { describe, expect, it } from "vitest";
import type { Dependencies } from "../../../../../src/http/context.ts";
import type { ProviderBalance } from "../../../../../src/providers/provider.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { givenContradiction } from "../../../../support/builders/reconciliation/decisions.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  deliverCallbacks,
  givenPsp,
  reconcileDue,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const HOUR_MS = 60 * 60_000;

/** A live company that was paid 100.00, with a bank that reports this balance. */
async function givenPaidAtPsp() {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const charge = await givenTransaction(company, { amount: 10_000 }, options);
  psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(world);
  return world;
}

function statusOf(world: PspSetup, balance: ProviderBalance) {
  const registry = world.deps.providers(world.env);
  const providers = () => ({
    ...registry,
    ofAccount: async (...parameters: Parameters<typeof registry.ofAccount>) =>
      Object.assign((await registry.ofAccount(...parameters))!, { balance: async () => balance }),
  });
  const deps: Dependencies = { ...world.deps, providers };
  return callAsOperator(`/companies/${world.company.id}/status`, { ...world.options, deps });
}

/** A pass that finished at one time and runs next at another. */
async function givenPass(
  companyId: number,
  finishedAt: number,
  nextRunAt = finishedAt,
): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO reconciliation_passes
       (company_id, account, list, pass, read_until, window_ms, next_run_at, finished_at)
     VALUES (?, 'first', 'payments', 'newest', 0, 60000, ?, ?)`,
  )
    .bind(companyId, nextRunAt, finishedAt)
    .run();
}

describe("the status of a company", () => {
  it("compares its ledger with its bank balance and shows what explains the difference", async () => {
    const world = await givenPaidAtPsp();
    const { company, options, deps } = world;
    const whole = await statusOf(world, { kind: "known", balance: 10_000 });
    await expectDocumented("GET /api/v1/operator/companies/{companyId}/status", whole);
    expect(whole.body).toMatchObject({
      expected: 10_000,
      accounts: [{ account: "first", answer: "known", balance: 10_000 }],
      difference: 0,
      unexplained: 0,
    });
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env), world.env);

    const gone = await statusOf(world, { kind: "known", balance: 6_000 });
    expect(gone.body).toMatchObject({ expected: 10_000, difference: -4_000, unexplained: 0 });
    expect(gone.body.openItems).toContainEqual({
      kind: "payouts_processing",
      count: 1,
      amount: 4_000,
      more: false,
    });
    const missing = await statusOf(world, { kind: "known", balance: 5_000 });
    expect(missing.body).toMatchObject({ difference: -5_000, unexplained: -1_000 });
    const beyond = await statusOf(world, { kind: "known", balance: 10_700 });
    expect(beyond.body).toMatchObject({ difference: 700, unexplained: 700 });
  });

  it.each([{ kind: "unsupported" }, { kind: "unknown" }] as const)(
    "has no difference when the bank's response is %o",
    async (balance) => {
      const world = await givenPaidAtPsp();
      expect((await statusOf(world, balance)).body).toMatchObject({
        expected: 10_000,
        accounts: [{ answer: balance.kind, balance: null }],
        difference: null,
        unexplained: null,
      });
    },
  );

  it("is only the ledger for a sandbox company, with the progress of its passes", async () => {
    const company = await givenCompany({ balance: 1_000 });
    await givenContradiction(company, { held: 300 });
    const { body } = await callAsOperator(`/companies/${company.id}/status`);
    expect(body).toMatchObject({
      mode: "sandbox",
      held: 300,
      ledger: { available: 1_000 },
      accounts: [],
      difference: null,
    });
    expect(body.passes).toEqual([]);
  });

  it("NOT_FOUND: rejects an unknown company", async () => {
    const answer = await callAsOperator("/companies/9999999/status");
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
  });
});

describe("the status of the gateway", () => {
  it("counts open items by kind", async () => {
    const before = (await callAsOperator("/status")).body;
    const company = await givenCompany();
    await givenContradiction(company, { held: 300 });
    await givenContradiction(company, {
      kind: "record_unreadable",
      object: "record:ab",
      amount: 0,
    });
    const answer = await callAsOperator("/status");
    await expectDocumented("GET /api/v1/operator/status", answer);
    const { contradictions, companies } = answer.body;
    expect(companies).toBe(before.companies + 1);
    expect(contradictions.open).toBe(before.contradictions.open + 2);
    expect(contradictions.held).toBe(before.contradictions.held + 300);
    const unreadable = before.contradictions.byKind.record_unreadable ?? 0;
    expect(contradictions.byKind.record_unreadable).toBe(unreadable + 1);
    expect(contradictions.oldestSince).not.toBeNull();
  });

  it("names only the passes that are late", async () => {
    const [late, silent, inTime] = [
      await givenCompany(),
      await givenCompany(),
      await givenCompany(),
    ];
    const now = Date.now();
    await givenPass(late.id, now - HOUR_MS);
    // Its PSP does not respond, so each poll postpones the pass a little.
    await givenPass(silent.id, now - HOUR_MS, now + 4 * 60_000);
    await givenPass(inTime.id, now - HOUR_MS / 2, now - 60_000);
    const { body } = await callAsOperator("/status");
    const ids = body.latePasses.map((pass: { companyId: number }) => pass.companyId);
    expect(ids).toContain(late.id);
    expect(ids).toContain(silent.id);
    expect(ids).not.toContain(inTime.id);
    const own = await callAsOperator(`/companies/${inTime.id}/status`);
    expect(own.body.passes).toMatchObject([{ list: "payments", pass: "newest" }]);
  });

  it("names a pass whose PSP does not respond, although it is polled repeatedly", async () => {
    const world = await givenPsp();
    const { company, psp, clock, options } = world;
    await reconcileDue(world);
    psp.faultAlways("unavailable", /^GET/);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      clock.advance(5 * 60_000);
      await reconcileDue(world);
    }
    const { body } = await callAsOperator("/status", options);
    const late = body.latePasses.filter(({ companyId }: any) => companyId === company.id);
    const payments = { account: "first", list: "payments", pass: "newest" };
    expect(late).toContainEqual(expect.objectContaining(payments));
    expect(late).not.toContainEqual(expect.objectContaining({ pass: "last_week" }));
  });

  it("shows how full the databases are", async () => {
    const measuredAt = Date.now();
    await env.DB.prepare(
      `INSERT OR REPLACE INTO storage_gauges (name, bytes, stopped, measured_at)
       VALUES ('DB', 4096, 0, ?)`,
    )
      .bind(measuredAt)
      .run();
    const { body } = await callAsOperator("/status");
    const at = new Date(measuredAt).toISOString();
    expect(body.databases).toContainEqual({
      name: "DB",
      latencyMs: expect.any(Number),
      bytes: 4_096,
      measuredAt: at,
    });
  });
});
