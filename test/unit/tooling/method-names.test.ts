import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAYMENT_METHODS } from "../../../src/domain/charges/charge-status.ts";

const SRC = join(import.meta.dirname, "../../../src");
const FOLDERS = ["pix", "boleto", "card"];

/** Places that may name a payment method, and why. */
const MAY_NAME: [path: string, why: string][] = [
  ["methods/", "the methods themselves and their registry"],
  ["providers/", "an adapter translates each method to its provider's API"],
  ["domain/charges/charge-status.ts", "the contract's enum"],
  ["db/schema/psp-accounts.ts", "what an account of before carried"],
  ["domain/events/api-examples.ts", "one whole example for the API reference"],
  ["http/openapi/", "a tag of the API reference, and its examples"],
  ["domain/ledger/entries/titles.ts", "what a person calls a payment and its return, by method"],
  ["api/statement/schemas.ts", "an example"],
  ["api/subscriptions/", "automatic debits are those of one method (Pix Automático)"],
  ["api/pix/", "reads any PIX code"],
  ["api/boletos/", "reads any boleto, and shows slips"],
  ["api/cards/", "makes card tokens"],
  ["pages/console/screens/new-charge/", "a form with fields of each method"],
];

const NAMES = PAYMENT_METHODS.join("|");
const NAMED = [
  new RegExp(`["'\`](?:${NAMES})["'\`]`),
  // The key of an object, or a member of one.
  new RegExp(`^\\s*(?:${NAMES})\\s*[:,(]|[{,.]\\s*(?:${NAMES})\\b`),
  new RegExp(`(?:from|import\\()\\s*"[^"]*methods/(?:${FOLDERS.join("|")})/`),
];

test("a payment method is named only where it must be", async () => {
  const found: string[] = [];
  for (const path of await sourceFiles()) {
    if (MAY_NAME.some(([place]) => path.startsWith(place))) continue;
    const lines = (await readFile(join(SRC, path), "utf8")).split("\n");
    lines.forEach((line, index) => {
      if (isNamed(line)) found.push(`${path}:${index + 1} ${line.trim()}`);
    });
  }
  expect(found).toEqual([]);
});

test.each([
  'if (row.paymentMethod === "PIX") return;',
  "sql`payment_method <> 'BOLETO'`",
  "  CREDIT_CARD: 30,",
  "const { PIX, ...rest } = fees;",
  "fees.BOLETO",
  'import { truncateCard } from "../../methods/card/card.ts";',
  'const { slipPdf } = await import("../../../src/methods/boleto/slip/pdf.ts");',
])("finds %s", (line) => {
  expect(isNamed(line)).toBe(true);
});

test.each([
  "/** A dispute (PIX: MED) blocks the money. */",
  '    -- Such as {"PIX":{"count":9}}',
  '  .openapi({ description: "PIX: a boleto is paid by its PIX code" }),',
  'import { methodOf } from "../../methods/registry.ts";',
])("passes %s", (line) => {
  expect(isNamed(line)).toBe(false);
});

test.each(MAY_NAME)("%s still names one", async (place) => {
  const files = (await sourceFiles()).filter((path) => path.startsWith(place));
  const texts = await Promise.all(files.map((path) => readFile(join(SRC, path), "utf8")));
  expect(texts.some((text) => text.split("\n").some(isNamed))).toBe(true);
});

function isNamed(line: string): boolean {
  return !/^\s*(?:\*|\/\*|-- )/.test(line) && NAMED.some((pattern) => pattern.test(line));
}

async function sourceFiles(): Promise<string[]> {
  const entries = await readdir(SRC, { recursive: true });
  return entries.filter((path) => path.endsWith(".ts")).toSorted();
}
