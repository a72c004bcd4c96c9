/** One measurement: a name of Prometheus, and labels whose values are few. */
export interface Sample {
  name: string;
  /** Of a histogram, which of its three series it belongs to. */
  part?: "bucket" | "sum" | "count";
  labels: Record<string, string>;
  value: number;
}

/** The type of a metric, and its help text. */
export type Described = [type: "gauge" | "counter" | "histogram", help: string];

export const inSeconds = (ms: number): number => ms / 1_000;

export function single(name: string, value: number): Sample {
  return { name, labels: {}, value };
}

/** The metrics as Prometheus reads them (text format 0.0.4). One that nothing was measured of has no sample. */
export function metricText(described: Record<string, Described>, samples: Sample[]): string {
  const byName = Map.groupBy(samples, ({ name }) => name);
  return Object.entries(described)
    .map(([name, [type, help]]) => {
      const lines = (byName.get(name) ?? []).map((sample) => `${lineOf(sample)}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function lineOf({ name, part, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  const series = part === undefined ? name : `${name}_${part}`;
  return `${series}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
