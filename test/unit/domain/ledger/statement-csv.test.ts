import { describe, expect, test } from "vitest";
import { ACCOUNTS } from "../../../../src/domain/ledger/ledger.ts";
import { statementLineView, type StatementLine } from "../../../../src/domain/ledger/statement.ts";
import {
  STATEMENT_CSV_HEADER,
  statementCsvLine,
} from "../../../../src/domain/ledger/statement-csv.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const LINE: StatementLine = {
  sequence: 2,
  createdAt: Date.parse("2026-11-21T12:00:05.000Z"),
  type: "charge_paid",
  account: "available",
  amount: 2_500,
  balance: 12_500,
  transactionId: "019aa6f0-5f3c-8a5e-9c1d-7b2f4e000001",
  withdrawId: null,
  hash: "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801",
  detailsHash: "2e5f708192a3b4c5d6e7f8010f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d",
};

const csvOf = (line: StatementLine): string => statementCsvLine(statementLineView(line));

describe("a statement's CSV", () => {
  test("has the members of the JSON line as its header", () => {
    expect(STATEMENT_CSV_HEADER).toBe(`${Object.keys(statementLineView(LINE)).join(",")}\r\n`);
  });

  test("has a line's values in the header's order, with empty cells for null", () => {
    expect(csvOf(LINE)).toBe(
      `2,2026-11-21T12:00:05.000Z,charge_paid,available,2500,12500,${LINE.transactionId},,${LINE.hash},${LINE.detailsHash}\r\n`,
    );
    expect(csvOf({ ...LINE, transactionId: null, withdrawId: 7, detailsHash: null })).toBe(
      `2,2026-11-21T12:00:05.000Z,charge_paid,available,2500,12500,,7,${LINE.hash},\r\n`,
    );
  });

  test("writes zero and negative numbers as plain numbers", () => {
    const line = csvOf({ ...LINE, amount: -999_999_999_999, balance: 0 });
    expect(line).toContain(",-999999999999,0,");
    const large = csvOf({ ...LINE, amount: Number.MAX_SAFE_INTEGER, balance: -1 });
    expect(large).toContain(",9007199254740991,-1,");
  });

  test("splits into its values again at every comma", () => {
    forAll(1_000, (random) => {
      const line: StatementLine = {
        ...LINE,
        sequence: random.integer(1, 10 ** 12),
        createdAt: random.integer(0, 4_000_000_000_000),
        type: random.pick(["charge_paid", "dispute_lost", "withdraw_returned"] as const),
        account: random.pick(ACCOUNTS),
        amount: random.integer(-(10 ** 12), 10 ** 12),
        balance: random.integer(-(10 ** 13), 10 ** 13),
        withdrawId: random.pick([null, random.integer(1, 10 ** 9)]),
      };
      const values = csvOf(line).split("\r\n")[0]?.split(",");
      expect(values).toEqual(
        Object.values(statementLineView(line)).map((value) =>
          value === null ? "" : String(value),
        ),
      );
    });
  });
});
