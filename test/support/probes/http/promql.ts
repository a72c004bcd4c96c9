import { parser } from "@prometheus-io/lezer-promql";

/** What a query of PromQL asks for. */
export interface PromqlUse {
  /** Each selected series, with the labels that it is selected by. */
  selectors: { name: string; labels: string[] }[];
  /** The labels that it groups by. */
  grouped: string[];
}

/** Reads a query with the parser of Prometheus' own editor. Throws if it does not parse. */
export function readPromql(query: string): PromqlUse {
  const use: PromqlUse = { selectors: [], grouped: [] };
  parser.parse(query).iterate({
    enter: (node) => {
      const { type, from, to } = node;
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`no PromQL at ${from}: ${query}`);
      if (type.name === "Identifier" && node.matchContext(["VectorSelector"])) {
        use.selectors.push({ name: text, labels: [] });
      }
      if (type.name !== "LabelName") return;
      if (node.matchContext(["GroupingLabels"])) use.grouped.push(text);
      else use.selectors.at(-1)?.labels.push(text);
    },
  });
  return use;
}
