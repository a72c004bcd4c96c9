import { inAccount, type TestCompany } from "../../../test/support/builders/companies/company.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { updateSettings } from "../../../test/support/builders/operations/refund.ts";
import { requestWithdraw, runPayout } from "../../../test/support/builders/withdraws/withdraw.ts";
import {
  clonedTransactionId,
  cloneRows,
  deliveries,
  events,
  MOVEMENTS,
  releases,
  transactions,
  WITHDRAWS,
  type Fixture,
} from "./fixtures.ts";
import { PAYER, requireSuccess } from "./lifecycles.ts";
import { deliverAll, givenShop, type Shop } from "./world.ts";
import { keepInMemory } from "../../../test/support/faults/object.ts";

/** One transaction of this many has the rare payer and reference. */
const RARE = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "11144477735";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** São Paulo's clock is behind UTC by this. */
const SAO_PAULO_MS = 3 * 60 * MINUTE_MS;
/** Charges of the longest history, one a minute up to now. */
const LONGEST = 1_000_000;

/** A company with a growing history. */
export interface HistorySetup extends Shop {
  /** Extends the history to this many rows. */
  growTo: (rows: number) => Promise<void>;
  idOf: (seq: number) => string;
  timeOf: (seq: number) => string;
  /** A real charge, which was paid and awaits its release. */
  awaitedId: string;
  /** Lets the platform evict the company's object again. */
  endKeeping: () => Promise<void>;
}

/** Creates a company whose transactions, events, deliveries, movements and withdraws can grow. */
export async function givenHistory(): Promise<HistorySetup> {
  const shop = await givenShop();
  const { company } = shop;
  // Its rows are counted in this instance of the object.
  const endKeeping = keepInMemory(company);
  const awaitedId = await firstRows(shop);
  const firstAt = Date.now() - LONGEST * MINUTE_MS;
  // Dense, as the search for a time expects.
  await cloneRows(company, [MOVEMENTS], (await newestMovement(company)) + 1, FIRST_ROWS);
  let length = FIRST_ROWS;
  return {
    ...shop,
    growTo: async (rows) => {
      await cloneRows(company, fixturesOf(company, firstAt, awaitedId), length + 1, rows);
      length = rows;
    },
    idOf: (seq) => clonedTransactionId(company, seq),
    timeOf: (seq) => new Date(firstAt + seq * MINUTE_MS).toISOString(),
    awaitedId,
    endKeeping,
  };
}

/** Numbers of the template rows. Copies start after `FIRST_ROWS`. */
const COMMON_ROW = 1;
const RARE_ROW = 2;
const FIRST_ROWS = 10;

/**
 * Makes the template rows by real requests: transactions of two payers, their events, a withdraw, and a transaction
 * that awaits its release, whose id it returns.
 */
async function firstRows(shop: Shop): Promise<string> {
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
  await updateSettings(company, { releaseDays: { PIX: 2 } });
  const { id } = await givenTransaction(company, common, options);
  await requireSuccess(pay(company, id, undefined, options));
  await deliverAll(shop);
  await meter.takeUsage();
  return id;
}

function newestMovement({ id }: TestCompany): Promise<number> {
  return inAccount(
    id,
    (_account, { storage: { sql } }) =>
      sql.exec<{ newest: number }>("SELECT max(sequence) AS newest FROM movements").one().newest,
  );
}

function fixturesOf(company: TestCompany, firstAt: number, awaitedId: string): Fixture[] {
  const createdAt = `${firstAt} + n * ${MINUTE_MS}`;
  const dayCharges = `(${createdAt} - ${SAO_PAULO_MS}) % ${DAY_MS} / ${MINUTE_MS} + 1`;
  return [
    transactions(company, rareOr(String(RARE_ROW), String(COMMON_ROW)), {
      createdAt,
      dayCharges,
      externalRef: rareOr(`'${RARE_REFERENCE}'`, "'r' || n"),
    }),
    events(company, createdAt),
    deliveries(company, createdAt),
    MOVEMENTS,
    WITHDRAWS,
    releases(company, awaitedId),
  ];
}

function rareOr(rare: string, common: string): string {
  return `CASE n % ${RARE} WHEN 0 THEN ${rare} ELSE ${common} END`;
}
