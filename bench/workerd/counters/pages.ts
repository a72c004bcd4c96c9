import { call } from "../../../test/support/builders/requests/api.ts";
import { saoPauloDay, saoPauloHour } from "../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../src/domain/shared/calendar-day.ts";
import { Browser } from "../../../test/support/builders/console/browser.ts";
import { givenSession } from "../../../test/support/builders/console/people.ts";
import { env } from "../../../test/support/builders/companies/company.ts";
import { cronDeps, DUE_WORK, runCron } from "../../../test/support/fakes/cron.ts";
import { FakeBank } from "../../../test/support/fakes/fake-bank.ts";
import { withDatabase } from "../../../test/support/probes/database/instrumented-database.ts";
import type { PageRead, Reads, Rows } from "../../lib/counted.ts";
import { usageOf, requireSuccess } from "./lifecycles.ts";
import { RARE_DOCUMENT, RARE_REFERENCE, type HistorySetup } from "./history.ts";

const LIMIT = 100;

/** The rows that lists and searches read, without credentials, and a get with them. */
export async function readHistory(history: HistorySetup, rows: number): Promise<Reads> {
  return {
    pages: await readPages(history, rows),
    indexed: await readIndexed(history, rows),
    searches: await readSearches(history, rows),
    figures: await readFigures(history, rows),
    get: await readOne(history, rows),
  };
}

/** Reads pages at the ends and in the middle of every list. */
async function readPages(history: HistorySetup, rows: number): Promise<Record<string, PageRead>> {
  const { company } = history;
  const middle = Math.floor(rows / 2);
  const transactions = (page: number) =>
    `/api/Transaction/company/transactions?pageSize=${LIMIT}&page=${page}`;
  const withdraws = (page: number) =>
    `/api/Withdraw/company/withdraws?pageSize=${LIMIT}&page=${page}`;
  const statement = `/api/Balance/statement/${company.id}?currency=BRL&limit=${LIMIT}`;
  return readAll(history, {
    "transactions, first page": transactions(1),
    "transactions, middle page": transactions(middle / LIMIT),
    "transactions, last page": transactions(rows / LIMIT),
    "withdraws, first page": withdraws(1),
    "withdraws, middle page": withdraws(middle / LIMIT),
    "withdraws, last page": withdraws(rows / LIMIT),
    "statement, first page": statement,
    "statement, middle page": `${statement}&after=${rows}`,
    "events, newest": `/api/v1/events?limit=${LIMIT}`,
    "events, middle": `/api/v1/events?limit=${LIMIT}&after=${middle}`,
    "deliveries, newest": `/api/v1/webhooks/deliveries?limit=${LIMIT}`,
    "deliveries, middle": `/api/v1/webhooks/deliveries?limit=${LIMIT}&after=${middle}`,
  });
}

/** Runs searches with an index, which read no more than their page. */
async function readIndexed(history: HistorySetup, rows: number): Promise<Record<string, PageRead>> {
  const ids = Array.from({ length: LIMIT }, (_, index) => history.idOf(20 + index * 5));
  return readAll(history, {
    "search by 100 ids": search(`ids=${ids.join(",")}`),
    "search by externalRef": search(`externalRef=${RARE_REFERENCE}`),
    "search by externalRef, middle": search(
      `externalRef=${RARE_REFERENCE}&after=${Math.floor(rows / 2)}`,
    ),
    "search by document": search(`document=${RARE_DOCUMENT}`),
    "search by document, middle": search(`document=${RARE_DOCUMENT}&after=${Math.floor(rows / 2)}`),
  });
}

/** Runs all other searches, which stop after a fixed number of rows. */
async function readSearches(
  history: HistorySetup,
  rows: number,
): Promise<Record<string, PageRead>> {
  const { timeOf } = history;
  const middle = timeOf(Math.floor(rows / 2));
  return readAll(history, {
    "search, no filter": search(""),
    "search by a status that none has": search("status=FAILED"),
    "search by a status that all have": search("status=PAID"),
    "search by a method that none has": search("paymentMethod=BOLETO"),
    "search up to a time": search(`to=${middle}`),
    "search from a time": search(`from=${middle}`),
    "search by status and time": search(`status=FAILED&from=${timeOf(20)}&to=${middle}`),
    "search by externalRef and document": search(
      `externalRef=${RARE_REFERENCE}&document=${RARE_DOCUMENT}`,
    ),
    "search by document and status": search(`document=${RARE_DOCUMENT}&status=FAILED`),
    "search by externalRef and status": search(`externalRef=${RARE_REFERENCE}&status=FAILED`),
  });
}

/** Opens the console's first page, what its figures open, and what that opens. */
async function readFigures(history: HistorySetup, rows: number): Promise<Record<string, PageRead>> {
  const { company, clock, awaitedId } = history;
  const to = saoPauloDay(clock.now());
  const [week, month] = [addDays(to, -6), addDays(to, -29)];
  const hour = String(saoPauloHour(clock.now()));
  const paths = {
    "first page, 30 days": "/console?period=month",
    "payments of 30 days": `/console/payments?paidFrom=${month}&paidTo=${to}`,
    "charges of 30 days by a method": `/console/payments?paymentMethod=BOLETO&from=${month}&to=${to}`,
    "refusals for a reason": `/console/payments?status=FAILED&failureCode=CARD_DECLINED&from=${month}&to=${to}`,
    "statement of a month": "/console/statement",
    "fees of 7 days": `/console/statement?from=${week}&to=${to}&only=fees`,
    "what went out in 7 days": `/console/statement?from=${week}&to=${to}&only=out`,
    "payments of an hour": `/console/statement?to=${to}&hour=${hour}&only=in`,
    calendar: "/console/calendar",
    "releases of a day": `/console/calendar/${addDays(to, 2)}`,
    "a payment, with postings, bank and webhook": `/console/payments/${awaitedId}`,
    "postings of a movement": `/console/statement/postings?from=&to=&after=${rows * 8}`,
    "an event": `/console/events/evt_${company.id}_1`,
  };
  const browser = new Browser(await givenSession(company, "owner", { nowMs: clock.now() }));
  const reads: Record<string, PageRead> = {};
  for (const [name, path] of Object.entries(paths)) {
    await history.meter.takeUsage();
    const spent = await usageOf(history.meter, async () => {
      const { status } = await browser.ask(path, history.options);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
    });
    reads[name] = { limit: LIMIT, read: spent.d1.read + spent.object.read };
  }
  return reads;
}

const SWEEPS = {
  deliveries: /from "deliveries" where .*"next_attempt_at"/s,
  transactions: /^select .* from "transactions" where .*"next_sweep_at"/s,
  "answered transactions": /update "transactions" set "next_sweep_at"/,
  callbacks: /from "callbacks"/,
  "new accounts": /from "company_providers" where .*"list_at"/s,
  "reconciliation passes": /from "reconciliation_passes" /,
};

const MINUTE_MS = 60_000;
/** After this time no template row is young enough for a sweep. */
const SETTLED_MS = 30 * MINUTE_MS;

/** The rows that one minute's sweeps read when nothing is due. */
export async function readSweeps({ clock }: HistorySetup): Promise<Record<string, Rows>> {
  const rows: Record<string, Rows> = {};
  const { DB } = withDatabase({
    after: (sql, read, written) => {
      const [name] = Object.entries(SWEEPS).find(([, its]) => its.test(sql)) ?? [];
      if (name === undefined) return;
      const before = rows[name] ?? { read: 0, written: 0 };
      rows[name] = { read: before.read + read, written: before.written + written };
    },
  });
  const deps = cronDeps(clock, new FakeBank());
  clock.advance(SETTLED_MS);
  await runCron(deps);
  clock.advance(MINUTE_MS);
  await runCron(deps, { ...env, DB }, [...DUE_WORK, "reconcile_payments"]);
  for (const name of Object.keys(SWEEPS)) {
    if (rows[name] === undefined) throw new Error(`the cron ran no sweep of ${name}`);
  }
  return rows;
}

/** The rows that a get by id reads, credentials included. */
async function readOne(history: HistorySetup, rows: number): Promise<number> {
  const id = history.idOf(Math.floor(rows / 2));
  const path = `/api/Transaction/transactionByTransactionId/${id}`;
  return rowsReadBy(history, path);
}

function search(query: string): string {
  return `/api/v1/transactions?limit=${LIMIT}&${query}`;
}

async function readAll(
  history: HistorySetup,
  paths: Record<string, string>,
): Promise<Record<string, PageRead>> {
  const credentials = await rowsOfCredentials(history);
  const reads: Record<string, PageRead> = {};
  for (const [name, path] of Object.entries(paths)) {
    const read = (await rowsReadBy(history, path)) - credentials;
    reads[name] = { limit: LIMIT, read };
  }
  return reads;
}

async function rowsReadBy(
  { company, options, meter }: HistorySetup,
  path: string,
): Promise<number> {
  await meter.takeUsage();
  const spent = await usageOf(meter, () => requireSuccess(call(path, { company, ...options })));
  return spent.d1.read + spent.object.read;
}

/** The rows that authentication reads on a warm isolate: the settings call reads nothing else. */
async function rowsOfCredentials(history: HistorySetup): Promise<number> {
  const path = "/api/v1/company/settings";
  await rowsReadBy(history, path);
  return rowsReadBy(history, path);
}
