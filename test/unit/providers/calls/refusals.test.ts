import { describe, expect, it, vi } from "vitest";
import type { HouseCall } from "../../../../src/providers/calls/ended-call.ts";
import { TokenCache } from "../../../../src/providers/calls/token-cache.ts";
import { EfiClient } from "../../../../src/providers/efi-cobrancas/client.ts";
import { PagarMeClient } from "../../../../src/providers/pagarme/client.ts";
import { PixApiClient } from "../../../../src/providers/pix-api/client.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig } from "../../../support/fakes/fake-psp/provider.ts";

const URL = "https://house.example";
const BACEN = "https://pix.bcb.gov.br/api/v2/error";
const TOKEN = { access_token: "t", token_type: "Bearer", expires_in: 600 };

type Method = "GET" | "POST" | "PUT";

/** What a client heard of its one call, where the house answers so. */
type Hear = (method: Method, status: number, body: unknown) => Promise<HouseCall[]>;

/** The options of a client whose house gives a token and then this answer. */
function given(status: number, body: unknown) {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const heard: HouseCall[] = [];
  const fetch = async ({ url }: Request) =>
    /token|authorize/.test(url) ? Response.json(TOKEN) : Response.json(body, { status });
  const ended = (call: HouseCall) => void heard.push(call);
  const parts = { fetch, ended, clock: new TestClock(), tokens: new TokenCache() };
  return { heard, options: { ...parts, openSecret: async () => "secret" } };
}

const efi: Hear = async (method, status, body) => {
  const { heard, options } = given(status, body);
  const own = { payeeCode: null, termsProven: false, callbackOrigin: URL };
  const config = { baseUrl: URL, clientId: "c", ...own };
  await new EfiClient({ ...options, config }).call({ method, path: ["charge"] });
  return heard;
};

const pagarMe: Hear = async (method, status, body) => {
  const { heard, options } = given(status, body);
  const client = new PagarMeClient({ ...options, config: { baseUrl: URL } });
  await client.call({ method: method === "PUT" ? "DELETE" : method, path: ["orders"] });
  return heard;
};

const pixApi: Hear = async (method, status, body) => {
  const { heard, options } = given(status, body);
  const client = new PixApiClient({ ...options, config: pspConfig(URL) });
  await client.call({ method, base: URL, path: ["cob"] });
  return heard;
};

const efiError = (code: string) => ({ code, error: "no", error_description: "no" });
const missing = { type: `${BACEN}/CobNaoEncontrado`, title: "no" };
const invalid = { type: `${BACEN}/CobOperacaoInvalida`, title: "no" };

describe("an order to which a house says no is heard as refused", () => {
  it.each<[string, Hear, Method, number, unknown]>([
    ["Efí", efi, "POST", 400, efiError("3500034")],
    ["Efí, with HTTP 200", efi, "PUT", 200, efiError("3500044")],
    ["Pagar.me", pagarMe, "POST", 422, { message: "no" }],
    ["Pagar.me, of an order that it lacks", pagarMe, "PUT", 404, { message: "no" }],
    ["the Pix API", pixApi, "PUT", 400, invalid],
  ])("%s", async (_house, hear, method, status, body) => {
    expect(await hear(method, status, body)).toMatchObject([{ fault: null, isRefused: true }]);
  });
});

describe("what a house lacks or takes is no refusal", () => {
  it.each<[string, Hear, Method, number, unknown]>([
    ["Efí", efi, "GET", 404, efiError("4600001")],
    ["Efí, an order taken", efi, "POST", 200, { code: 200, data: {} }],
    ["Pagar.me", pagarMe, "GET", 404, { message: "no" }],
    ["Pagar.me, an order taken", pagarMe, "POST", 200, {}],
    ["the Pix API", pixApi, "GET", 404, missing],
    ["the Pix API, an order taken", pixApi, "PUT", 201, {}],
  ])("%s", async (_house, hear, method, status, body) => {
    expect(await hear(method, status, body)).toMatchObject([{ fault: null, isRefused: false }]);
  });
});

describe("a fault is no refusal", () => {
  it.each<[string, Hear, number, unknown]>([
    ["Efí", efi, 500, efiError("3500000")],
    ["Pagar.me", pagarMe, 401, { message: "no" }],
    ["the Pix API", pixApi, 503, {}],
  ])("%s", async (_house, hear, status, body) => {
    expect(await hear("POST", status, body)).toMatchObject([
      { fault: expect.any(String), isRefused: false },
    ]);
  });
});
