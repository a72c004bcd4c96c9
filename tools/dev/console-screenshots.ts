/** `npm run docs:console`: pictures of the console's main screens, wide and narrow, for docs/console.md. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../lib/chromium.ts";
import { LOCAL_PASSWORD, localCode } from "../lib/local-people.ts";
import { ROOT } from "../lib/wrangler.ts";
import { startService } from "../lib/service.ts";

const FOLDER = join(ROOT, "docs/images/console");
/** A repository is no album. */
const MAX_BYTES = 80_000;
const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } };
const SCREENS = { account: "/console/account" };

const stateDir = mkdtempSync(join(tmpdir(), "centavo-screenshots-"));
mkdirSync(FOLDER, { recursive: true });
const service = await startService({ stateDir });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ baseURL: service.base, locale: "pt-BR" });
  await page.goto("/console/sign-in?next=/console/account");
  await take(page, "sign-in");
  await page.fill("input[name=email]", "owner@loja.local");
  await page.fill("input[name=password]", LOCAL_PASSWORD);
  await page.click("main form button.primary");
  await take(page, "code");
  await page.fill("input[name=code]", await localCode());
  await page.click("main form button.primary");
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(path);
    await take(page, name);
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
}

async function take(page: Page, name: string): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    const path = join(FOLDER, `${name}-${width}.png`);
    await page.screenshot({ path, scale: "css", animations: "disabled" });
    if (statSync(path).size > MAX_BYTES) throw new Error(`${path} has over ${MAX_BYTES} bytes`);
    console.log(path);
  }
}
