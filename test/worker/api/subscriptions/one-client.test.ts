import { beforeEach, expect, it } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  mandateOf,
  subscribe,
  subscriptionOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { AMOUNT } from "../../../support/builders/charges/subscriptions.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import {
  accountsOf,
  connectAccount,
  pixAccount,
} from "../../../support/builders/providers/accounts.ts";
import { postCallback, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { PSP_RECEIVER } from "../../../support/fakes/fake-psp/book.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";

const TOKEN_URL = "https://auth-one-client.banco-de-teste.com.br/oauth/token";

beforeEach(restoreLocalOperators);

/** A company with two accounts of one PSP client; `url`: where that client's notices go since the second one. */
async function givenTwoAccounts(
  methods = ["PIX", "AUTOMATIC_PIX"],
): Promise<{ world: PspSetup; url: string }> {
  const world = await givenLiveWorld({ tokenUrl: TOKEN_URL });
  const settings = {
    pixKey: newUuid(systemRandom),
    tokenUrl: TOKEN_URL,
    payouts: null,
    receiver: PSP_RECEIVER,
  };
  await connectAccount(
    world.company,
    "second",
    pixAccount(settings, { methods, priority: 2 }),
    world,
  );
  const accounts = await accountsOf(world.company, world);
  const { callbackUrl } = accounts.find(({ account }) => account === "second");
  return { world, url: callbackUrl };
}

async function deliverTo({ psp, ...world }: PspSetup, url: string): Promise<void> {
  for (const body of psp.callbacks.splice(0) as { recs?: unknown; cobsr?: unknown }[]) {
    if (body.recs === undefined && body.cobsr === undefined) continue;
    const kind = body.recs === undefined ? "cobr" : "rec";
    await postCallback(world, `${url}/${kind}`, JSON.stringify(body));
  }
}

it.each([[["PIX", "AUTOMATIC_PIX"]], [["PIX"]]])(
  "an approval that is told at the address of another account of the client (%s) is known",
  async (methods) => {
    const { world, url } = await givenTwoAccounts(methods);
    const { id } = await subscribe(world);
    world.psp.mandates.approve(mandateOf(world));
    await deliverTo(world, url);
    expect((await subscriptionOf(world, id)).status).toBe("active");
    expect(await storedCallbacks(world.company)).toEqual([]);
  },
);

it("a paid debit that is told at the address of another account of the client is credited once", async () => {
  const { world, url } = await givenTwoAccounts();
  const { id } = await givenDebit(world);
  world.clock.advance(Date.parse("2026-12-10T04:00:00-03:00") - world.clock.now());
  world.psp.runBanks();
  await deliverTo(world, url);
  expect(await availableOf(world)).toBe(AMOUNT);
  expect(await chargesOf(world, id)).toMatchObject([{ attempts: [{ status: "paid" }] }]);
  expect(await storedCallbacks(world.company)).toEqual([]);
});

it("a notice at another account's address is kept until the subscription's own account answers", async () => {
  const { world, url } = await givenTwoAccounts();
  await givenDebit(world);
  world.clock.advance(Date.parse("2026-12-10T04:00:00-03:00") - world.clock.now());
  world.psp.runBanks();
  world.psp.faultAlways("unavailable", /^GET \/cobr/);
  await deliverTo(world, url);
  world.psp.clearFaults();
  expect(await storedCallbacks(world.company)).not.toEqual([]);
  expect(await availableOf(world)).toBe(0);
});
