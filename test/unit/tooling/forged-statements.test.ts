import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import * as ledger from "../../../src/domain/ledger/ledger.ts";
import { MOVEMENT_RULES } from "../../../src/domain/ledger/movement-rules.ts";
import { parseCsvLine } from "../../../src/domain/ledger/statement-lines.ts";
import { StatementVerifier } from "../../../src/domain/ledger/statement-verifier.ts";
import { verifyStatement } from "../../../tools/lib/statement-verdict.ts";
import {
  loadPythonVerifier,
  PYTHON_START_MS,
  type PythonVerifier,
} from "../../support/builders/ledger/python-verifier.ts";
import { randomLife } from "../../support/builders/ledger/random-life.ts";
import { StatementBuilder } from "../../support/builders/ledger/statement-builder.ts";
import { forAll } from "../../support/builders/requests/property.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const NO_EVIDENCE = { balance: null, anchors: [], publicKey: null };
const PAID = { transactionId: "t1" };
const WITHDRAW = { withdrawId: 1 };

let python: PythonVerifier;
beforeAll(async () => {
  python = await loadPythonVerifier();
}, PYTHON_START_MS);

/** The verdicts of both verifiers, TypeScript's first. */
function verdictsOf({ lines }: StatementBuilder): [string, unknown] {
  const verifier = new StatementVerifier();
  for (const line of lines) verifier.add(parseCsvLine(line) ?? {});
  const own = verifyStatement(verifier.end(), NO_EVIDENCE) ?? "OK";
  return [own, python.run("verdict_of", { lines, ...NO_EVIDENCE })];
}

const charge = (paid: number, fee = 0, awaiting = 0, debt = 0) =>
  ledger.chargePaid({ paid, fee, awaiting, debt });

/** A company with 100,000 centavos available, 10,000 awaiting and 5,000 in suspense. */
function begun(): StatementBuilder {
  return new StatementBuilder(NOON)
    .post("charge_paid", PAID, charge(111_000, 1_000, 10_000))
    .post("payment_suspended", {}, ledger.paymentSuspended(5_000));
}

/** With a withdraw of 10,000 and a fee of 50 in flight. */
const requested = () =>
  begun().post("withdraw_requested", WITHDRAW, ledger.withdrawRequested(10_000, 50));
const paid = () => requested().post("withdraw_paid", WITHDRAW, ledger.withdrawPaid(10_000));
const failed = () =>
  requested().post("withdraw_failed", WITHDRAW, ledger.withdrawReversed(10_000, 50, 0));
const partlyReturned = () =>
  paid().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(4_000, 0, 0));

const move = (from: ledger.Account, to: ledger.Account, amount: number): ledger.Posting[] => [
  { account: from, amount: -amount },
  { account: to, amount },
];

/** Each has right sums, balances and hashes. */
const FORGERIES: [string, () => StatementBuilder, string][] = [
  [
    "available below zero",
    () => begun().post("withdraw_requested", WITHDRAW, ledger.withdrawRequested(100_001, 0)),
    "available cannot be -1",
  ],
  [
    "awaiting below zero",
    () => begun().post("credit_released", PAID, ledger.creditReleased(10_001, 0)),
    "awaiting cannot be -1",
  ],
  [
    "blocked below zero",
    () => begun().post("refund_done", PAID, ledger.refundDone(1)),
    "blocked cannot be -1",
  ],
  [
    "payout below zero",
    () => begun().post("withdraw_paid", WITHDRAW, ledger.withdrawPaid(1)),
    "payout cannot be -1",
  ],
  [
    "suspense below zero",
    () => begun().post("suspense_returned", {}, ledger.suspenseReturned(5_001)),
    "suspense cannot be -1",
  ],
  [
    "fees below zero",
    () =>
      partlyReturned().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(1, 1_051, 0)),
    "fees cannot be -1",
  ],
  [
    "a debt above zero",
    () => begun().post("correction", {}, move("provider", "debt", 1)),
    "debt cannot be 1",
  ],
  [
    "money available beside a debt",
    () => begun().post("correction", {}, move("debt", "provider", 1)),
    "available is 100000 beside a debt",
  ],
  [
    "a payment out of another company's fees",
    () => begun().post("charge_paid", PAID, move("fees", "available", 1_000)),
    "charge_paid does not take from fees",
  ],
  [
    "a payout that takes from available",
    () => requested().post("withdraw_paid", WITHDRAW, move("available", "provider", 10_000)),
    "withdraw_paid does not touch available",
  ],
  [
    "a refund that brings money",
    () => begun().post("refund_done", PAID, move("provider", "blocked", 1)),
    "refund_done does not add to blocked",
  ],
  [
    "suspense that a release empties",
    () => begun().post("credit_released", PAID, move("suspense", "available", 5_000)),
    "credit_released does not touch suspense",
  ],
  [
    "a correction out of the fees",
    () => begun().post("correction", {}, move("fees", "available", 1_000)),
    "correction does not touch fees",
  ],
  [
    "a payment of no transaction",
    () => begun().post("charge_paid", {}, charge(1)),
    "its transactionId or withdrawId does not fit charge_paid",
  ],
  [
    "a payment without a charge of a withdraw",
    () => requested().post("payment_suspended", WITHDRAW, ledger.paymentSuspended(1)),
    "its transactionId or withdrawId does not fit payment_suspended",
  ],
  [
    "a withdraw of a transaction",
    () =>
      begun().post(
        "withdraw_requested",
        { ...PAID, ...WITHDRAW },
        ledger.withdrawRequested(10_000, 50),
      ),
    "its transactionId or withdrawId does not fit withdraw_requested",
  ],
  [
    "a correction of a withdraw",
    () => requested().post("correction", WITHDRAW, move("provider", "available", 1)),
    "its transactionId or withdrawId does not fit correction",
  ],
  [
    "a time that falls",
    () => begun().advance(-1).post("charge_paid", PAID, charge(1)),
    "it is earlier than the one before",
  ],
  [
    "a withdraw that is requested twice",
    () => requested().post("withdraw_requested", WITHDRAW, ledger.withdrawRequested(10_000, 50)),
    "withdraw_requested cannot follow withdraw_requested of withdraw 1",
  ],
  [
    "a withdraw that is paid and was never requested",
    () => requested().post("withdraw_paid", { withdrawId: 2 }, ledger.withdrawPaid(10_000)),
    "withdraw_paid cannot follow nothing of withdraw 2",
  ],
  [
    "a withdraw that is paid twice",
    () =>
      paid()
        .post("withdraw_requested", { withdrawId: 2 }, ledger.withdrawRequested(10_000, 50))
        .post("withdraw_paid", WITHDRAW, ledger.withdrawPaid(10_000)),
    "withdraw_paid cannot follow withdraw_paid of withdraw 1",
  ],
  [
    "a withdraw of which another amount is paid",
    () => requested().post("withdraw_paid", WITHDRAW, ledger.withdrawPaid(9_999)),
    "withdraw_paid of 9999 with a fee of 0 does not fit withdraw 1",
  ],
  [
    "a withdraw of which another amount fails",
    () => requested().post("withdraw_failed", WITHDRAW, ledger.withdrawReversed(9_999, 50, 0)),
    "withdraw_failed of 9999 with a fee of 50 does not fit withdraw 1",
  ],
  [
    "a cancelled withdraw with another fee",
    () => requested().post("withdraw_cancelled", WITHDRAW, ledger.withdrawReversed(10_000, 51, 0)),
    "withdraw_cancelled of 10000 with a fee of 51 does not fit withdraw 1",
  ],
  [
    "a withdraw of nothing but a fee",
    () => begun().post("withdraw_requested", WITHDRAW, move("available", "fees", 50)),
    "withdraw_requested of 0 with a fee of 50 does not fit withdraw 1",
  ],
  [
    "a withdraw that fails after it was paid",
    () =>
      paid()
        .post("withdraw_requested", { withdrawId: 2 }, ledger.withdrawRequested(10_000, 50))
        .post("withdraw_failed", WITHDRAW, ledger.withdrawReversed(10_000, 50, 0)),
    "withdraw_failed cannot follow withdraw_paid of withdraw 1",
  ],
  [
    "a failed withdraw that comes back",
    () => failed().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(10_000, 50, 0)),
    "withdraw_returned cannot follow withdraw_failed of withdraw 1",
  ],
  [
    "a withdraw of which more comes back than was paid",
    () => paid().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(10_001, 50, 0)),
    "withdraw_returned of 10001 with a fee of 50 does not fit withdraw 1",
  ],
  [
    "a withdraw of which more comes back in parts than was paid",
    () =>
      partlyReturned().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(6_001, 50, 0)),
    "withdraw_returned of 6001 with a fee of 50 does not fit withdraw 1",
  ],
  [
    "a withdraw of which more comes back than was paid, without its fee",
    () => paid().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(10_001, 0, 0)),
    "withdraw_returned of 10001 with a fee of 0 does not fit withdraw 1",
  ],
  [
    "a withdraw of which more comes back in three parts than was paid",
    () =>
      partlyReturned()
        .post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(4_000, 0, 0))
        .post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(4_000, 0, 0)),
    "withdraw_returned of 4000 with a fee of 0 does not fit withdraw 1",
  ],
  [
    "a fee that comes back with the first part",
    () => paid().post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(4_000, 50, 0)),
    "withdraw_returned of 4000 with a fee of 50 does not fit withdraw 1",
  ],
  [
    "a withdraw that is requested after it came back",
    () =>
      paid()
        .post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(10_000, 50, 0))
        .post("withdraw_requested", WITHDRAW, ledger.withdrawRequested(10_000, 50)),
    "withdraw_requested cannot follow withdraw_returned of withdraw 1",
  ],
  [
    "a failed withdraw that is requested again and fails again",
    () =>
      failed()
        .post("withdraw_requested", WITHDRAW, ledger.withdrawRequested(10_000, 50))
        .post("withdraw_failed", WITHDRAW, ledger.withdrawReversed(10_000, 50, 0)),
    "withdraw_failed cannot follow withdraw_requested of withdraw 1",
  ],
];

describe("both verifiers", () => {
  it.each(FORGERIES)("find %s", (_name, forge, error) => {
    const statement = forge();
    const newest = Math.floor(Number(statement.lines.at(-1)!.split(",")[0]) / 16);
    const verdict = `movement ${newest}: ${error}`;
    expect(verdictsOf(statement)).toEqual([verdict, verdict]);
  });

  it.each(["withdraw_failed", "withdraw_cancelled"] as const)(
    "accept that operators book a withdraw as paid after %s, partly as debt",
    (type) => {
      const statement = requested()
        .post(type, WITHDRAW, ledger.withdrawReversed(10_000, 50, 0))
        .post("withdraw_requested", { withdrawId: 2 }, ledger.withdrawRequested(95_000, 0))
        .post("withdraw_requested", WITHDRAW, ledger.withdrawReinstated(10_000, 50, 5_000))
        .post("withdraw_paid", WITHDRAW, ledger.withdrawPaid(10_000))
        .post("withdraw_returned", WITHDRAW, ledger.withdrawReturned(10_000, 50, 5_050));
      expect(verdictsOf(statement)).toEqual(["OK", "OK"]);
    },
  );

  it("accept each of 200 random lives, and reject each with one more centavo somewhere", () => {
    const forged: [string, unknown][] = [];
    const wrong: unknown[] = [];
    forAll(200, (random) => {
      const statement = randomLife(random);
      const [own, other] = verdictsOf(statement);
      if (own !== "OK" || other !== "OK") wrong.push([own, other]);
      forged.push(
        verdictsOf(
          statement.post("withdraw_paid", { withdrawId: 99 }, move("payout", "provider", 1)),
        ),
      );
    });
    expect(wrong).toEqual([]);
    expect(forged.filter(([own, other]) => own === "OK" || own !== other)).toEqual([]);
  });
});

describe("the rules of movements", () => {
  const ids = { transaction: "transaction", payment: "transaction, or none", withdraw: "withdraw" };
  const rules = ledger.MOVEMENT_TYPES.map((type) => {
    const { about, accounts } = MOVEMENT_RULES[type];
    const touched = (other: string) =>
      ledger.ACCOUNTS.filter((account) => accounts[account] !== undefined)
        .filter((account) => accounts[account] !== other)
        .toSorted()
        .join(" ");
    return [type, about, touched("adds"), touched("takes")];
  });

  it("are those of docs/ledger.md", () => {
    const written = readFileSync(join(import.meta.dirname, "../../../docs/ledger.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.replaceAll(/[`,]/g, "").trim()));
    expect(written.map(([, ...cells]) => cells.slice(0, 4))).toEqual(
      rules.map(([type, about, takes, adds]) => [
        type,
        about === "nothing" ? "neither" : ids[about as keyof typeof ids].replace(",", ""),
        takes,
        adds,
      ]),
    );
  });

  it("are those of verify_ledger.py", () => {
    const types = python.python.runPython(
      'json.dumps({k: [v[0], *(" ".join(sorted(part.split())) for part in v[1:])] for k, v in tool["TYPES"].items()})',
    ) as string;
    expect(JSON.parse(types)).toEqual(
      Object.fromEntries(rules.map(([type, about, takes, adds]) => [type, [about, adds, takes]])),
    );
  });
});
