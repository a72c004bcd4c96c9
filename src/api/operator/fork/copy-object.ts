import { callCompany } from "../../../company-client/stub.ts";
import type { ForkPage } from "../../../company/fork/fork-store.ts";
import type { Env } from "../../../config.ts";
import { addBankRecords } from "../../../db/fork/fork-rows.ts";
import { BankBook } from "../../../domain/fork/bank-book.ts";
import { copyRow } from "../../../domain/fork/columns.ts";
import type { Disguise } from "../../../domain/fork/disguise.ts";
import { withOrigin, type ForkHead } from "../../../domain/fork/fork.ts";
import { OBJECT_TABLES } from "../../../domain/fork/object-tables.ts";

/** What was read of a company's object and written to the copy's. */
export interface CopiedObject {
  head: ForkHead;
  /** The charges that it knows, by their original ids. */
  charges: Set<string>;
}

/** Copies a company's object, table by table, and what the sandbox's bank has to know of it. Null if it is too large. */
export async function copyObject(env: Env, disguise: Disguise): Promise<CopiedObject | null> {
  const { from, to } = disguise.companies;
  const read = await callCompany(env, from, (account) => account.readForFork(from));
  if (read.kind === "too_large") return null;
  const bank = new BankBook(disguise);
  const charges = new Set<string>();
  for await (const line of linesOf(read.rows)) {
    const page = JSON.parse(line) as ForkPage;
    if (page.table === "charges") {
      for (const row of page.rows) charges.add(row["transaction_id"] as string);
    }
    const copy = copyPage(page, { disguise, bank, head: read.head });
    await callCompany(env, to, (account) => account.writeFork(copy));
    await addBankRecords(env, bank.take());
  }
  return { head: read.head, charges };
}

function copyPage(
  { table, rows }: ForkPage,
  { disguise, bank, head }: { disguise: Disguise; bank: BankBook; head: ForkHead },
): ForkPage {
  if (table === "disputes" || table === "suspense_disputes") {
    for (const row of rows) bank.knowDispute(row as unknown as DisputeOfProvider);
  }
  const copies = rows.map((row) => {
    const copy = copyRow(OBJECT_TABLES[table], row, disguise) as ForkPage["rows"][number];
    return table === "movements" ? withOrigin(copy as CopiedMovement, head) : copy;
  });
  for (const copy of copies) bank.add(table, copy);
  return { table, rows: copies };
}

type CopiedMovement = ForkPage["rows"][number] & Parameters<typeof withOrigin>[0];
type DisputeOfProvider = Parameters<BankBook["knowDispute"]>[0];

async function* linesOf(stream: ReadableStream): AsyncGenerator<string> {
  let rest = "";
  for await (const text of (stream as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream(),
  )) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
