import { it } from "vitest";
import { measureCalls } from "./calls.ts";
import {
  measureCreates,
  measureLivePix,
  measureLiveWithdraw,
  measureSandboxPix,
  measureWithdraw,
} from "./lives.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What the bench reads out of the run's report. */
    counted?: object;
  }
}

it("calls", async ({ task }) => {
  task.meta.counted = await measureCalls();
});

it("creates", async ({ task }) => {
  task.meta.counted = await measureCreates();
});

it("lives", async ({ task }) => {
  task.meta.counted = {
    livePix: await measureLivePix(),
    sandboxPix: await measureSandboxPix(),
    withdraw: await measureWithdraw(),
    liveWithdraw: await measureLiveWithdraw(),
  };
});
