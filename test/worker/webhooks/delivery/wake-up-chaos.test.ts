import { beforeAll, describe, expect, it } from "vitest";
import { parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  endCharge,
  endToEndId,
  settle,
} from "../../../support/builders/charges/charge-commands.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { WakeUpQueue } from "../../../support/fakes/wake-up-queue.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink, type ReceivedWebhook } from "../../../support/fakes/webhook-sink.ts";

const SECOND = 1_000;
const GRACE_MS = 5_000;
const TRANSACTIONS = 5;
const WITHDRAWS = 5;
const POSTBACK = "https://pedidos.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";
const SWEEPS_MAX = 200;

/** How hints reach the consumer. `turn` lets so much time pass. */
interface Queue {
  notify: (ids: string[]) => void;
  advance: (ms: number) => Promise<void>;
}
type QueueOf = (given: { clock: TestClock; company: TestCompany; sink: WebhookSink }) => Queue;

/** Who received what: `<url> <object> <sequence>`, with the objects by the order they were made in. */
interface Outcome {
  states: string[];
  accepted: Record<string, number[]>;
  offered: Record<string, number[]>;
  ids: Map<string, string[]>;
}

/**
 * What the receiver makes of an event, however often and whenever it comes: a last event is taken,
 * refused for good, refused for ever, or taken the third time; an older one taken or refused.
 */
function verdict(url: string, object: number, sequence: number, isLast: boolean, nth: number) {
  const lot = (object * 7 + sequence * 3 + (url === POSTBACK ? 1 : 0)) % 5;
  if (lot === 0) return 500;
  if (lot === 1) return 410;
  if (lot === 2 && isLast) return nth <= 2 ? 503 : 204;
  return 204;
}

/** Transactions that fail and are paid after all, withdraws that are paid and come back. */
async function run(queueOf: QueueOf): Promise<Outcome> {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 50_000, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  await sink.deliver(company, 1, { target: "endpoint" });
  sink.received.length = 0;
  const queue = queueOf({ clock, company, sink });
  const notifier = {
    notifyDeliveries: async (ids: string[]) => queue.notify(ids),
    notifyPayouts: async () => undefined,
  };
  await replaceInObject(company, { notifier });

  const transactions: any[] = [];
  for (let index = 0; index < TRANSACTIONS; index++) {
    transactions.push(await givenTransaction(company, { amount: 2_000, postbackUrl: POSTBACK }));
  }
  for (let id = 1; id <= WITHDRAWS; id++) {
    await withdraw(company, { idempotencyKey: `wd_${id}`, amount: 1_000 + id });
  }
  const objectOf = ({ body }: ReceivedWebhook) => {
    const index = transactions.findIndex((transaction) => transaction.id === body.data.id);
    return index >= 0 ? index : TRANSACTIONS + Number(body.data.id) - 1;
  };
  const outcome: Outcome = { states: [], accepted: {}, offered: {}, ids: new Map() };
  sink.respond = (request) => {
    const { url, body } = request;
    // Each late payment is announced by itself too.
    if (body.type === "payment.unexpected") return new Response(null, { status: 204 });
    const object = objectOf(request);
    const key = `${url} ${object}`;
    const offered = (outcome.offered[key] ??= []);
    offered.push(body.sequence);
    const event = `${object} ${body.sequence}`;
    outcome.ids.set(event, [...(outcome.ids.get(event) ?? []), request.id]);
    const nth = offered.filter((sequence) => sequence === body.sequence).length;
    const isLast = body.sequence === (object < TRANSACTIONS ? 2 : 3);
    const status = verdict(url, object, body.sequence, isLast, nth);
    if (status === 204) (outcome.accepted[key] ??= []).push(body.sequence);
    return new Response(null, { status });
  };

  const moves: (() => Promise<unknown>)[] = [
    ...transactions.map((transaction) => () => endCharge(company, transaction, "failed")),
    ...ids(WITHDRAWS).map((id) => () => claimPayout(company, id)),
    ...transactions.map(
      (transaction, index) => () =>
        settle(company, transaction, { paymentId: endToEndId(100 + index) }),
    ),
    ...ids(WITHDRAWS).map((id) => () => reportPayout(company, PAID, id)),
    ...ids(WITHDRAWS).map((id) => () => reportPayout(company, RETURNED, id)),
  ];
  for (const move of moves) {
    await move();
    await waitUntilDrained(company);
    await queue.advance(SECOND);
  }
  await queue.advance(Number.POSITIVE_INFINITY);
  expect(await eventsOf(company)).toHaveLength(1 + moves.length + TRANSACTIONS);
  outcome.states = (await deliveriesOf(company))
    .slice(1)
    .map((each) => `${each.companySequence} ${each.target} ${each.status}`);
  return outcome;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const inGivenOrder: QueueOf = ({ clock, sink }) =>
  notifyingQueue(sink, new WakeUpQueue(sink, clock));

function notifyingQueue(sink: WebhookSink, queue: WakeUpQueue): Queue {
  return {
    notify: (given) => {
      for (const id of given) sink.wakeUps.push({ ref: parseDeliveryId(id)!, delayMs: 0 });
    },
    advance: (ms) => queue.advance(ms),
  };
}

/** Every message is lost: only the cron finds due deliveries. */
const loseAll: QueueOf = ({ clock, company, sink }) => ({
  notify: () => undefined,
  advance: async (ms) => {
    if (Number.isFinite(ms)) return clock.advance(ms);
    // Days ahead, other tests' charges are past their expiry: this bank lets them be.
    const bank = new FakeBank();
    bank.charge = { kind: "unknown" };
    for (let sweeps = 0; sweeps < SWEEPS_MAX; sweeps++) {
      const due = (await deliveriesOf(company)).flatMap(({ dueAt }) => dueAt ?? []);
      if (due.length === 0) return;
      clock.advance(Math.max(0, Math.min(...due) + GRACE_MS - clock.now()));
      const hints = await runCron(cronDeps(clock, bank));
      for (const hint of hints.filter((id) => id.startsWith(`dlv_${company.id}_`))) {
        await deliver(env, parseDeliveryId(hint)!, sink.deps());
      }
      sink.wakeUps.length = 0;
    }
    throw new Error("the sweep never ends");
  },
});

/** Every message arrives twice concurrently and again when it is long done. */
const duplicateAll: QueueOf = ({ clock, sink }) => {
  const again: (() => Promise<void>)[] = [];
  const deliverMessage = async (follow: () => Promise<void>) => {
    again.push(follow);
    await Promise.all([follow(), follow(), ...(again.length > 5 ? [again.shift()!()] : [])]);
  };
  return notifyingQueue(sink, new WakeUpQueue(sink, clock, { deliverMessage }));
};

/** Messages arrive in any order, some of them minutes late. */
const shuffleAll =
  (seed: number): QueueOf =>
  ({ clock, sink }) => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const queue = new WakeUpQueue(sink, clock, { pick: random });
    const late = () => sink.wakeUps.forEach((hint) => (hint.delayMs += random(120) * SECOND));
    return {
      ...notifyingQueue(sink, queue),
      advance: async (ms) => {
        late();
        await queue.advance(ms);
      },
    };
  };

describe("for any loss or repeat of wake-up messages", () => {
  let baseline: Outcome;

  beforeAll(async () => {
    baseline = await run(inGivenOrder);
  });

  it("in order, each event ends as its receiver and the delivery rules determine", () => {
    const ends = baseline.states.map((state) => state.split(" ").at(-1));
    expect(new Set(ends)).toEqual(new Set(["delivered", "superseded", "stopped", "exhausted"]));
    // Two events of a transaction to two targets, its late payment and three of a withdraw to one.
    expect(ends).toHaveLength(TRANSACTIONS * (2 * 2 + 1) + WITHDRAWS * 3);
    expectDeliveryRules(baseline);
  });

  it.each<[string, QueueOf]>([
    ["all lost", loseAll],
    ["all doubled, at once and late", duplicateAll],
    ["all shuffled and late (1)", shuffleAll(1)],
    ["all shuffled and late (2)", shuffleAll(2)],
    ["all shuffled and late (3)", shuffleAll(3)],
  ])(
    "%s: every delivery ends the same and each target accepted the same events",
    async (_how, queueOf) => {
      const outcome = await run(queueOf);

      expectDeliveryRules(outcome);
      expect(outcome.states).toEqual(baseline.states);
      expect(outcome.accepted).toEqual(baseline.accepted);
    },
  );
});

function expectDeliveryRules({ offered, accepted, ids: webhookIds }: Outcome): void {
  expect(Object.keys(offered)).toHaveLength(2 * TRANSACTIONS + WITHDRAWS);
  for (const [key, sequences] of Object.entries(offered)) {
    const inOrder = sequences.toSorted((a, b) => a - b);
    expect(sequences, `${key}: no older after a newer`).toEqual(inOrder);
    const events = Number(key.split(" ")[1]) < TRANSACTIONS ? 2 : 3;
    expect([...new Set(sequences)], `${key}: none unoffered`).toEqual(ids(events));
    expect(new Set(accepted[key]).size, `${key}: none taken twice`).toBe(
      accepted[key]?.length ?? 0,
    );
  }
  for (const [event, sent] of webhookIds) expect(new Set(sent).size, event).toBe(1);
}
