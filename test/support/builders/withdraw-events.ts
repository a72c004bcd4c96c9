import { claim, drained, PAID, report, RETURNED, withdraw } from "./commands.ts";
import { givenCompany, type TestCompany } from "./company.ts";
import { TestClock } from "../fakes/clock.ts";
import { WebhookSink } from "../fakes/webhook-sink.ts";

export const ENDPOINT = "https://loja.example.com/webhooks";

export interface Announcing {
  clock: TestClock;
  company: TestCompany;
  sink: WebhookSink;
  /** The number of the newest event; the payment the company began with was number 1. */
  newest: () => number;
  /** Announces the withdraw's next state: processing, paid, returned. */
  announce: () => Promise<void>;
  /** What the consumer does with the hint of the newest event. */
  deliver: () => Promise<void>;
}

/** A company whose one withdraw announces up to three events, one at a time, to its own URL. */
export async function givenAnnouncing(): Promise<Announcing> {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  await sink.deliver(company, 1, { target: "endpoint" });
  sink.received.length = 0;
  await withdraw(company, { metadata: '{"order":7}' });
  const moves = [
    () => claim(company),
    () => report(company, PAID),
    () => report(company, RETURNED),
  ];
  let events = 0;
  return {
    clock,
    company,
    sink,
    newest: () => events + 1,
    announce: async () => {
      const move = moves[events];
      if (move === undefined) throw new Error("a withdraw has no more to announce");
      events += 1;
      await move();
      await drained(company);
    },
    deliver: () => sink.deliver(company, events + 1, { target: "endpoint" }),
  };
}
