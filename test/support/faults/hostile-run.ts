import { call, type Answer } from "../builders/api.ts";
import { TestClock } from "../fakes/clock.ts";
import {
  claim,
  drained,
  endToEndId,
  PAID,
  report,
  RETURNED,
  settle,
  withdraw,
} from "../builders/commands.ts";
import { givenCompany, type TestCompany } from "../builders/company.ts";
import { HintQueue } from "../fakes/hint-follower.ts";
import { givenTransaction } from "../builders/transaction.ts";
import { attemptsOf } from "../probes/webhook-rows.ts";
import { WebhookSink } from "../fakes/webhook-sink.ts";

export const HOOK = "https://loja.example.com/hook";
const BETWEEN_CALLS_MS = 3_000;

export interface Chaos {
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

/** One post of a run, by what does not differ from company to company. */
export interface Post {
  /** The event's place after the newest when the chaos was set, from 1. */
  place: number;
  object: number;
  sequence: number;
  /** Since the chaos was set. Milliseconds. */
  at: number;
  id: string;
  rawBody: string;
}

/**
 * A company that had `payments` events when chaos was set, and then `objects` withdraws, each of
 * which is processed, paid and returned, three seconds between any two calls. Every hint is followed.
 */
export async function hostileRun(wish: {
  chaos: Chaos | ((company: TestCompany) => Promise<unknown>);
  objects?: number;
  payments?: number;
  status?: number;
}) {
  const { chaos, objects = 6, payments = 1 } = wish;
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: HOOK });
  const sink = new WebhookSink(clock);
  for (let number = 1; number <= payments; number++) {
    const transaction = await givenTransaction(company, { amount: 100_000 });
    await settle(company, transaction, { paymentId: endToEndId(number) });
  }
  await sink.deliverAll(company);
  if (typeof chaos === "function") await chaos(company);
  else if ((await setChaos(company, chaos)).status !== 200) throw new Error("no chaos");

  const begun = clock.now();
  const posts: Post[] = [];
  sink.answer = ({ id, rawBody, body }) => {
    const place = Number(id.split("_")[2]) - payments;
    const { sequence } = body;
    posts.push({ place, object: body.data.id, sequence, at: clock.now() - begun, id, rawBody });
    return new Response(null, { status: wish.status ?? 204 });
  };
  const ids = Array.from({ length: objects }, (_, index) => index + 1);
  for (const id of ids) {
    await withdraw(company, { idempotencyKey: `wd_${id}`, amount: 1_000 + id });
  }
  const queue = new HintQueue(sink, clock);
  let events = payments;
  for (const move of [claim, (of: TestCompany, id: number) => report(of, PAID, id), returned]) {
    for (const id of ids) {
      await move(company, id);
      await drained(company);
      events += 1;
      await sink.deliver(company, events, { target: "endpoint" });
      await queue.turn(BETWEEN_CALLS_MS);
    }
  }
  await queue.turn(Number.POSITIVE_INFINITY);
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

function returned(company: TestCompany, id: number) {
  return report(company, RETURNED, id);
}

/** The `sequence`s of each object in the order they were posted. */
export function sequencesOf(posts: Post[]): number[][] {
  const told: Record<number, number[]> = {};
  for (const { object, sequence } of posts) (told[object] ??= []).push(sequence);
  return Object.values(told);
}
