import { expect } from "vitest";
import { call, type Call } from "../../builders/requests/api.ts";
import { inAccount, type TestCompany } from "../../builders/companies/company.ts";
import { movementsIn } from "../ledger/ledger-rows.ts";
import { expectDocumented } from "../http/documented.ts";

/** A transaction's whole timeline, checked against the document. */
export async function timelineOf(
  company: TestCompany,
  id: string,
  options: Call = {},
): Promise<any[]> {
  const answer = await call(`/api/v1/transactions/${id}/timeline`, { ...options, company });
  expect(answer.status).toBe(200);
  await expectDocumented("GET /api/v1/transactions/{id}/timeline", answer);
  const { items, hasMore } = answer.body;
  expect(hasMore).toBe(false);
  return items;
}

/** A timeline item as a line, without times and random ids. */
export function describeItem(item: any): string {
  const why = item.cause === undefined || item.cause === null ? "" : ` by ${item.cause.kind}`;
  switch (item.kind) {
    case "created":
      return `created ${item.paymentMethod} ${item.amount} ${item.currency}`;
    case "answered":
      return `answered ${item.status}${item.reason === null ? "" : `: ${item.reason}`}`;
    case "payment":
      return `payment ${item.amount}${item.expected ? "" : " unexpected"}`;
    case "operation":
      return `${item.operation} ${item.amount} ${item.status}${item.reason === null ? "" : `: ${item.reason}`}`;
    case "dispute":
      return `${item.type} ${item.amount} ${item.status}`;
    case "move":
      return `${item.from} to ${item.to}${why}`;
    case "movement":
      return `booked ${item.type}${why}`;
    case "event":
      return `event ${item.sequence} ${item.type}`;
    case "attempt":
      return `attempt ${item.number} at ${item.target}: ${item.fault ?? item.httpStatus}`;
    default:
      throw new Error(`an item of kind ${item.kind}`);
  }
}

/** A transaction's movements, filtered from the whole ledger. */
function movementsFor(company: TestCompany, transactionId: string): Promise<any[]> {
  return inAccount(company.id, (_, { storage }) =>
    movementsIn(storage.sql)
      .filter((movement) => movement.transactionId === transactionId)
      .map(({ sequence, type, postings }) => ({ number: sequence, type, postings })),
  );
}

/**
 * Asserts that the timeline contains each of the transaction's movements once, and that each sums
 * to 0.
 */
export async function expectCompleteLedger(
  company: TestCompany,
  transactionId: string,
  items: any[],
): Promise<void> {
  const movements = items.filter((item) => item.kind === "movement");
  expect(movements.map(({ number, type, postings }) => ({ number, type, postings }))).toStrictEqual(
    await movementsFor(company, transactionId),
  );
  for (const { postings } of movements) {
    expect(postings.reduce((sum: number, posting: any) => sum + posting.amount, 0)).toBe(0);
  }
}
