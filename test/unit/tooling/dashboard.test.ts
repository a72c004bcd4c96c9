import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPromql } from "../../support/probes/http/promql.ts";

const DOCS = join(import.meta.dirname, "../../../docs");

interface Panel {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string; refId: string }[];
}

const { panels } = JSON.parse(readFileSync(join(DOCS, "grafana/centavo.json"), "utf8")) as {
  panels: Panel[];
};
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

it("every query of the dashboard is PromQL", () => {
  expect(queries.length).toBeGreaterThan(15);
  for (const query of queries) expect(readPromql(query).selectors.length, query).toBeGreaterThan(0);
});

it("every metric that answers a question of docs/operating.md has a panel", () => {
  const page = readFileSync(join(DOCS, "operating.md"), "utf8");
  const [, section = ""] = /^## Questions\n(.*?)^## /ms.exec(page) ?? [];
  const named = [...section.matchAll(/`(centavo_\w+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(10);
  const shown = queries.flatMap((query) => readPromql(query).selectors.map(({ name }) => name));
  const isShown = (name: string) =>
    shown.some((each) => each.replace(/_(bucket|sum|count)$/, "") === name);
  expect([...new Set(named)].filter((name) => !isShown(name))).toEqual([]);
});

it("each panel has its own number, and each query of it its own letter", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, type, targets = [] } of panels) {
    expect(targets.length > 0, title).toBe(type !== "row");
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
  }
});

it("reads what a query selects and groups by", () => {
  expect(readPromql('sum by (host, le) (rate(a_bucket{le!="1"}[1h] offset 7d)) / b')).toEqual({
    selectors: [
      { name: "a_bucket", labels: ["le"] },
      { name: "b", labels: [] },
    ],
    grouped: ["host", "le"],
  });
  expect(() => readPromql("sum by (host (rate(a[1h]))")).toThrow("no PromQL");
});
