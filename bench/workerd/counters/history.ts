import type { TestCompany } from "../../../test/support/builders/companies/company.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../test/support/builders/withdraws/withdraw.ts";
import {
  clonedTransactionId,
  cloneRows,
  deliveries,
  events,
  MOVEMENTS,
  transactions,
  WITHDRAWS,
  type Fixture,
} from "./fixtures.ts";
import { PAYER, requireSuccess } from "./lifecycles.ts";
import { deliverAll, givenShop, type Shop } from "./world.ts";

/** One transaction of this many has the rare payer and reference. */
const RARE = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "11144477735";
const MINUTE_MS = 60_000;

/** A company with a growing history. */
export interface HistorySetup extends Shop {
  /** Extends the history to this many rows. */
  growTo: (rows: number) => Promise<void>;
  idOf: (seq: number) => string;
  timeOf: (seq: number) => string;
}

/** Creates a company whose transactions, events, deliveries, movements and withdraws can grow. */
export async function givenHistory(): Promise<HistorySetup> {
  const shop = await givenShop();
  const { company } = shop;
  await firstRows(shop);
  const firstAt = Date.now() - 2 * 365 * 24 * 60 * MINUTE_MS;
  let length = FIRST_ROWS;
  return {
    ...shop,
    growTo: async (rows) => {
      await cloneRows(company, fixturesOf(company, firstAt), length + 1, rows);
      length = rows;
    },
    idOf: (seq) => clonedTransactionId(company, seq),
    timeOf: (seq) => new Date(firstAt + seq * MINUTE_MS).toISOString(),
  };
}

/** Numbers of the template rows. Copies start after `FIRST_ROWS`. */
const COMMON_ROW = 1;
const RARE_ROW = 2;
const FIRST_ROWS = 10;

/** Makes the template rows by real requests: transactions of two payers, their events, a withdraw. */
async function firstRows(shop: Shop): Promise<void> {
  const { company, options, meter, clock } = shop;
  const common = { customer: PAYER, externalRef: "often" };
  const rare = {
    customer: { ...PAYER, document: { number: RARE_DOCUMENT, type: "CPF" } },
    externalRef: RARE_REFERENCE,
  };
  for (const body of [common, rare]) {
    const { id } = await givenTransaction(company, body, options);
    await requireSuccess(pay(company, id, undefined, options));
  }
  await requireSuccess(requestWithdraw(company, {}, options));
  clock.advance(MINUTE_MS);
  await runPayout(company, 1, providerRegistry(meter.env, clock), meter.env);
  await deliverAll(shop);
  await meter.takeUsage();
}

function fixturesOf(company: TestCompany, firstAt: number): Fixture[] {
  const createdAt = `${firstAt} + n * ${MINUTE_MS}`;
  return [
    transactions(company, rareOr(String(RARE_ROW), String(COMMON_ROW)), {
      createdAt,
      externalRef: rareOr(`'${RARE_REFERENCE}'`, "'r' || n"),
    }),
    events(company, createdAt),
    deliveries(company, createdAt),
    MOVEMENTS,
    WITHDRAWS,
  ];
}

function rareOr(rare: string, common: string): string {
  return `CASE n % ${RARE} WHEN 0 THEN ${rare} ELSE ${common} END`;
}
