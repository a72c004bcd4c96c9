import { claimPayout, PAID, reportPayout, RETURNED, withdraw } from "./withdraw-commands.ts";
import { waitUntilDrained, givenCompany, type TestCompany } from "../companies/company.ts";
import { TestClock } from "../../fakes/clock.ts";
import { WebhookSink } from "../../fakes/webhook-sink.ts";

export const ENDPOINT = "https://loja.example.com/webhooks";

export interface WithdrawEventsSetup {
  clock: TestClock;
  company: TestCompany;
  sink: WebhookSink;
  /** The newest event's number; the initial payment is event 1. */
  newestEventNumber: () => number;
  /** Creates the event of the withdraw's next status: processing, paid, returned. */
  createEvent: () => Promise<void>;
  /** Delivers the newest event as the queue consumer does. */
  deliver: () => Promise<void>;
}

/**
 * A company with one withdraw and an endpoint; the withdraw creates up to three events, one at a
 * time.
 */
export async function givenWithdrawEvents(): Promise<WithdrawEventsSetup> {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  await sink.deliver(company, 1, { target: "endpoint" });
  sink.received.length = 0;
  await withdraw(company, { metadata: '{"order":7}' });
  const moves = [
    () => claimPayout(company),
    () => reportPayout(company, PAID),
    () => reportPayout(company, RETURNED),
  ];
  let events = 0;
  return {
    clock,
    company,
    sink,
    newestEventNumber: () => events + 1,
    createEvent: async () => {
      const move = moves[events];
      if (move === undefined) throw new Error("a withdraw has no more to announce");
      events += 1;
      await move();
      await waitUntilDrained(company);
    },
    deliver: () => sink.deliver(company, events + 1, { target: "endpoint" }),
  };
}
