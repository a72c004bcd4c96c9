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
  pathIn,
  type PicturedIds,
} from "../lib/console-pictures.ts";
import { LOCAL_OPERATOR_PERSON, LOCAL_PASSWORD, localCode } from "../lib/local-people.ts";
import { Merchant } from "../lib/merchant.ts";
import { NARROW, takePicture } from "../lib/pictures.ts";
import { ROOT } from "../lib/wrangler.ts";
import { startService } from "../lib/service.ts";

const FOLDER = join(ROOT, "docs/images/console");
const PAYERS = ["Maria da Silva", "João Souza", "Ana Lima"] as const;
const DOCUMENTS = ["52998224725", "11144477735", "39053344705"] as const;
const BUYER = { name: "Padaria Pão Quente", document: { number: "11222333000181", type: "CNPJ" } };
const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: NARROW };

const stateDir = mkdtempSync(join(tmpdir(), "centavo-screenshots-"));
mkdirSync(FOLDER, { recursive: true });
const service = await startService({ stateDir });
const browser = await launchChromium("pt_BR.UTF-8");
try {
  const page = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await page.goto(DOOR_SCREENS["password-reset"].path);
  await take(page, "password-reset");
  await signIn(page, "owner@loja.local", (name) => take(page, name));
  const ids = await dayOf(service.base);
  await withdrawOf(await browser.newPage({ baseURL: service.base, locale: "pt-BR" }));
  for (const [name, screen] of Object.entries(COMPANY_SCREENS)) {
    await page.goto(pathIn(ids, screen));
    await take(page, name);
  }
  await page.fill("input[name=q]", PAYERS[0]);
  await page.press("input[name=q]", "Enter");
  await page.getByText(PAYERS[0]).first().waitFor();
  await take(page, "find");
  await counterOf(await browser.newPage({ baseURL: service.base, locale: "pt-BR" }));
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

/** Signs in with password, and code where the role has one; `picture` is called with the name of each page on the way. */
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
  await page.waitForURL(({ pathname }) => pathname !== "/console/sign-in");
  if (page.url().includes("/sign-in/code")) {
    await picture("code");
    await page.fill("input[name=code]", await localCode());
    await page.click("main form button.primary");
  }
  await page.waitForURL("**/console/account");
}

/** A withdraw that waits for an approval. */
async function withdrawOf(page: Page): Promise<void> {
  await signIn(page, "finance@loja.local");
  await page.goto("/console/withdraws/new");
  await page.fill("input[name=amount]", "90,00");
  await page.fill("input[name=pixKey]", "fornecedor@example.com");
  await page.click("main form button.primary");
  await page.click("form[data-once] button.primary");
  await page.waitForURL("**/console/withdraws/3?**");
}

/** A cashier's shift, with a payment that arrived. */
async function counterOf(page: Page): Promise<void> {
  await signIn(page, "cashier@loja.local");
  await page.goto("/console/cashier");
  await page.click("form[action$='/open'] button");
  await page.waitForURL(/\/console\/cashier$/);
  await page.fill("input[name=amount]", "25,00");
  await take(page, "counter");
  await page.click("form[action$='/charges'] button");
  await page.waitForURL("**/charges/*");
  await new Merchant(service.base).pay(page.url().split("/").at(-1) ?? "");
  await page.locator("[data-arrival=arrived]").waitFor();
  await take(page, "arrival");
}

/**
 * A day of a shop: charges that are paid, one of them twice and one disputed, one that waits, a slip whose money comes
 * later, and two withdraws, of which one gets no answer.
 */
async function dayOf(base: string): Promise<PicturedIds> {
  const merchant = new Merchant(base);
  const charge = async (body: object, key: string): Promise<string> => {
    const { body: created } = await merchant.create({ paymentMethod: "PIX", ...body }, key);
    return created.data.id;
  };
  const ids: string[] = [];
  for (const [index, name] of PAYERS.entries()) {
    const document = { number: DOCUMENTS[index], type: "CPF" };
    const order = { amount: 12_345 * (index + 1), externalRef: `pedido-${1041 + index}` };
    ids.push(await charge({ ...order, customer: { name, document } }, `picture_${index}`));
  }
  const [paid = "", twice = "", disputed = ""] = ids;
  const slip = await charge({ amount: 48_000, paymentMethod: "BOLETO", customer: BUYER }, "slip");
  for (const id of [paid, twice, twice, disputed, slip]) await merchant.pay(id);
  const maria = { name: PAYERS[0], document: { number: DOCUMENTS[0], type: "CPF" } };
  await charge({ amount: 5_990, externalRef: "pedido-1044", customer: maria }, "picture_waits");
  const claim = { reason: "MED_FRAUD" };
  const path = `/api/v1/sandbox/transactions/${disputed}/dispute`;
  const { data } = (await merchant.call("POST", path, claim)).body;
  const code = { amount: 1_500, description: "Café da tarde" };
  const made = await merchant.call("POST", "/api/v1/pix/static-codes", code);
  await merchant.withdraw({ amount: 10_000, pixKey: "quem@example.com" }, "picture");
  await merchant.withdraw({ amount: 1_298, pixKey: "quem@example.com" }, "picture_open");
  await merchant.call("PUT", "/api/v1/company/settings", { withdrawApprovalAbove: 5_000 });
  const forecast = await merchant.call("GET", "/api/Balance/forecast/1?currency=BRL");
  return {
    CHARGE: paid,
    WITHDRAW: "3",
    DISPUTE: data.dispute.id,
    CODE: made.body.data.id,
    DAY: forecast.body.items[0].date,
  };
}

async function take(page: Page, name: string): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    await takePicture(page, join(FOLDER, `${name}-${width}.png`));
  }
}
