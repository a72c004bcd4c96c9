import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { limitsPage } from "../../../tools/lib/limits-page.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** The only files of the Worker that go through a door, each by its exit's guards. */
const CALLERS = {
  requestWithdraw: ["src/api/withdraws/service.ts"],
  decideWithdraw: ["src/api/withdraws/approvals/service.ts"],
  requestRefund: ["src/api/transactions/operation-requests.ts"],
  decideExit: ["src/api/refunds/service.ts"],
  // `credit.ts` also carries out a company's rule.
  decidePayment: ["src/api/payments/credit.ts", "src/api/payments/service.ts"],
  decideByOperators: ["src/api/operator/proposals/action.ts"],
};

const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("company/"))
  .map((file) => ({ file: `src/${file}`, text: readFileSync(join(ROOT, "src", file), "utf8") }));

it.each(Object.entries(CALLERS))("only the guarded callers go through %s", (call, callers) => {
  const found = sources.filter(({ text }) => text.includes(`.${call}(`)).map(({ file }) => file);
  expect(found.toSorted()).toEqual(callers);
});

it("docs/generated/limits.md is what the code says: `npm run docs:limits` writes it", () => {
  expect(readFileSync(join(ROOT, "docs/generated/limits.md"), "utf8")).toBe(limitsPage());
});
