import { it } from "vitest";
import { measureCalls } from "./calls.ts";
import {
  measureCreates,
  measureObjectMs,
  measureLivePix,
  measureLiveWithdraw,
  measureSandboxPix,
  measureWithdraw,
} from "./lifecycles.ts";

/** Enough for a stable mean of some ms. */
const LIFECYCLES = 30;

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
  task.meta.counted = { livePixObjectMs: await measureObjectMs(LIFECYCLES) };
});
