import { describe, expect, test } from "vitest";
import {
  GENESIS_HASH,
  movementHash,
  type HashedMovement,
} from "../../../../src/domain/ledger/movement-hash.ts";
import { lineNumber, PROVIDER_LINE } from "../../../../src/domain/ledger/statement.ts";
import type { StatementLineView } from "../../../../src/domain/ledger/statement-lines.ts";
import { StatementVerifier } from "../../../../src/domain/ledger/statement-verifier.ts";

const AT = "2026-11-21T12:00:00.000Z";

/** A statement of two movements: a payment with a fee, and a withdraw. */
function statement(): StatementLineView[] {
  const paid = movement(1, GENESIS_HASH, "charge_paid", { transactionId: "t1", withdrawId: null }, [
    ["fees", 100, 100],
    ["available", 2_400, 2_400],
    ["provider", -2_500, -2_500],
  ]);
  const withdrawn = movement(
    2,
    paid.at(-1)!.hash,
    "withdraw_requested",
    { transactionId: null, withdrawId: 1 },
    [
      ["available", -1_000, 1_400],
      ["payout", 1_000, 1_000],
    ],
  );
  return [...paid, ...withdrawn];
}

function movement(
  sequence: number,
  previous: string,
  type: StatementLineView["type"],
  about: Pick<StatementLineView, "transactionId" | "withdrawId">,
  postings: [StatementLineView["account"], number, number][],
): StatementLineView[] {
  const lines = postings.map(([account, amount, balance]) => ({ account, amount, balance }));
  const createdAt = Date.parse(AT);
  const hashed: HashedMovement = { sequence, createdAt, type, ...about, lines, detailsHash: null };
  const hash = movementHash(previous, hashed);
  const shown = { createdAt: AT, type, ...about, hash, detailsHash: null };
  return lines.map((line, index) => {
    const place = line.account === "provider" ? PROVIDER_LINE : index;
    return Object.assign(line, shown, { sequence: lineNumber(sequence, place) });
  });
}

function proofOf(lines: StatementLineView[], anchors: number[] = []) {
  const prover = new StatementVerifier(anchors);
  for (const line of lines) prover.add({ ...line });
  return prover.end();
}

test("proves a full statement, whose balances equal the sums of its amounts", () => {
  const lines = statement();
  expect(proofOf(lines, [17, 31])).toEqual({
    lines: 5,
    movements: 2,
    ledgerSequence: 33,
    ledgerHash: lines.at(-1)!.hash,
    balances: new Map([
      ["fees", 100],
      ["available", 1_400],
      ["provider", -2_500],
      ["payout", 1_000],
    ]),
    hashes: new Map([[17, lines[0]!.hash]]),
    error: null,
    missesProviderLines: false,
  });
});

test("accepts a statement without the provider's lines, but does not prove its sums", () => {
  const own = statement().filter(({ account }) => account !== "provider");
  expect(proofOf(own)).toMatchObject({
    error: null,
    missesProviderLines: true,
    ledgerSequence: 33,
  });
});

test("accepts an empty statement as the start of every ledger", () => {
  expect(proofOf([])).toMatchObject({
    ledgerSequence: 0,
    ledgerHash: GENESIS_HASH,
    error: null,
    missesProviderLines: false,
  });
});

describe("detects every change of the past", () => {
  const without = (index: number) => statement().filter((_, at) => at !== index);
  const changed = (index: number, change: Partial<StatementLineView>) =>
    statement().map((line, at) => (at === index ? Object.assign(line, change) : line));
  test.each([
    ["another amount", changed(1, { amount: 2_500 })],
    ["another amount and balance", changed(1, { amount: 2_500, balance: 2_500 })],
    ["another balance", changed(4, { balance: 1 })],
    ["another account", changed(0, { account: "suspense" })],
    ["another transaction", changed(0, { transactionId: "t2" })],
    ["another withdraw", changed(4, { withdrawId: 2 })],
    ["another type", changed(3, { type: "withdraw_failed" })],
    ["another time", changed(0, { createdAt: "2026-11-21T12:00:00.001Z" })],
    ["another hash", changed(4, { hash: GENESIS_HASH })],
    ["unexpected details", changed(4, { detailsHash: GENESIS_HASH })],
    ["another number", changed(4, { sequence: 34 })],
    ["a missing line", without(0)],
    ["a missing movement", statement().slice(3)],
    ["reordered lines", statement().toReversed()],
    ["a line twice", [...statement(), statement().at(-1)!]],
  ])("%s", (_what, lines) => {
    expect(proofOf(lines).error).not.toBeNull();
  });
});

test("missing lines at the end are detected by the sequence and hash of the balance", () => {
  const cut = proofOf(statement().slice(0, 3));
  expect(cut.error).toBeNull();
  expect(cut.ledgerSequence).not.toBe(proofOf(statement()).ledgerSequence);
  expect(cut.ledgerHash).not.toBe(proofOf(statement()).ledgerHash);
});
