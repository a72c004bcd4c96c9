import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";
import type EfiPay from "payment-token-efi";
import { expect, test } from "vitest";
import {
  cardTokenisationOf,
  tokeniserOrigins,
  type HouseTokenisation,
} from "../../../../src/domain/psp/card-tokenisation.ts";
import { CARD_SCRIPT } from "../../../../src/pages/payment-link/card-script.ts";
import { TOKENISER_SCRIPT } from "../../../../src/pages/payment-link/tokeniser-script.ts";
import { PagarMeCounter } from "../../../support/fakes/pagarme/counter.ts";
import { faultsOfCall, unusedMisses } from "../../../support/fakes/pagarme/judge.ts";

const PAYEE = "0123456789abcdef0123456789abcdef";
const EFI = {
  production: "https://cobrancas.api.efipay.com.br",
  sandbox: "https://cobrancas-h.api.efipay.com.br",
};
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 3,
  expirationYear: 2032,
  cvv: "123",
  reuse: false,
};
const PAGAR_ME = cardTokenisationOf({
  provider: "PagarMe",
  settings: { baseUrl: "https://api.pagar.me/core/v5", publicKey: "pk_1" },
})!;

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PUBLIC_KEY = keys.publicKey.export({ type: "spki", format: "pem" });

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** A browser's parts, and a house that answers all that is asked of it. */
function givenHouse(answerOf: (url: string) => Response = efiAnswer) {
  const sent: Sent[] = [];
  const ask = async (
    url: string,
    { method = "GET", headers = {}, body = null }: Partial<Sent> = {},
  ) => {
    sent.push({ method, url, headers, body });
    return answerOf(url);
  };
  const element = { appendChild: () => undefined, insertBefore: () => undefined };
  const parent = { parentNode: element, ...element };
  const context = createContext({
    fetch: ask,
    crypto,
    URLSearchParams,
    TextEncoder,
    AbortSignal,
    atob,
    btoa,
    console,
    navigator: { appName: "Netscape" },
    window: { crypto, addEventListener: () => undefined },
    document: {
      cookie: "",
      createElement: () => element,
      getElementsByTagName: () => [parent],
      head: element,
      body: element,
    },
    module: {},
    exports: {},
    inputs: [{ dataset: { cardField: "number" }, addEventListener: () => undefined }],
  });
  return { sent, context };
}

function efiAnswer(url: string): Response {
  const data = url.includes("/pubkey")
    ? PUBLIC_KEY
    : url.endsWith("/salt")
      ? "salt_1"
      : { payment_token: "token_1" };
  return Response.json({ code: 200, data });
}

type TokenOf = (house: HouseTokenisation, card: typeof CARD) => Promise<string>;

/** The script's function, as the page has it. */
function ours({ context }: ReturnType<typeof givenHouse>): {
  tokenOf: TokenOf;
  brandOf: (digits: string) => string[] | undefined;
} {
  return runInContext(
    `(() => { ${CARD_SCRIPT} ${TOKENISER_SCRIPT} return { tokenOf, brandOf }; })()`,
    context,
  );
}

const BUNDLE = readFileSync(createRequire(import.meta.url).resolve("payment-token-efi"), "utf8");

/** Efí's own script. */
function theirs({ context }: ReturnType<typeof givenHouse>): typeof EfiPay.CreditCard {
  runInContext(BUNDLE, context);
  const { exports } = runInContext("module", context) as { exports: typeof EfiPay };
  return exports.CreditCard;
}

/** What reached the house, with its secret part opened. */
function opened(sent: Sent[]) {
  return sent
    .map(({ method, url, headers, body }) => {
      const address = new URL(url);
      const data =
        address.searchParams.get("data") ?? (body === null ? null : JSON.parse(body).data);
      address.searchParams.delete("data");
      const { "Account-code": account, "Session-token": session } = headers;
      return {
        request: `${method} ${address.href}`,
        account,
        isOfSession: /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(session ?? ""),
        content: data === null ? null : JSON.parse(decrypted(data)),
      };
    })
    .toSorted((one, other) => one.request.localeCompare(other.request));
}

function decrypted(base64: string): string {
  const key = { key: keys.privateKey, padding: constants.RSA_PKCS1_PADDING };
  return privateDecrypt(key, Buffer.from(base64, "base64")).toString();
}

test.each(["production", "sandbox"] as const)(
  "at Efí's %s the browser sends what Efí's own script sends",
  async (environment) => {
    const [we, they] = [givenHouse(), givenHouse()];
    const settings = { baseUrl: EFI[environment], payeeCode: PAYEE };
    const house = cardTokenisationOf({ provider: "EfiCobrancas", settings })!;

    expect(await ours(we).tokenOf(house, CARD)).toBe("token_1");
    const { expirationMonth: _month, expirationYear: _year, ...card } = CARD;
    const data = { ...card, brand: "visa", expirationMonth: "03", expirationYear: "2032" };
    const script = theirs(they).setAccount(PAYEE).setEnvironment(environment);
    await script.setCreditCardData(data as EfiPay.CreditCard.CreditCardData).getPaymentToken();

    expect(opened(we.sent)).toEqual(opened(they.sent));
    expect(we.sent.map(({ url }) => url).join()).not.toContain(CARD.number);
  },
);

test.each([
  "4242424242424242",
  "4011780000000002",
  "4011000000000000",
  "4576310000000000",
  "6362970000000005",
  "6504050000000000",
  "5067000000000000",
  "5555555555554444",
  "2221000000000009",
  "378282246310005",
  "6062825624254001",
])("the brand of %s is the one that Efí's own script finds", async (number) => {
  const house = givenHouse();
  const brand = ours(house).brandOf(number)?.[0];
  expect(brand).toBe(await theirs(house).setCardNumber(number).verifyCardBrand());
});

test("a name that does not fit into the key is left out", async () => {
  const house = givenHouse();
  const settings = { baseUrl: EFI.production, payeeCode: PAYEE };
  const efi = cardTokenisationOf({ provider: "EfiCobrancas", settings })!;
  await ours(house).tokenOf(efi, { ...CARD, holderName: `MARIA ${"€".repeat(44)}` });
  const content = opened(house.sent)
    .map((each) => each.content)
    .find((each) => each !== null);
  expect(content).toMatchObject({ number: CARD.number, salt: "salt_1" });
  expect(content).not.toHaveProperty("holder_name");
});

test("Pagar.me gets the card with the account's public key", async () => {
  const house = givenHouse(() => Response.json({ id: "token_1" }));
  expect(await ours(house).tokenOf(PAGAR_ME, CARD)).toBe("token_1");
  const [{ url, body }] = house.sent as [Sent];
  expect(url).toBe("https://api.pagar.me/core/v5/tokens?appId=pk_1");
  expect(JSON.parse(body ?? "")).toEqual({
    type: "card",
    card: {
      number: CARD.number,
      holder_name: "MARIA DA SILVA",
      exp_month: 3,
      exp_year: 2032,
      cvv: "123",
    },
  });
});

test("what Pagar.me gets, and what its fake answers, passes its own models", async () => {
  const house = givenHouse(() => Response.json({ id: "token_1" }));
  await ours(house).tokenOf(PAGAR_ME, CARD);
  const [{ method, url, body }] = house.sent as [Sent];
  const { pathname } = new URL(url);
  const call = `${method} ${pathname.replace("/core/v5", "")}`;

  const said = await new PagarMeCounter().answer(
    new Request(new URL("/tokens", url), { method, body }),
  );

  const { status } = said;
  const seen = { call, request: JSON.parse(body ?? ""), status, answer: await said.json() };
  expect([seen.call, status]).toEqual(["POST /tokens", 200]);
  expect(faultsOfCall(seen)).toEqual([]);
  expect(unusedMisses([seen]).filter((miss) => miss.includes("tokens"))).toEqual([]);
});

test.each([
  [
    "a refused field",
    422,
    { errors: { "request.card.number": ["invalid"] } },
    "invalid",
    ["number"],
  ],
  ["another refusal", 412, { message: "no" }, "invalid", []],
  ["a key that it does not know", 401, {}, "closed", []],
  ["a fault of its own", 500, {}, "offline", []],
  ["too many calls", 429, {}, "offline", []],
  ["no token", 200, { id: "" }, "offline", []],
  [
    "a code that HTTP does not say",
    200,
    { code: 3500010, error_description: { property: "/cvv" } },
    "invalid",
    ["cvv"],
  ],
])("says what is to be done after %s", async (_what, status, body, kind, fields) => {
  const house = givenHouse(() => Response.json(body, { status }));
  await expect(ours(house).tokenOf(PAGAR_ME, CARD)).rejects.toMatchObject({ kind, fields });
});

test("says so after no answer", async () => {
  const house = givenHouse(() => {
    throw new TypeError("Failed to fetch");
  });
  await expect(ours(house).tokenOf(PAGAR_ME, CARD)).rejects.toMatchObject({ kind: "offline" });
});

test.each([
  [EFI.production, [EFI.production, "https://tokenizer.sejaefi.com.br"]],
  [EFI.sandbox, [EFI.sandbox]],
  ["http://127.0.0.1:9240/efi", ["http://127.0.0.1:9240"]],
])("a page for %s asks %s alone", (baseUrl, origins) => {
  const connection = { provider: "EfiCobrancas", settings: { baseUrl, payeeCode: PAYEE } } as const;
  expect(tokeniserOrigins(cardTokenisationOf(connection)!)).toEqual(origins);
});

test("an account without a public id takes no cards", () => {
  const settings = { baseUrl: EFI.production, payeeCode: null };
  expect(cardTokenisationOf({ provider: "EfiCobrancas", settings })).toBeNull();
});
