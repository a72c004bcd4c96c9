import { expect, it } from "vitest";
import { playScenario } from "../../../../src/domain/scenarios/play.ts";
import { READY_NAMES, readyScenario } from "../../../../src/domain/scenarios/ready.ts";
import type { ScenarioService } from "../../../../src/domain/scenarios/service.ts";
import {
  givenClockedShop,
  live,
  type ClockedShop,
} from "../../../support/builders/companies/clocked-shop.ts";
import { waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";

/** An invocation may send D1 1,000 statements; the sandbox bank's are not counted here. */
const STATEMENTS_MAX = 900;

/** The API of a shop's company, as the engine calls it. */
function serviceOf({ company, deps }: ClockedShop, env: ReturnType<typeof countRoundTrips>["env"]) {
  const service: ScenarioService = {
    send: async ({ method, path, body, idempotencyKey }) =>
      call(path, {
        method,
        company,
        deps,
        env,
        ...(body === undefined ? {} : { body }),
        ...(idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } }),
      }),
    pause: () => waitUntilDrained(company),
  };
  return service;
}

it.each(READY_NAMES)(
  "%s goes as it says, in the calls of one request, each event arrives once",
  async (name) => {
    const shop = await givenClockedShop();
    const trips = countRoundTrips();
    const scenario = readyScenario(name)!;

    const played = await playScenario(serviceOf(shop, trips.env), scenario, "run_1");

    expect(played.steps.filter((each) => !each.holds)).toEqual([]);
    expect(played.holds).toBe(true);
    expect(played.steps).toHaveLength(scenario.steps.length);
    const statements = trips.lap().trips.flatMap((trip) => trip.split(";\n"));
    expect(statements.length).toBeLessThan(STATEMENTS_MAX);
    await live(shop, { advance: "P3D" });
    const sent = shop.sink.received.map(({ id }) => id);
    expect(new Set(sent).size).toBe(sent.length);
    const deliveries = await deliveriesOf(shop.company);
    const unsent = deliveries.filter(({ status }) => status !== "delivered");
    expect(unsent.filter(({ status }) => status !== "superseded")).toEqual([]);
  },
);
