import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import { expectAccessible } from "../../support/browser/judge.ts";
import { signIn } from "../../support/browser/sign-in.ts";
import { givenStateDir } from "../state-dir.ts";

const stateDir = await givenStateDir("console-money");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

test("a charge is made, its payment appears without a reload, and a part goes back", async () => {
  const page = await openPage(service.base);
  await signIn(page, "finance", "/console/charges/new");
  await page.fill("input[name=amount]", "123,45");
  await page.click("main button[type=submit].primary");
  await page.waitForURL("**/console/payments/*");
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  expect(await page.locator("main svg").count()).toBeGreaterThan(0);
  await expectAccessible(page);

  await page.goto("/console/payments");
  const row = page.locator("tr", { has: page.locator(`a[href$="${id}"]`) });
  expect(await row.textContent()).toContain("Aguardando");
  expect((await new Merchant(service.base).pay(id)).status).toBe(200);
  await row.getByText("Pago").waitFor();

  await page.goto(`/console/payments/${id}/refund`);
  await page.fill("input[name=amount]", "23,45");
  await page.click("main form.action button.primary");
  await expectAccessible(page);
  await page.click("main form.action [type=submit]");
  await page.waitForURL(({ pathname }) => pathname === `/console/payments/${id}`);
  expect(await page.textContent("main")).toMatch(/R\$\s23,45/);
});

test("a withdraw by keyboard only is checked, sent and shown", async () => {
  const merchant = new Merchant(service.base);
  const charge = await merchant.create({ amount: 50_000, paymentMethod: "PIX" }, "tx_keyboard");
  await merchant.pay(charge.body.data.id);
  const page = await openPage(service.base);
  await signIn(page, "owner", "/console/withdraws/new");
  await page.focus("input[name=amount]");
  await page.keyboard.type("100,00");
  await page.keyboard.press("Tab");
  await page.keyboard.type("quem@example.com");
  await page.keyboard.press("Enter");
  const send = page.locator("form[data-once] button.primary");
  await send.waitFor();
  await expectAccessible(page);
  await send.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/withdraws/1?done=requested");
  expect(await page.textContent("main")).toContain("quem@example.com");
  await expectAccessible(page);
});
