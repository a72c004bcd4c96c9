import { expect, it } from "vitest";
import { TokenCache } from "../../../../src/providers/calls/token-cache.ts";
import { EfiClient } from "../../../../src/providers/efi-cobrancas/client.ts";
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

it("a token that a proxy's page refuses is replaced too", async () => {
  let pages = 1;
  const { efi, provider } = setUp((request) => {
    if (request.url.endsWith("/v1/charge") && pages > 0) {
      pages -= 1;
      return Promise.resolve(new Response("<h1>Unauthorized</h1>", { status: 401 }));
    }
    return efi.fetch(request);
  });

  expect(await provider.createCharge(efiBoletoOrder())).toMatchObject({ kind: "registered" });

  expect(efi.tokensGiven).toBe(2);
});

/** A house that gives a token, and says so to all else. */
function saying(body: object) {
  return async (request: Request): Promise<Response> => {
    const isToken = request.url.endsWith("/authorize");
    return Response.json(isToken ? { access_token: "t", expires_in: 600 } : body);
  };
}

/** What the client makes of an answer with HTTP 200. */
function said(body: object) {
  return new EfiClient({
    config: {
      baseUrl: "https://efi.test",
      clientId: "Client_Id_1",
      payeeCode: null,
      termsProven: false,
      callbackOrigin: "https://api.example.com",
    },
    openSecret: async () => "secret",
    fetch: saying(body),
    clock: new TestClock(),
    tokens: new TokenCache(),
  }).call({ method: "GET", path: ["charges"] });
}

it("the body says whether it is a success, and HTTP does not", async () => {
  expect(await said({ code: 200 })).toMatchObject({ kind: "ok" });
  expect(await said({ status: 200, message: "Estorno em processamento" })).toMatchObject({
    kind: "ok",
  });
  expect(await said({ code: 3_500_010, error: "invalid", error_description: "" })).toMatchObject({
    kind: "problem",
    code: "3500010",
  });
  expect(await said({ data: [] })).toEqual({ kind: "unknown" });
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
