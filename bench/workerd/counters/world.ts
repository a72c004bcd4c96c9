import { systemSender } from "../../../src/api/webhooks/service.ts";
import { systemDependencies } from "../../../src/dependencies.ts";
import type { Dependencies } from "../../../src/http/context.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { deliver } from "../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../test/support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../test/support/builders/companies/company.ts";
import { meterCompany, type Meter } from "../../../test/support/probes/database/meter.ts";
import { freshIsolate } from "../../../test/support/builders/companies/isolate.ts";
import { call, type Call } from "../../../test/support/builders/requests/api.ts";
import { givenPsp, type PspSetup } from "../../../test/support/builders/providers/psp.ts";
import { deliveriesOf } from "../../../test/support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../test/support/fakes/webhook-sink.ts";

/** The webhook URL of every measured company. */
const ENDPOINT = "https://loja.example.com/webhooks";

/** How long a queue takes to hand over a message. */
const QUEUE_MS = 1_000;

/** A company with a webhook URL whose costs are counted. */
export interface Shop {
  company: TestCompany;
  clock: TestClock;
  meter: Meter;
  sink: WebhookSink;
  /** Options for requests. */
  options: { env: typeof env; deps: Dependencies };
}

export interface LiveShop extends Shop {
  world: PspSetup;
}

/** A sandbox company. The bank's rows are counted separately. */
export async function givenShop(balance = 0): Promise<Shop> {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  await sink.deliverAll(company);
  const meter = await meterCompany(company);
  const deps = {
    ...systemDependencies,
    ...freshIsolate(),
    platformClock: clock,
    providers: () => providerRegistry(meter.env, clock),
  };
  const options = { env: meter.env, deps };
  await warm(company, options);
  return { company, clock, meter, sink, options };
}

/**
 * Has an isolate of its own know the company's credentials. Those that all tests share are read anew where a call by the
 * real time comes in between, more than a minute after.
 */
async function warm(company: TestCompany, options: Call): Promise<void> {
  const { status } = await call("/api/v1/me", { company, ...options });
  if (status !== 200) throw new Error(`/api/v1/me answered ${status}`);
}

/** A live company whose PSP sends callbacks. */
export async function givenLiveShop(): Promise<LiveShop> {
  const world = await givenPsp();
  const { company, clock } = world;
  await env.DB.prepare("UPDATE companies SET webhook_url = ? WHERE id = ?")
    .bind(ENDPOINT, company.id)
    .run();
  const meter = await meterCompany(company, world.env);
  const deps = {
    ...world.deps,
    ...freshIsolate(),
    providers: () => providerRegistry(meter.env, clock),
  };
  const options = { env: meter.env, deps };
  await warm(company, options);
  const metered = { ...world, env: meter.env, deps, options };
  return { company, clock, meter, sink: new WebhookSink(clock), options, world: metered };
}

/**
 * Runs the queue consumer once for each open delivery, when the queue has handed its message over: an object that is
 * as old as the clock cannot tell whether another sender had the lease, so that the delivery is read again under it.
 * Returns their number.
 */
export async function deliverAll({ company, clock, meter, sink }: Shop): Promise<number> {
  clock.advance(QUEUE_MS);
  const open = (await deliveriesOf(company)).filter(({ dueAt }) => dueAt !== null);
  const { leases } = systemSender(meter.env, clock);
  for (const { companySequence, target } of open) {
    const ref = { companyId: company.id, companySequence, target };
    await deliver(meter.env, ref, { ...sink.deps(), leases });
  }
  return open.length;
}
