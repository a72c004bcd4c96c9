import {
  toCreateStatus,
  toListStatus,
  type CreateStatus,
  type ListStatus,
} from "../charges/charge-status.ts";
import type { TransactionRecord } from "../charges/transaction.ts";
import type { Cents } from "../shared/money.ts";

/** One line of a merchant's own books: the ids that it knows a transaction by, and what it expects. */
export interface MerchantLine {
  id?: string | undefined;
  endToEndId?: string | undefined;
  externalRef?: string | undefined;
  /** Centavos. */
  amount?: Cents | undefined;
  paidAmount?: Cents | undefined;
  status?: CreateStatus | ListStatus | undefined;
}

/** The parts of a transaction that a line is compared with. */
export type ComparedTransaction = Pick<
  TransactionRecord,
  | "id"
  | "seq"
  | "externalRef"
  | "endToEndId"
  | "amount"
  | "paidAmount"
  | "paidAt"
  | "paymentMethod"
  | "status"
  | "createdAt"
  | "updatedAt"
  | "expiresAt"
  | "cancelReason"
>;

/** A field in which a line and its transaction differ. */
interface LineDifference {
  field: keyof MerchantLine;
  theirs: string | number;
  ours: string | number | null;
}

export interface LineResult {
  /** `duplicate`: an earlier line has the transaction already. */
  result: "matched" | "mismatch" | "missing" | "duplicate";
  /** The transaction that the line was compared with; null if it is missing. */
  id: string | null;
  /** Only of a mismatch. */
  differences?: LineDifference[];
}

/**
 * Compares each line with its transaction, in the order of the lines. A line is found by its `id`, else its
 * `endToEndId`, else its `externalRef`; the other fields are compared. Several transactions may have one
 * `externalRef`: each answers one line, first the newest that agrees, then the newest. A transaction answers one
 * line: a later one that names it too, by whatever id, is a duplicate. `found` has the newest transactions first.
 */
export function matchLines(
  lines: readonly MerchantLine[],
  found: readonly ComparedTransaction[],
): LineResult[] {
  const byId = new Map(found.map((each) => [each.id, each]));
  const byEndToEndId = new Map(found.map((each) => [each.endToEndId, each]));
  const byExternalRef = Map.groupBy(found, (each) => each.externalRef);
  const isByReference = (line: MerchantLine) =>
    line.id === undefined && line.endToEndId === undefined;
  const named = lines.map((line) => {
    if (line.id !== undefined) return byId.get(line.id.toLowerCase());
    return line.endToEndId === undefined ? undefined : byEndToEndId.get(line.endToEndId);
  });
  const used = new Set(named.map((each) => each?.id));
  const chosen = lines.map((line, index) => {
    if (!isByReference(line)) return named[index];
    const candidates = byExternalRef.get(line.externalRef ?? "") ?? [];
    const free = candidates.filter(({ id }) => !used.has(id));
    const agrees = free.find((each) => differencesOf(line, each).length === 0);
    const transaction = agrees ?? free[0] ?? candidates[0];
    used.add(transaction?.id);
    return transaction;
  });
  const answered = new Set<string>();
  return lines.map((line, index) => {
    const transaction = chosen[index];
    if (transaction !== undefined && answered.has(transaction.id))
      return { result: "duplicate", id: transaction.id };
    if (transaction !== undefined) answered.add(transaction.id);
    return resultOf(line, transaction);
  });
}

function resultOf(line: MerchantLine, transaction: ComparedTransaction | undefined): LineResult {
  if (transaction === undefined) return { result: "missing", id: null };
  const { id } = transaction;
  const differences = differencesOf(line, transaction);
  return differences.length === 0
    ? { result: "matched", id }
    : { result: "mismatch", id, differences };
}

function differencesOf(line: MerchantLine, transaction: ComparedTransaction): LineDifference[] {
  const { externalRef, endToEndId, amount, status } = transaction;
  const ours: Record<Exclude<keyof MerchantLine, "id">, LineDifference["ours"]> = {
    externalRef,
    endToEndId,
    amount,
    paidAmount: transaction.paidAt === null ? null : transaction.paidAmount,
    status: line.status === toListStatus(status) ? line.status : toCreateStatus(status),
  };
  return Object.entries(ours).flatMap(([name, value]) => {
    const field = name as keyof typeof ours;
    const theirs = line[field];
    return theirs === undefined || theirs === value ? [] : [{ field, theirs, ours: value }];
  });
}
