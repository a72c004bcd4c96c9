import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { STORED_CALLBACKS } from "../../../../../src/domain/storage/stored-callbacks.ts";
import { handleQueue } from "../../../../../src/queue.ts";
import { runTask } from "../../../../../src/scheduled.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import { createCard, givenAuthorized } from "../../../../support/builders/charges/card.ts";
import { actOnLink, givenLink } from "../../../../support/builders/charges/payment-links.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import {
  decide,
  newestUnexpected,
  UNEXPECTED,
} from "../../../../support/builders/charges/unexpected.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { PAUSE_REASON, PAUSED, usePauses } from "../../../../support/builders/companies/pauses.ts";
import { approve, proposeOn } from "../../../../support/builders/operations/decide.ts";
import { cancel, capture, refund } from "../../../../support/builders/operations/refund.ts";
import { deliverCallbacks, givenPsp } from "../../../../support/builders/providers/psp.ts";
import { sendTestEvent } from "../../../../support/builders/webhooks/test-events.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { storedCallbacks } from "../../../../support/probes/providers/callbacks.ts";

const MINUTE_MS = 60_000;

const world = usePauses();
const pause = (reason?: string) => world.pause(reason);
const resume = () => world.resume();

/** A company with one thing of each kind that a caller may ask for. */
async function givenBusy() {
  const company = await givenCompany({ balance: 5_000 });
  const { id: paidId } = await givenPaid(company, 2_000);
  const { id: openId } = await givenTransaction(company);
  const { id: cardId } = await givenAuthorized(company);
  return { company, paidId, openId, cardId };
}

type Busy = Awaited<ReturnType<typeof givenBusy>>;

describe("SERVICE_PAUSED: a paused service", () => {
  it.each<[name: string, ask: (busy: Busy) => Promise<Answer>]>([
    ["a create", ({ company }) => createTransaction(company)],
    ["a card's create", ({ company }) => createCard(company)],
    ["a capture", ({ company, cardId }) => capture(company, cardId)],
    ["a cancel", ({ company, openId }) => cancel(company, openId)],
    ["a refund", ({ company, paidId }) => refund(company, paidId)],
    ["a withdraw", ({ company }) => requestWithdraw(company)],
    ["a new payment link", ({ company }) => givenLinkAnswer(company)],
    [
      "a static code",
      ({ company }) => call("/api/v1/pix/static-codes", { company, body: { amount: 900 } }),
    ],
  ])("refuses %s and changes nothing", async (_, ask) => {
    const busy = await givenBusy();
    await pause();
    const answer = await expectNoSideEffects(busy.company, () => ask(busy));
    await expectProblem(answer, PAUSED);
    await resume();
    expect((await ask(busy)).status).toBeLessThan(300);
  });

  it.each(["return", "credit"] as const)("refuses a %s of an unexpected payment", async (verb) => {
    const company = await givenCompany();
    const { id } = (await UNEXPECTED.NO_CHARGE(company), await newestUnexpected(company));
    await pause();
    const answer = await expectNoSideEffects(company, () => decide(company, id, verb));
    await expectProblem(answer, PAUSED);
  });

  it("refuses the repeat of a create too, and makes it once afterwards", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, {}, { key: "order_1" });
    await pause();
    await expectProblem(await createTransaction(company, {}, { key: "order_1" }), PAUSED);
    await resume();
    const again = await createTransaction(company, {}, { key: "order_1" });
    expect(again.body.data.id).toBe(first.body.data.id);
  });

  it("refuses a payer at a link, and says so on the page", async () => {
    const company = await givenCompany();
    const link = await givenLink(company, { amount: 2_500 });
    await pause();
    const page = await expectNoSideEffects(company, () => actOnLink(link.slug));
    expect(page.status).toBe(503);
    expect(page.headers.get("Retry-After")).toBe("60");
    expect(page.text).toContain("<form");
  });

  it("refuses a test of a webhook: nothing is delivered", async () => {
    const sink = new WebhookSink(world.clock);
    const company = await givenCompany({ webhookUrl: "https://loja.example.com/webhooks" });
    const test = () => sendTestEvent({ company, sink, clock: world.clock });
    await pause();
    await expectProblem(await expectNoSideEffects(company, test), PAUSED);
    expect(sink.received).toEqual([]);
    await resume();
    expect((await test()).status).toBe(201);
    expect(sink.received).toHaveLength(1);
  });

  it("refuses the approval of an operators' decision about money", async () => {
    const company = await givenCompany();
    await UNEXPECTED.NO_CHARGE(company);
    const { paymentId } = (await callAsOperator(`/companies/${company.id}/suspense`)).body.items[0];
    const proposed = await proposeOn(`/companies/${company.id}/suspense/${paymentId}/return`, {});
    expect(proposed.status).toBe(202);
    await pause();
    await expectProblem(await approve(proposed.body.data.id), PAUSED);
    await resume();
    expect((await approve(proposed.body.data.id)).status).toBe(200);
  });

  it("goes on reading, searching, changing settings and freezing", async () => {
    const { company, paidId } = await givenBusy();
    await pause();
    const answers = await Promise.all([
      call(`/api/v1/transactions/${paidId}`, { company }),
      call("/api/v1/transactions/search", { company, body: {} }),
      call("/api/v1/company/settings", {
        company,
        method: "PUT",
        body: { withdrawDailyLimit: 100_000 },
      }),
      callAsOperator(`/companies/${company.id}/freeze`, {
        method: "POST",
        body: { reason: PAUSE_REASON },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("keeps a PSP's callback and asks about it after the pause", async () => {
    const bank = await givenPsp();
    const { company, psp, options, deps } = bank;
    const charge = await givenTransaction(company, { amount: 2_500 }, options);
    psp.pay(charge.id.replaceAll("-", ""));
    await pause();
    const asked = psp.requests.length;
    expect(await deliverCallbacks(bank)).toEqual([200]);
    expect(psp.requests).toHaveLength(asked);
    expect(await storedCallbacks(company)).toHaveLength(1);

    await resume();
    bank.clock.advance(2 * MINUTE_MS);
    await runTask(bank.env, deps, task("sweep_callbacks", bank.clock));
    expect(await storedCallbacks(company)).toEqual([]);
    expect(psp.requests.length).toBeGreaterThan(asked);
  });

  it("takes a callback for which there is no room, which the PSP's lists bring again", async () => {
    const bank = await givenPsp();
    const { company, psp, options } = bank;
    const charge = await givenTransaction(company, { amount: 2_500 }, options);
    psp.pay(charge.id.replaceAll("-", ""));
    await env.DB.prepare(
      `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts)
       SELECT ?1 || '-' || value, ?1, ?1 || '-' || value, 9e15, 0 FROM json_each(?2)`,
    )
      .bind(
        company.id,
        JSON.stringify(Array.from({ length: STORED_CALLBACKS.account }, (_, index) => index)),
      )
      .run();
    await pause();
    expect(await deliverCallbacks(bank)).toEqual([200]);
  });

  it("sends no webhook, whose delivery stays due", async () => {
    const company = await givenCompany({ webhookUrl: "https://loja.example.com/" });
    await givenPaid(company, 2_500);
    await waitUntilDrained(company);
    const { results } = await env.DB.prepare(
      "SELECT company_sequence AS number, target FROM deliveries WHERE company_id = ?",
    )
      .bind(company.id)
      .all<{ number: number; target: string }>();
    const bodies = results.map(({ number, target }) => ({
      deliveryId: `dlv_${company.id}_${number}_${target}`,
    }));
    expect(bodies.length).toBeGreaterThan(0);
    await pause();
    expect(await consume("webhooks", bodies)).toEqual(bodies.map((_, index) => `m${index}`));
    const { results: tries } = await env.DB.prepare(
      "SELECT DISTINCT attempts, status FROM deliveries WHERE company_id = ?",
    )
      .bind(company.id)
      .all();
    expect(tries).toEqual([{ attempts: 0, status: "pending" }]);
  });

  it("delivers nothing and pays nothing out until it goes on", async () => {
    const company = await givenCompany({ balance: 5_000, webhookUrl: "https://loja.example.com/" });
    expect((await requestWithdraw(company)).status).toBe(201);
    const statusOf = async () => (await callsTo(company.id).findWithdraw(1))?.status;
    await pause();
    const messages = [{ companyId: company.id, withdrawId: 1 }];
    expect(await consume("payouts", messages)).toEqual(["m0"]);
    expect(await statusOf()).toBe("Awaiting");
    await resume();
    await consume("payouts", messages);
    expect(await statusOf()).toBe("Paid");
  });

  it.each([
    "sweep_deliveries",
    "sweep_transactions",
    "end_shadow_charges",
    "sweep_callbacks",
    "reconcile_payments",
    "credit_payments",
    "delete_cards",
    "try_certificates",
    "ask_about_responses",
    "check_companies",
  ])("has the cron's %s rest, and counts it as run", async (name) => {
    await pause();
    // Other files' runs may have been later by their clocks.
    await env.DB.prepare("DELETE FROM cron_heartbeats WHERE task = ?").bind(name).run();
    const deps = { ...systemDependencies, platformClock: world.clock };
    const unread = withD1(env, (sql, run) =>
      sql.includes("cron_heartbeats") ? run() : Promise.reject(new Error("it reads")),
    );
    await runTask(unread, deps, task(name, world.clock));
    const { results } = await env.DB.prepare(
      "SELECT last_success_at AS at FROM cron_heartbeats WHERE task = ?",
    )
      .bind(name)
      .all<{ at: number }>();
    expect(results[0]?.at).toBe(world.clock.now());
  });
});

const givenLinkAnswer = (company: TestCompany) =>
  call("/api/v1/payment-links", { company, body: { name: "Mesa 4", amount: 2_500 } });

const task = (name: string, at: TestClock) => ({ task: name, at: at.now(), step: 1, state: null });

/** Consumes messages as the queue delivers them; the ids of those that are acknowledged. */
async function consume(queue: string, bodies: object[]): Promise<string[]> {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  const context = createExecutionContext();
  await handleQueue(batch, env, context);
  return (await getQueueResult(batch, context)).explicitAcks;
}
