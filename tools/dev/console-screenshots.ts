/** `npm run docs:console`: pictures of the console's main screens, wide and narrow, and docs/generated/console.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../lib/chromium.ts";
import {
  COMPANY_SCREENS,
  consolePage,
  DOOR_SCREENS,
  OPERATOR_SCREENS,
} from "../lib/console-pictures.ts";
import { LOCAL_OPERATOR_PERSON, LOCAL_PASSWORD, localCode } from "../lib/local-people.ts";
import { Merchant } from "../lib/merchant.ts";
import { NARROW, takePicture } from "../lib/pictures.ts";
import { ROOT } from "../lib/wrangler.ts";
import { startService } from "../lib/service.ts";

const FOLDER = join(ROOT, "docs/images/console");
const PAYERS = ["Maria da Silva", "João Souza", "Ana Lima"] as const;
const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: NARROW };

const stateDir = mkdtempSync(join(tmpdir(), "centavo-screenshots-"));
mkdirSync(FOLDER, { recursive: true });
const service = await startService({ stateDir });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await page.goto(DOOR_SCREENS["password-reset"].path);
  await take(page, "password-reset");
  await signIn(page, "owner@loja.local", (name) => take(page, name));
  const { charge, withdraw } = await dayOf(service.base);
  for (const [name, { path }] of Object.entries(COMPANY_SCREENS)) {
    await page.goto(path.replace("CHARGE", charge).replace("WITHDRAW", withdraw));
    await take(page, name);
  }
  await page.fill("input[name=q]", PAYERS[0]);
  await page.press("input[name=q]", "Enter");
  await page.getByText(PAYERS[0]).first().waitFor();
  await take(page, "find");
  const operator = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await signIn(operator, LOCAL_OPERATOR_PERSON.email);
  for (const [name, { path }] of Object.entries(OPERATOR_SCREENS)) {
    await operator.goto(path);
    await take(operator, name);
  }
  writeFileSync(join(ROOT, "docs/generated/console.md"), consolePage());
} finally {
  await browser.close();
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
}

/** Signs in with password and code; `picture` is called with the name of each page on the way. */
async function signIn(
  page: Page,
  email: string,
  picture: (name: string) => Promise<void> = async () => {},
): Promise<void> {
  await page.goto(DOOR_SCREENS["sign-in"].path);
  await picture("sign-in");
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", LOCAL_PASSWORD);
  await page.click("main form button.primary");
  await picture("code");
  await page.fill("input[name=code]", await localCode());
  await page.click("main form button.primary");
  await page.waitForURL("**/console/account");
}

/**
 * Makes some charges, pays two, one of them twice, and requests three withdraws, of which one gets no answer and one
 * waits for an approval; returns the ids of a paid charge and of the last withdraw.
 */
async function dayOf(base: string): Promise<{ charge: string; withdraw: string }> {
  const merchant = new Merchant(base);
  const ids: string[] = [];
  for (const [index, name] of PAYERS.entries()) {
    const body = { amount: 12_345 * (index + 1), paymentMethod: "PIX", customer: { name } };
    const { body: created } = await merchant.create(body, `picture_${index}`);
    ids.push(created.data.id);
  }
  const [first = "", second = ""] = ids;
  await merchant.pay(first);
  await merchant.pay(second);
  await merchant.pay(second);
  await merchant.withdraw({ amount: 10_000, pixKey: "quem@example.com" }, "picture");
  await merchant.withdraw({ amount: 1_298, pixKey: "quem@example.com" }, "picture_open");
  await merchant.call("PUT", "/api/v1/company/settings", { withdrawApprovalAbove: 5_000 });
  await merchant.withdraw({ amount: 9_000, pixKey: "fornecedor@example.com" }, "picture_waits");
  return { charge: first, withdraw: "3" };
}

async function take(page: Page, name: string): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    await takePicture(page, join(FOLDER, `${name}-${width}.png`));
  }
}
