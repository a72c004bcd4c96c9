/**
 * A year of a shop by its clock, and the same acts of a company whose time nobody moves: charges of three methods,
 * refunds, disputes and withdraws, with webhooks that are delivered.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { liveMonth, MONTHS_OF_YEAR } from "../test/model/clock/year.ts";
import type { Findings } from "./lib/goals.ts";
import { postRequest, requestJson, setEndpoint, takeEqualWithdraws } from "./lib/merchant-load.ts";
import { cpuMs } from "./lib/process.ts";
import type { Size } from "./lib/size.ts";
import { startCentavo } from "./lib/worker.ts";

const RATIO_MAX = 2;
const CHARGES_A_MONTH: Record<Size, number> = { full: 100, quick: 40, smoke: 3 };
const CLOCK = "/api/v1/sandbox/clock";

/** CPU time of a year's acts, in milliseconds: of the whole process, its local D1 included. */
export async function measureYear(size: Size): Promise<Findings> {
  const charges = CHARGES_A_MONTH[size];
  // The first start compiles.
  if (size !== "smoke") await cpuOfYear(CHARGES_A_MONTH.smoke, { isMoved: false });
  const still = await cpuOfYear(charges, { isMoved: false });
  const moved = await cpuOfYear(charges, { isMoved: true });
  const name = `year by the clock: CPU against the same acts without one, ${charges} charges a month`;
  return {
    goals: [{ name, bound: "at most", goal: RATIO_MAX, measured: moved.ms / still.ms }],
    tables: [
      {
        title: "A year by the clock",
        head: ["", "CPU, s", "things that ran"],
        rows: [
          ["without a clock", Math.round(still.ms / 100) / 10, still.ran],
          ["by the clock", Math.round(moved.ms / 100) / 10, moved.ran],
        ],
      },
    ],
  };
}

async function cpuOfYear(charges: number, { isMoved }: { isMoved: boolean }) {
  const centavo = await startCentavo({ queues: true });
  const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0);
  await once(receiver, "listening");
  const { port, pid } = centavo;
  let keys = 0;
  const post = async (path: string, body: object) => {
    const request = postRequest(path, `year-${++keys}`, body);
    const answer = (await requestJson(port, request)) as Answer;
    return answer.data ?? answer;
  };
  try {
    await takeEqualWithdraws(centavo);
    await setEndpoint(centavo, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    const begun = cpuMs(pid);
    let ran = 0;
    for (let month = 0; month < MONTHS_OF_YEAR; month++) {
      await liveMonth(post, { month, charges });
      if (isMoved) ran += await passMonth(port);
    }
    return { ms: cpuMs(pid) - begun, ran };
  } finally {
    receiver.close();
    await centavo.stop();
    centavo.remove();
  }
}

type Thing = { id: string | number };
type Answer = Thing & { data?: Thing };
type Moved = { data: { now: string; hasMore: boolean; ran: unknown[] } };

/** Lets a month pass. Returns how many things ran. */
async function passMonth(port: number): Promise<number> {
  let [ran, body]: [number, object] = [0, { advance: "P1M" }];
  for (;;) {
    const { data } = (await requestJson(port, postRequest(CLOCK, "clock", body))) as Moved;
    ran += data.ran.length;
    if (!data.hasMore) return ran;
    body = { set: data.now };
  }
}
