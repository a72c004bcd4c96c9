import { env as workerEnv } from "cloudflare:workers";
import { systemSender } from "../../src/api/webhooks/service.ts";
import { parseDeliveryId } from "../../src/domain/events/delivery.ts";
import type { Env } from "../../src/config.ts";
import { deliver, type DeliveryDeps } from "../../src/webhooks/delivery/deliver.ts";
import { waitUntilDrained } from "../support/builders/commands.ts";
import { env, givenCompany, inAccount, type TestCompany } from "../support/builders/company.ts";
import { cronDeps, runCron } from "../support/fakes/cron.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { firstDueAt } from "../support/probes/webhook-rows.ts";
import { WebhookSink } from "../support/fakes/webhook-sink.ts";
import { randomFraction } from "./seeded-random.ts";
import { lifecyclesOf, fundCompany, type Lifecycle } from "./lifecycles.ts";
import { LossyQueue } from "./lossy-queue.ts";
import { FlakyReceiver } from "./flaky-receiver.ts";
import { VirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Consumers at once; hints beyond wait in the queue. */
const CONSUMERS_MAX = 80;
const EVENTS_PER_COMPANY = 2_500;
const COMPANIES_MIN = 2;
/** What has become due more recently the sweep leaves to its hint. */
const GRACE_MS = 5_000;
/** Retries go on for 64 h, and a lost hint waits for a minute; whatever lasts longer hangs. */
const LONGEST_MS = 10 * DAY;
/** Where `postbackUrl`s lead, and the companies' own URLs. */
const HOSTS = ["hooks.example.com", "loja.example.com"];

interface Settings {
  events: number;
  seed: number;
}

/** How many, and which: `CHAOS_EVENTS`, `CHAOS_SEED`. */
export const settings = (workerEnv as unknown as { CHAOS: Settings }).CHAOS;

/** Where a test puts a broken rule. */
export interface Hooks {
  consumerEnv: (env: Env) => Env;
  deps: (deps: DeliveryDeps) => DeliveryDeps;
}

export interface ChaosRun {
  companies: TestCompany[];
  /** How many events were announced. */
  eventCount: number;
  receiver: FlakyReceiver;
  queue: LossyQueue;
  sweepWakeUps: number;
  durationMs: number;
  /** What consumers rejected with. */
  failures: unknown[];
}

/**
 * Lets `events` events happen to objects of several companies, and delivers them through a lossy
 * queue, concurrent consumers and the minute's cron until nothing is due any more.
 */
export async function runChaos(
  { events, seed }: Settings,
  seams: Partial<Hooks> = {},
): Promise<ChaosRun> {
  const time = new VirtualTime();
  const begunAt = time.clock.now();
  const count = Math.max(Math.round(events / EVENTS_PER_COMPANY), COMPANIES_MIN);
  const companies: TestCompany[] = [];
  for (let number = 0; number < count; number++) {
    const host = HOSTS[number % HOSTS.length]!;
    const webhookUrl = `https://${host}/endpoint/${number}`;
    companies.push(await givenCompany({ clock: time.clock, webhookUrl }));
  }
  const queue = new LossyQueue(seed, companies[0]!.id);
  const receiver = new FlakyReceiver(seed, time, companies[0]!.webhookSecret);
  const hint = (ids: string[], delayMs = 0) => {
    for (const id of ids) queue.send(parseDeliveryId(id)!, time.clock.now(), delayMs);
  };
  for (const [number, company] of companies.entries()) {
    await inAccount(company.id, (account) => {
      account.notifier = {
        notifyDeliveries: async (ids) => hint(ids),
        notifyPayouts: async () => undefined,
      };
    });
    await fundCompany(company, number, time);
  }

  const consume = consumer(time, queue, receiver, seams);
  const steps = new PendingSteps(lifecyclesOf(seed, events, companies, HOSTS), begunAt);
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
        const swept = await runCron(cron);
        sweepWakeUps += swept.length;
        hint(swept);
      }
      await time.waitUntilIdle();
      const room = time.tasksInProgress < CONSUMERS_MAX;
      const sooner = Math.min(time.nextWakeAt(), room ? queue.nextAt() : Infinity, steps.nextAt());
      sweepAt = sooner < minuteAfter(now) ? null : await nextSweep(now);
      const next = Math.min(sooner, sweepAt ?? Infinity);
      if (next === Infinity) break;
      if (next > begunAt + LONGEST_MS) throw new Error(`the storm does not end, seed ${seed}`);
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
    durationMs: time.clock.now() - begunAt,
    failures: time.failures,
  };
}

/** Follows a hint as the queue's consumer does, with the slots that the company's object gives. */
function consumer(
  time: VirtualTime,
  queue: LossyQueue,
  receiver: FlakyReceiver,
  seams: Partial<Hooks>,
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
  const broken = seams.deps?.(deps) ?? deps;
  const environment = seams.consumerEnv?.(env) ?? env;
  return (ref) => deliver(environment, ref, broken);
}

/** What is left to happen to the objects, each one's states in their order. */
class PendingSteps {
  #pending: { at: number; company: TestCompany; move: () => Promise<void> }[];

  constructor(lives: Lifecycle[], begunAt: number) {
    this.#pending = lives
      .flatMap(({ company, steps }) =>
        steps.map(({ atMs, move }) => ({ at: begunAt + atMs, company, move })),
      )
      .toSorted((a, b) => a.at - b.at);
  }

  nextAt(): number {
    return this.#pending[0]?.at ?? Infinity;
  }

  /** Companies beside each other, what happens to one of them one after the other. */
  async take(nowMs: number): Promise<void> {
    const later = this.#pending.findIndex((step) => step.at > nowMs);
    const due = this.#pending.splice(0, later === -1 ? this.#pending.length : later);
    const byCompany = Map.groupBy(due, (step) => step.company);
    await Promise.all(
      [...byCompany].map(async ([company, steps]) => {
        for (const { move } of steps) await move();
        await waitUntilDrained(company);
      }),
    );
  }
}

/** The minute at which the cron will find something overdue; null where nothing is owed. */
async function nextSweep(nowMs: number): Promise<number | null> {
  const dueAt = await firstDueAt();
  if (dueAt === null) return null;
  return minuteAfter(Math.max(nowMs, dueAt + GRACE_MS));
}

function minuteAfter(ms: number): number {
  return (Math.floor(ms / MINUTE) + 1) * MINUTE;
}
