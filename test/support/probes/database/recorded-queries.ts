import { runInDurableObject } from "cloudflare:test";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { env } from "../../builders/companies/env.ts";
import { bindingCount, problemsOfPlan, hasPlan, type PlanRow } from "./query-plans.ts";

type Store = "D1" | "the company's object";

/** Where the queries of this isolate are kept: files share it, but not this module. */
interface Recorder {
  /** What the product has asked of each store since the last judgement. */
  issued: Record<Store, Set<string>>;
  /** The same query has the same plan in every file: its faults in words, or null. */
  problems: Map<string, string | null>;
  /** Past the ear: for what the recorder itself asks. */
  prepare: D1Database["prepare"];
  exec: SqlStorage["exec"];
}

const RECORDER = Symbol.for("the product's queries");
const shared = globalThis as { [RECORDER]?: Recorder };

/** The object of no company: it has the tables that all have, and no rows. */
const EXPLAIN_COMPANY_ID = 2 ** 40;
const inExplainObject = <Answer>(run: (sql: SqlStorage) => Answer) =>
  runInDurableObject(companyStub(env, EXPLAIN_COMPANY_ID), (_, { storage }) => run(storage.sql));

/** Listens to all that the product asks of D1 and of its objects from now on. */
export async function recordQueries(): Promise<void> {
  if (shared[RECORDER] !== undefined) return;
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const objects = await inExplainObject((sql) => Object.getPrototypeOf(sql) as SqlStorage);
  // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
  const [prepare, exec] = [database.prepare, objects.exec];
  const issued: Recorder["issued"] = { D1: new Set(), "the company's object": new Set() };
  const hear = (store: Store, query: string) => {
    if (!issued[store].has(query) && isIssuedByProduct(new Error().stack)) issued[store].add(query);
  };
  database.prepare = function heard(query) {
    hear("D1", query);
    return prepare.call(this, query);
  };
  objects.exec = function heard(this: SqlStorage, query: string, ...bindings: any[]) {
    hear("the company's object", query);
    return exec.call(this, query, ...bindings);
  } as SqlStorage["exec"];
  shared[RECORDER] = { issued, problems: new Map(), prepare, exec };
}

/** What the product has asked of a store since the last judgement. */
export function issuedQueries(store: Store): string[] {
  return [...shared[RECORDER]!.issued[store]];
}

/** Throws where a query that the product issued since the last call has a plan that grows. */
export async function assertQueryPlans(): Promise<void> {
  const { issued, problems } = shared[RECORDER]!;
  const bad: string[] = [];
  for (const store of ["D1", "the company's object"] as const) {
    const queries = [...issued[store]].filter(hasPlan);
    issued[store].clear();
    const news = queries.filter((query) => !problems.has(store + query));
    const plans = news.length === 0 ? [] : await EXPLAIN[store](news);
    news.forEach((query, index) =>
      problems.set(store + query, problemOf(store, query, plans[index]!)),
    );
    bad.push(...queries.flatMap((query) => problems.get(store + query) ?? []));
  }
  if (bad.length > 0) throw new Error(bad.join("\n\n"));
}

const EXPLAIN: Record<Store, (queries: string[]) => Promise<PlanRow[][]>> = {
  D1: async (queries) => {
    const { prepare } = shared[RECORDER]!;
    const answers = await env.DB.batch<PlanRow & Record<string, unknown>>(
      queries.map((query) => prepare.call(env.DB, explain(query)).bind(...nullBindings(query))),
    );
    return answers.map(({ results }) => results);
  },
  "the company's object": (queries) =>
    inExplainObject((sql) => {
      const { exec } = shared[RECORDER]!;
      return queries.map(
        (query) =>
          exec.call(sql, explain(query), ...nullBindings(query)).toArray() as any as PlanRow[],
      );
    }),
};

const explain = (query: string) => `EXPLAIN QUERY PLAN ${query}`;
const nullBindings = (query: string) => Array<null>(bindingCount(query)).fill(null);

function problemOf(store: Store, query: string, plan: PlanRow[]): string | null {
  const faults = problemsOfPlan(query, plan);
  if (faults.length === 0) return null;
  const lines = plan.map(({ detail }) => `${faults.includes(detail) ? "  !" : "   "} ${detail}`);
  return [`A query to ${store} grows with history:`, query, ...lines].join("\n");
}

/** The repository, as the frames of a stack name it; some leave out the first slash. */
const ROOT = new URL(
  "../../../../",
  (import.meta as unknown as { url: string }).url,
).pathname.slice(1);
/** They pass on what others ask. */
const WRAPPERS =
  /^test\/support\/(?:probes\/database\/(?:recorded-queries|cost|instrumented-database|meter|call-sequence)|faults\/faulty-env)\.ts/;
const TESTS = /^(?:test|bench|scripts|node_modules\/@cloudflare)\//;

/** By the first frame that is not the recorder's or a wrapper's; Drizzle is the product's alone. */
function isIssuedByProduct(stack = ""): boolean {
  for (const line of stack.split("\n")) {
    const [, path] = line.split(ROOT);
    if (path !== undefined && !WRAPPERS.test(path)) return !TESTS.test(path);
  }
  return true;
}
