import { env } from "cloudflare:workers";
import { it } from "vitest";
import type { Size } from "../../lib/size.ts";
import { measureCalls } from "./calls.ts";
import {
  measureCreates,
  measureObjectMs,
  measureLivePix,
  measureLiveWithdraw,
  measureSandboxPix,
  measureWithdraw,
} from "./lifecycles.ts";

/** Thirty are enough for a stable mean of some ms. */
const LIFECYCLES: Record<Size, number> = { full: 30, quick: 30, smoke: 2 };

declare module "vitest" {
  interface TaskMeta {
    /** The counts, which the bench reads from the run's report. */
    counted?: object;
  }
}

it("calls", async ({ task }) => {
  task.meta.counted = await measureCalls();
});

it("creates", async ({ task }) => {
  task.meta.counted = await measureCreates();
});

it("lifecycles", async ({ task }) => {
  task.meta.counted = {
    livePix: await measureLivePix(),
    sandboxPix: await measureSandboxPix(),
    withdraw: await measureWithdraw(),
    liveWithdraw: await measureLiveWithdraw(),
  };
});

it("durations", async ({ task }) => {
  const { BENCH_SIZE } = env as unknown as { BENCH_SIZE: Size };
  task.meta.counted = { livePixObjectMs: await measureObjectMs(LIFECYCLES[BENCH_SIZE]) };
});
