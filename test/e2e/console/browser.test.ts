import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { LOCAL_PASSWORD, localCode } from "../../../tools/lib/local-people.ts";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { openPage } from "../../support/browser/browser.ts";
import { expectAccessible } from "../../support/browser/judge.ts";
import { signIn } from "../../support/browser/sign-in.ts";
import { givenStateDir } from "../state-dir.ts";

const NARROW = { width: 360, height: 740 };
/** A page of payments on a phone, and the height that it may have. */
const ROWS = 25;
const MAX_ROWS_HEIGHT = 3_000;
const stateDir = await givenStateDir("console");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

test("a path without a page answers 404 in the console's look", async () => {
  const page = await openPage(service.base, { expectedStatuses: [404] });
  expect((await page.goto("/console/assets/nothing"))?.status()).toBe(404);
  expect(await page.textContent("h1")).not.toBe("");
});

test("a person signs in by keyboard only, with password and code", async () => {
  const page = await openPage(service.base);
  await page.goto("/console/sign-in?next=/console/account");
  await page.keyboard.press("Tab");
  await page.keyboard.type("finance@loja.local");
  await page.keyboard.press("Tab");
  await page.keyboard.type(LOCAL_PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in/code**");
  await page.keyboard.press("Tab");
  await page.keyboard.type(await localCode());
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/account");
});

test("a person signs in without script", async () => {
  const page = await openPage(service.base, { javaScriptEnabled: false });
  await signIn(page, "viewer");
  expect(new URL(page.url()).pathname).toBe("/console/account");
});

test("a passkey is added and signs in", async () => {
  const page = await openPage(service.base);
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, "support");
  await page.waitForURL("**/console/account");
  const registered = page.waitForResponse("**/passkeys/register");
  await page.click("[data-passkey=register]");
  expect((await registered).status()).toBe(200);
  await page.waitForURL("**/console/account?done=passkey");
  await page.context().clearCookies();
  await page.goto("/console/sign-in?next=/console/account");
  await page.click("[data-passkey=sign-in]");
  await page.waitForURL("**/console/account");
});

test("a wrong password is refused and the e-mail stays", async () => {
  const page = await openPage(service.base, { expectedStatuses: [401] });
  await page.goto("/console/sign-in");
  await page.fill("input[name=email]", "nobody@loja.local");
  await page.fill("input[name=password]", "a wrong password");
  await page.click("main form button.primary");
  expect(await page.textContent("[role=alert]")).not.toBe("");
  expect(await page.inputValue("input[name=email]")).toBe("nobody@loja.local");
});

test.each(["a4", "a6"])("a sign fits on one sheet of %s", async (sheet) => {
  const merchant = new Merchant(service.base);
  const body = { amount: 1_500, description: "Bolo de cenoura com cobertura de chocolate" };
  const made = await merchant.call("POST", "/api/v1/pix/static-codes", body);
  const page = await openPage(service.base);
  await signIn(page, "viewer", `/console/static-codes/${made.body.data.id}/print?sheet=${sheet}`);
  await page.locator(`.sign.${sheet}`).waitFor();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
});

test("25 payments fit 3,000 px of a phone, in rows of two lines", async () => {
  const merchant = new Merchant(service.base);
  for (let index = 0; index < ROWS; index += 1) {
    const customer = { name: "Maria da Silva" };
    const body = { amount: 12_345, paymentMethod: "PIX", externalRef: `pedido-${index}`, customer };
    expect((await merchant.create(body, `row_${index}`)).status).toBe(200);
  }
  const page = await openPage(service.base, { viewport: NARROW });
  await signIn(page, "viewer");
  await page.goto("/console/payments");
  expect(await page.locator(".two-lines tbody tr").count()).toBe(ROWS);
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  expect(height).toBeLessThanOrEqual(MAX_ROWS_HEIGHT);
  await expectAccessible(page);
});
