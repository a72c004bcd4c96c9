/** Profiles the CPU of the Worker and its objects by function. */
import { ROOT } from "../tools/lib/wrangler.ts";
import { Inspector } from "./lib/inspector.ts";
import type { Findings, Table } from "./lib/goals.ts";
import { runLoad, type Request } from "./lib/load.ts";
import { createRequest, fund, getRequest, withdrawRequest } from "./lib/merchant-load.ts";
import { cpuMs } from "./lib/process.ts";
import { locateBy, selfTimes, type CpuProfile } from "./lib/profiles.ts";
import type { Size } from "./lib/size.ts";
import { startCentavo, type RunningCentavo } from "./lib/worker.ts";

const CONNECTIONS = 8;
const SECONDS: Record<Size, number> = { full: 8, quick: 2, smoke: 0.1 };
/** Functions shown of each call. */
const SHOWN = 15;
const SAMPLING_US = 200;

export async function measureProfile(size: Size): Promise<Findings> {
  const centavo = await startCentavo({ inspected: true });
  try {
    const id = await fund(centavo);
    const inspector = await Inspector.connect(centavo.inspectorUrl ?? "");
    const calls: Record<string, (key: string) => Request> = {
      create: (key) => createRequest(key),
      withdraw: (key) => withdrawRequest(key),
      get: () => getRequest(`/api/Transaction/transactionByTransactionId/${id}`),
      list: () => getRequest("/api/Transaction/company/transactions?pageSize=20"),
    };
    const tables: Table[] = [];
    for (const [name, request] of Object.entries(calls)) {
      tables.push(await profileOf(centavo, inspector, name, request, SECONDS[size]));
    }
    inspector.close();
    return { goals: [], tables };
  } finally {
    await centavo.stop();
    centavo.remove();
  }
}

async function profileOf(
  { port, pid, sourceMap }: RunningCentavo,
  inspector: Inspector,
  name: string,
  request: (key: string) => Request,
  seconds: number,
): Promise<Table> {
  const load = (run: string) =>
    runLoad({
      port,
      connections: CONNECTIONS,
      durationMs: seconds * 1_000,
      request: (number) => request(`profile-${name}-${run}-${number}`),
    });
  await load("warm");
  await inspector.send("Profiler.enable");
  await inspector.send("Profiler.setSamplingInterval", { interval: SAMPLING_US });
  await inspector.send("Profiler.start");
  const cpuBefore = cpuMs(pid);
  const { done } = await load("run");
  const processMs = (cpuMs(pid) - cpuBefore) / done;
  const { profile } = await inspector.send<{ profile: CpuProfile }>("Profiler.stop");
  const functions = selfTimes(profile, locateBy(sourceMap, ROOT));
  const samples = functions.reduce((sum, each) => sum + each.samples, 0);
  return {
    title: `Profile: ${name}`,
    prose:
      `${done} calls over ${CONNECTIONS} connections, ${processMs.toFixed(2)} ms of CPU each in all of workerd, the ` +
      `local D1 and HTTP included. Shares of the ${samples} samples in which the Worker or its object ran ` +
      `JavaScript, by function, without the functions it called. No source: the engine's own code.`,
    head: ["function", "source", "share"],
    rows: functions
      .slice(0, SHOWN)
      .map((each) => [each.name, each.where, `${((each.samples / samples) * 100).toFixed(1)} %`]),
  };
}
