import { runInDurableObject } from "cloudflare:test";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { env } from "../../builders/companies/env.ts";
import { bindingCount, problemsOfPlan, hasPlan, type PlanRow } from "./query-plans.ts";

type Store = "D1" | "the company's object";

/** The isolate's recorded queries: test files share the isolate, but not this module. */
interface Recorder {
  /** The queries of the product to each store since the last assertion. */
  issued: Record<Store, Set<string>>;
  /** Whether a probe asks, whose queries are not the product's: naming each caller takes longer than they do. */
  isDeaf: boolean;
  /** A query's plan is the same in every file: its problem, or null. */
  problems: Map<string, string | null>;
  /** The original functions, for the recorder's own queries. */
  prepare: D1Database["prepare"];
  exec: SqlStorage["exec"];
}

const RECORDER = Symbol.for("the product's queries");
const shared = globalThis as { [RECORDER]?: Recorder };

/** The service's own object, which has one row for each company of which the archive lacks changes. */
const OF_SERVICE = /\barchive_behind\b/;

/** An object without a company: it has all tables and no rows. */
const EXPLAIN_COMPANY_ID = 2 ** 40;
const inExplainObject = <Answer>(run: (sql: SqlStorage) => Answer) =>
  runInDurableObject(companyStub(env, EXPLAIN_COMPANY_ID), (_, { storage }) => run(storage.sql));

/** Records every query of the product to D1 and to the objects from now on. */
export async function recordQueries(): Promise<void> {
  if (shared[RECORDER] !== undefined) return;
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const objects = await inExplainObject((sql) => Object.getPrototypeOf(sql) as SqlStorage);
  // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
  const [prepare, exec] = [database.prepare, objects.exec];
  const issued: Recorder["issued"] = { D1: new Set(), "the company's object": new Set() };
  const recorder: Recorder = { issued, isDeaf: false, problems: new Map(), prepare, exec };
  const hear = (store: Store, query: string) => {
    if (recorder.isDeaf || issued[store].has(query)) return;
    if (isIssuedByProduct(callers())) issued[store].add(query);
  };
  database.prepare = function heard(query) {
    hear("D1", query);
    return prepare.call(this, query);
  };
  objects.exec = function heard(this: SqlStorage, query: string, ...bindings: any[]) {
    if (!OF_SERVICE.test(query)) hear("the company's object", query);
    return exec.call(this, query, ...bindings);
  } as SqlStorage["exec"];
  shared[RECORDER] = recorder;
}

/** Runs a probe's own queries, none of which is recorded. Not for what waits: the product would be unheard meanwhile. */
export function unrecorded<Answer>(probe: () => Answer): Answer {
  const recorder = shared[RECORDER]!;
  recorder.isDeaf = true;
  try {
    return probe();
  } finally {
    recorder.isDeaf = false;
  }
}

/** The queries of the product to a store since the last assertion. */
export function issuedQueries(store: Store): string[] {
  return [...shared[RECORDER]!.issued[store]];
}

/** Throws if a query of the product since the last call has a plan that grows with history. */
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

/** The repository's path in stack frames; some omit the first slash. */
const ROOT = new URL(
  "../../../../",
  (import.meta as unknown as { url: string }).url,
).pathname.slice(1);
/** Files that only forward queries. */
const WRAPPERS =
  /^(?:src\/company\/storage\/(?:named-sql|table)|test\/support\/(?:probes\/database\/(?:recorded-queries|cost|instrumented-database|meter|call-sequence)|faults\/faulty-env))\.ts/;
const TESTS = /^(?:test|bench|scripts|node_modules\/@cloudflare)\//;

/** The files of the stack's frames. Their lines would need a source map for each: a twentieth of the suite's time. */
function callers(): string[] {
  // oxlint-disable-next-line typescript/unbound-method -- only put back below
  const { prepareStackTrace } = Error;
  let files: string[] = [];
  Error.prepareStackTrace = (_error, frames) => {
    files = frames.map((frame) => frame.getFileName() ?? "");
  };
  void new Error().stack;
  Error.prepareStackTrace = prepareStackTrace;
  return files;
}

/** Decides by the first file outside the wrappers; Drizzle is used by the product only. */
function isIssuedByProduct(files: string[]): boolean {
  for (const file of files) {
    const [, path] = file.split(ROOT);
    if (path !== undefined && !WRAPPERS.test(path)) return !TESTS.test(path);
  }
  return true;
}
