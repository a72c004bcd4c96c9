import { describe, expect, test } from "vitest";
import {
  bindingCount,
  problemsOfPlan,
  hasPlan,
} from "../../support/probes/database/query-plans.ts";

const faults = (query: string, ...details: string[]) =>
  problemsOfPlan(
    query,
    details.map((detail) => ({ detail })),
  );

describe("reports a plan that grows with history", () => {
  test.each([
    "SCAN transactions",
    "SCAN transactions USING INDEX transactions_sweep",
    "SCAN deliveries USING COVERING INDEX deliveries_due",
    "SCAN t",
    "SEARCH e USING AUTOMATIC COVERING INDEX (object_id=?)",
    "USE TEMP B-TREE FOR ORDER BY",
    "USE TEMP B-TREE FOR GROUP BY",
    "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    "UNION USING TEMP B-TREE",
  ])("%s", (detail) => {
    expect(faults("SELECT 1", "QUERY PLAN", detail)).toEqual([detail]);
  });
});

describe("accepts a plan", () => {
  test.each([
    "SEARCH transactions USING PRIMARY KEY (company_id=? AND seq>? AND seq<?)",
    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    "SEARCH releases USING COVERING INDEX releases_due",
    "SCAN CONSTANT ROW",
    "SCAN 2 CONSTANT ROWS",
    "SCAN 3-ROW VALUES CLAUSE",
    "SCAN (subquery-2)",
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "MULTI-INDEX OR",
    "SCAN releases",
    "SCAN withdraws USING INDEX withdraws_processing",
  ])("%s", (detail) => {
    expect(faults("SELECT 1", detail)).toEqual([]);
  });

  test("that scans a subquery whose own lines are bounded", () => {
    const rest = ["SCAN its", "SEARCH attempts USING PRIMARY KEY (company_id=?)"];
    expect(
      faults("SELECT 1", "CO-ROUTINE its", "SEARCH events USING PRIMARY KEY", ...rest),
    ).toEqual([]);
    expect(faults("SELECT 1", "CO-ROUTINE its", "SCAN events", ...rest)).toEqual(["SCAN events"]);
    expect(faults("SELECT 1", ...rest)).toEqual(["SCAN its"]);
  });
});

test("an exception for one query applies to no other", () => {
  const newest = "SELECT hash FROM movements ORDER BY sequence DESC LIMIT 1";
  expect(faults(newest, "SCAN movements")).toEqual([]);
  expect(faults(newest, "SCAN postings")).toEqual(["SCAN postings"]);
  expect(faults("SELECT hash FROM movements", "SCAN movements")).toEqual(["SCAN movements"]);
});

describe("a query", () => {
  test.each([
    ["SELECT 1", true],
    ["\n  with x as (select 1) select * from x", true],
    ["INSERT OR REPLACE INTO meta VALUES (1)", true],
    ["CREATE TABLE t (a)", false],
    ["PRAGMA foreign_keys", false],
    ["EXPLAIN QUERY PLAN SELECT 1", false],
  ])("%j has a plan: %j", (query, expected) => {
    expect(hasPlan(query)).toBe(expected);
  });

  test.each([
    ["SELECT 1", 0],
    ["SELECT ?, ?", 2],
    ["SELECT ?2, ?1, ?2", 2],
    ["SELECT ?3, ?", 4],
    [`SELECT '?', "?", 'it''s ?', ? -- ?`, 1],
    ["SELECT /* ? */ ?", 1],
    ["SELECT :from, :to, :from, ':none'", 2],
  ])("%j takes %j values", (query, expected) => {
    expect(bindingCount(query)).toBe(expected);
  });
});
