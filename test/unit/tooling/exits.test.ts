import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CompanyRpc } from "../../../src/company/rpc.ts";
import {
  EXIT_NAMES,
  EXITS,
  type ExitGuards,
  type ExitName,
} from "../../../src/domain/exits/exits.ts";

const ROOT = join(import.meta.dirname, "../../..");
const guards: Record<ExitName, ExitGuards> = EXITS;

/**
 * Which exits each call of the company's object is the door of. A call that is missing here does not compile: whoever
 * adds one says whether money leaves by it.
 */
const DOORS: Record<keyof CompanyRpc, readonly ExitName[]> = {
  requestWithdraw: ["withdraw"],
  decideWithdraw: ["withdraw"],
  requestRefund: ["refund"],
  decideExit: ["refund", "return"],
  decidePayment: ["return", "credit"],
  decideByOperators: ["operatorDecision"],
  recordDispute: ["lostDispute"],
  // These carry another call.
  callWithDeadline: [],
  callWithTrace: [],
  // What a bank reports, and what was decided before.
  settlePayment: [],
  suspendPayment: [],
  transitionCharge: [],
  recordOperation: [],
  recordProviderRefund: [],
  recordPayout: [],
  recordRecheck: [],
  recordFinding: [],
  claimOperation: [],
  claimPayout: [],
  claimRecheck: [],
  // A cancel ends a charge that nobody paid; a capture brings money in. A cancelled withdraw was not sent.
  requestCancelOrCapture: [],
  cancelWithdraw: [],
  previewWithdraw: [],
  // A freeze stops exits; its end takes two operators (`decideByOperators`), but of a sandbox company.
  setFrozen: [],
  admitCardAttempt: [],
  submitEvidence: [],
  writePaymentLink: [],
  takePlace: [],
  renewPlace: [],
  useCardSession: [],
  addAllowedPixKey: [],
  removeAllowedPixKey: [],
  announceAnchor: [],
  announceSettingsChange: [],
  announceTestEvent: [],
  announceStorageFilling: [],
  auditLedger: [],
  acquireDeliveryLease: [],
  releaseDeliveryLease: [],
  takeQuota: [],
  erasePayers: [],
  raiseNumbers: [],
  restoreToTime: [],
  invalidateCredentials: [],
  retireCredentials: [],
  runNow: [],
  // Reads.
  findCharge: [],
  history: [],
  findSuspendedPayment: [],
  listSuspendedPayments: [],
  findDispute: [],
  listWaitingExits: [],
  findExit: [],
  findOperation: [],
  findReceivedPayments: [],
  listAllowedPixKeys: [],
  findWithdraw: [],
  listWithdraws: [],
  findPayout: [],
  findContradiction: [],
  findFreeze: [],
  balances: [],
  forecast: [],
  statement: [],
  ledgerPosition: [],
  ledgerHead: [],
  isFrozen: [],
  snapshot: [],
  inspect: [],
};

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

it("every exit has a door in the company's object", () => {
  expect([...new Set(Object.values(DOORS).flat())].toSorted()).toEqual([...EXIT_NAMES].toSorted());
});

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
