import { beforeEach, expect, it } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import {
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  subscribe,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { connectAccount, pixAccount } from "../../../support/builders/providers/accounts.ts";
import { deliverCallbacks, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

const MINUTE_MS = 60_000;
const OTHER = "OTHER_CERTIFICATE";

beforeEach(restoreLocalOperators);

/** The world with another bank, which takes PIX after the first one. */
async function givenOtherBank(world: PspSetup): Promise<{ both: PspSetup; other: FakePsp }> {
  const { clock, company } = world;
  const pixKey = newUuid(systemRandom);
  const other = new FakePsp(clock, pixKey);
  const environment = { ...world.env, [OTHER]: { fetch: other.fetch } };
  const deps = { ...world.deps, providers: () => providerRegistry(environment, clock) };
  const options = { env: environment, deps };
  const both = { ...world, env: environment, deps, options };
  const account = pixAccount({ pixKey, certificate: OTHER }, { methods: ["PIX"], priority: 2 });
  await connectAccount(company, "more", account, both);
  return { both, other };
}

it("the charge of an approval is made at the account of its mandate, also where a crash is made good", async () => {
  const { both, other } = await givenOtherBank(await givenLiveWorld());
  const { psp, clock, deps, company } = both;
  psp.faultAlways("unavailable", /^(?:PUT|GET) \/cob/);
  const firstPayment = { amount: 1_000 };
  const { id } = await subscribe(both, { journey: "QR_AND_PAY", firstPayment });
  for (let minutes = 0; minutes < 10; minutes += 2) {
    clock.advance(2 * MINUTE_MS);
    await runCron(deps, both.env);
  }
  expect(other.book.cobs.size).toBe(0);
  expect(psp.requests.filter((each) => each.startsWith("PUT /cob/")).length).toBeGreaterThan(1);

  psp.clearFaults();
  clock.advance(60 * MINUTE_MS);
  await runSubscription(both.env, deps, company.id, 1);
  await waitUntilDrained(company);
  const [{ transactionId }] = await chargesOf(both, id);
  expect([...psp.book.cobs.keys()]).toEqual([txidOf(transactionId)]);
});

it("money that comes after the end of its cycle is told to D1 with it", async () => {
  const world = await givenLiveWorld();
  const { company, psp } = world;
  const { id, transactionId } = await givenDebit(world, { retry: "none" });
  psp.debits.decide(txidOf(transactionId), "no_balance");
  await liveUntil(world, "2026-12-11T12:00:00");
  await liveUntil(world, "2026-12-11T14:00:00");
  expect(await chargesOf(world, id)).toMatchObject([{ status: "failed" }]);
  psp.callbacks.length = 0;

  const txid = txidOf(transactionId);
  const late = psp.book.pix(psp.payStaticCode(txid, "49.90"))!;
  psp.debits.debits.get(txid)!.pix.push(late);
  await deliverCallbacks(world);
  await waitUntilDrained(company);
  const rows = "SELECT cycle, status, version FROM subscription_cycles";
  const here = await inAccount(company.id, (_account, { storage: { sql } }) =>
    sql.exec(rows).toArray(),
  );
  const { results } = await env.DB.prepare(`${rows} WHERE company_id = ?`).bind(company.id).all();
  expect(results).toEqual(here);
  expect(here).toMatchObject([{ status: "open" }]);
  await liveUntil(world, "2026-12-11T16:00:00");
  expect(await chargesOf(world, id)).toMatchObject([{ status: "paid" }]);
});
