import { endpointOf } from "../../probes/webhooks/circuits.ts";
import type { Env } from "../../../../src/config.ts";
import { TestClock } from "../../fakes/clock.ts";
import { env, givenCompany } from "../companies/company.ts";
import { givenHistory } from "./webhook-history.ts";
import { WebhookSink } from "../../fakes/webhook-sink.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const HOST = "loja.example.com";
export const SHOP_URL = `https://${HOST}/hook`;

/** A company whose webhook hosts respond as the test says, event by event. */
export async function givenHosts(clock = new TestClock()) {
  const company = await givenCompany({ clock, webhookUrl: SHOP_URL });
  const sink = new WebhookSink(clock);
  let objects = 0;
  /** Sends one event of a new object once; returns its number. */
  const send = async (url = SHOP_URL, environment: Env = env): Promise<number> => {
    objects += 1;
    const event = { objectId: `object-${objects}`, at: clock.now(), url };
    const number = await givenHistory(company, [event]);
    await sink.deliver(company, number, { target: "endpoint", env: environment });
    return number;
  };
  /** Fails an event every 12 hours for `ms`, starting now. */
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
