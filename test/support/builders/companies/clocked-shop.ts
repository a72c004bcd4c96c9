import { expect } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { TestClock } from "../../fakes/clock.ts";
import { WebhookSink } from "../../fakes/webhook-sink.ts";
import { call, type Call } from "../requests/api.ts";
import { env, givenCompany } from "./company.ts";

const CLOCK = "/api/v1/sandbox/clock";

/** A sandbox company with a receiver, whose bank and webhooks live by a clock of the test's. */
export async function givenClockedShop() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
  const sink = new WebhookSink(clock);
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    sender: () => sink.deps(),
    providers: (each: typeof env) => providerRegistry(each, clock),
  };
  return { clock, company, sink, deps };
}

export type ClockedShop = Awaited<ReturnType<typeof givenClockedShop>>;

/** Moves the clock, and on while there is more; all that ran, and the time then (Unix milliseconds). */
export async function live(options: Pick<Call, "company" | "deps" | "env">, body: object) {
  const ran: { at: string; kind: string; id: string }[] = [];
  let answer = await call(CLOCK, { ...options, body });
  for (;;) {
    expect(answer.status).toBe(200);
    ran.push(...answer.body.data.ran);
    if (!answer.body.data.hasMore) return { ran, now: Date.parse(answer.body.data.now) };
    answer = await call(CLOCK, { ...options, body: { set: answer.body.data.now } });
  }
}
