import { expect } from "vitest";

/** Fails on what a page must never show: values that nobody filled, open places of texts, inline styles. */
export function expectClean(html: string): void {
  const seen = html.replaceAll(/<(?:svg|pre)[\s\S]*?<\/(?:svg|pre)>/g, "");
  expect(seen).not.toMatch(/\bundefined\b|\bnull\b|\bNaN\b|\[object/);
  expect(seen).not.toMatch(/\{\w+\}/);
  expect(seen).not.toMatch(/\sstyle=|<script(?! src=)/);
}

/** The idempotency key of the page's form. */
export function keyOf(html: string): string {
  return /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
}
