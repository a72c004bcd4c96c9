import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../../src");
const MONEY = "domain/shared/money.ts";

/** A conversion between centavos and reais: `* 100`, `/ 100`, `toFixed(2)`. */
const CONVERSION = /[*/] ?100\b(?!%|_)|toFixed\(2\)/;
const COMMENT = /^\s*(?:\/\*)?\*/;

/** What is multiplied or divided by a hundred and is no money. */
const NO_MONEY: Record<string, string> = {
  "domain/shared/bank-holidays.ts": "a year's century",
  "db/watch/providers.ts": "a percentage of a quota",
  "domain/reconciliation/provider-calls.ts": "a percentage of a quota",
  "domain/storage/quotas.ts": "a percentage of a quota",
  "domain/storage/storage-limits.ts": "a percentage of storage",
  "api/settings/take-quota.ts": "a percentage of a quota",
  "methods/boleto/slip/slip.ts": "a percentage in hundredths",
  "providers/pagarme/order-request.ts": "a percentage in hundredths",
  "pages/console/screens/operator/company/health.tsx": "a share in percent",
  "pages/console/screens/operator/status/routes.tsx": "a share in percent",
};

/** Where money must become text and no module of ours can be imported. */
const IN_THE_BROWSER = ["pages/console/ui/scripts/live.ts"];

test("centavos become reais, and reais centavos, in one module", async () => {
  const found = new Set<string>();
  for await (const file of glob("**/*.{ts,tsx}", { cwd: SOURCES })) {
    const lines = (await readFile(join(SOURCES, file), "utf8")).split("\n");
    if (lines.some((line) => CONVERSION.test(line) && !COMMENT.test(line))) found.add(file);
  }
  expect([...found].toSorted()).toEqual(
    [MONEY, ...IN_THE_BROWSER, ...Object.keys(NO_MONEY)].toSorted(),
  );
});
