/** A line of a metric. */
export interface PrometheusSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

type PrometheusType = "counter" | "gauge" | "histogram";

/** A metric's lines: its help, its type, and its samples. */
export interface PrometheusFamily {
  name: string;
  type: PrometheusType;
  samples: PrometheusSample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/;
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(
  `^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|\\+Inf)$`,
);

/**
 * Parses Prometheus' text format (0.0.4) as strictly as its grammar: each metric once, its help and type before its
 * samples, each series once, and histograms whole. Throws at the first line that is not so.
 */
export function parsePrometheus(text: string): PrometheusFamily[] {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families: PrometheusFamily[] = [];
  let helped: string | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, help] = HELP.exec(line) ?? [];
    const [, typed, type] = TYPE.exec(line) ?? [];
    if (help !== undefined) {
      if (families.some(({ name }) => name === help)) throw new Error(`${help} stands twice`);
      helped = help;
    } else if (typed !== undefined) {
      if (helped !== typed) throw new Error(`${typed} has a type without its help`);
      families.push({ name: typed, type: type as PrometheusType, samples: [] });
    } else {
      addSample(families.at(-1), parseSample(line));
    }
  }
  for (const family of families) requireWhole(family);
  return families;
}

/** The samples of all metrics. */
export function samplesOf(text: string): PrometheusSample[] {
  return parsePrometheus(text).flatMap(({ samples }) => samples);
}

/** The value of a series; NaN if there is none. */
export function valueOf(
  samples: PrometheusSample[],
  name: string,
  labels: Record<string, string>,
): number {
  const found = samples.find((sample) => sample.name === name && isSame(sample.labels, labels));
  return found?.value ?? Number.NaN;
}

function parseSample(line: string): PrometheusSample {
  const [, name, pairs = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a line of the format: ${line}`);
  const labels = [...pairs.matchAll(new RegExp(LABEL, "g"))].map(([pair]) => {
    const [label = "", quoted = ""] = pair.split(/=(.*)/s);
    const text = quoted.slice(1, -1).replaceAll(/\\(.)/g, (_, of) => (of === "n" ? "\n" : of));
    return [label, text] as const;
  });
  if (new Set(labels.map(([label]) => label)).size < labels.length) {
    throw new Error(`a label stands twice: ${line}`);
  }
  return {
    name,
    labels: Object.fromEntries(labels),
    value: Number(value?.replace("+Inf", "Infinity")),
  };
}

function addSample(family: PrometheusFamily | undefined, sample: PrometheusSample): void {
  const { name } = sample;
  const own =
    family?.type === "histogram"
      ? ["_bucket", "_sum", "_count"].map((part) => `${family.name}${part}`)
      : [family?.name];
  if (family === undefined || !own.includes(name)) throw new Error(`${name} is not of its metric`);
  if (family.samples.some((other) => other.name === name && isSame(other.labels, sample.labels))) {
    throw new Error(`a series stands twice: ${name} ${JSON.stringify(sample.labels)}`);
  }
  family.samples.push(sample);
}

/** Counters end in `_total`; a histogram's buckets rise to `+Inf`, which is its count. */
function requireWhole({ name, type, samples }: PrometheusFamily): void {
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is no ${type}`);
  if (type === "counter" && samples.some(({ value }) => value < 0)) {
    throw new Error(`${name} is below 0`);
  }
  if (type !== "histogram") return;
  const groups = Map.groupBy(samples, ({ labels: { le: _le, ...labels } }) =>
    JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => one.localeCompare(other))),
  );
  for (const group of groups.values()) {
    const of = (part: string) => group.filter((sample) => sample.name === `${name}_${part}`);
    const bounds = of("bucket").map(({ labels }) =>
      Number(labels["le"]?.replace("+Inf", "Infinity")),
    );
    const counts = of("bucket").map(({ value }) => value);
    const [count] = of("count");
    if (bounds.at(-1) !== Infinity) throw new Error(`${name} has no bucket +Inf`);
    if (!isRising(bounds, true) || !isRising(counts, false))
      throw new Error(`${name} does not rise`);
    if (of("sum").length !== 1 || of("count").length !== 1 || count?.value !== counts.at(-1)) {
      throw new Error(`${name} has no sum, or another count than its last bucket`);
    }
  }
}

function isRising(numbers: number[], isStrict: boolean): boolean {
  return numbers.every((each, index) => {
    const before = numbers[index - 1] ?? Number.NEGATIVE_INFINITY;
    return isStrict ? each > before : each >= before;
  });
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
