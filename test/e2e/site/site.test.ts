import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { ROOT } from "../../../tools/lib/root.ts";
import { allPages } from "../../../tools/site/pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { givenStateDir } from "../state-dir.ts";

const PHONE = { width: 360, height: 640 };

const stateDir = await givenStateDir("site");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

test.each(["/docs/api", "/docs/operator"])(
  "the reference %s runs without an error",
  async (path) => {
    const page = await openPage(service.base, { locale: "en-US" });
    await page.goto(path);
    await page.waitForSelector(".opblock");
  },
);

test.each([
  ["en-US", "Search", /recipes/],
  ["pt-BR", "Pesquisar", /pt-br\/recipes/],
])("a reader with %s finds boletos by the search", async (locale, label, address) => {
  const page = await openPage(service.base, { locale });
  await page.goto("/docs");
  await page.getByRole("button", { name: label }).click();
  await page.locator("dialog input").fill("boleto");
  const result = page.locator(`dialog a[href*="/recipes/"]`).first();
  await result.waitFor();
  expect(await result.getAttribute("href")).toMatch(address);
});

test("every page fits a phone, and runs without an error", async () => {
  const page = await openPage(service.base, { locale: "pt-BR", viewport: PHONE });
  await page.goto("/docs/pt-br/");
  const paths = await page
    .locator("nav a[href^='/docs/pt-br/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(12);
  for (const path of paths) {
    await page.goto(path);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([path, beyond]).toEqual([path, 0]);
  }
});

test("code has its colours, and can be copied", async () => {
  const page = await openPage(service.base, { locale: "en-US" });
  await page.goto("/docs/sandbox/");
  const colours = await page
    .locator(".expressive-code .ec-line span")
    .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
  expect(colours).toBeGreaterThan(2);
  expect(await page.locator(".expressive-code button").count()).toBeGreaterThan(0);
});

/** Ways to have curl: one of ours, and this machine's if it has one. */
const CURLS = [
  { name: "ours", path: [join(import.meta.dirname, "bin")] },
  ...(hasCurl() ? [{ name: "this machine's", path: [] }] : []),
];

function hasCurl(): boolean {
  return spawnSync("curl", ["--version"]).status === 0;
}

/** Runs a script of curl against the service, in a folder of its own; what it printed. */
async function runScript(text: string, path: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-curl-"));
  try {
    const { stdout } = await promisify(execFile)("sh", ["-euc", text], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: [...path, process.env["PATH"]].join(delimiter),
        CENTAVO_URL: service.base,
      },
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the page of the first charge has all that its blocks for curl need, in order", async () => {
  const page = allPages().find(
    ({ slug, language }) => slug === "first-charge" && language === "en",
  );
  const samples = page?.body.flatMap((part) => ("samples" in part ? part.samples : [])) ?? [];
  const blocks = samples.filter(({ label }) => label === "curl").map(({ code }) => code);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  expect(await runScript(blocks.join("\n"), CURLS[0]?.path ?? [])).toContain('"status":"PAID"');
});

test.each(CURLS)("the samples for curl run to their end with $name", async ({ path }) => {
  const stdout = await runScript(readFileSync(join(ROOT, "examples/curl/charge.sh"), "utf8"), path);
  for (const line of [
    /^pix {8}\S+$/m,
    /"status":"PAID"/,
    /^boleto {5}\S+$/m,
    /^card {7}\S+$/m,
    /^retry {6}\S+$/m,
    /"refundedAmount":500/,
    /"result":"matched".*"result":"missing"/,
    /"enTransaction":"Awaiting"/,
    /^link {7}http\S+$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});
