import { env, inAccount, type TestCompany } from "../../../test/support/company.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { givenTransaction, pay } from "../../../test/support/transaction.ts";
import { requestWithdraw, runPayout } from "../../../test/support/withdraw.ts";
import { cloneSql, columnsSql, rangesOf, type Cloning } from "./clones.ts";
import { PAYER, succeed } from "./lifecycles.ts";
import { deliverAll, givenShop, type Shop } from "./world.ts";

/** One transaction in so many has the rare payer and reference. */
export const RARE = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "11144477735";
const MINUTE_MS = 60_000;

/** A company with as much history as is asked for. */
export interface Historic extends Shop {
  /** Makes the history this long; it only ever grows. */
  growTo: (rows: number) => Promise<void>;
  idOf: (seq: number) => string;
  timeOf: (seq: number) => string;
}

/** Everything that grows: transactions, events with deliveries and attempts; movements, withdraws. */
export async function givenHistory(): Promise<Historic> {
  const shop = await givenShop();
  const { company } = shop;
  await firstRows(shop);
  const firstAt = Date.now() - 2 * 365 * 24 * 60 * MINUTE_MS;
  let length = FIRST_ROWS;
  return {
    ...shop,
    growTo: async (rows) => {
      for (const cloning of d1Clonings(company, firstAt)) {
        await cloneInD1(cloning, length + 1, rows);
      }
      await cloneInObject(company, length + 1, rows);
      length = rows;
    },
    idOf: (seq) => `00000000-0000-8000-8000-${hex(seq)}${hex(company.id)}`,
    timeOf: (seq) => new Date(firstAt + seq * MINUTE_MS).toISOString(),
  };
}

/** The templates' numbers; what is cloned begins after them. */
const COMMON_ROW = 1;
const RARE_ROW = 2;
const FIRST_ROWS = 10;

/** Rows of every kind by real requests: two payers' transactions, their events, a withdraw. */
async function firstRows(shop: Shop): Promise<void> {
  const { company, options, meter, clock } = shop;
  const often = { customer: PAYER, externalRef: "often" };
  const rare = {
    customer: { ...PAYER, document: { number: RARE_DOCUMENT, type: "CPF" } },
    externalRef: RARE_REFERENCE,
  };
  for (const body of [often, rare]) {
    const { id } = await givenTransaction(company, body, options);
    await succeed(pay(company, id, undefined, options));
  }
  await succeed(requestWithdraw(company, {}, options));
  clock.advance(MINUTE_MS);
  await runPayout(company, 1, providerRegistry(meter.env, clock), meter.env);
  await deliverAll(shop);
  await meter.lap();
}

function d1Clonings({ id }: TestCompany, firstAt: number): Cloning[] {
  const at = `${firstAt} + n * ${MINUTE_MS}`;
  const ofCompany = `company_id = ${id}`;
  const ofEvent = `${ofCompany} AND company_sequence = 1`;
  const event = { company_sequence: "n", created_at: at };
  return [
    {
      table: "transactions",
      template: `${ofCompany} AND seq = ${rareOr(String(RARE_ROW), String(COMMON_ROW))}`,
      changed: {
        seq: "n",
        id: `unhex(printf('00000000000080008000%06x%06x', n, ${id}))`,
        is_repeat: "1",
        external_ref: rareOr(`'${RARE_REFERENCE}'`, "'r' || n"),
        idempotency_key: "'k' || n",
        created_at: at,
        updated_at: at,
      },
    },
    { table: "events", template: ofEvent, changed: event },
  ];
}

/** Each numbered beyond what the first rows made. */
const OBJECT_CLONINGS: Cloning[] = [
  {
    table: "movements",
    template: "sequence = 1",
    changed: {
      sequence: "n",
      created_at: "created_at + n",
      entry: "NULL",
      drained_movement: "n",
    },
  },
  {
    table: "withdraws",
    template: "id = 1",
    changed: { id: "n", payout_id: "payout_id || n", idempotency_key: "'k' || n" },
  },
];

function rareOr(rare: string, common: string): string {
  return `CASE n % ${RARE} WHEN 0 THEN ${rare} ELSE ${common} END`;
}

async function cloneInD1(cloning: Cloning, first: number, last: number): Promise<void> {
  const { results } = await env.DB.prepare(columnsSql(cloning.table)).all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  for (const range of rangesOf(first, last)) {
    await env.DB.prepare(cloneSql(cloning, columns, range.first, range.last)).run();
  }
}

function cloneInObject(company: TestCompany, first: number, last: number): Promise<void> {
  return inAccount(company.id, (_account, { storage: { sql } }) => {
    for (const cloning of OBJECT_CLONINGS) {
      const named = sql.exec<{ name: string }>(columnsSql(cloning.table)).toArray();
      const columns = named.map(({ name }) => name);
      for (const range of rangesOf(first, last)) {
        sql.exec(cloneSql(cloning, columns, range.first, range.last));
      }
    }
  });
}

function hex(value: number): string {
  return value.toString(16).padStart(6, "0");
}
