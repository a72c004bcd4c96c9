import { beforeAll, expect, it } from "vitest";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { meteredD1 } from "../../../support/probes/database/cost.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const MINUTE_MS = 60_000;
const FIRST_AT = Date.parse("2026-01-01T00:00:00Z");
const COUNT = 1_200;
/** A part of the trail, two bisections and the page. */
const READ_MAX = 600;

let company: TestCompany;

/** One entry a minute; every 400th is of Ana, every other one changes an application. */
beforeAll(async () => {
  company = await givenCompany();
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
     INSERT INTO audit_entries (company_id, sequence, at, actor_kind, actor_id, actor_name, action, target, hash)
     SELECT ?1, n, ?3 + n * 60000, 'person', iif(n % 400 = 0, 'person_ana', 'person_rui'),
       iif(n % 400 = 0, 'Ana Lima', 'Rui'), iif(n % 2 = 0, 'application.change', 'settings.change'),
       iif(n % 2 = 0, 'application:app_' || n, 'company:' || ?1), '' FROM numbers`,
  )
    .bind(company.id, COUNT, FIRST_AT)
    .run();
});

const search = (query: string): Promise<Answer> => call(`/api/v1/audit?${query}`, { company });
const at = (number: number) => new Date(FIRST_AT + number * MINUTE_MS).toISOString();

/** The numbers of all pages. */
async function found(query: string): Promise<number[]> {
  const numbers: number[] = [];
  let after = "";
  do {
    const answer = await search(`${query}${after}`);
    await expectDocumented("GET /api/v1/audit", answer);
    numbers.push(...answer.body.items.map(({ sequence }: { sequence: number }) => sequence));
    after = answer.body.hasMore === true ? `&after=${answer.body.after}` : "";
  } while (after !== "");
  return numbers;
}

it.each([
  ["an actor by id", "actor=person_ana", [400, 800, 1_200]],
  ["an actor by name, in any case", "actor=ana%20lima", [400, 800, 1_200]],
  ["a target", "target=application:app_12", [12]],
  ["from a time on", `from=${at(1_199)}`, [1_199, 1_200]],
  ["until a time", `to=${at(2)}`, [1, 2]],
  ["a kind of action in a range", `action=application&from=${at(600)}&to=${at(603)}`, [600, 602]],
  ["a kind of target in a range", `target=company&from=${at(600)}&to=${at(603)}`, [601, 603]],
  [
    "an action and an actor",
    "action=application.change&actor=person_ana&limit=1",
    [400, 800, 1_200],
  ],
  ["nothing", "action=appl", []],
])("a search of the trail finds %s", async (_what, query, numbers) => {
  expect(await found(query)).toEqual(numbers);
});

it("a search reads a bounded part of the trail", async () => {
  const { env: metered, lap } = meteredD1((sql) => sql.includes("audit_entries"));
  for (const query of ["actor=nobody", `actor=nobody&from=${at(300)}`]) {
    const { body } = await call(`/api/v1/audit?${query}`, { company, env: metered });
    expect(body).toMatchObject({ items: [], hasMore: true });
    expect(lap().read).toBeLessThanOrEqual(READ_MAX);
  }
});

it("VALIDATION_FAILED: all wrong filters are told at once", async () => {
  await expectProblem(await search("from=x&to=x&actor=&action=&target="), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["from", "to", "actor", "action", "target"],
  });
  const backwards = await search("from=2026-01-02&to=2026-01-01");
  expect(backwards.body.errors).toEqual({ to: ["must not be before from"] });
});
