import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/browser/judge.ts";
import { ACCOUNT, FakeHouse, RecordedOrigin, started } from "./card-house.ts";

const NARROW = { width: 360, height: 740 };
const NUMBER = "4242424242424242";
const CVV = "739";
const INPUTS = ["Número do cartão", "Nome impresso no cartão", "Validade", "Código (CVV)"];

const house = await started(new FakeHouse());

afterEach(() => {
  house.answer = "token";
  house.cards.length = 0;
});

const givenOrigin = (kind: "pagarme" | "efi-cobrancas" = "pagarme") =>
  started(new RecordedOrigin(house.tokenisation(kind)));

async function typeCard(page: Page, number = "4242 4242 4242 4242"): Promise<void> {
  const values = [number, "MARIA DA SILVA", "12/35", CVV];
  for (const [at, label] of INPUTS.entries()) await page.getByLabel(label).fill(values[at] ?? "");
}

const pay = (page: Page) => page.getByRole("button", { name: "Pagar com cartão" }).click();
const typed = (page: Page) =>
  Promise.all(INPUTS.map((label) => page.getByLabel(label).inputValue()));

/** All that a page keeps or shows, its inputs' values left out. */
const rememberedBy = (page: Page) =>
  page.evaluate<string>(`JSON.stringify([
    location.href, history.state, document.cookie, { ...localStorage }, { ...sessionStorage },
    document.documentElement.outerHTML, performance.getEntries().map(({ name }) => name)])`);

test.each(["pagarme", "efi-cobrancas"] as const)(
  "at %s the card goes from the browser to the house, and this service never sees it",
  async (kind) => {
    const origin = await givenOrigin(kind);
    const page = await openPage(origin.base, { locale: "pt-BR", viewport: NARROW });
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await page.goto("/l/curso");
    await typeCard(page);
    expect(await page.textContent("[data-card-brand]")).toBe("Visa");
    await page.getByLabel("Parcelas").selectOption({ index: 2 });
    const before = await rememberedBy(page);
    await pay(page);
    await page.getByRole("heading", { name: "Pago" }).waitFor();

    expect(house.cards).toEqual([expect.stringContaining(NUMBER)]);
    expect(house.cards[0]).toContain(CVV);
    expect(origin.forms).toEqual([
      expect.objectContaining({ cardToken: "token_1", cardAccount: ACCOUNT, installments: "3" }),
    ]);
    await page.goBack();
    await page.getByLabel("Número do cartão").waitFor();
    expect(await typed(page)).toEqual(["", "", "", ""]);
    const kept = [...origin.requests, ...said, before, await rememberedBy(page)].join("\n");
    for (const secret of [NUMBER, "4242 4242", CVV]) expect(kept).not.toContain(secret);
  },
);

test("each failure is said, and the form stays with what was typed", async () => {
  const origin = await givenOrigin();
  const page = await openPage(origin.base, { locale: "pt-BR", expectedStatuses: [422, 503] });
  await page.goto("/l/curso");
  await typeCard(page, "4242 4242 4242 4241");
  await pay(page);
  await page.getByText("Confira o número do cartão.").waitFor();
  expect(await page.evaluate("document.activeElement.dataset.cardField")).toBe("number");

  await typeCard(page);
  house.answer = "down";
  await pay(page);
  await page.getByText("Não foi possível enviar o cartão.").waitFor();
  expect(await typed(page)).toEqual(["4242 4242 4242 4242", "MARIA DA SILVA", "12/35", CVV]);

  house.answer = "refused";
  await pay(page);
  await page.getByText("Confira o número do cartão.").waitFor();
  expect(house.cards).toEqual([]);
  expect(origin.forms).toEqual([]);

  house.answer = "token";
  origin.notice = "cardEnded";
  await pay(page);
  await page.getByText("valia por um minuto só").waitFor();
  expect(await page.evaluate("document.activeElement.dataset.cardField")).toBe("number");
  expect(await typed(page)).toEqual(["", "", "", ""]);

  origin.notice = null;
  await typeCard(page);
  await pay(page);
  await page.getByRole("heading", { name: "Pago" }).waitFor();
  expect(origin.forms.map(({ cardToken }) => cardToken)).toEqual(["token_1", "token_2"]);
  expect(origin.requests.join()).not.toContain(NUMBER);
});

test("the page's policy lets no script bring a card to this service or anywhere but the house", async () => {
  const origin = await givenOrigin();
  const page = await openPage(origin.base, { expectedComplaints: /Content Security Policy|csp/i });
  await page.goto("/l/curso");
  const reach = (url: string) =>
    page.evaluate<string>(`fetch("${url}").then(() => "reached", () => "stopped")`);
  expect(await reach(`${origin.base}/l/curso`)).toBe("stopped");
  expect(await reach("http://127.0.0.1:9/")).toBe("stopped");
  expect(await reach(`${house.base}/v1/pubkey`)).toBe("reached");
});

test("without script the page says why no card, and offers Pix", async () => {
  const origin = await givenOrigin();
  const page = await openPage(origin.base, { javaScriptEnabled: false, locale: "pt-BR" });
  await page.goto("/l/curso");
  expect(await page.innerText("main")).toContain("ative o JavaScript");
  expect(await page.getByLabel("Número do cartão").isVisible()).toBe(false);
  const pix = page.getByRole("link", { name: "Pagar com Pix" });
  expect(await pix.getAttribute("href")).toMatch(/^\/l\/curso\?checkout=c+&method=PIX$/);
});

test.each([
  ["light", "pt-BR", NARROW],
  ["dark", "en-US", NARROW],
] as const)("is accessible and narrow enough (%s, %s)", async (colorScheme, locale, viewport) => {
  const origin = await givenOrigin();
  const page = await openPage(origin.base, { colorScheme, locale, viewport });
  await page.goto("/l/curso");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
