import { beforeAll, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withResults } from "../../../support/probes/database/instrumented-database.ts";
import { givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";

const MIB = 2 ** 20;
/** The most memory of a call in the isolate. */
const MEMORY_MAX = 32 * MIB;
/** UTF-16 doubles a text; the parsed JSON and the response each need it once more. */
const COPIES = 3;
const BYTES_PER_CHARACTER = 2;
const EVENTS = 500;
/** One event in this many has a rare type. */
const RARE_EVERY = 125;
/** Twice the largest event body that a create of 16 KiB can cause. */
const WIDE = "w".repeat(60_000);

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany();
  const settled = Array.from({ length: EVENTS }, (_, index) => ({
    objectId: String(index),
    at: index,
    url: "https://loja.example.com/hooks",
    status: "delivered",
  }));
  await givenHistory(company, settled);
  await env.DB.prepare(
    `UPDATE events SET
       type = iif(company_sequence % ?2 = 0, 'transaction.refunded', 'transaction.paid'),
       body = json_object('data', json_object('number', company_sequence, 'wide', ?3))
     WHERE company_id = ?1`,
  )
    .bind(company.id, RARE_EVERY, WIDE)
    .run();
});

/** All pages of a list, with the memory of the largest one. */
async function readAll(query: string) {
  const numbers: number[] = [];
  let most = 0;
  let after = "0";
  for (let more = true; more;) {
    const given: unknown[] = [];
    const answer = await call(`/api/v1/events?limit=100&after=${after}${query}`, {
      company,
      env: withResults((rows) => given.push(...rows)),
    });
    expect(answer.status).toBe(200);
    for (const { companySequence, data } of answer.body.items) {
      expect(data).toEqual({ number: companySequence, wide: WIDE });
      numbers.push(companySequence);
    }
    most = Math.max(most, JSON.stringify(given).length * BYTES_PER_CHARACTER * COPIES);
    if (answer.body.hasMore) expect(Number(answer.body.after)).toBeGreaterThan(Number(after));
    ({ after, hasMore: more } = answer.body);
  }
  return { numbers, most };
}

const all = Array.from({ length: EVENTS }, (_, index) => index + 1);

it.each([
  ["all events", "", all],
  ["a common type", "&type=transaction.paid", all.filter((number) => number % RARE_EVERY !== 0)],
  ["a rare type", "&type=transaction.refunded", all.filter((number) => number % RARE_EVERY === 0)],
  ["an unused type", "&type=withdraw.paid", []],
])(
  "a page of %s over the largest bodies stays within 32 MB and omits no event",
  async (_what, query, numbers) => {
    const read = await readAll(query);
    expect(read.numbers).toEqual(numbers);
    expect(read.most).toBeLessThan(MEMORY_MAX);
  },
);
