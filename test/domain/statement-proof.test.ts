import { describe, expect, test } from "vitest";
import { GENESIS_HASH, movementHash } from "../../src/domain/movement-hash.ts";
import { StatementProver, type ShownLine } from "../../src/domain/statement-proof.ts";

const AT = "2026-11-21T12:00:00.000Z";

/** A statement of two movements: a payment with a fee, and a withdraw. */
function statement(): ShownLine[] {
  const paid = movement(1, GENESIS_HASH, "charge_paid", { transactionId: "t1", withdrawId: null }, [
    ["fees", 100, 100],
    ["available", 2_400, 2_400],
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
  return [...paid, ...withdrawn].map((line, index) =>
    Object.assign(line, { sequence: 2 + index * 2 }),
  );
}

function movement(
  sequence: number,
  previous: string,
  type: ShownLine["type"],
  about: Pick<ShownLine, "transactionId" | "withdrawId">,
  postings: [ShownLine["account"], number, number][],
): ShownLine[] {
  const lines = postings.map(([account, amount, balance]) => ({ account, amount, balance }));
  const createdAt = Date.parse(AT);
  const hash = movementHash(previous, { sequence, createdAt, type, ...about, lines });
  const shown = { sequence: 0, createdAt: AT, type, ...about, hash };
  return lines.map((line) => Object.assign(line, shown));
}

function proofOf(lines: ShownLine[]) {
  const prover = new StatementProver();
  for (const line of lines) prover.add(line);
  return prover.end();
}

test("a whole statement is proven, and its balances are what its amounts add up to", () => {
  const lines = statement();
  expect(proofOf(lines)).toEqual({
    lines: 4,
    movements: 2,
    ledgerSequence: 8,
    ledgerHash: lines.at(-1)!.hash,
    balances: new Map([
      ["fees", 100],
      ["available", 1_400],
      ["payout", 1_000],
    ]),
    fault: null,
  });
});

test("a statement of nothing is the beginning of every ledger", () => {
  expect(proofOf([])).toMatchObject({ ledgerSequence: 0, ledgerHash: GENESIS_HASH, fault: null });
});

describe("no change of the past goes unseen", () => {
  const without = (index: number) => statement().filter((_, at) => at !== index);
  const changed = (index: number, change: Partial<ShownLine>) =>
    statement().map((line, at) => (at === index ? Object.assign(line, change) : line));
  test.each([
    ["another amount", changed(1, { amount: 2_500 })],
    ["another amount and balance", changed(1, { amount: 2_500, balance: 2_500 })],
    ["another balance", changed(3, { balance: 1 })],
    ["another account", changed(0, { account: "suspense" })],
    ["another transaction", changed(0, { transactionId: "t2" })],
    ["another withdraw", changed(3, { withdrawId: 2 })],
    ["another type", changed(2, { type: "withdraw_failed" })],
    ["another time", changed(0, { createdAt: "2026-11-21T12:00:00.001Z" })],
    ["another hash", changed(3, { hash: GENESIS_HASH })],
    ["a line that is gone", without(0)],
    ["a movement that is gone", statement().slice(2)],
    ["lines that changed places", statement().toReversed()],
    ["a line twice", [...statement(), statement().at(-1)!]],
  ])("%s", (_what, lines) => {
    expect(proofOf(lines).fault).not.toBeNull();
  });
});

test("lines missing at the end are seen by the number and hash that the balance tells", () => {
  const cut = proofOf(statement().slice(0, 2));
  expect(cut.fault).toBeNull();
  expect(cut.ledgerSequence).not.toBe(proofOf(statement()).ledgerSequence);
  expect(cut.ledgerHash).not.toBe(proofOf(statement()).ledgerHash);
});
