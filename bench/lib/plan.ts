/** What one PIX lifecycle takes, as `npm run bench` measured it. */
export interface Life {
  /** The commit of the bench. */
  commit: string;
  d1Bytes: number;
  objectBytes: number;
  /** USD for a million, without storage. */
  dollars: number;
}

/** What a rate of lifecycles needs. Bytes and USD for a month of 30 days. */
export interface Plan {
  perSecond: number;
  lives: number;
  databases: number;
  d1Bytes: number;
  databasesFilled: number;
  objects: number;
  objectBytes: number;
  objectsFilled: number;
  queues: number;
  dollars: number;
  storageDollars: number;
}

/** Half of what a database can do, if a lifecycle keeps it busy for 14 ms (docs/scale.md). */
const LIVES_PER_DATABASE = 35;
/** Less than half of what an object can do: 500 commits a second, and two and a call for a lifecycle. */
const LIVES_PER_OBJECT = 100;
/** Half of a queue's 5,000 messages a second (developers.cloudflare.com/queues/platform/limits, 2026-11-21). */
const LIVES_PER_QUEUE = 2_500;
/** Of a database and of an object (/d1/platform/limits, /durable-objects/platform/limits, 2026-11-21). */
const STORAGE_BYTES = 10e9;
/** USD for a GB-month (/d1/platform/pricing, /durable-objects/platform/pricing, 2026-11-21). */
const DOLLARS_PER_GB = { d1: 0.75, object: 0.2 };
const MONTH_SECONDS = 30 * 24 * 3_600;

/** The plan for a rate of lifecycles. */
export function planOf(perSecond: number, { d1Bytes, objectBytes, dollars }: Life): Plan {
  const lives = perSecond * MONTH_SECONDS;
  const bytes = { d1: lives * d1Bytes, object: lives * objectBytes };
  return {
    perSecond,
    lives,
    databases: Math.ceil(perSecond / LIVES_PER_DATABASE),
    d1Bytes: bytes.d1,
    databasesFilled: Math.ceil(bytes.d1 / STORAGE_BYTES),
    objects: Math.ceil(perSecond / LIVES_PER_OBJECT),
    objectBytes: bytes.object,
    objectsFilled: Math.ceil(bytes.object / STORAGE_BYTES),
    queues: Math.ceil(perSecond / LIVES_PER_QUEUE),
    dollars: (lives / 1e6) * dollars,
    storageDollars:
      (bytes.d1 / 1e9) * DOLLARS_PER_GB.d1 + (bytes.object / 1e9) * DOLLARS_PER_GB.object,
  };
}

/** A lifecycle's figures in the report of `npm run bench`. Throws if one is not there. */
export function lifeOf(report: string): Life {
  const dollars = /^\| all +\|[ |]*\| ([\d.]+) +\|$/m.exec(report)?.[1];
  const commit = /`([0-9a-f]{7,})`/.exec(report)?.[1];
  if (dollars === undefined || commit === undefined) throw new Error("the report has no cost");
  const [, tables = ""] = report.split("## Bytes per PIX lifecycle");
  const [own = ""] = tables.split("\n## ");
  const sumOf = (storage: "d1" | "object") => {
    const rows = [...own.matchAll(/^\| (d1|object)\.\S+ +\| ([\d,]+) +\|$/gm)];
    const bytes = rows.filter(([, of]) => of === storage).map(([, , many = ""]) => many);
    if (bytes.length === 0) throw new Error(`the report has no bytes of ${storage}`);
    return bytes.reduce((sum, many) => sum + Number(many.replaceAll(",", "")), 0);
  };
  const sums = { d1Bytes: sumOf("d1"), objectBytes: sumOf("object") };
  return { commit, dollars: Number(dollars), ...sums };
}
