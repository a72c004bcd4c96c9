import { afterEach, expect, it, vi } from "vitest";
import { TokenCache } from "../../../../src/providers/calls/token-cache.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp, PSP_CLIENT } from "../../../support/fakes/fake-psp/psp.ts";
import { pixOrder } from "../../../support/builders/providers/provider-orders.ts";

const URL = "https://psp.example.com";
const TOKEN = "POST /oauth/token";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function given(wish: Parameters<typeof pspConfig>[1] = {}) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const tokens = new TokenCache();
  const make = (more: typeof wish = {}) =>
    pspProvider(pspConfig(URL, { ...wish, ...more }), psp.fetch, { clock, tokens });
  const tokensAsked = () => psp.requests.filter((call) => call === TOKEN).length;
  return { clock, psp, make, bank: make(), tokensAsked };
}

async function bytesOf(request: Request): Promise<string> {
  return new TextDecoder().decode(await request.clone().arrayBuffer());
}

it("concurrent and later requests share one token", async () => {
  const { make, tokensAsked } = given();

  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => make().createCharge(pixOrder())),
  );
  await make().createCharge(pixOrder());

  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["registered"]));
  expect(tokensAsked()).toBe(1);
});

it("a token is renewed shortly before it expires", async () => {
  const { bank, clock, tokensAsked } = given();
  await bank.createCharge(pixOrder());
  clock.advance(3_569_000);
  await bank.createCharge(pixOrder());
  expect(tokensAsked()).toBe(1);

  clock.advance(2_000);
  await bank.createCharge(pixOrder());

  expect(tokensAsked()).toBe(2);
});

it("a token that the PSP rejects is renewed once within the call", async () => {
  const { bank, psp, tokensAsked } = given();
  await bank.createCharge(pixOrder());
  psp.revokeTokens();

  expect((await bank.createCharge(pixOrder())).kind).toBe("registered");

  expect(tokensAsked()).toBe(2);
});

it("a PSP that rejects every token gets two token requests", async () => {
  const { psp, tokensAsked } = given();
  const order = pixOrder();
  const closed = pspProvider(pspConfig(URL), async (request) => {
    const answer = await psp.fetch(request);
    return request.url.endsWith("/token") ? answer : new Response("{}", { status: 401 });
  });

  expect(await closed.createCharge(order)).toEqual({ kind: "unknown" });

  expect(tokensAsked()).toBe(2);
});

it("another client secret gets another token", async () => {
  const { make, tokensAsked } = given();
  await make().createCharge(pixOrder());

  const wrong = make({ clientSecret: "another" });

  expect(await wrong.createCharge(pixOrder())).toEqual({ kind: "unknown" });
  expect(tokensAsked()).toBe(2);
});

it("a token request can be Efí's JSON and names the configured scopes", async () => {
  const { psp } = given();
  const bodies: string[] = [];
  const ask = async (wish: Parameters<typeof pspConfig>[1]) => {
    const bank = pspProvider(pspConfig(URL, wish), async (request) => {
      if (request.url.endsWith("/token")) bodies.push(await bytesOf(request));
      return psp.fetch(request);
    });
    return bank.createCharge(pixOrder());
  };

  expect((await ask({ tokenBody: "json", scope: "cob.write" })).kind).toBe("registered");
  expect((await ask({ payouts: null })).kind).toBe("registered");
  expect((await ask({ scope: "" })).kind).toBe("registered");
  expect((await ask({})).kind).toBe("registered");

  expect(JSON.parse(bodies[0]!)).toEqual({ grant_type: "client_credentials", scope: "cob.write" });
  expect(new URLSearchParams(bodies[1]).get("scope")).toBe(
    "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read",
  );
  expect(bodies[2]).toBe("grant_type=client_credentials");
  // Where it pays out it is asked as well what was paid out, and what stands on the account.
  expect(new URLSearchParams(bodies[3]).get("scope")).toMatch(
    / pix\.send gn\.pix\.send\.read gn\.balance\.read$/,
  );
});

it.each(["unavailable", "not_json", "malformed", "empty", "redirect", "endless", "reset"] as const)(
  "a failed token request (%s) makes the call unknown, and the next call requests a token again",
  async (fault) => {
    const { bank, psp } = given();
    psp.faultOnce(fault, /^POST/);

    expect(await bank.createCharge(pixOrder())).toEqual({ kind: "unknown" });
    expect((await bank.createCharge(pixOrder())).kind).toBe("registered");
  },
);

it("a token request that never ends is repeated by the next caller", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const tokens = new TokenCache();
  const never = new Promise<null>(() => undefined);
  void tokens.get("k", 0, () => never);
  const mine = tokens.get("k", 0, async () => ({ value: "mine", expiresAt: 60_000 }));

  await vi.advanceTimersByTimeAsync(5_000);

  expect(await mine).toBe("mine");
});

it("the log contains neither the client secret nor tokens nor payers", async () => {
  const lines: string[] = [];
  for (const level of ["log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  }
  const { bank, psp } = given();
  await bank.createCharge(pixOrder());
  psp.faultOnce("malformed");
  await bank.createCharge(pixOrder());
  psp.faultOnce("not_json", /^POST/);
  psp.revokeTokens();
  await bank.createCharge(pixOrder());

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: "warn", event: "pix_api_unparseable", call: "PUT", status: 201 },
    { level: "warn", event: "pix_api_unparseable", call: "token", status: 200 },
  ]);
  expect(lines.join()).not.toContain(PSP_CLIENT.clientSecret);
});

it.each(["basic", "body", "certificate"] as const)(
  "a token is asked for as the PSP wants the client named: %s",
  async (tokenClient) => {
    const { psp, make } = given({ tokenClient });
    psp.tokenClient = tokenClient;

    expect((await make().createCharge(pixOrder())).kind).toBe("registered");
    const other = tokenClient === "basic" ? "body" : "basic";
    const stranger = make({ tokenClient: other });
    expect(await stranger.createCharge(pixOrder())).toEqual({ kind: "unknown" });
  },
);

it("a header of the PSP's own goes with each call, and with no token request", async () => {
  const { psp, make } = given();
  psp.header = "client_id";
  const headers = { client_id: PSP_CLIENT.clientId };
  const seen: [string, boolean][] = [];
  const bank = pspProvider(pspConfig(URL, { headers }), async (request) => {
    seen.push([request.url.replace(/\w{32}$/, ""), request.headers.has("client_id")]);
    return psp.fetch(request);
  });

  expect((await bank.createCharge(pixOrder())).kind).toBe("registered");
  expect(seen).toEqual([
    [`${URL}/oauth/token`, false],
    [`${URL}/cob/`, true],
  ]);
  expect(await make().createCharge(pixOrder())).toEqual({ kind: "unknown" });
});
