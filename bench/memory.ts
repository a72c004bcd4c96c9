/** Measures the isolate's memory for a page of the largest valid rows. */
import { GcTrace, largestIsolate, TRACED_GC } from "./lib/gc-trace.ts";
import { worstOf, type Findings } from "./lib/goals.ts";
import { runLoad } from "./lib/load.ts";
import { requestJson, createRequest, getRequest } from "./lib/merchant-load.ts";
import { peakMemory, resetPeakMemory, residentMemory } from "./lib/process.ts";
import type { Size } from "./lib/size.ts";
import { startCentavo, type RunningWorker } from "./lib/worker.ts";

const CALL_MAX_MB = 32;
/** With them the largest valid body is almost full: 16 KiB. */
const ITEMS = 15;
const ROWS: Record<Size, number> = { full: 500, quick: 120, smoke: 8 };
const CONCURRENCY = 8;
const FILLING_CONNECTIONS = 4;
const FILLING_MAX_MS = 600_000;
/** Enough small calls that each isolate collects its garbage. */
const WARM_UP_CALLS = 60;
const WARM_UP_PATH = "/api/v1/company/settings";

/** The first call scans all rows and finds none; the others return a full page. */
const CALLS = {
  "search by a status that none has": "/api/v1/transactions?status=REFUNDED&limit=100",
  "search by a status that all have": "/api/v1/transactions?status=PENDING&limit=100",
  "list of 100": "/api/Transaction/company/transactions?pageSize=100",
};

interface Measured {
  oneMb: number;
  eachOfEightMb: number;
  /** The growth of the workerd process, D1 included. */
  processMb: number;
}

export async function measureMemory(size: Size): Promise<Findings> {
  const trace = new GcTrace();
  const centavo = await startCentavo({ v8Flags: TRACED_GC, onLog: trace.add });
  try {
    await fill(centavo, ROWS[size]);
    const measured: Record<string, Measured> = {};
    for (const [name, path] of Object.entries(CALLS)) {
      const one = await memoryOf(centavo, trace, path, 1);
      const eight = await memoryOf(centavo, trace, path, CONCURRENCY);
      measured[name] = {
        oneMb: one.isolateMb,
        eachOfEightMb: eight.isolateMb / CONCURRENCY,
        processMb: eight.processMb,
      };
    }
    return findingsOf(measured, ROWS[size]);
  } finally {
    await centavo.stop();
    centavo.remove();
  }
}

/** Creates transactions with the largest valid body. */
async function fill({ port }: RunningWorker, rows: number): Promise<void> {
  const { done, statuses } = await runLoad({
    port,
    connections: FILLING_CONNECTIONS,
    durationMs: FILLING_MAX_MS,
    count: rows,
    request: (number) => createRequest(`large-${number}`, largestPayment(number)),
  });
  if (done !== rows) throw new Error(`not all rows were created: ${JSON.stringify(statuses)}`);
}

/**
 * A payer, metadata and items with texts that fill a body of almost 16 KiB. The letters are random, so
 * they do not compress, and one of each text is beyond Latin-1, so V8 uses two bytes per letter.
 */
function largestPayment(seed: number): object {
  let state = seed;
  const text = (length: number) => {
    let letters = "€";
    while (letters.length < length) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      letters += (state >>> 8).toString(36);
    }
    return letters.slice(0, length);
  };
  return {
    amount: 1_000,
    paymentMethod: "PIX",
    externalRef: text(255),
    customer: {
      id: text(255),
      name: text(120),
      email: `${text(240).slice(1)}@example.com`,
      phone: text(255),
      externalRef: text(255),
      document: { number: "52998224725", type: "CPF" },
    },
    shipping: {
      address: {
        street: text(255),
        streetNumber: text(255),
        complement: text(255),
        zipCode: text(255),
        neighborhood: text(255),
        city: text(255),
        state: "SP",
        country: "BR",
      },
    },
    metadata: text(4_000),
    items: Array.from({ length: ITEMS }, () => ({
      title: text(255),
      externalRef: text(200),
      unitPrice: 10,
      quantity: 1,
      tangible: true,
    })),
  };
}

/** The peak memory of concurrent calls minus the memory at rest, MB. */
async function memoryOf(
  centavo: RunningWorker,
  trace: GcTrace,
  path: string,
  atOnce: number,
): Promise<{ isolateMb: number; processMb: number }> {
  trace.takeHeapSizes();
  for (let each = 0; each < WARM_UP_CALLS; each++) {
    await requestJson(centavo.port, getRequest(WARM_UP_PATH));
  }
  const atRest = trace.takeHeapSizes();
  const isolate = largestIsolate(atRest);
  const restMb = Math.min(...(atRest.get(isolate) ?? []));
  const residentMb = residentMemory(centavo.pid);
  resetPeakMemory(centavo.pid);
  await Promise.all(
    Array.from({ length: atOnce }, () => requestJson(centavo.port, getRequest(path))),
  );
  const peakMb = Math.max(restMb, ...(trace.takeHeapSizes().get(isolate) ?? []));
  return { isolateMb: peakMb - restMb, processMb: peakMemory(centavo.pid) - residentMb };
}

function findingsOf(measured: Record<string, Measured>, rows: number): Findings {
  const names = Object.keys(measured);
  return {
    goals: [
      worstOf(
        "memory: MB that a search or a list of the largest rows takes in the isolate",
        CALL_MAX_MB,
        Object.fromEntries(
          names.map((name) => [
            name,
            Math.max(measured[name]?.oneMb ?? 0, measured[name]?.eachOfEightMb ?? 0),
          ]),
        ),
      ),
    ],
    tables: [
      {
        title: "Memory of a page",
        prose:
          `Over ${rows} transactions of about 16 KB each, MB. V8 runs a full collection after each allocated ` +
          "megabyte and prints the remaining heap: the figure is the maximum during a call minus the heap at rest. " +
          "The process is all of workerd, D1 included, with eight calls at once.",
        head: ["call", "one", "each of eight at once", "process, eight at once"],
        rows: Object.entries(measured).map(([name, { oneMb, eachOfEightMb, processMb }]) => [
          name,
          oneMb,
          eachOfEightMb,
          processMb,
        ]),
      },
    ],
  };
}
