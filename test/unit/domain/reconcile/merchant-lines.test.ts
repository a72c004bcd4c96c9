import { describe, expect, it } from "vitest";
import { SEARCH_STATUSES } from "../../../../src/domain/charges/charge-status.ts";
import {
  matchLines,
  type ComparedTransaction,
  type MerchantLine,
} from "../../../../src/domain/reconcile/merchant-lines.ts";

function transaction(seq: number, changes: Partial<ComparedTransaction> = {}): ComparedTransaction {
  return {
    id: `id-${seq}`,
    seq,
    externalRef: `ref-${seq}`,
    endToEndId: `E${seq}`,
    amount: 1_000,
    paidAmount: 990,
    paidAt: 5,
    paymentMethod: "PIX",
    status: "paid",
    createdAt: seq,
    updatedAt: seq,
    expiresAt: null,
    cancelReason: null,
    ...changes,
  };
}

const PAID = transaction(1);
const OPEN = transaction(2, { status: "waiting_payment", paidAt: null, paidAmount: 0 });
const REFUSED = transaction(3, { status: "refused", paidAt: null, paidAmount: 0 });
const matched = (id: string) => ({ result: "matched", id });
const mismatch = (id: string, ...differences: [string, unknown, unknown][]) => ({
  result: "mismatch",
  id,
  differences: differences.map(([field, theirs, ours]) => ({ field, theirs, ours })),
});
const MISSING = { result: "missing", id: null };
const duplicate = (id: string) => ({ result: "duplicate", id });

describe("a line", () => {
  it.each<[string, MerchantLine, object]>([
    ["by its id", { id: "id-1" }, matched("id-1")],
    ["by its id in capitals", { id: "ID-1" }, matched("id-1")],
    ["by its end-to-end id", { endToEndId: "E1" }, matched("id-1")],
    ["by its externalRef", { externalRef: "ref-1" }, matched("id-1")],
    ["with all that is right", { id: "id-1", amount: 1_000, paidAmount: 990 }, matched("id-1")],
    ["of no transaction", { id: "id-9" }, MISSING],
    ["of no externalRef", { externalRef: "ref-9" }, MISSING],
    ["of no end-to-end id", { endToEndId: "E9", externalRef: "ref-1" }, MISSING],
    ["of another amount", { id: "id-1", amount: 1 }, mismatch("id-1", ["amount", 1, 1_000])],
    ["not paid here", { id: "id-2", paidAmount: 0 }, mismatch("id-2", ["paidAmount", 0, null])],
    [
      "of another externalRef and status",
      { id: "id-1", externalRef: "ref-2", status: "REFUNDED" },
      mismatch("id-1", ["externalRef", "ref-2", "ref-1"], ["status", "REFUNDED", "PAID"]),
    ],
    ["in the lists' word", { id: "id-2", status: "PENDING" }, matched("id-2")],
    ["in the creation's word", { id: "id-2", status: "WAITING_PAYMENT" }, matched("id-2")],
    ["refused, in the lists' word", { id: "id-3", status: "FAILED" }, matched("id-3")],
    ["refused, in the creation's word", { id: "id-3", status: "REFUSED" }, matched("id-3")],
    [
      "in another word",
      { id: "id-2", status: "PAID" },
      mismatch("id-2", ["status", "PAID", "WAITING_PAYMENT"]),
    ],
  ])("%s", (_what, line, result) => {
    expect(matchLines([line], [REFUSED, OPEN, PAID])).toEqual([result]);
  });
});

describe("transactions of one externalRef", () => {
  const older = transaction(4, { externalRef: "same", amount: 700 });
  const newer = transaction(5, { externalRef: "same", amount: 800 });
  const match = (...lines: MerchantLine[]) => matchLines(lines, [newer, older]);

  it("answer a line each, first the newest that agrees, then the newest", () => {
    const same = { externalRef: "same" };
    expect(match({ ...same, amount: 700 })).toEqual([matched("id-4")]);
    expect(match(same, same)).toEqual([matched("id-5"), matched("id-4")]);
    expect(match({ ...same, amount: 1 })).toEqual([mismatch("id-5", ["amount", 1, 800])]);
  });

  it("make duplicates of the lines beyond them, also of those that another line names by its id", () => {
    const same = { externalRef: "same" };
    expect(match(same, { id: "id-5" }, same)).toEqual([
      matched("id-4"),
      matched("id-5"),
      duplicate("id-5"),
    ]);
  });
});

describe("a transaction that two lines name", () => {
  const ids: MerchantLine[] = [
    { id: "id-6" },
    { endToEndId: "E6" },
    { externalRef: "alone" },
    { id: "ID-6", amount: 1 },
  ];
  const found = [transaction(6, { externalRef: "alone", endToEndId: "E6" })];

  it.each(ids.flatMap((first) => ids.map((second) => [first, second] as const)))(
    "is a duplicate in the later one, by whatever id: %j, %j",
    (first, second) => {
      const [one, other] = matchLines([first, second], found);
      expect(one).toMatchObject({ id: "id-6" });
      expect(one?.result).not.toBe("duplicate");
      expect(other).toEqual(duplicate("id-6"));
    },
  );
});

it("knows the words of the creation answer and of the lists, each once", () => {
  expect(SEARCH_STATUSES).toHaveLength(new Set(SEARCH_STATUSES).size);
  expect(SEARCH_STATUSES).toEqual(
    expect.arrayContaining(["WAITING_PAYMENT", "PENDING", "REFUSED"]),
  );
});
