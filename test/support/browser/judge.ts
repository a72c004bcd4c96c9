import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a theme may break. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Asserts that axe finds nothing on the page or in the frame, by all its rules or some. A frame in it is judged by itself. */
export async function expectAccessible(page: Page | Frame, rules?: string[]): Promise<void> {
  // Evaluated by the debugger, so the page's own security policy stays in force. Once a page.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  // What is right is neither described nor sent here: it is most of an answer.
  const resultTypes: RunOptions["resultTypes"] = ["violations"];
  const options = { iframes: false, resultTypes, ...(rules && { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeResults["violations"]>(run);
  const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
  expect.soft(found, page.url()).toEqual([]);
}

/** Asserts that nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect.soft(overflow, page.url()).toBe(0);
}

/** The compressed bytes of files that pages share, by their addresses. */
const fileSizes = new Map<string, Promise<number>>();

/** The bytes of the page and of every file that it loads, compressed as Cloudflare would. */
export async function pageWeight(page: Page): Promise<number> {
  const files = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map((entry) => entry.name)",
  );
  const sizeOf = async (url: string) => {
    const answer = await page.request.get(url);
    return gzipSync(await answer.body()).length;
  };
  for (const url of files) if (!fileSizes.has(url)) fileSizes.set(url, sizeOf(url));
  const shared = [...new Set(files)].map((url) => fileSizes.get(url)!);
  const sizes = await Promise.all([sizeOf(page.url()), ...shared]);
  return sizes.reduce((sum, size) => sum + size, 0);
}
