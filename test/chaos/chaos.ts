import { env as workerEnv } from "cloudflare:workers";
import { systemSender } from "../../src/api/webhooks/service.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { parseDeliveryId } from "../../src/domain/events/delivery.ts";
import type { Env } from "../../src/config.ts";
import { deliver, type DeliveryDeps } from "../../src/webhooks/delivery/deliver.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { givenEndpoint } from "../support/builders/webhooks/endpoints.ts";
import { cronDeps, runWholeCron } from "../support/fakes/cron.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { firstDueAt } from "../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../support/fakes/webhook-sink.ts";
import { randomFraction } from "./seeded-random.ts";
import { lifecyclesOf, fundCompany, type Lifecycle } from "./lifecycles.ts";
import { LossyQueue } from "./lossy-queue.ts";
import { FlakyReceiver } from "./flaky-receiver.ts";
import { VirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Concurrent consumers; more messages wait in the queue. */
const CONSUMERS_MAX = 80;
const EVENTS_PER_COMPANY = 2_500;
const COMPANIES_MIN = 2;
/** The sweep leaves deliveries that are due for less than this to their message. */
const GRACE_MS = 5_000;
/** Retries last 64 h, and a lost message is found after a minute; a longer run hangs. */
const LONGEST_MS = 10 * DAY;
/** The hosts of the `postbackUrl`s and of the companies' own URLs. */
const HOSTS = ["hooks.example.com", "loja.example.com"];
/** What each company's second endpoint takes. */
const OTHER_EVENTS = ["transaction.paid", "transaction.refunded", "withdraw.failed"];

interface Settings {
  events: number;
  seed: number;
}

/** The number of events and the seed, from `CHAOS_EVENTS` and `CHAOS_SEED`. */
export const settings = (workerEnv as unknown as { CHAOS: Settings }).CHAOS;

/** Where a test injects a mutation. */
export interface Hooks {
  consumerEnv: (env: Env) => Env;
  deps: (deps: DeliveryDeps) => DeliveryDeps;
  /** One minute's cron; the whole one by default. */
  cron: (deps: Dependencies) => Promise<string[]>;
}

export interface ChaosRun {
  companies: TestCompany[];
  /** The number of announced events. */
  eventCount: number;
  receiver: FlakyReceiver;
  queue: LossyQueue;
  sweepWakeUps: number;
  durationMs: number;
  /** The rejections of consumers. */
  failures: unknown[];
}

/**
 * Runs the lifecycles of `events` events in several companies and delivers them through a lossy
 * queue, concurrent consumers and the minute's cron until nothing is due.
 */
export async function runChaos(
  { events, seed }: Settings,
  hooks: Partial<Hooks> = {},
): Promise<ChaosRun> {
  const time = new VirtualTime();
  const startedAt = time.clock.now();
  const count = Math.max(Math.round(events / EVENTS_PER_COMPANY), COMPANIES_MIN);
  const companies: TestCompany[] = [];
  const secrets = new Map<string, string>();
  for (let number = 0; number < count; number++) {
    const host = HOSTS[number % HOSTS.length]!;
    const webhookUrl = `https://${host}/endpoint/${number}`;
    const company = await givenCompany({ clock: time.clock, webhookUrl });
    companies.push(company);
    const url = `https://${host}/other/${number}`;
    const { secret } = await givenEndpoint(company, { url, events: OTHER_EVENTS });
    secrets.set(url, secret);
  }
  const queue = new LossyQueue(seed, companies[0]!.id);
  const receiver = new FlakyReceiver(
    seed,
    time,
    (url) => secrets.get(url) ?? companies[0]!.webhookSecret,
  );
  const enqueue = (ids: string[], delayMs = 0) => {
    for (const id of ids) queue.send(parseDeliveryId(id)!, time.clock.now(), delayMs);
  };
  for (const [number, company] of companies.entries()) {
    await inAccount(company.id, (account) => {
      account.notifier = {
        notifyDeliveries: async (ids) => enqueue(ids),
        notifyPayouts: async () => undefined,
      };
    });
    await fundCompany(company, number, time);
  }

  const consume = consumer(time, queue, receiver, hooks);
  const steps = new PendingSteps(lifecyclesOf(seed, events, companies, HOSTS), startedAt);
  const cron = cronDeps(time.clock, new FakeBank());
  const undo = time.install();
  let sweepWakeUps = 0;
  let sweepAt: number | null = null;
  try {
    for (;;) {
      const now = time.clock.now();
      for (const ref of queue.take(now, CONSUMERS_MAX - time.tasksInProgress))
        time.startTask(consume(ref));
      await steps.take(now);
      if (sweepAt !== null && sweepAt <= now) {
        const swept = await (hooks.cron ?? runWholeCron)(cron);
        sweepWakeUps += swept.length;
        enqueue(swept);
      }
      await time.waitUntilIdle();
      const hasFreeConsumer = time.tasksInProgress < CONSUMERS_MAX;
      const nextEventAt = Math.min(
        time.nextWakeAt(),
        hasFreeConsumer ? queue.nextAt() : Infinity,
        steps.nextAt(),
      );
      sweepAt = nextEventAt < minuteAfter(now) ? null : await nextSweep(now);
      const next = Math.min(nextEventAt, sweepAt ?? Infinity);
      if (next === Infinity) break;
      if (next > startedAt + LONGEST_MS) throw new Error(`the run does not end, seed ${seed}`);
      time.advanceTo(Math.max(next, now));
    }
  } finally {
    undo();
  }
  return {
    companies,
    eventCount: events + companies.length,
    receiver,
    queue,
    sweepWakeUps: sweepWakeUps,
    durationMs: time.clock.now() - startedAt,
    failures: time.failures,
  };
}

/** Handles a message like the queue's consumer, with the permits of the company's object. */
function consumer(
  time: VirtualTime,
  queue: LossyQueue,
  receiver: FlakyReceiver,
  hooks: Partial<Hooks>,
): (ref: Parameters<typeof deliver>[1]) => Promise<void> {
  const sink = new WebhookSink(time.clock);
  sink.respond = receiver.respond;
  let drawn = 0;
  const deps: DeliveryDeps = {
    ...sink.deps(),
    jitter: () => randomFraction(receiver.seed, "jitter", (drawn += 1)),
    enqueueWakeUp: async (ref, delayMs) => queue.send(ref, time.clock.now(), delayMs),
    leases: systemSender(env, time.clock).leases,
  };
  const mutated = hooks.deps?.(deps) ?? deps;
  const environment = hooks.consumerEnv?.(env) ?? env;
  return (ref) => deliver(environment, ref, mutated);
}

/** The pending transitions of all objects, in order for each object. */
class PendingSteps {
  #pending: { at: number; company: TestCompany; apply: () => Promise<void> }[];

  constructor(lifecycles: Lifecycle[], startedAt: number) {
    this.#pending = lifecycles
      .flatMap(({ company, steps }) =>
        steps.map(({ atMs, apply }) => ({ at: startedAt + atMs, company, apply })),
      )
      .toSorted((a, b) => a.at - b.at);
  }

  nextAt(): number {
    return this.#pending[0]?.at ?? Infinity;
  }

  /** Runs companies in parallel and the steps of one company in sequence. */
  async take(nowMs: number): Promise<void> {
    const later = this.#pending.findIndex((step) => step.at > nowMs);
    const due = this.#pending.splice(0, later === -1 ? this.#pending.length : later);
    const byCompany = Map.groupBy(due, (step) => step.company);
    await Promise.all(
      [...byCompany].map(async ([company, steps]) => {
        for (const { apply } of steps) await apply();
        await waitUntilDrained(company);
      }),
    );
  }
}

/** The minute in which the cron finds an overdue delivery; null when none is pending. */
async function nextSweep(nowMs: number): Promise<number | null> {
  const dueAt = await firstDueAt();
  if (dueAt === null) return null;
  return minuteAfter(Math.max(nowMs, dueAt + GRACE_MS));
}

function minuteAfter(ms: number): number {
  return (Math.floor(ms / MINUTE) + 1) * MINUTE;
}
