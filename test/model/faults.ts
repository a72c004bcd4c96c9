import type { Projection } from "../../src/company/outbox/ports.ts";
import { projectionWriter } from "../../src/db/projection/projection-writer.ts";
import type { Env } from "../../src/config.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import type { Trouble } from "./reference/operations.ts";

/**
 * How the object's way to D1 fares: `down` refuses, `mute` writes but says that it failed, `late`
 * says that it failed and writes only once newer states are there.
 */
export type DrainMode = "up" | "down" | "mute" | "late";

/** The object's way to D1, good or bad. */
export class FaultyProjection implements Projection {
  mode: DrainMode = "up";
  readonly #real: Projection;
  #lateWrites: (() => Promise<unknown>)[] = [];

  constructor(env: Env) {
    this.#real = projectionWriter(env);
  }

  async write(...batch: Parameters<Projection["write"]>): Promise<string[]> {
    if (this.mode === "up") return this.#real.write(...batch);
    if (this.mode === "mute") await this.#real.write(...batch);
    if (this.mode === "late") this.#lateWrites.push(() => this.#real.write(...batch));
    throw new Error("D1_ERROR: D1 is down");
  }

  /** The writes that were taken for lost arrive now. */
  async applyLateWrites(): Promise<void> {
    const late = this.#lateWrites;
    this.#lateWrites = [];
    for (const write of late) await write();
  }
}

/** An environment in which one call of `method` to a company's object meets a trouble. */
export function withTrouble(env: Env, request: RegExp, record: RegExp, trouble: Trouble): Env {
  switch (trouble) {
    case "none":
      return env;
    case "request lost":
      return withAccounts(env, loseFirstResponse(request));
    case "record lost":
      return withAccounts(env, loseFirstResponse(record));
    case "died after request":
      return withAccounts(env, injectFault({ on: request, when: "after" }).intercept);
    case "died before record":
      return withAccounts(env, injectFault({ on: record, when: "before" }).intercept);
    case "died after record":
      return withAccounts(env, injectFault({ on: record, when: "after" }).intercept);
  }
}

/** Whether an error is the one that stands for the death of the process. */
export function isCrash(error: unknown): boolean {
  return error instanceof Error && error.message === CRASH;
}

/** The SQL that claims a create, and the SQL that writes what its bank answered. */
export const CLAIM_SQL = /insert into "transactions"/i;
export const ANSWER_SQL = /update "transactions" set .*"answered_status" = /is;

/** What tells a company's object how a charge stands. */
const STATUS_REPORT = /^(settlePayment|transitionCharge)$/;

/** An environment in which the process dies at the first word to the object, heard or not. */
export function crashAtReport(env: Env, when: "before" | "after"): Env {
  return withAccounts(env, injectFault({ on: STATUS_REPORT, when }).intercept);
}

/** An environment whose D1 fails one statement. */
export function withD1Fault(
  env: Env,
  on: RegExp,
  when: "before" | "after",
  error: string = CRASH,
): Env {
  return withD1(env, injectFault({ on, when, error }).intercept);
}

/** The first answer is lost on the way, as the platform says it: safe to call again. */
function loseFirstResponse(on: RegExp) {
  let lost = false;
  return async <Answer>(label: string, run: () => Promise<Answer>): Promise<Answer> => {
    const answer = await run();
    if (lost || !on.test(label)) return answer;
    lost = true;
    throw Object.assign(new Error("Network connection lost."), { retryable: true });
  };
}
