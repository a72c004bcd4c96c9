import type { Projection } from "../../src/company/outbox/ports.ts";
import { projectionWriter } from "../../src/db/projection/projection-writer.ts";
import type { Env } from "../../src/config.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import type { Trouble } from "./reference/operations.ts";

/**
 * The state of the object's connection to D1: `down` rejects, `mute` writes but reports a
 * failure, `late` reports a failure and writes only after newer states.
 */
export type DrainMode = "up" | "down" | "mute" | "late";

/** The object's connection to D1, with its faults. */
export class FaultyProjection implements Projection {
  mode: DrainMode = "up";
  readonly #real: Projection;
  #lateWrites: (() => Promise<unknown>)[] = [];

  constructor(env: Env) {
    this.#real = projectionWriter(env);
  }

  async write(...batch: Parameters<Projection["write"]>): ReturnType<Projection["write"]> {
    if (this.mode === "up") return this.#real.write(...batch);
    if (this.mode === "mute") await this.#real.write(...batch);
    if (this.mode === "late") this.#lateWrites.push(() => this.#real.write(...batch));
    throw new Error("D1_ERROR: D1 is down");
  }

  /** The delayed writes arrive. */
  async applyLateWrites(): Promise<void> {
    const late = this.#lateWrites;
    this.#lateWrites = [];
    for (const write of late) await write();
  }
}

/** An environment in which one call of `method` to a company's object fails. */
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

/** Whether an error stands for a crashed process. */
export function isCrash(error: unknown): boolean {
  return error instanceof Error && error.message === CRASH;
}

/** The SQL that claims a create, and the SQL that stores its result. */
export const CLAIM_SQL = /insert into "transactions"/i;
export const ANSWER_SQL = /update "transactions" set .*"answered_status" = /is;

/** RPCs that report a charge to a company's object. */
const STATUS_REPORT = /^(settlePayment|transitionCharge)$/;

/**
 * An environment whose process crashes at its first report to the object, before or after its
 * effect.
 */
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

/** The first response is lost with the platform's retryable error. */
function loseFirstResponse(on: RegExp) {
  let lost = false;
  return async <Answer>(label: string, run: () => Promise<Answer>): Promise<Answer> => {
    const answer = await run();
    if (lost || !on.test(label)) return answer;
    lost = true;
    throw Object.assign(new Error("Network connection lost."), { retryable: true });
  };
}
