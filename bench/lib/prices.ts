/**
 * Cloudflare's prices on the Workers Paid plan in US dollars for each million, beyond what the plan
 * includes. Read on 2026-11-21 at developers.cloudflare.com: /workers/platform/pricing,
 * /d1/platform/pricing, /durable-objects/platform/pricing and /queues/platform/pricing. Those of
 * Workers Logs on 2026-11-22: /workers/observability/logs/workers-logs (20 million events a month are
 * included, and kept for 7 days). Those of R2's standard storage on 2026-11-28: /r2/pricing (a million writes a month
 * are included).
 */
export const PRICES = {
  workerRequests: { unit: "requests to the Worker", perMillion: 0.3 },
  cpuMs: { unit: "ms of CPU", perMillion: 0.02 },
  d1RowsRead: { unit: "rows read in D1", perMillion: 0.001 },
  d1RowsWritten: { unit: "rows written in D1", perMillion: 1 },
  objectRequests: { unit: "requests to the object", perMillion: 0.15 },
  objectGbSeconds: { unit: "GB-s of the object (128 MB)", perMillion: 12.5 },
  objectRowsRead: { unit: "rows read in the object", perMillion: 0.001 },
  objectRowsWritten: { unit: "rows written in the object, alarms set among them", perMillion: 1 },
  queueOperations: { unit: "queue operations (write, read, delete of a message)", perMillion: 0.4 },
  archiveWrites: { unit: "writes to the archive (R2, class A)", perMillion: 4.5 },
  logEvents: {
    unit: "events of Workers Logs (console lines, and one for each invocation)",
    perMillion: 0.6,
  },
} as const;

type Resource = keyof typeof PRICES;

/** The quantity of each resource that one lifecycle uses. */
export type Quantities = Record<Resource, number>;

/** An object is billed for this memory, independent of its use. */
const OBJECT_GB = 0.128;
/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;

export interface BillLine {
  unit: string;
  quantity: number;
  perMillion: number;
  /** Price of a million lifecycles. */
  dollars: number;
}

/** The cost of a million lifecycles, line by line. */
export function billOf(quantities: Quantities): { lines: BillLine[]; dollars: number } {
  const lines = (Object.keys(PRICES) as Resource[]).map((resource) => {
    const { unit, perMillion } = PRICES[resource];
    const quantity = quantities[resource];
    return { unit, quantity, perMillion, dollars: quantity * perMillion };
  });
  return { lines, dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0) };
}

/** The billed GB-seconds of an object that works for `busyMs`. */
export function gbSecondsOf(busyMs: number): number {
  return (busyMs / 1_000) * OBJECT_GB;
}

/**
 * Events of Workers Logs: one for each console line and for each invocation (request or queue of the Worker,
 * call or alarm of the object). `sampled` is `head_sampling_rate` in wrangler.toml, 0 to 1.
 */
export function logEventsOf(lines: number, invocations: number, sampled: number): number {
  return (lines + invocations) * sampled;
}

/** The billed queue operations of a number of messages. */
export function queueOperationsOf(messages: number): number {
  return messages * OPERATIONS_PER_MESSAGE;
}
