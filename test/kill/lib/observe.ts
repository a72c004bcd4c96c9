import { cursorOf } from "../../../src/domain/reconciliation/comparison-round.ts";
import type { ApiClient, Merchant } from "../../../tools/lib/merchant.ts";
import type { Callers } from "./callers.ts";
import { assertDefined } from "./required.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

const PAGE_SIZE = 100;
/** A statement that changes during its read is read again, until the service has caught up on a busy machine. */
const SNAPSHOT_MAX_MS = 60_000;
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

/** A payment that no charge expected as it came. */
export interface UnexpectedSeen {
  id: string;
  reason: string;
  rule: string;
  amount: number;
  transactionId: string | null;
  status: string;
  approval: string;
}

/** An operators' proposal about the company. */
export interface ProposalSeen {
  id: string;
  action: string;
  target: string;
  request: { outcome?: string };
  status: string;
  decidedBy: string | null;
}

/** A refund of a transaction. */
export interface RefundSeen {
  id: string;
  amount: number;
  status: string;
  approval: string;
}

/** A company's state as its merchant sees it, and its operators' proposals. */
export interface Observed {
  companyId: number;
  transactions: { seq: number; id: string; amount: number; status: string; key: string | null }[];
  withdraws: {
    id: number;
    key: string;
    amount: number;
    fee: number;
    status: string;
    approval: string;
  }[];
  /** Unexpected payments, by age. */
  payments: UnexpectedSeen[];
  /** Ids of refunds and returns that wait for an approval. */
  waiting: string[];
  proposals: ProposalSeen[];
  /** `held`: what open contradictions hold of the available balance. */
  balance: { available: number; held: number; awaiting: number; credit: number; debt: number };
  lines: Line[];
  movements: Movement[];
}

export async function observe(
  { merchants, others }: Callers,
  companyId: number,
): Promise<Observed> {
  const merchant = assertDefined(merchants[companyId - 1], "a merchant");
  const transactions = await readAllPages(merchant, "/api/Transaction/company/transactions");
  const withdraws = await readAllPages(merchant, "/api/Withdraw/company/withdraws");
  const payments = await readByCursor(merchant, "/api/v1/payments/unexpected?");
  const waiting = await readByCursor(merchant, "/api/v1/refunds?approval=pending&");
  const proposals = await readByCursor(
    others.operator,
    `/api/v1/operator/proposals?companyId=${companyId}&`,
  );
  const { balance, lines } = await consistentSnapshot(merchant);
  return {
    companyId,
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
      approval: item.approval,
    })),
    payments: payments.toReversed().map((item) => ({
      id: item.id,
      reason: item.reason,
      rule: item.rule,
      amount: item.amount,
      transactionId: item.transactionId,
      status: item.status,
      approval: item.approval,
    })),
    waiting: waiting.map(({ id }) => id),
    proposals: proposals.map((item) => ({
      id: item.id,
      action: item.action,
      target: item.target,
      request: item.request,
      status: item.status,
      decidedBy: item.decidedBy?.id ?? null,
    })),
    balance: {
      available: toCents(balance.accBalance),
      held: toCents(balance.accBalanceHeld),
      awaiting: toCents(balance.accBalanceCreditAwaiting),
      credit: toCents(balance.accBalanceCredit),
      debt: toCents(balance.accBalanceDebt),
    },
    lines,
    movements: movementsOf(lines),
  };
}

/** The refunds of some transactions, which their list does not show. */
export async function readRefunds(
  merchant: Merchant,
  transactionIds: string[],
): Promise<Map<string, RefundSeen[]>> {
  const refunds = new Map<string, RefundSeen[]>();
  for (const id of transactionIds) {
    const { body } = await merchant.call("GET", `/api/v1/transactions/${id}`);
    refunds.set(id, body.data.refunds ?? []);
  }
  return refunds;
}

/** The whole statement and its balance. */
async function consistentSnapshot(merchant: Merchant): Promise<{ balance: any; lines: Line[] }> {
  const deadline = Date.now() + SNAPSHOT_MAX_MS;
  while (Date.now() < deadline) {
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
export async function verify({ others }: Callers, companyId: number): Promise<string[]> {
  const violations: string[] = [];
  let next: object = {};
  const path = `/api/v1/operator/companies/${companyId}/reconcile`;
  for (let step = 0; step < RECONCILE_STEPS_MAX; step++) {
    const answer = await others.operator.call("POST", path, next);
    if (answer.status !== 200) return [`verify answered ${answer.status}`];
    violations.push(...answer.body.violations);
    if (answer.body.ledgerDone === true && answer.body.copiesDone === true) return violations;
    next = { ...cursorOf(answer.body), fromStart: false };
  }
  return [...violations, "verify came to no end"];
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

/** All pages of a list that goes on by `after`. */
export async function readByCursor(client: ApiClient, path: string): Promise<any[]> {
  const items: any[] = [];
  for (let after = ""; ;) {
    const { body } = await client.call("GET", `${path}limit=${PAGE_SIZE}${after}`);
    items.push(...body.items);
    if (body.hasMore !== true) return items;
    after = `&after=${body.after}`;
  }
}

function toCents(reais: number): number {
  return Math.round(reais * 100);
}
