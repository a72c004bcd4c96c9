/** `npm run docs:console`: pictures of the console's main screens, wide and narrow, for docs/console.md. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../lib/chromium.ts";
import { LOCAL_OPERATOR_PERSON, LOCAL_PASSWORD, localCode } from "../lib/local-people.ts";
import { Merchant } from "../lib/merchant.ts";
import { NARROW, takePicture } from "../lib/pictures.ts";
import { ROOT } from "../lib/wrangler.ts";
import { startService } from "../lib/service.ts";

const FOLDER = join(ROOT, "docs/images/console");
const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: NARROW };
/** The main screens; `ID` is a paid charge. */
const SCREENS = {
  home: "/console",
  payments: "/console/payments",
  payment: "/console/payments/ID",
  "new-charge": "/console/charges/new",
  withdraws: "/console/withdraws",
  statement: "/console/statement",
  settings: "/console/settings",
  team: "/console/team",
  keys: "/console/keys",
  audit: "/console/audit",
  account: "/console/account",
};
/** The main screens of operators; company 1 is the local one. */
const OPERATOR_SCREENS = {
  company: "/console/operator/companies/1",
  contradiction: "/console/operator/contradictions/1-1",
};

const stateDir = mkdtempSync(join(tmpdir(), "centavo-screenshots-"));
mkdirSync(FOLDER, { recursive: true });
const service = await startService({ stateDir });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await signIn(page, "owner@loja.local", (name) => take(page, name));
  const id = await chargesOfADay(service.base);
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(path.replace("ID", id));
    await take(page, name);
  }
  const operator = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await signIn(operator, LOCAL_OPERATOR_PERSON.email);
  for (const [name, path] of Object.entries(OPERATOR_SCREENS)) {
    await operator.goto(path);
    await take(operator, name);
  }
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
  await page.goto("/console/sign-in?next=/console/account");
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
 * Makes some charges, pays two, one of them twice, and requests two withdraws, of which one gets no answer; returns
 * the id of a paid charge.
 */
async function chargesOfADay(base: string): Promise<string> {
  const merchant = new Merchant(base);
  const payers = ["Maria da Silva", "João Souza", "Ana Lima"];
  const ids: string[] = [];
  for (const [index, name] of payers.entries()) {
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
  return first;
}

async function take(page: Page, name: string): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    await takePicture(page, join(FOLDER, `${name}-${width}.png`));
  }
}
