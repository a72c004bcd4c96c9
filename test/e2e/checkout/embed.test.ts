import { rmSync } from "node:fs";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/browser/judge.ts";
import { givenStateDir } from "../state-dir.ts";
import { openShop } from "./shop.ts";

const NARROW = { width: 360, height: 640 };
const ELEMENT = "document.querySelector('centavo-checkout')";
/** Longer than the element waits for its frame. */
const GIVEN_UP_MS = 15_000;
const POLL = { timeout: 10_000 };

const stateDir = await givenStateDir("embed");
let service: Service;
let merchant: Merchant;
let shop: string;
let stranger: string;
let charges = 0;

beforeAll(async () => {
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
  [shop, stranger] = await Promise.all([openShop(service.base), openShop(service.base)]);
  const settings = { embedOrigins: [shop] };
  expect((await merchant.call("PUT", "/api/v1/company/settings", settings)).status).toBe(200);
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

async function givenCharge() {
  charges += 1;
  const body = { amount: 2_500, paymentMethod: "PIX", returnUrl: `${service.base}/health` };
  const created = await merchant.create(body, `embed_${charges}`);
  expect(created.status).toBe(200);
  return created.body.data as { id: string; secureId: string; secureUrl: string };
}

/** The shop's page, which keeps every event of the element in `events`. */
async function visitShop(query: string, origin = shop, options = {}): Promise<Page> {
  const page = await openPage(origin, { locale: "pt-BR", viewport: NARROW, ...options });
  await page.addInitScript(`window.events = [];
    for (const name of ["status", "paid", "closed"]) {
      addEventListener("centavo:" + name, ({ target, detail }) => {
        events.push([name, detail?.status ?? null, target.id]);
      });
    }`);
  await page.goto(`/?${query}`);
  return page;
}

const eventsOf = (page: Page) => page.evaluate<unknown[]>("events");
const focused = (page: Page) =>
  page.evaluate<string>(`${ELEMENT}.shadowRoot.activeElement?.textContent ?? ""`);

/** Opens the dialog by its button and answers the checkout's frame when that is there. */
async function openCheckout(page: Page, words: string): Promise<Frame> {
  await page.getByRole("button", { name: "Pagar o pedido" }).click();
  await page.frameLocator("iframe").getByRole("heading", { name: words }).waitFor();
  const frame = page.frames().find((each) => each.url().startsWith(service.base));
  if (frame === undefined) throw new Error("no frame of the gateway");
  return frame;
}

test("a PIX is paid in a dialog of the shop's page, which hears of it", async () => {
  const { id, secureId } = await givenCharge();
  const page = await visitShop(`secure-id=${secureId}`);
  await expectAccessible(page);
  const frame = await openCheckout(page, "Pague com Pix");
  await expectAccessible(page);
  await expectAccessible(frame);
  await expectNoSidewaysScroll(page);
  expect(await frame.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

  expect((await merchant.pay(id)).status).toBe(200);
  await page.getByText("Obrigado!").waitFor({ state: "attached" });
  await frame.getByRole("heading", { name: "Pagamento recebido" }).waitFor();
  expect(await eventsOf(page)).toEqual([
    ["status", "PENDING", ""],
    ["status", "PAID", ""],
    ["paid", "PAID", ""],
  ]);
  const receipt = page.context().waitForEvent("page");
  await frame.getByRole("link", { name: /comprovante/ }).click();
  await (await receipt).getByRole("heading", { name: "Comprovante de pagamento" }).waitFor();
  await frame.getByRole("link", { name: /Voltar para/ }).click();
  await page.waitForURL(/\/health\?.*status=PAID/);
});

test("the keyboard opens it, Escape closes it from outside and inside, and the focus comes back", async () => {
  const { secureId } = await givenCharge();
  const page = await visitShop(`secure-id=${secureId}`);
  await page.getByRole("button", { name: "Pagar o pedido" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.frameLocator("iframe").getByRole("heading", { name: "Pague com Pix" }).waitFor();
  expect(await focused(page)).toBe("Fechar");
  await expect.poll(() => eventsOf(page), POLL).toEqual([["status", "PENDING", ""]]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("Pagar o pedido");

  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  const code = page.frameLocator("iframe").locator("#pix-code");
  await code.focus();
  await code.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("Pagar o pedido");
  await expect
    .poll(() => eventsOf(page), POLL)
    .toEqual([
      ["status", "PENDING", ""],
      ["closed", null, ""],
      ["closed", null, ""],
    ]);
});

test("a payment link stays in its dialog from the form to the payment", async () => {
  const link = { name: "Bolo", amount: 1_500 };
  const { slug } = (await merchant.call("POST", "/api/v1/payment-links", link)).body.data;
  const page = await visitShop(`slug=${slug}`);
  const frame = await openCheckout(page, "Bolo");
  await frame.getByRole("button", { name: "Continuar" }).click();
  await frame.getByRole("heading", { name: "Pague com Pix" }).waitFor();
  const { pathname, searchParams } = new URL(frame.url());
  expect(searchParams.get("embed")).toBe(shop);
  const status = pathname.replace("/checkout/", "/api/checkout/status/");
  expect((await merchant.pay((await merchant.call("GET", status)).body.id)).status).toBe(200);
  await expect.poll(() => eventsOf(page), POLL).toContainEqual(["paid", "PAID", ""]);
});

test("a message of another window, frame or origin does nothing", async () => {
  const [{ secureId }, other] = [await givenCharge(), await givenCharge()];
  const page = await visitShop(`secure-id=${secureId}`);
  await openCheckout(page, "Pague com Pix");
  await page.evaluate(`{
    const second = document.createElement("centavo-checkout");
    second.id = "second";
    second.setAttribute("secure-id", ${JSON.stringify(other.secureId)});
    document.body.append(second);
    ${ELEMENT}.close();
    second.open();
  }`);
  await expect.poll(() => eventsOf(page), POLL).toContainEqual(["status", "PENDING", "second"]);
  const forged = `({ type: "centavo:status", status: "PAID" })`;
  // By the shop's own page, and to the first element by the gateway's frame of the second.
  await page.evaluate(`postMessage(${forged}, "*")`);
  const frame = page.frames().find((each) => each.url().includes(other.secureId));
  await frame?.evaluate(`parent.postMessage(${forged}, "*")`);
  await expect.poll(() => eventsOf(page), POLL).toContainEqual(["paid", "PAID", "second"]);
  const paid = (await eventsOf(page)).filter((event) => (event as string[])[1] === "PAID");
  expect(paid).toEqual([
    ["status", "PAID", "second"],
    ["paid", "PAID", "second"],
  ]);
});

test("where the shop's origin is not listed, the frame is blocked and a new tab is offered", async () => {
  const { secureId, secureUrl } = await givenCharge();
  const page = await visitShop(`secure-id=${secureId}`, stranger, {
    colorScheme: "dark",
    expectedComplaints: /frame-ancestors|ERR_BLOCKED_BY_RESPONSE/,
  });
  await page.getByRole("button", { name: "Pagar o pedido" }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor({ timeout: GIVEN_UP_MS });
  expect(await alert.textContent()).toContain("Abra-o em uma nova aba");
  expect(await page.locator("iframe").isVisible()).toBe(false);
  await expectAccessible(page);
  const tab = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Abrir em uma nova aba" }).click();
  expect((await tab).url()).toBe(secureUrl);
  await (await tab).getByRole("heading", { name: "Pague com Pix" }).waitFor();
  expect(await eventsOf(page)).toEqual([]);
});

test("without script the element is a link to the checkout", async () => {
  const { secureId, secureUrl } = await givenCharge();
  const page = await visitShop(`secure-id=${secureId}`, shop, { javaScriptEnabled: false });
  const link = page.getByRole("link", { name: "Pagar o pedido" });
  expect(await link.getAttribute("href")).toBe(secureUrl);
});
