import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a theme may break. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Asserts that axe finds nothing on the page or in the frame, by all its rules or some. A frame in it is judged by itself. */
export async function expectAccessible(page: Page | Frame, rules?: string[]): Promise<void> {
  // Evaluated by the debugger, so the page's own security policy stays in force. Once a page.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options = { iframes: false, ...(rules === undefined ? {} : { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(run);
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

/** The bytes of the page and of every file that it loads, compressed as Cloudflare would. */
export async function pageWeight(page: Page): Promise<number> {
  const files = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map((entry) => entry.name)",
  );
  const sizes = await Promise.all(
    [page.url(), ...new Set(files)].map(async (url) => {
      const answer = await page.request.get(url);
      return gzipSync(await answer.body()).length;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
