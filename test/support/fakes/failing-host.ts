import { vi } from "vitest";
import type { Env } from "../../../src/config.ts";
import { call, type Answer } from "../builders/api.ts";
import { TestClock } from "./clock.ts";
import { env, givenCompany, type TestCompany } from "../builders/company.ts";
import { givenHistory } from "../builders/webhook-history.ts";
import { deliveriesOf } from "../probes/webhook-rows.ts";
import { WebhookSink } from "./webhook-sink.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const HOST = "loja.example.com";
export const SHOP_URL = `https://${HOST}/hook`;

/** A company whose webhooks are sent to hosts that answer as a test says, event by event. */
export async function givenHosts(clock = new TestClock()) {
  const company = await givenCompany({ clock, webhookUrl: SHOP_URL });
  const sink = new WebhookSink(clock);
  let objects = 0;
  /** One event of a new object, sent once; answers its number. */
  const send = async (url = SHOP_URL, environment: Env = env): Promise<number> => {
    objects += 1;
    const event = { objectId: `object-${objects}`, at: clock.now(), url };
    const number = await givenHistory(company, [event]);
    await sink.deliver(company, number, { target: "endpoint", env: environment });
    return number;
  };
  /** Fails every 12 hours for `ms`, the first time now. */
  const failFor = async (ms: number, url = SHOP_URL): Promise<void> => {
    sink.respondWith(500);
    const until = clock.now() + ms;
    await send(url);
    while (clock.now() < until) {
      clock.advance(Math.min(12 * HOUR, until - clock.now()));
      await send(url);
    }
  };
  return { clock, company, sink, send, failFor, show: () => endpointOf(company) };
}

/** `GET /api/v1/webhooks/endpoint`. */
export function endpointOf(company: TestCompany): Promise<Answer> {
  return call("/api/v1/webhooks/endpoint", { company });
}

/** The hosts that a company is shown as switched off. */
export async function openCircuitsOf(company: TestCompany): Promise<string[]> {
  const hosts: { host: string; offSince: string | null }[] =
    (await endpointOf(company)).body.failingHosts ?? [];
  return hosts.filter((each) => each.offSince !== null).map((each) => each.host);
}

export async function statusOf(company: TestCompany, number: number): Promise<string | undefined> {
  const rows = await deliveriesOf(company);
  return rows.find((each) => each.companySequence === number)?.status;
}

/** Hears the log; answers the hosts that it said were switched off. */
export function captureOpenedCircuits(): () => string[] {
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  return () =>
    warnings.mock.calls
      .map(([line]) => JSON.parse(line as string))
      .filter(({ event }) => event === "webhook_circuit_opened")
      .map(({ host }) => host);
}
