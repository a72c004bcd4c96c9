import { expect, it } from "vitest";
import { efiBoletoOrder } from "../../../support/builders/providers/efi-orders.ts";
import type { HouseCall } from "../../../../src/providers/calls/ended-call.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider } from "../../../support/fakes/efi-cobrancas/provider.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function setUp(answer?: (request: Request) => Promise<Response>, url = "https://efi.test") {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const ended: HouseCall[] = [];
  const options = { clock, ended: (call: HouseCall) => void ended.push(call) };
  return {
    clock,
    efi,
    ended,
    provider: efiProvider(url, answer ?? efi.fetch, options),
  };
}

it("a token serves for ten minutes less half of one", async () => {
  const { clock, efi, provider } = setUp();
  await provider.createCharge(efiBoletoOrder());
  clock.advance(9 * MINUTE_MS);
  await provider.createCharge(efiBoletoOrder());
  expect(efi.tokensGiven).toBe(1);

  clock.advance(MINUTE_MS / 2);
  await provider.createCharge(efiBoletoOrder());

  expect(efi.tokensGiven).toBe(2);
});

it("a refused token is replaced once", async () => {
  const { efi, provider } = setUp();
  await provider.createCharge(efiBoletoOrder());
  efi.revokeTokens();

  expect(await provider.createCharge(efiBoletoOrder())).toMatchObject({ kind: "registered" });

  expect(efi.tokensGiven).toBe(2);
});

it("an endpoint whose daily quota is used up is left alone until the next day", async () => {
  // An endpoint of its own: the isolate remembers which are used up.
  const { efi, clock, ended, provider } = setUp(undefined, "https://used-up.efi.test");
  const creates = () => efi.calls.filter((call) => call === "POST /v1/charge").length;
  efi.limitDay(0);

  expect(await provider.createCharge(efiBoletoOrder())).toEqual({ kind: "unknown" });
  expect(await provider.createCharge(efiBoletoOrder())).toEqual({ kind: "unknown" });
  expect(creates()).toBe(1);
  expect(ended).toMatchObject([
    {
      call: "POST charge",
      fault: "Efí 3500049",
      isRefused: false,
      quota: { limit: 15_000, isUsedUp: true },
    },
  ]);

  clock.advance(DAY_MS);
  efi.limitDay(10);
  expect(await provider.createCharge(efiBoletoOrder())).toMatchObject({ kind: "registered" });
});

it("each call says what Efí takes of it in a day, and none where its manual does not", async () => {
  const { ended, provider } = setUp();
  await provider.createCharge(efiBoletoOrder());
  await provider.list("payments", { from: 0, to: MINUTE_MS }, 0);
  await provider.readNotice(crypto.randomUUID());
  const quotas = Object.fromEntries(ended.map(({ call, quota }) => [call, quota]));
  expect(quotas).toMatchObject({
    "POST charge": { limit: 15_000 },
    "GET charges": {},
    "GET notification/:id": { limit: 30_000 },
  });
  expect(quotas["GET charges"]).not.toHaveProperty("limit");
});
