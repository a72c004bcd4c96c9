import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../../../../../src/config.ts";
import { handleQueue } from "../../../../../src/queue.ts";
import { env } from "../../../../support/builders/companies/env.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { GATEWAY_TRAIL } from "../../../../../src/domain/access/audit-entry.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

beforeEach(async () => void (await env.DB.prepare("DELETE FROM dead_letters").run()));
afterEach(() => vi.restoreAllMocks());

/** The dead-letter queues give messages to the service. */
async function giveUp(queue: string, ...messages: { id: string; body: unknown }[]): Promise<void> {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const batch = createMessageBatch(
    queue,
    messages.map(({ id, body }) => ({ id, body, timestamp: new Date(), attempts: 1 })),
  );
  await handleQueue(batch, env, createExecutionContext());
}

/** The service with queues that keep what they are sent, or take nothing. */
function givenQueues(takesNothing = false) {
  const sent: [string, unknown][] = [];
  const queue = (name: string) => ({
    send: async (body: unknown) => {
      if (takesNothing) throw new Error("the queue is down");
      sent.push([name, body]);
    },
  });
  const queues = { WEBHOOKS: queue("webhooks"), PAYOUTS: queue("payouts"), TASKS: queue("tasks") };
  return { sent, env: { ...env, ...(queues as unknown as Pick<Env, keyof typeof queues>) } };
}

const replay = (id: string, around: Partial<Env> = env) =>
  callAsOperator(`/dead-letters/${id}/replay`, { method: "POST", env: { ...env, ...around } });

it("messages that a queue gave up are listed, page by page, and each is kept once", async () => {
  await giveUp("payouts-dead", { id: "a", body: { companyId: 17, withdrawId: 7 } });
  await giveUp("payouts-dead", { id: "a", body: { companyId: 17, withdrawId: 7 } });
  await giveUp("centavo-webhooks-dead", { id: "b", body: { deliveryId: "dlv_17_1_postback" } });

  const first = await callAsOperator("/dead-letters?limit=1");
  await expectDocumented("GET /api/v1/operator/dead-letters", first);
  expect(first.body).toMatchObject({ items: [{ id: "a", queue: "payouts" }], hasMore: true });
  const second = await callAsOperator(`/dead-letters?limit=1&after=${first.body.after}`);
  expect(second.body).toMatchObject({
    items: [{ id: "b", queue: "webhooks", body: { deliveryId: "dlv_17_1_postback" } }],
    after: null,
    hasMore: false,
  });
});

it("a message is sent to its queue again once, and is not open any more", async () => {
  const task = { task: "run_companies", at: 1, step: 1, state: null };
  await giveUp("payouts-dead", { id: "p", body: { companyId: 17, withdrawId: 7 } });
  await giveUp("tasks-dead", { id: "t", body: task });
  const { sent, env: around } = givenQueues();

  const answer = await replay("p", around);
  await expectDocumented("POST /api/v1/operator/dead-letters/{id}/replay", answer);
  expect(answer.body.replayedAt).not.toBeNull();
  expect((await replay("p", around)).body).toEqual(answer.body);
  await replay("t", around);

  // As of now: the cron skips the work of minutes that have passed.
  expect(sent).toEqual([
    ["payouts", { companyId: 17, withdrawId: 7 }],
    ["tasks", { ...task, at: expect.any(Number) }],
  ]);
  expect((sent[1]![1] as typeof task).at).toBeGreaterThan(1);
  expect((await callAsOperator("/dead-letters")).body.items).toEqual([]);
  expect((await callAsOperator("/dead-letters?status=all")).body.items).toHaveLength(2);
  expect(await auditEntriesOf(GATEWAY_TRAIL)).toContainEqual(
    expect.objectContaining({ action: "dead_letter.replay", target: "dead_letter:p" }),
  );
});

it("a message that its queue does not take stays open", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await giveUp("payouts-dead", { id: "q", body: { companyId: 17, withdrawId: 7 } });
  const { env: around } = givenQueues(true);

  expect((await replay("q", around)).status).toBe(500);
  expect((await callAsOperator("/dead-letters")).body.items).toMatchObject([{ id: "q" }]);
});

it("NOT_FOUND: rejects an unknown message", async () => {
  await expectProblem(await replay("none"), { status: 404, code: "NOT_FOUND" });
});
