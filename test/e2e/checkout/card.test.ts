import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  pageWeight,
} from "../../support/browser/judge.ts";
import { givenStateDir } from "../state-dir.ts";

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

async function givenLink(changes: object = {}): Promise<{ id: string; url: string }> {
  const body = {
    name: "Curso de fotografia",
    amount: 30_000,
    paymentMethods: ["PIX", "CREDIT_CARD"],
    maxInstallments: 3,
    ...changes,
  };
  const made = await merchant.call("POST", "/api/v1/payment-links", body);
  expect(made.status).toBe(201);
  return made.body.data;
}

async function typePayer(page: Page): Promise<void> {
  await page.getByLabel("Nome completo").fill("Maria da Silva");
  await page.getByLabel("CPF ou CNPJ").fill("529.982.247-25");
  await page.getByLabel("Cartão de crédito").check();
}

async function typeCard(page: Page, number: string, expiry = "12/30"): Promise<void> {
  await page.getByLabel("Número do cartão").fill(number);
  await page.getByLabel("Nome impresso no cartão").fill("MARIA DA SILVA");
  await page.getByLabel("Validade").fill(expiry);
  await page.getByLabel("Código (CVV)").fill("123");
}

const pay = (page: Page) => page.getByRole("button", { name: "Pagar com cartão" }).click();

test("a card that is refused says what to try; another pays in installments, and no form sends a number", async () => {
  const { id, url } = await givenLink({ maxPayments: 1 });
  const page = await openPage(service.base, { locale: "pt-BR", expectedStatuses: [400, 422] });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await page.goto(url);
  await typePayer(page);
  await typeCard(page, "4242 4242 4242 4241", "12/20");
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
