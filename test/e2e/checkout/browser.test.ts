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

/** The page of the issue, with all that it loads. */
const MAX_PAGE_BYTES = 40_000;
const NARROW = { width: 360, height: 740 };
/** A small phone, whose pointer is a finger. */
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
const BOLETO = {
  amount: 5_000,
  paymentMethod: "BOLETO",
  customer: { name: "Maria", document: { number: "52998224725", type: "CPF" } },
};

const stateDir = await givenStateDir("checkout");
let service: Service;
let merchant: Merchant;
let charges = 0;

beforeAll(async () => {
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
  // A colour that no text could be read in on white.
  const brand = { name: "Padaria Pão Quente", color: "#ffe600" };
  expect((await merchant.call("PUT", "/api/v1/company/settings", { brand })).status).toBe(200);
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

async function givenCharge(body: Record<string, unknown> = {}) {
  charges += 1;
  const created = await merchant.create(
    { amount: 12_345, paymentMethod: "PIX", ...body },
    `checkout_${charges}`,
  );
  expect(created.status).toBe(200);
  return created.body.data as { id: string; secureId: string; secureUrl: string; pix: any };
}

async function givenLink(changes: object): Promise<{ slug: string }> {
  const body = { name: "Curso", amount: 5_000, paymentMethods: ["PIX", "BOLETO"], ...changes };
  const made = await merchant.call("POST", "/api/v1/payment-links", body);
  expect(made.status).toBe(201);
  return made.body.data;
}

const act = (id: string, action: string) =>
  merchant.call("POST", `/api/v1/sandbox/transactions/${id}/${action}`);

test("a PIX that is paid while its page is open turns without a reload, with a receipt to keep", async () => {
  const { id, secureUrl, pix } = await givenCharge({ returnUrl: `${service.base}/health` });
  const page = await openPage(service.base, { locale: "pt-BR" });
  await page.goto(secureUrl);
  await page.evaluate("window.isSamePage = true");
  expect(await page.textContent(".amount")).toMatch(/R\$\s123,45/);
  expect(await page.textContent("[role=timer]")).toMatch(/^\d+ (minutos|horas|dias)$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("[data-copy=pix-code]");
  await page.getByRole("button", { name: "Copiado" }).waitFor();
  expect(await page.textContent("#live")).toBe("Copiado");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(pix.qrcode);

  expect((await merchant.pay(id)).status).toBe(200);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
  expect(await page.evaluate("window.isSamePage")).toBe(true);
  expect(await page.title()).toContain("Pagamento recebido");
  expect(await page.textContent("#live")).toContain("Padaria Pão Quente");
  // The focus was on the button that is gone.
  expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
  await page.getByRole("link", { name: /comprovante/ }).click();
  await page.getByRole("heading", { name: "Comprovante de pagamento" }).waitFor();
  const receipt = page.waitForEvent("download");
  await page.getByRole("link", { name: /PDF/ }).first().click();
  expect((await receipt).suggestedFilename()).toBe(`comprovante-${id}.pdf`);
  await page.goBack();
  await page.getByRole("link", { name: /Voltar para Padaria/ }).click();
  await page.waitForURL(/\/health\?/);
  expect(new URL(page.url()).searchParams.get("status")).toBe("PAID");

  const { items } = (await merchant.call("GET", "/api/v1/events")).body;
  expect(items.at(-1).data).toMatchObject({ id, status: "PAID", secureUrl });
});

test("a PIX that expires says so, and a late payment is shown", async () => {
  const { id, secureUrl } = await givenCharge();
  const page = await openPage(service.base, { locale: "en-US" });
  await page.goto(secureUrl);
  expect((await act(id, "expire")).status).toBe(200);
  await page.getByRole("heading", { name: "The deadline has passed" }).waitFor();
  expect(await page.locator(".qr").count()).toBe(0);
  expect((await merchant.pay(id)).status).toBe(200);
  await page.reload();
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
});

test("without script the page pays by its code and tells the status by a reload", async () => {
  const { id, secureUrl, pix } = await givenCharge();
  const page = await openPage(service.base, { javaScriptEnabled: false, locale: "pt-BR" });
  await page.goto(secureUrl);
  expect(await page.textContent("#pix-code")).toBe(pix.qrcode);
  expect(await page.locator("button:visible").count()).toBe(0);
  expect((await merchant.pay(id)).status).toBe(200);
  await page.getByRole("link", { name: "Atualizar a página" }).click();
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
});

test("the keyboard reaches the copy button and the code first", async () => {
  const { secureUrl } = await givenCharge();
  const page = await openPage(service.base);
  await page.goto(secureUrl);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.dataset.copy")).toBe("pix-code");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.id")).toBe("pix-code");
});

test("on a phone the copy button is on the first screen, and the QR code unfolds by key and finger", async () => {
  const items = [
    { title: "Pão de queijo", unitPrice: 1_000, quantity: 12, tangible: true },
    { title: "Entrega", unitPrice: 345, quantity: 1, tangible: false },
  ];
  const { secureUrl } = await givenCharge({ items });
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage(service.base, { ...PHONE, javaScriptEnabled, locale: "pt-BR" });
    await page.goto(secureUrl);
    expect(await page.textContent(".bought")).toBe("12 × Pão de queijo, Entrega");
    if (javaScriptEnabled) {
      const button = await page.locator("[data-copy=pix-code]").boundingBox();
      expect(button!.y + button!.height).toBeLessThanOrEqual(PHONE.viewport.height);
      expect(button!.width).toBeGreaterThan(300);
      await expectAccessible(page);
    }
    const qr = page.locator(".qr");
    expect(await qr.isVisible()).toBe(false);
    const toggle = page.getByLabel("Mostrar QR Code");
    // The keys come first: for 150 ms after a tap the browser drops a key that is held across them.
    await toggle.press("Space");
    await qr.waitFor({ state: "visible" });
    await toggle.press("Space");
    await qr.waitFor({ state: "hidden" });
    await toggle.tap();
    await qr.waitFor({ state: "visible" });
    if (javaScriptEnabled) await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  const desk = await openPage(service.base, { locale: "pt-BR" });
  await desk.goto(secureUrl);
  expect(await desk.locator(".qr").isVisible()).toBe(true);
  expect(await desk.getByLabel("Mostrar QR Code").isVisible()).toBe(false);
});

test("an unanswered status is asked again more rarely, and the payment is still seen", async () => {
  const { id, secureUrl } = await givenCharge();
  const page = await openPage(service.base, { locale: "pt-BR", expectedStatuses: [503] });
  let refused = 0;
  await page.route("**/api/checkout/status/*", (route) => {
    refused += 1;
    return refused === 1 ? route.fulfill({ status: 503 }) : route.continue();
  });
  await page.goto(secureUrl);
  expect((await merchant.pay(id)).status).toBe(200);
  await page.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
  expect(refused).toBeGreaterThan(1);
});

test("a payer opens a link and pays it by the keyboard alone", async () => {
  const { slug } = await givenLink({ minimum: 500, amount: undefined });
  const page = await openPage(service.base, { locale: "pt-BR" });
  await page.goto(`/l/${slug}`);
  await page.keyboard.press("Tab");
  await page.keyboard.type("12,50");
  await page.keyboard.press("Enter");
  await page.locator("#pix-code").waitFor();
  expect(await page.textContent(".amount")).toMatch(/R\$\s12,50/);
  const { items } = (await merchant.call("GET", "/api/v1/payment-links")).body;
  expect(items[0]).toMatchObject({ slug, openCount: 1 });
});

test("a link for three payments that 20 payers open at once sells three", async () => {
  const { slug } = await givenLink({ maxPayments: 3 });
  const path = `${service.base}/l/${slug}`;
  const forms = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const html = await (await fetch(path)).text();
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1];
      return { key: value("key") ?? "", checkout: value("checkout") ?? "", method: "PIX" };
    }),
  );
  const answers = await Promise.all(
    forms.map((form) =>
      fetch(path, {
        method: "POST",
        redirect: "manual",
        headers: { Origin: service.base },
        body: new URLSearchParams(form),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
    ...Array.from({ length: 3 }, () => 303),
    ...Array.from({ length: 17 }, () => 409),
  ]);
  const page = await openPage(service.base, { locale: "pt-BR", expectedStatuses: [409] });
  await page.goto(path);
  await page.getByRole("heading", { name: "Não há vagas neste momento" }).waitFor();
});

test("a boleto's line is copied, and its slip opens", async () => {
  const { secureUrl, ...charge } = await givenCharge(BOLETO);
  const page = await openPage(service.base, { locale: "pt-BR" });
  await page.goto(secureUrl);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("[data-copy*=line]").click();
  const { digitableLine } = (charge as any).boleto;
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(digitableLine);
  const slip = await page
    .getByRole("link", { name: /boleto/i })
    .first()
    .getAttribute("href");
  const answer = await page.request.get(new URL(slip ?? "", service.base).href);
  expect([answer.status(), (await answer.text()).includes("Beneficiário")]).toEqual([200, true]);
});

test.each([
  ["light", "pt-BR"],
  ["dark", "en-US"],
] as const)(
  "every page is accessible, light and narrow enough (%s, %s)",
  async (colorScheme, locale) => {
    const page = await openPage(service.base, {
      colorScheme,
      locale,
      viewport: NARROW,
      expectedStatuses: [404],
    });
    const open = await givenCharge();
    await judge(page, `/checkout/${open.secureId}`);
    expect(await pageWeight(page)).toBeLessThan(MAX_PAGE_BYTES);
    const boleto = await givenCharge(BOLETO);
    await judge(page, `/checkout/${boleto.secureId}`);
    expect(await pageWeight(page)).toBeLessThan(MAX_PAGE_BYTES);
    for (const action of ["pay", "expire", "fail"]) {
      const { id, secureId } = await givenCharge();
      expect((await act(id, action)).status).toBe(200);
      await judge(page, `/checkout/${secureId}`);
    }
    await judge(page, "/checkout/nothing");
    const { id, secureId } = await givenCharge();
    expect((await merchant.pay(id)).status).toBe(200);
    const { slug } = await givenLink({ maxQuantity: 3, fields: [{ name: "email" }] });
    for (const path of [`/r/${secureId}`, "/receipts/verify", `/l/${slug}`, "/l/nothing"]) {
      await judge(page, path);
      expect(await pageWeight(page), path).toBeLessThan(MAX_PAGE_BYTES);
    }
  },
);

async function judge(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}
