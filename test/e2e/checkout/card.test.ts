import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  openShopAt,
  PAGARME_AMOUNT_TO,
  serveFakeHouses,
  type FakeHouses,
} from "../../../tools/lib/fake-houses.ts";
import { ApiClient, Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  pageWeight,
} from "../../support/browser/judge.ts";
import { givenStateDir } from "../state-dir.ts";
import {
  pay,
  rememberedBy,
  typeCard,
  typedIn,
  typeLivePayer,
  typePayer,
  type Shown,
} from "./card-form.ts";
import { RecordingProxy } from "./recording-proxy.ts";
import { openShop } from "./shop.ts";

const MAX_PAGE_BYTES = 40_000;
const NARROW = { width: 360, height: 740 };
/** A small phone. */
const PHONE = { width: 360, height: 640 };
const APPROVED = "4242 4242 4242 4242";
const WITHOUT_FUNDS = "4000 0000 0000 9995";
const UNANSWERED = "4000 0000 0000 0119";

const stateDir = await givenStateDir("card");
let service: Service;
let merchant: Merchant;

beforeAll(async () => {
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

async function givenLink(
  changes: object = {},
  owner: ApiClient = merchant,
): Promise<{ id: string; slug: string; url: string }> {
  const body = {
    name: "Curso de fotografia",
    amount: 30_000,
    paymentMethods: ["PIX", "CREDIT_CARD"],
    maxInstallments: 3,
    ...changes,
  };
  const made = await owner.call("POST", "/api/v1/payment-links", body);
  expect(made.status).toBe(201);
  return made.body.data;
}

test("a card that is refused says what to try; another pays in installments, and no form sends a number", async () => {
  const { id, url } = await givenLink({ maxPayments: 1 });
  const page = await openPage(service.base, { locale: "pt-BR", expectedStatuses: [400, 422] });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await page.goto(url);
  await typePayer(page);
  await typeCard(page, "4242 4242 4242 4241", { expiry: "12/20" });
  expect(await page.textContent("[data-card-brand]")).toBe("Visa");
  await pay(page);
  await page.getByText("Confira o número do cartão.").waitFor();
  expect(await page.getByText("Informe uma validade futura").isVisible()).toBe(true);
  expect(await page.evaluate("document.activeElement.dataset.cardField")).toBe("number");

  await typeCard(page, WITHOUT_FUNDS);
  await pay(page);
  await page.getByText("não tem limite para este valor").waitFor();
  expect(await page.getByLabel("Nome completo").inputValue()).toBe("Maria da Silva");
  expect(await page.getByLabel("Número do cartão").inputValue()).toBe("");

  expect(await page.locator(".ways li").allInnerTexts()).toEqual([
    "Usar outro cartão",
    "Pagar com Pix",
    expect.stringMatching(/^Ou fale com /),
  ]);
  await page.getByRole("link", { name: "Pagar com Pix" }).click();
  expect(await page.evaluate("document.activeElement.value")).toBe("PIX");

  await typeCard(page, APPROVED);
  await page
    .getByLabel("Parcelas")
    .selectOption({ label: "3x de R$\u00a0100,00, total R$\u00a0300,00" });
  await pay(page);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
  const link = await merchant.call("GET", `/api/v1/payment-links/${id}`);
  expect(link.body.data).toMatchObject({ paidCount: 1, openCount: 0, status: "exhausted" });
  const forms = sent.filter((line) => line.includes("/l/"));
  expect(forms).toHaveLength(2);
  for (const digits of ["4242424242424242", "9995"]) expect(forms.join()).not.toContain(digits);
});

test("on a phone the card's number, with its brand, is on the first screen", async () => {
  const { url } = await givenLink();
  const phone = { viewport: PHONE, isMobile: true, hasTouch: true };
  const page = await openPage(service.base, { locale: "pt-BR", ...phone });
  await page.goto(url);
  await page.getByLabel("Cartão de crédito").check();
  const number = await page.getByLabel("Número do cartão").boundingBox();
  expect((number?.y ?? Infinity) + (number?.height ?? 0)).toBeLessThan(PHONE.height);
  await page.getByLabel("Número do cartão").fill(APPROVED);
  expect(await page.textContent("[data-card-brand]")).toBe("Visa");
});

test("a card without an answer waits, and turns when it is paid", async () => {
  const { url } = await givenLink();
  const page = await openPage(service.base, { locale: "pt-BR" });
  await page.goto(url);
  await typePayer(page);
  await typeCard(page, UNANSWERED);
  await pay(page);
  await page.locator("main[data-state=processing]").waitFor();
  const secureId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  // The transaction's UUID is its first 16 bytes.
  const id = Buffer.from(secureId, "base64url").toString("hex").slice(0, 32);
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  expect((await merchant.pay(uuid)).status).toBe(200);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
});

test("a page that was open for too long takes a new session by itself", async () => {
  const { url } = await givenLink();
  const page = await openPage(service.base, { locale: "pt-BR", expectedStatuses: [401] });
  await page.goto(url);
  await page.evaluate("document.querySelector('[data-card]').dataset.session = 'expired'");
  await typePayer(page);
  await typeCard(page, APPROVED);
  await pay(page);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
});

test("a payer who has a PIX goes back and pays by card", async () => {
  const { id, url } = await givenLink({ maxPayments: 1 });
  const page = await openPage(service.base, { locale: "pt-BR" });
  await page.goto(url);
  await page.getByRole("button", { name: "Continuar para pagar" }).click();
  await page.getByRole("link", { name: "Pagar de outra forma" }).click();
  await typePayer(page);
  await typeCard(page, APPROVED);
  await pay(page);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
  const link = await merchant.call("GET", `/api/v1/payment-links/${id}`);
  expect(link.body.data).toMatchObject({ paidCount: 1, openCount: 0 });
});

test("without script the page offers its other ways, and says why no card", async () => {
  const { url } = await givenLink();
  const page = await openPage(service.base, { javaScriptEnabled: false, locale: "pt-BR" });
  await page.goto(url);
  expect(await page.innerText("main")).toContain("ative o JavaScript");
  expect(await page.getByLabel("Número do cartão").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Continuar para pagar" }).click();
  await page.locator("#pix-code").waitFor();
});

test.each([
  ["light", "pt-BR", "Cartão de crédito"],
  ["dark", "en-US", "Credit card"],
] as const)(
  "the card's form is accessible, light and narrow enough (%s, %s)",
  async (colorScheme, locale, card) => {
    const { url } = await givenLink();
    const page = await openPage(service.base, { colorScheme, locale, viewport: NARROW });
    await page.goto(url);
    await page.getByLabel(card).check();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await pageWeight(page)).toBeLessThan(MAX_PAGE_BYTES);
  },
);

describe("a live company's card", () => {
  /** Neither is in any other test, nor in an id by chance where it stands alone. */
  const NUMBER = "5555 5555 5555 4444";
  const CVV = "7391";
  const CARD = { expiry: "12/35", cvv: CVV };
  const SECRETS = [/5555\D{0,3}5555\D{0,3}5555\D{0,3}4444/, /(?<![\w-])7391(?![\w-])/];
  const HOUSES = ["pagarme", "efi"] as const;
  type House = (typeof HOUSES)[number];
  const AMOUNTS = { pagarme: PAGARME_AMOUNT_TO, efi: PAGARME_AMOUNT_TO + 10_000 };

  let houses: FakeHouses;
  let proxy: RecordingProxy;
  let shop: string;
  let owner: ApiClient;

  beforeAll(async () => {
    [houses, proxy, shop] = await Promise.all([
      serveFakeHouses(),
      RecordingProxy.open(),
      openShop(service.base),
    ]);
    const company = await openShopAt(service.base, houses);
    if (company === null) throw new Error("no service");
    owner = new ApiClient(service.base, { clientId: company.clientId, apiKey: company.key });
    const settings = { embedOrigins: [shop] };
    expect((await owner.call("PUT", "/api/v1/company/settings", settings)).status).toBe(200);
  });
  afterAll(async () => {
    proxy.close();
    await houses.close();
  });

  const visit = (options: object = {}) =>
    openPage(service.base, { locale: "pt-BR", proxy: { server: proxy.url }, ...options });

  async function givenCardPage(options: object = {}, house: House = "pagarme"): Promise<Page> {
    const { url } = await givenLink({ amount: AMOUNTS[house] }, owner);
    const page = await visit(options);
    await page.goto(url);
    await typeLivePayer(page);
    await page.getByLabel("Número do cartão").waitFor();
    return page;
  }

  /** How a payer comes to a link's first page. */
  const WAYS: Record<string, (slug: string) => Promise<Shown>> = {
    "a payment link": async (slug) => {
      const page = await visit();
      await page.goto(`/l/${slug}`);
      return page;
    },
    "a checkout": async (slug) => {
      const page = await visit();
      await page.goto(`/l/${slug}`);
      await page.getByRole("button", { name: "Continuar para pagar" }).click();
      await page.getByRole("link", { name: "Pagar de outra forma" }).click();
      return page;
    },
    "a frame of a shop": async (slug) => {
      const page = await visit();
      await page.goto(`${shop}/?slug=${slug}`);
      await page.getByRole("button", { name: "Pagar o pedido" }).click();
      await page.frameLocator("iframe").getByLabel("Nome completo").waitFor();
      return page.frames().find((each) => each.url().startsWith(service.base)) ?? page;
    },
  };

  /** Whether the house has charged the last card, and what its tokeniser got of it. */
  async function lastAt(house: House): Promise<{ status: string; card: string }> {
    if (house === "pagarme") {
      const { book, seen } = houses.pagarme.house;
      const asked = seen.findLast(({ call }) => call === "POST /tokens");
      return { status: book.charges().at(-1).status, card: JSON.stringify(asked?.request) };
    }
    const { custom_id: charge } = houses.efi.house.book.charges.at(-1)!;
    const body = new URLSearchParams({ charge: charge ?? "" });
    await fetch(`${houses.urls.efi}/pay`, { method: "POST", body });
    const card = houses.efi.tokeniser.cards.at(-1) ?? "";
    return { status: houses.efi.house.charge(charge ?? "").status, card };
  }

  test.each(
    Object.entries(WAYS).flatMap(([way, arrive]) =>
      HOUSES.map((house) => ({ way, house, arrive })),
    ),
  )("goes from $way straight to $house, and past this service", async ({ house, arrive }) => {
    const terms = { amount: AMOUNTS[house], maxPayments: 1 };
    const { id, slug } = await givenLink(terms, owner);
    const before = proxy.passed.length;
    const page = await arrive(slug);
    await typeLivePayer(page);
    await typeCard(page, NUMBER, CARD);
    expect(await page.evaluate("[...document.scripts].map(({ src }) => src)")).toEqual([
      expect.stringMatching(/\/checkout\/assets\/card-[0-9a-f]{12}\.js$/),
    ]);
    const remembered = await rememberedBy(page);
    await pay(page);
    await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();

    const { status, card } = await lastAt(house);
    expect(status).toBe("paid");
    expect(card).toContain(NUMBER.replaceAll(" ", ""));
    expect(card).toContain(CVV);
    const passed = proxy.passed.slice(before);
    const tokens = passed.filter(({ origin }) => origin === houses.urls[house]);
    const ours = passed.filter(({ origin }) => origin !== houses.urls[house]);
    expect(tokens.map(({ call }) => call).join()).toMatch(/POST \/tokens|GET \/v1\/card\//);
    const known = new Set(ours.map(({ origin }) => origin));
    known.delete(shop);
    expect([...known]).toEqual([service.base]);
    const kept = [...ours.map(({ text }) => text), remembered, await rememberedBy(page)];
    for (const secret of SECRETS) expect(kept.filter((text) => secret.test(text))).toEqual([]);

    // The last but one form led to the card's page.
    const { policy } = ours.filter(({ call }) => call === `POST /l/${slug}`).at(-2)!;
    expect(policy).toContain(`connect-src ${houses.urls[house]};`);
    const named = (policy.match(/https?:[^\s;]+/g) ?? []).filter((host) => host !== shop);
    expect(named).toEqual([houses.urls[house]]);
    const link = await owner.call("GET", `/api/v1/payment-links/${id}`);
    expect(link.body.data).toMatchObject({ paidCount: 1, openCount: 0 });
  });

  test("each failure is said, and the form stays with what was typed", async () => {
    const page = await givenCardPage({ expectedStatuses: [422, 503] });
    const { pagarme } = houses;
    await typeCard(page, "5555 5555 5555 4445", CARD);
    await pay(page);
    await page.getByText("Confira o número do cartão.").waitFor();
    expect(await page.evaluate("document.activeElement.dataset.cardField")).toBe("number");

    await typeCard(page, NUMBER, CARD);
    pagarme.house.faultOnce("unavailable", /^POST \/tokens/);
    await pay(page);
    await page.getByText("Não foi possível enviar o cartão.").waitFor();
    expect(await typedIn(page)).toEqual([NUMBER, "MARIA DA SILVA", "12/35", CVV]);

    await typeCard(page, "1000 0000 0000 0008", CARD);
    await pay(page);
    await page.getByText("Confira o número do cartão.").waitFor();

    await typeCard(page, NUMBER, CARD);
    const { tokenMs } = pagarme.house.book;
    pagarme.house.book.tokenMs = -1;
    await pay(page);
    await page.getByText("valia por um minuto só").waitFor();
    pagarme.house.book.tokenMs = tokenMs;
    expect(await page.evaluate("document.activeElement.dataset.cardField")).toBe("number");
    expect(await typedIn(page)).toEqual(["", "", "", ""]);

    await typeCard(page, NUMBER, CARD);
    expect(await page.textContent("[data-card-brand]")).toBe("Mastercard");
    await page.getByLabel("Parcelas").selectOption({ index: 2 });
    await pay(page);
    await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
    expect(pagarme.house.book.charges().at(-1).last_transaction.installments).toBe(3);
  });

  test("the page's policy lets no script bring a card to this service or anywhere but the house", async () => {
    const page = await givenCardPage({ expectedComplaints: /Content Security Policy|csp/i }, "efi");
    const reach = (url: string) =>
      page.evaluate<string>(`fetch("${url}").then(() => "reached", () => "stopped")`);
    expect(await reach(`${service.base}/health`)).toBe("stopped");
    expect(await reach(`${houses.urls.pagarme}/tokens`)).toBe("stopped");
    expect(await reach(`${houses.urls.efi}/v1/pubkey`)).toBe("reached");
  });

  test("without script the page says why no card, and offers Pix", async () => {
    const { slug, url } = await givenLink({}, owner);
    const page = await visit({ javaScriptEnabled: false });
    await page.goto(url);
    await typeLivePayer(page);
    expect(await page.innerText("main")).toContain("ative o JavaScript");
    expect(await page.getByLabel("Número do cartão").isVisible()).toBe(false);
    const pix = page.getByRole("link", { name: "Pagar com Pix" });
    const href = (await pix.getAttribute("href")) ?? "";
    expect(href).toMatch(new RegExp(`^/l/${slug}\\?checkout=[\\w-]+&method=PIX$`));
  });

  test.each(["light", "dark"] as const)(
    "has a page that is accessible and narrow enough (%s)",
    async (colorScheme) => {
      const page = await givenCardPage({ colorScheme, viewport: NARROW });
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );

  test("is in no log and no file of this service", () => {
    const names = readdirSync(stateDir, { recursive: true, withFileTypes: true });
    const files = names
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    expect(files.some((file) => file.includes("maria@example.com"))).toBe(true);
    const kept = [service.output(), ...files];
    for (const secret of SECRETS) expect(kept.filter((text) => secret.test(text))).toHaveLength(0);
  });
});
