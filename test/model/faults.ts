import type { Records } from "../../src/company/outbox/records.ts";
import { recordsOf } from "../../src/db/projection/records.ts";
import type { Env } from "../../src/config.ts";
import { CRASH, fault, withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import type { Trouble } from "./reference/operations.ts";

/**
 * How the object's way to D1 fares: `down` refuses, `mute` writes but says that it failed, `late`
 * says that it failed and writes only once newer states are there.
 */
export type Drain = "up" | "down" | "mute" | "late";

/** The object's way to D1, good or bad. */
export class DrainRecords implements Records {
  drain: Drain = "up";
  readonly #real: Records;
  #late: (() => Promise<unknown>)[] = [];

  constructor(env: Env) {
    this.#real = recordsOf(env);
  }

  async apply(...batch: Parameters<Records["apply"]>): Promise<string[]> {
    if (this.drain === "up") return this.#real.apply(...batch);
    if (this.drain === "mute") await this.#real.apply(...batch);
    if (this.drain === "late") this.#late.push(() => this.#real.apply(...batch));
    throw new Error("D1_ERROR: D1 is down");
  }

  /** The writes that were taken for lost arrive now. */
  async arriveLate(): Promise<void> {
    const late = this.#late;
    this.#late = [];
    for (const write of late) await write();
  }
}

/** An environment in which one call of `method` to a company's object meets a trouble. */
export function troubled(env: Env, request: RegExp, record: RegExp, trouble: Trouble): Env {
  switch (trouble) {
    case "none":
      return env;
    case "request lost":
      return withAccounts(env, lostOnce(request));
    case "record lost":
      return withAccounts(env, lostOnce(record));
    case "died after request":
      return withAccounts(env, fault({ on: request, when: "after" }).around);
    case "died before record":
      return withAccounts(env, fault({ on: record, when: "before" }).around);
    case "died after record":
      return withAccounts(env, fault({ on: record, when: "after" }).around);
  }
}

/** Whether an error is the one that stands for the death of the process. */
export function isDeath(error: unknown): boolean {
  return error instanceof Error && error.message === CRASH;
}

/** The SQL that claims a create, and the SQL that writes what its bank answered. */
export const CLAIM_SQL = /insert into "transactions"/i;
export const ANSWER_SQL = /update "transactions" set .*"answered_status" = /is;

/** What tells a company's object how a charge stands. */
const TOLD = /^(settlePayment|moveCharge)$/;

/** An environment in which the process dies at the first word to the object, heard or not. */
export function dyingAtWord(env: Env, when: "before" | "after"): Env {
  return withAccounts(env, fault({ on: TOLD, when }).around);
}

/** An environment whose D1 fails one statement. */
export function withD1Fault(
  env: Env,
  on: RegExp,
  when: "before" | "after",
  error: string = CRASH,
): Env {
  return withD1(env, fault({ on, when, error }).around);
}

/** The first answer is lost on the way, as the platform says it: safe to call again. */
function lostOnce(on: RegExp) {
  let lost = false;
  return async <Answer>(label: string, run: () => Promise<Answer>): Promise<Answer> => {
    const answer = await run();
    if (lost || !on.test(label)) return answer;
    lost = true;
    throw Object.assign(new Error("Network connection lost."), { retryable: true });
  };
}
