import { call, type Answer } from "../builders/requests/api.ts";
import { TestClock } from "../fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany, type TestCompany } from "../builders/companies/company.ts";
import { endToEndId, settle } from "../builders/charges/charge-commands.ts";
import { WakeUpQueue } from "../fakes/wake-up-queue.ts";
import { givenTransaction } from "../builders/charges/transaction.ts";
import { attemptsOf } from "../probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../fakes/webhook-sink.ts";

export const WEBHOOK_URL = "https://loja.example.com/hook";
const BETWEEN_CALLS_MS = 3_000;

export interface ChaosSettings {
  seed?: number;
  duplicate?: number;
  reorder?: number;
  drop?: number;
  delay?: number;
}

/** `PUT /api/v1/sandbox/webhooks/chaos`. */
export function setChaos(company: TestCompany, chaos: unknown): Promise<Answer> {
  return call("/api/v1/sandbox/webhooks/chaos", { method: "PUT", company, body: chaos });
}

/** A received post, without values that differ between companies. */
export interface ReceivedPost {
  /** The event's position after the newest event before the chaos, from 1. */
  eventPosition: number;
  object: number;
  sequence: number;
  /** Milliseconds since the chaos was set. */
  at: number;
  id: string;
  rawBody: string;
}

/**
 * A company with `payments` events before the chaos and then `objects` withdraws. Each withdraw
 * is processed, paid and returned, with three seconds between calls. Every wake-up message is
 * processed.
 */
export async function runWithChaos(options: {
  chaos: ChaosSettings | ((company: TestCompany) => Promise<unknown>);
  objects?: number;
  payments?: number;
  status?: number;
}) {
  const { chaos, objects = 6, payments = 1 } = options;
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: WEBHOOK_URL });
  const sink = new WebhookSink(clock);
  for (let number = 1; number <= payments; number++) {
    const transaction = await givenTransaction(company, { amount: 100_000 });
    await settle(company, transaction, { paymentId: endToEndId(number) });
  }
  await sink.deliverAll(company);
  if (typeof chaos === "function") await chaos(company);
  else if ((await setChaos(company, chaos)).status !== 200) throw new Error("no chaos");

  const begun = clock.now();
  const posts: ReceivedPost[] = [];
  sink.respond = ({ id, rawBody, body }) => {
    const eventPosition = Number(id.split("_")[2]) - payments;
    const { sequence } = body;
    posts.push({
      eventPosition,
      object: body.data.id,
      sequence,
      at: clock.now() - begun,
      id,
      rawBody,
    });
    return new Response(null, { status: options.status ?? 204 });
  };
  const ids = Array.from({ length: objects }, (_, index) => index + 1);
  for (const id of ids) {
    await withdraw(company, { idempotencyKey: `wd_${id}`, amount: 1_000 + id });
  }
  const queue = new WakeUpQueue(sink, clock);
  let events = payments;
  for (const move of [
    claimPayout,
    (of: TestCompany, id: number) => reportPayout(of, PAID, id),
    returnWithdraw,
  ]) {
    for (const id of ids) {
      await move(company, id);
      await waitUntilDrained(company);
      events += 1;
      await sink.deliver(company, events, { target: "endpoint" });
      await queue.advance(BETWEEN_CALLS_MS);
    }
  }
  await queue.advance(Number.POSITIVE_INFINITY);
  const attempts = (await attemptsOf(company))
    .filter((attempt) => attempt.companySequence > payments)
    .map(({ companySequence, number, httpStatus, fault }) => ({
      place: companySequence - payments,
      number,
      httpStatus,
      fault,
    }));
  return { clock, company, sink, posts, attempts, count: 3 * objects, payments };
}

function returnWithdraw(company: TestCompany, id: number) {
  return reportPayout(company, RETURNED, id);
}

/** The `sequence`s of each object in the order of their posts. */
export function sequencesOf(posts: ReceivedPost[]): number[][] {
  const told: Record<number, number[]> = {};
  for (const { object, sequence } of posts) (told[object] ??= []).push(sequence);
  return Object.values(told);
}
