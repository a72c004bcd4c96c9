import { expect, it } from "vitest";
import { watchService } from "../../../../../src/api/operator/alarms/tasks.ts";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { operatorAnswers, takeSample } from "../../../../../src/api/operator/status/answers.ts";
import { serviceFigures } from "../../../../../src/api/operator/status/figures.ts";
import { stuckMoney } from "../../../../../src/db/watch/stuck-money.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { recordProviderCalls } from "../../../../../src/db/watch/providers.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { bucketOf } from "../../../../../src/domain/figures/durations.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import {
  callAsOperator,
  OPERATOR_CREDENTIALS,
} from "../../../../support/builders/companies/operator.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { deliverCallbacks, givenPsp } from "../../../../support/builders/providers/psp.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenContradiction } from "../../../../support/builders/reconciliation/decisions.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { meteredD1 } from "../../../../support/probes/database/cost.ts";
import { parsePrometheus, samplesOf, valueOf } from "../../../../support/probes/http/prometheus.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ENDPOINT = "https://loja.example.com/webhooks";

/** Of all tests here, so that no payment is booked after a later test's time. What other files left is deleted. */
const clock = new TestClock();

/** The log of the attempts at the company's second event. */
function setAttemptsLog(companyId: number, log: string) {
  return env.DB.prepare(
    "UPDATE deliveries SET attempts_log = ? WHERE company_id = ? AND company_sequence = 2",
  )
    .bind(log, companyId)
    .run();
}

/** The service under the clock, of which a first sample is taken. */
async function givenWatched() {
  await env.DB.prepare("DELETE FROM service_samples").run();
  await env.DB.prepare("DELETE FROM daily_reports WHERE company_id = 900020").run();
  const deps = { ...systemDependencies, platformClock: clock };
  const watch = () => watchService(env, deps);
  await watch();
  return {
    clock,
    deps,
    watch,
    /** Lets time pass, and the cron's minute come. */
    pass: async (ms: number) => {
      clock.advance(ms);
      await watch();
    },
    status: async () => {
      const answer = await callAsOperator("/status", { deps });
      await expectDocumented("GET /api/v1/operator/status", answer);
      return answer.body;
    },
    metric: async (name: string, labels: Record<string, string> = {}) => {
      const company = { credentials: OPERATOR_CREDENTIALS };
      const { text } = await call("/metrics", { company, deps });
      return valueOf(samplesOf(text), name, labels);
    },
  };
}

type Watched = Awaited<ReturnType<typeof givenWatched>>;

async function paid(world: Watched, amounts: number[]): Promise<void> {
  const company = await givenCompany({ clock: world.clock });
  for (const amount of amounts) {
    const { id } = await givenTransaction(company, { amount }, { deps: world.deps });
    expect((await pay(company, id, undefined, { deps: world.deps })).status).toBe(200);
  }
}

const pixOf = (status: any) =>
  status.payments.methods.find(({ paymentMethod }: any) => paymentMethod === "PIX");

it("payments by method: those of the last hour, and of the same hour a week ago", async () => {
  const world = await givenWatched();
  const before = await world.metric("centavo_payments_total", { method: "PIX" });
  const centavos = await world.metric("centavo_payments_centavos_total", { method: "PIX" });
  await paid(world, [1_000, 2_500]);
  expect(await world.metric("centavo_payments_total", { method: "PIX" })).toBe(before + 2);
  expect(await world.metric("centavo_payments_centavos_total", { method: "PIX" })).toBe(
    centavos + 3_500,
  );
  expect(pixOf(await world.status())).toEqual({
    paymentMethod: "PIX",
    count: 2,
    amount: 3_500,
    weekBefore: null,
  });

  await world.pass(5 * MINUTE);
  await world.pass(HOUR);
  expect(pixOf(await world.status())).toMatchObject({ count: 0, amount: 0 });
  await paid(world, [700]);
  expect(pixOf(await world.status())).toMatchObject({ count: 1, amount: 700 });
});

it("payments of a week ago are compared where both ends of the hour were sampled", async () => {
  const world = await givenWatched();
  await paid(world, [900]);
  await world.pass(HOUR);
  await world.pass(7 * DAY - HOUR);
  await world.pass(HOUR);
  expect(pixOf(await world.status()).weekBefore).toEqual({ count: 1, amount: 900 });
  await world.pass(6 * MINUTE);
  expect(pixOf(await world.status()).weekBefore).toBeNull();
});

/** A row of the daily report of a company that is in no other test. */
async function setReport(world: Watched, count: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO daily_reports (company_id, day, payment_method, count, gross)
     VALUES (900020, ?1, 'PIX', ?2, ?2) ON CONFLICT DO UPDATE SET count = ?2, gross = ?2`,
  )
    .bind(saoPauloDay(world.clock.now()), count)
    .run();
}

it("the total never falls, whatever a correction does to the reports", async () => {
  const world = await givenWatched();
  const total = () => world.metric("centavo_payments_total", { method: "PIX" });
  const before = await total();
  await setReport(world, 5);
  expect(await total()).toBe(before + 5);
  await world.pass(5 * MINUTE);
  await setReport(world, 3);
  expect(await total()).toBe(before + 5);
});

it("a closed day's payments stay in the total, and its reports are read no more", async () => {
  const world = await givenWatched();
  const total = () => world.metric("centavo_payments_total", { method: "PIX" });
  await setReport(world, 1);
  await world.pass(5 * MINUTE);
  const before = await total();
  await setReport(world, 8);
  for (let day = 1; day <= 3; day++) await world.pass(DAY);
  expect(await total()).toBe(before + 7);
  await env.DB.prepare("DELETE FROM daily_reports WHERE company_id = 900020").run();
  expect(await total()).toBe(before + 7);
});

it("a PSP's p50 and p95 are those of the last hour", async () => {
  const world = await givenWatched();
  const host = "pix.slow.example";
  const none = { faults: 0, refusals: 0, faultedAt: null, lastFault: null };
  const record = (durations: number[]) => {
    const counts = [...Map.groupBy(durations, bucketOf)].map(([name, each]) => [name, each.length]);
    const totalMs = durations.reduce((sum, each) => sum + each, 0);
    const calls = {
      ...none,
      endpoints: {},
      quotas: {},
      companyId: 900_018,
      account: "first",
      host,
      calls: durations.length,
      succeededAt: world.clock.now(),
      durations: { totalMs, buckets: Object.fromEntries(counts) },
    };
    return recordProviderCalls(env, [calls], "2026-11-23");
  };
  const speed = async () =>
    (await world.status()).providers.find((each: any) => each.host === host)?.lastHour;
  await record([
    ...Array.from({ length: 90 }, () => 80),
    ...Array.from({ length: 10 }, () => 1_000),
  ]);
  const fast = await speed();
  expect(fast).toMatchObject({ calls: 100 });
  expect(fast.p50Seconds).toBeCloseTo(0.078, 2);
  expect(fast.p95Seconds).toBeCloseTo(1, 1);
  expect(await world.metric("centavo_psp_seconds_count", { host })).toBe(100);
  expect(await world.metric("centavo_psp_seconds_bucket", { host, le: "0.1" })).toBe(90);
  expect(await world.metric("centavo_psp_seconds_sum", { host })).toBeCloseTo(17.2);

  await world.pass(5 * MINUTE);
  await world.pass(HOUR);
  expect(await speed()).toMatchObject({ calls: 0, p50Seconds: null, p95Seconds: null });
  await record([2_500]);
  expect((await speed()).p50Seconds).toBeGreaterThan(2);
  expect(await world.metric("centavo_psp_seconds_count", { host })).toBe(101);
});

it("the share of webhooks that arrive at the first attempt counts a day, and each attempt once", async () => {
  const world = await givenWatched();
  const sink = new WebhookSink(world.clock);
  const company = await givenCompany({ clock: world.clock, webhookUrl: ENDPOINT });
  const event = async () => {
    const { id } = await givenTransaction(company, {}, { deps: world.deps });
    await pay(company, id, undefined, { deps: world.deps });
    world.clock.advance(1);
  };
  const attempts = async (result: string) => [
    await world.metric("centavo_webhook_attempts_total", { result }),
    await world.metric("centavo_webhook_first_attempts_total", { result }),
  ];
  const [delivered, failed] = [await attempts("delivered"), await attempts("failed")];
  await event();
  await sink.deliver(company, 1, { target: "endpoint" });
  expect((await world.status()).webhooks).toMatchObject({ share: 1, oldestOpen: null });
  await event();
  sink.respondWith(503);
  await sink.deliver(company, 2, { target: "endpoint" });
  const failing = (await world.status()).webhooks;
  expect(failing).toMatchObject({ firstAttempts: 2, deliveredAtFirst: 1, share: 0.5 });
  expect(Date.parse(failing.oldestOpen)).toBeLessThanOrEqual(world.clock.now());
  world.clock.advance(HOUR);
  expect(await world.metric("centavo_oldest_delivery_seconds")).toBeGreaterThanOrEqual(3_600);
  // A row that somebody damaged hides no figure and no alarm: it counts from its last change.
  await setAttemptsLog(company.id, "damaged");
  expect(Date.parse((await world.status()).webhooks.oldestOpen)).toBeLessThan(world.clock.now());
  await setAttemptsLog(company.id, "[]");
  sink.respondWith(204);
  await sink.deliver(company, 2, { target: "endpoint" });
  expect((await world.status()).webhooks).toMatchObject({ share: 0.5, oldestOpen: null });
  expect(await world.metric("centavo_oldest_delivery_seconds")).toBe(0);
  expect(await attempts("delivered")).toEqual([delivered[0]! + 2, delivered[1]! + 1]);
  expect(await attempts("failed")).toEqual([failed[0]! + 1, failed[1]! + 1]);

  await world.pass(DAY);
  expect((await world.status()).webhooks).toMatchObject({ firstAttempts: 0, share: null });
});

it("stuck money is named by its place: a payout, an operation, an unexpected payment, a contradiction", async () => {
  const world = await givenWatched();
  const company = await givenCompany({ clock: world.clock, balance: 50_000 });
  const places = async () =>
    Object.fromEntries(
      (await world.status()).moneyStuck.map(({ place, count, amount }: any) => [
        place,
        { count, amount },
      ]),
    );
  const before = await places();
  const grown = async (place: string) => {
    const now = (await places())[place];
    return { count: now.count - before[place].count, amount: now.amount - before[place].amount };
  };
  await givenContradiction(company, { held: 300 });
  expect(await grown("contradictions")).toEqual({ count: 1, amount: 300 });

  const paidTwice = await givenTransaction(company, { amount: 4_200 }, { deps: world.deps });
  await pay(company, paidTwice.id, undefined, { deps: world.deps });
  await pay(company, paidTwice.id, undefined, { deps: world.deps });
  expect(await grown("unexpected_payments")).toEqual({ count: 1, amount: 4_200 });

  const since = world.clock.now();
  await env.DB.prepare(
    `INSERT INTO withdraws (company_id, id, payout_id, amount, fee, currency, pix_key, pix_key_type,
       creditor_document, status, version, created_at, updated_at)
     VALUES (?, 99, 'p99', 7000, 0, 'BRL', 'k', 'EVP', '', 'Processing', 1, ?, ?)`,
  )
    .bind(company.id, since, since)
    .run();
  expect(await grown("undecided_payouts")).toEqual({ count: 0, amount: 0 });
  world.clock.advance(11 * MINUTE);
  expect(await grown("undecided_payouts")).toEqual({ count: 1, amount: 7_000 });
  const labels = { where: "undecided_payouts" };
  expect(await world.metric("centavo_money_stuck_centavos", labels)).toBe(
    before["undecided_payouts"].amount + 7_000,
  );
  await env.DB.prepare("DELETE FROM withdraws WHERE company_id = ? AND id = 99")
    .bind(company.id)
    .run();
});

const setBytes = (name: string, bytes: number) =>
  env.DB.prepare(
    `INSERT INTO storage_gauges (name, bytes, stopped, measured_at) VALUES (?, ?, 0, 1)
     ON CONFLICT DO UPDATE SET bytes = excluded.bytes`,
  )
    .bind(name, bytes)
    .run();

it("what grew is compared with a week ago", async () => {
  const world = await givenWatched();
  await env.DB.prepare("DELETE FROM storage_gauges").run();
  await setBytes("DB", 1_000_000);
  await setBytes("company:900019", 5_000);
  await world.pass(6 * MINUTE);
  const open = (await world.status()).growth.openWork;
  const contradictions = open.find(({ work }: any) => work === "contradictions").count;
  await setBytes("DB", 3_000_000);
  await setBytes("company:900019", 9_000);
  await givenContradiction(await givenCompany());
  await world.pass(7 * DAY);
  const { growth } = await world.status();
  expect(growth.databases).toContainEqual({ name: "DB", bytes: 3_000_000, before: 1_000_000 });
  expect(growth.objects).toContainEqual({ companyId: 900_019, bytes: 9_000, before: 5_000 });
  expect(growth.openWork).toContainEqual({
    work: "contradictions",
    count: contradictions + 1,
    before: contradictions,
  });
  expect(await world.metric("centavo_open_work", { work: "contradictions" })).toBe(
    contradictions + 1,
  );
  expect(await world.metric("centavo_largest_object_bytes")).toBeGreaterThanOrEqual(9_000);
});

const countSamples = () => env.DB.prepare("SELECT count(*) FROM service_samples").first("count(*)");

it("samples are taken every five minutes and kept for eight days", async () => {
  const world = await givenWatched();
  for (let minute = 1; minute <= 10; minute++) await world.pass(MINUTE);
  expect(await countSamples()).toBe(3);
  await world.pass(8 * DAY);
  await world.pass(5 * MINUTE);
  expect(await countSamples()).toBe(2);
});

it("an operation that a PSP has not answered for ten minutes is stuck, as its company's check found it", async () => {
  await env.DB.prepare("UPDATE self_checks SET open_operations = NULL").run();
  const psp = await givenPsp();
  const { company, options } = psp;
  const charge = await givenTransaction(company, { amount: 10_000 }, options);
  psp.psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(psp);
  expect((await refund(company, charge.id, 2_500, { ...options, key: "stuck" })).status).toBe(202);
  const placeOf = async () => {
    await checkCompany(env, company.id, psp.clock.now());
    const places = await stuckMoney(env, psp.clock.now() - 10 * MINUTE);
    return places.find(({ place }) => place === "undecided_operations");
  };
  expect(await placeOf()).toMatchObject({ count: 0, amount: 0, since: null });
  psp.clock.advance(11 * MINUTE);
  expect(await placeOf()).toMatchObject({ count: 1, amount: 2_500 });
  const { endToEndId, devolucoes } = psp.psp.book.received.at(-1)!;
  psp.psp.settleDevolucao(endToEndId, devolucoes.at(-1)!.id, "DEVOLVIDO");
  await deliverCallbacks(psp);
  expect(await placeOf()).toMatchObject({ count: 0, amount: 0, since: null });
});

it("all metrics are in Prometheus' format, each with help and type even before it has a value", async () => {
  const company = { credentials: OPERATOR_CREDENTIALS };
  const families = parsePrometheus((await call("/metrics", { company })).text);
  expect(families.map(({ name, type }) => [name, type])).toEqual(
    expect.arrayContaining([
      ["centavo_payments_total", "counter"],
      ["centavo_payments_centavos_total", "counter"],
      ["centavo_psp_seconds", "histogram"],
      ["centavo_webhook_attempts_total", "counter"],
      ["centavo_money_stuck_centavos", "gauge"],
      ["centavo_oldest_delivery_seconds", "gauge"],
    ]),
  );
});

const setReports = (day: string, companies: number) =>
  env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
     INSERT INTO daily_reports (company_id, day, payment_method, count, gross)
     SELECT 910000 + n, ?1, 'PIX', 1000000, 1000000 FROM numbers`,
  )
    .bind(day, companies)
    .run();

it("the answers read the reports of two days, however long the history and however much is paid", async () => {
  const world = await givenWatched();
  const today = saoPauloDay(world.clock.now());
  const rowsRead = async () => {
    const meter = meteredD1();
    await operatorAnswers(meter.env, world.clock.now());
    return meter.lap();
  };
  const before = await rowsRead();
  expect(before.written).toBe(0);
  for (let ago = 2; ago < 12; ago++) await setReports(addDays(today, -ago), 100);
  expect(await rowsRead()).toEqual(before);
  await setReports(today, 100);
  const after = await rowsRead();
  await env.DB.prepare("DELETE FROM daily_reports WHERE company_id > 910000").run();
  expect((after.read - before.read) / 100).toBeLessThanOrEqual(3);
});

it("a sample is one row, and forgets one", async () => {
  const world = await givenWatched();
  const figures = await serviceFigures(env, world.clock);
  const answers = await operatorAnswers(env, world.clock.now());
  const meter = meteredD1();
  await takeSample(meter.env, { ...figures, at: figures.at + 5 * MINUTE }, answers);
  expect(meter.lap().written).toBe(1);
  await takeSample(meter.env, { ...figures, at: figures.at + 9 * DAY }, answers);
  expect(meter.lap().written).toBeLessThanOrEqual(3);
});
