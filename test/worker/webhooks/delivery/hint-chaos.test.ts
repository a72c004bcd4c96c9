import { beforeAll, describe, expect, it } from "vitest";
import { parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claim,
  drained,
  end,
  endToEndId,
  PAID,
  report,
  RETURNED,
  settle,
  withdraw,
} from "../../../support/builders/commands.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { HintQueue } from "../../../support/fakes/hint-follower.ts";
import { replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhook-rows.ts";
import { WebhookSink, type Received } from "../../../support/fakes/webhook-sink.ts";

const SECOND = 1_000;
const GRACE_MS = 5_000;
const TRANSACTIONS = 5;
const WITHDRAWS = 5;
const POSTBACK = "https://pedidos.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";
const SWEEPS_MAX = 200;

/** How hints reach the consumer. `turn` lets so much time pass. */
interface Queue {
  hint: (ids: string[]) => void;
  turn: (ms: number) => Promise<void>;
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
  const hints = {
    deliveries: async (ids: string[]) => queue.hint(ids),
    payouts: async () => undefined,
  };
  await replaceInObject(company, { hints });

  const transactions: any[] = [];
  for (let index = 0; index < TRANSACTIONS; index++) {
    transactions.push(await givenTransaction(company, { amount: 2_000, postbackUrl: POSTBACK }));
  }
  for (let id = 1; id <= WITHDRAWS; id++) {
    await withdraw(company, { idempotencyKey: `wd_${id}`, amount: 1_000 + id });
  }
  const objectOf = ({ body }: Received) => {
    const index = transactions.findIndex((transaction) => transaction.id === body.data.id);
    return index >= 0 ? index : TRANSACTIONS + Number(body.data.id) - 1;
  };
  const outcome: Outcome = { states: [], accepted: {}, offered: {}, ids: new Map() };
  sink.answer = (request) => {
    const { url, body } = request;
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
    ...transactions.map((transaction) => () => end(company, transaction, "failed")),
    ...ids(WITHDRAWS).map((id) => () => claim(company, id)),
    ...transactions.map(
      (transaction, index) => () =>
        settle(company, transaction, { paymentId: endToEndId(100 + index) }),
    ),
    ...ids(WITHDRAWS).map((id) => () => report(company, PAID, id)),
    ...ids(WITHDRAWS).map((id) => () => report(company, RETURNED, id)),
  ];
  for (const move of moves) {
    await move();
    await drained(company);
    await queue.turn(SECOND);
  }
  await queue.turn(Number.POSITIVE_INFINITY);
  expect(await eventsOf(company)).toHaveLength(1 + moves.length);
  outcome.states = (await deliveriesOf(company))
    .slice(1)
    .map((each) => `${each.companySequence} ${each.target} ${each.status}`);
  return outcome;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const asGiven: QueueOf = ({ clock, sink }) => hinting(sink, new HintQueue(sink, clock));

function hinting(sink: WebhookSink, queue: HintQueue): Queue {
  return {
    hint: (given) => {
      for (const id of given) sink.hints.push({ ref: parseDeliveryId(id)!, delayMs: 0 });
    },
    turn: (ms) => queue.turn(ms),
  };
}

/** Every hint is lost: the minute's cron alone finds what is due. */
const allLost: QueueOf = ({ clock, company, sink }) => ({
  hint: () => undefined,
  turn: async (ms) => {
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
      sink.hints.length = 0;
    }
    throw new Error("the sweep never ends");
  },
});

/** Every hint comes twice at once, and a third time when it is long done. */
const allDoubled: QueueOf = ({ clock, sink }) => {
  const again: (() => Promise<void>)[] = [];
  const bring = async (follow: () => Promise<void>) => {
    again.push(follow);
    await Promise.all([follow(), follow(), ...(again.length > 5 ? [again.shift()!()] : [])]);
  };
  return hinting(sink, new HintQueue(sink, clock, { bring }));
};

/** Hints come in any order, some of them minutes late. */
const allShuffled =
  (seed: number): QueueOf =>
  ({ clock, sink }) => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const queue = new HintQueue(sink, clock, { pick: random });
    const late = () => sink.hints.forEach((hint) => (hint.delayMs += random(120) * SECOND));
    return {
      ...hinting(sink, queue),
      turn: async (ms) => {
        late();
        await queue.turn(ms);
      },
    };
  };

describe("whatever becomes of the hints", () => {
  let baseline: Outcome;

  beforeAll(async () => {
    baseline = await run(asGiven);
  });

  it("followed as they are given, each event ends as its receiver and the rules will have it", () => {
    const ends = baseline.states.map((state) => state.split(" ").at(-1));
    expect(new Set(ends)).toEqual(new Set(["delivered", "superseded", "stopped", "exhausted"]));
    expect(ends).toHaveLength(TRANSACTIONS * 2 * 2 + WITHDRAWS * 3);
    expectTheRules(baseline);
  });

  it.each<[string, QueueOf]>([
    ["all lost", allLost],
    ["all doubled, at once and late", allDoubled],
    ["all shuffled and late (1)", allShuffled(1)],
    ["all shuffled and late (2)", allShuffled(2)],
    ["all shuffled and late (3)", allShuffled(3)],
  ])("%s: every delivery ends the same, and each target took the same", async (_how, queueOf) => {
    const outcome = await run(queueOf);

    expectTheRules(outcome);
    expect(outcome.states).toEqual(baseline.states);
    expect(outcome.accepted).toEqual(baseline.accepted);
  });
});

function expectTheRules({ offered, accepted, ids: webhookIds }: Outcome): void {
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
