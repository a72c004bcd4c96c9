import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  EXIT_NAMES,
  EXITS,
  type ExitGuards,
  type ExitName,
} from "../../../src/domain/exits/exits.ts";

const ROOT = join(import.meta.dirname, "../../..");
const guards: Record<ExitName, ExitGuards> = EXITS;

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

it("docs/security.md shows each exit with its guards", () => {
  const page = readFileSync(join(ROOT, "docs/security.md"), "utf8");
  const shown = page
    .slice(page.indexOf("## Ways out of the money"))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  const rows = new Map(shown.map(([, name = "", ...cells]) => [name, cells.slice(0, -1)]));
  for (const name of EXIT_NAMES) expect(rows.get(name), name).toEqual(cellsOf(guards[name]));
});

/** An exit's row of the table, without its name. */
function cellsOf(exit: ExitGuards): string[] {
  const { asker, scope, idempotencyKey, limits, approval, stoppedByFreeze, reason } = exit;
  return [
    asker.join(", "),
    scope ?? "",
    idempotencyKey ? "required" : "",
    limits.join(", "),
    approval === "always" ? "always two operators" : (approval ?? ""),
    stoppedByFreeze ? "stopped" : "goes on",
    reason === "none" ? "" : reason,
    exit.row ?? "",
    exit.audit ?? "",
  ];
}
