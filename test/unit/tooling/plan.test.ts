import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lifeOf, planOf } from "../../../bench/lib/plan.ts";

const REPORT = `
| measure | commit |
| cost | \`c5b6cfa\` |

## Cost of a million PIX lifecycles

| resource | per lifecycle | USD per million | USD per million lifecycles |
| -------- | ------------- | --------------- | -------------------------- |
| rows     | 3             | 0.3             | 0.900                      |
| all      |               |                 | 27.80                      |

## Bytes per PIX lifecycle

| table or index      | bytes |
| ------------------- | ----- |
| d1.events           | 2,000 |
| object.charges      | 800   |
| d1.transactions     | 700   |

## Another

| d1.other | 9 |
`;

it("takes a lifecycle's figures from the bench's report", () => {
  const life = { commit: "c5b6cfa", dollars: 27.8, d1Bytes: 2_700, objectBytes: 800 };
  expect(lifeOf(REPORT)).toEqual(life);
  expect(() => lifeOf("")).toThrow("no cost");
});

it("reads the report that is there", () => {
  const life = lifeOf(readFileSync("docs/generated/bench.md", "utf8"));
  expect(life.d1Bytes).toBeGreaterThan(1_000);
  expect(life.objectBytes).toBeGreaterThan(100);
});

it("plans objects for a month's rows beside those for the traffic", () => {
  const life = { commit: "", dollars: 30, d1Bytes: 3_000, objectBytes: 800 };
  expect(planOf(1_000, life)).toMatchObject({
    lives: 2_592_000_000,
    databases: 29,
    databasesFilled: 778,
    objects: 10,
    objectsFilled: 208,
    queues: 1,
    dollars: 77_760,
  });
});
