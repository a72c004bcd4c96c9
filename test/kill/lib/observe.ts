import { LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import type { Merchant } from "../../../tools/lib/merchant.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

const PAGE_SIZE = 100;
/** A statement that changes during its read is read again. */
const SNAPSHOT_ATTEMPTS_MAX = 20;
/** Far more steps than any run needs. */
const RECONCILE_STEPS_MAX = 1_000;

export interface Line {
  sequence: number;
  type: string;
  account: string;
  amount: number;
  balance: number;
  transactionId: string | null;
  withdrawId: number | null;
  hash: string;
  detailsHash: string | null;
}

/** A movement as the statement shows it, without the outside world's account. */
export interface Movement {
  type: string;
  transactionId: string | null;
  withdrawId: number | null;
  postings: Record<string, number>;
}

/** A company's state as its merchant sees it. */
export interface Observed {
  companyId: number;
  transactions: { seq: number; id: string; amount: number; status: string; key: string | null }[];
  withdraws: { id: number; key: string; amount: number; fee: number; status: string }[];
  balance: { available: number; awaiting: number; credit: number; debt: number };
  lines: Line[];
  movements: Movement[];
}

export async function observe(merchant: Merchant): Promise<Observed> {
  const transactions = await readAllPages(merchant, "/api/Transaction/company/transactions");
  const withdraws = await readAllPages(merchant, "/api/Withdraw/company/withdraws");
  const { balance, lines } = await consistentSnapshot(merchant);
  return {
    companyId: merchant.companyId,
    transactions: transactions.map((item) => ({
      seq: item.id,
      id: item.providerTxId,
      amount: item.amount,
      status: item.status,
      key: item.lead.externalId,
    })),
    withdraws: withdraws.map((item) => ({
      id: item.id,
      key: item.idempotencyKey,
      amount: toCents(item.value),
      fee: toCents(item.fee),
      status: item.enTransaction,
    })),
    balance: {
      available: toCents(balance.accBalance),
      awaiting: toCents(balance.accBalanceCreditAwaiting),
      credit: toCents(balance.accBalanceCredit),
      debt: toCents(balance.accBalanceDebt),
    },
    lines,
    movements: movementsOf(lines),
  };
}

/** The whole statement and its balance. */
async function consistentSnapshot(merchant: Merchant): Promise<{ balance: any; lines: Line[] }> {
  for (let attempt = 0; attempt < SNAPSHOT_ATTEMPTS_MAX; attempt++) {
    const before = await merchant.balance();
    const lines = await statement(merchant);
    const after = await merchant.balance();
    if (before.body.ledgerHash === after.body.ledgerHash) return { balance: after.body, lines };
  }
  throw new Error("the ledger kept changing");
}

/** The statement's CSV export. */
async function statement(merchant: Merchant): Promise<Line[]> {
  const csv = await merchant.text(
    `/api/Balance/statement/${merchant.companyId}?currency=BRL`,
    "text/csv",
  );
  const [header = "", ...rows] = csv.trimEnd().split("\r\n");
  const columns = header.split(",");
  return rows.map((row) => {
    const cells = row.split(",");
    const cell = (name: string) => cells[columns.indexOf(name)] ?? "";
    const given = (name: string) => (cell(name) === "" ? null : cell(name));
    return {
      sequence: Number(cell("sequence")),
      type: cell("type"),
      account: cell("account"),
      amount: Number(cell("amount")),
      balance: Number(cell("balance")),
      transactionId: given("transactionId"),
      withdrawId: given("withdrawId") === null ? null : Number(cell("withdrawId")),
      hash: cell("hash"),
      detailsHash: given("detailsHash"),
    };
  });
}

/** The statement page by page, which must equal the export. */
export async function statementPages(merchant: Merchant): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after = "0"; ;) {
    const { body } = await merchant.call(
      "GET",
      `/api/Balance/statement/${merchant.companyId}?currency=BRL&limit=${PAGE_SIZE}&after=${after}`,
    );
    for (const { createdAt: _, ...line } of body.items) lines.push(line);
    if (body.hasMore !== true) return lines;
    after = body.after;
  }
}

function movementsOf(lines: Line[]): Movement[] {
  const movements = new Map<string, Movement>();
  for (const { hash, type, transactionId, withdrawId, account, amount } of lines) {
    const movement = movements.get(hash) ?? { type, transactionId, withdrawId, postings: {} };
    movement.postings[account] = (movement.postings[account] ?? 0) + amount;
    movements.set(hash, movement);
  }
  return [...movements.values()];
}

/** The findings of the operator's full reconciliation. */
export async function reconcile(merchant: Merchant): Promise<string[]> {
  const violations: string[] = [];
  let next: object = {};
  for (let step = 0; step < RECONCILE_STEPS_MAX; step++) {
    const answer = await merchant.call(
      "POST",
      `/api/v1/operator/companies/${merchant.companyId}/reconcile`,
      next,
      { "X-Client-Id": "operator", "X-API-Key": LOCAL_OPERATOR_KEY },
    );
    if (answer.status !== 200) return [`reconcile answered ${answer.status}`];
    violations.push(...answer.body.violations);
    const { afterTransaction, afterWithdraw, afterDay, afterSeq, afterEvent } = answer.body;
    if (answer.body.ledgerDone === true && answer.body.copiesDone === true) return violations;
    next = { afterTransaction, afterWithdraw, afterDay, afterSeq, afterEvent, fromStart: false };
  }
  return [...violations, "reconcile came to no end"];
}

async function readAllPages(merchant: Merchant, path: string): Promise<any[]> {
  const items: any[] = [];
  for (let page = 1; ; page++) {
    const { body } = await merchant.call(
      "GET",
      `${path}?sort=createdAt_asc&pageSize=${PAGE_SIZE}&page=${page}`,
    );
    items.push(...body.res.items);
    if (page >= body.res.totalPages) return items;
  }
}

function toCents(reais: number): number {
  return Math.round(reais * 100);
}
