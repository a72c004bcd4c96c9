import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersonRole } from "../../../src/domain/access/person-role.ts";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/browser/judge.ts";
import { signIn } from "../../support/browser/sign-in.ts";
import { givenStateDir } from "../state-dir.ts";

const PHONE = { width: 360, height: 640 };

/** Counts what the page sounds. */
const COUNT_TONES = `window.tones = 0;
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  window.tones += 1;
  return make.call(this);
};`;

const stateDir = await givenStateDir("console-counter");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/** A person chooses a PIN in a browser of his own. */
async function choosePin(role: PersonRole, pin: string): Promise<void> {
  const page = await openPage(service.base);
  await signIn(page, role);
  await page.fill("form[action$='/account/pin'] input[name=pin]", pin);
  await page.click("form[action$='/account/pin'] button");
  await page.waitForURL("**done=pin");
}

async function typePin(page: Page, name: string, pin: string): Promise<void> {
  await page.waitForURL("**/cashier/device");
  await page.getByLabel(name).check();
  await page.fill("input[name=pin]", pin);
  await page.click("form.pin-pad button");
  await page.waitForURL(/\/console\/cashier$/);
}

async function charge(page: Page, amount: string): Promise<string> {
  await page.fill("input[name=amount]", amount);
  await page.click("form[action$='/charges'] button");
  await page.waitForURL("**/cashier/charges/*");
  return page.url().split("/").at(-1) ?? "";
}

test("a phone on the counter: two cashiers by PIN, a payment seen at once, a shift closed", async () => {
  await choosePin("cashier", "2580");
  await choosePin("support", "4711");
  const phone = await openPage(service.base, { viewport: PHONE });
  // Without the poll, only the socket tells of the payment.
  await phone.addInitScript("window.setInterval = () => 0;");
  await phone.addInitScript(COUNT_TONES);
  await signIn(phone, "owner", "/console/team");
  await phone.click("details:has(form[action$='/team/devices']) summary");
  await phone.fill("input[name=device]", "Balcão 1");
  await phone.click("form[action$='/team/devices'] button");
  await phone.waitForURL("**/cashier/device");
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await typePin(phone, "Local cashier", "2580");
  await phone.click("form[action$='/cashier/open'] button");
  await expectAccessible(phone);
  const id = await charge(phone, "25,00");
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  expect(await phone.locator(".counter-code svg").isVisible()).toBe(true);
  expect(await phone.textContent(".arrival-ago")).toMatch(/\d+ s/);
  // A browser lets a page sound only after a touch.
  await phone.click("h1");
  expect((await new Merchant(service.base).pay(id)).status).toBe(200);
  await phone.waitForSelector("[data-arrival=arrived]");
  expect(await phone.locator(".counter-code").count()).toBe(0);
  expect(await phone.evaluate("window.tones")).toBe(2);
  await expectAccessible(phone);
  await phone.click("form[action$='/device/leave'] button");
  await typePin(phone, "Local support", "4711");
  expect(await phone.locator("form[action$='/cashier/open']").count()).toBe(1);
  await phone.click("form[action$='/device/leave'] button");
  await typePin(phone, "Local cashier", "2580");
  await phone.goto("/console/cashier/shift");
  await expectAccessible(phone);
  await phone.click("form[action$='/cashier/close'] button");
  await phone.waitForURL("**/cashier/shifts/*");
  expect(await phone.textContent("main")).toMatch(/25,00/);
  expect(await phone.locator("[data-print]").isVisible()).toBe(true);
  await expectNoSidewaysScroll(phone);
  await phone.goto("/console/statement");
  expect(new URL(phone.url()).pathname).toBe("/console/cashier");
});

test("a counter works without script", async () => {
  await choosePin("cashier", "2580");
  const counter = await openPage(service.base, { javaScriptEnabled: false });
  await signIn(counter, "admin", "/console/team");
  await counter.click("details:has(form[action$='/team/devices']) summary");
  await counter.fill("input[name=device]", "Balcão 2");
  await counter.click("form[action$='/team/devices'] button");
  await typePin(counter, "Local cashier", "2580");
  await counter.click("form[action$='/cashier/open'] button");
  const id = await charge(counter, "7,90");
  expect(await counter.textContent(".arrival-state")).toContain("Aguardando");
  await new Merchant(service.base).pay(id);
  await counter.reload();
  expect(await counter.textContent(".arrival-state")).toContain("Chegou");
});
