import { expect, it } from "vitest";
import { parsePrometheus, valueOf } from "../../support/probes/http/prometheus.ts";

const HEAD = "# HELP a Help.\n# TYPE a gauge\n";
const HISTOGRAM = "# HELP h Help.\n# TYPE h histogram\n";
const WHOLE = `${HISTOGRAM}h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3.5\nh_count 2\n`;

it("reads names, labels with escapes, and values", () => {
  const [family] = parsePrometheus(`${HEAD}a{of="x\\"y\\\\z\\n",by="1"} -1.5e-3\n`);
  expect(family?.samples).toEqual([
    { name: "a", labels: { of: 'x"y\\z\n', by: "1" }, value: -0.0015 },
  ]);
  expect(valueOf(family?.samples ?? [], "a", {})).toBeNaN();
});

it("reads a whole histogram, and a metric without samples", () => {
  expect(parsePrometheus(HEAD)).toMatchObject([{ name: "a", samples: [] }]);
  expect(parsePrometheus(WHOLE)[0]?.samples).toHaveLength(4);
});

it.each([
  ["a line without its end", `${HEAD}a 1`],
  ["a sample without a type", "a 1\n"],
  ["a type without its help", "# TYPE a gauge\n"],
  ["an unknown type", "# HELP a Help.\n# TYPE a number\n"],
  ["a metric that stands twice", `${HEAD}a 1\n${HEAD}`],
  ["a sample of another metric", `${HEAD}b 1\n`],
  ["a label that is not quoted", `${HEAD}a{of=x} 1\n`],
  ["a label that is not escaped", `${HEAD}a{of="x\\y"} 1\n`],
  ["a label that stands twice", `${HEAD}a{of="x",of="y"} 1\n`],
  ["a series that stands twice", `${HEAD}a{of="x"} 1\na{of="x"} 2\n`],
  ["a value that is no number", `${HEAD}a null\n`],
  ["a counter without _total", "# HELP a Help.\n# TYPE a counter\n"],
  ["a counter below 0", "# HELP a_total Help.\n# TYPE a_total counter\na_total -1\n"],
  ["a histogram without +Inf", WHOLE.replace('h_bucket{le="+Inf"} 2\n', "")],
  ["a histogram whose buckets fall", WHOLE.replace('{le="1"} 1', '{le="1"} 3')],
  ["a histogram whose bounds fall", WHOLE.replace('{le="1"}', '{le="+Inf"}')],
  ["a histogram without a sum", WHOLE.replace("h_sum 3.5\n", "")],
  ["a histogram with another count", WHOLE.replace("h_count 2", "h_count 1")],
])("rejects %s", (_what, text) => {
  expect(() => parsePrometheus(text)).toThrow();
});
