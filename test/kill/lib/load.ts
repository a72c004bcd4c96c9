import type { MerchantAnswer } from "../../../tools/lib/merchant.ts";
import { callerOf, type Callers } from "./callers.ts";
import type { Intent, Journal, Kind } from "./journal.ts";
import { LOAD_MAX_MS } from "./limits.ts";
import { nextIntent } from "./plan.ts";
import { Random } from "./random.ts";
import { wait } from "./wait.ts";
import { readWaiting } from "./waiting.ts";

const WORKERS = 8;
const KILL_AFTER_ACKS_MIN = 30;
const KILL_AFTER_ACKS_MAX = 260;
/** Varies the kill's distance from the last response. */
const KILL_LATER_MAX_MS = 60;
/** The wait before a request without a result is repeated. */
const RETRY_AFTER_MS = 1_000;

/** A run without one of these would prove less than its test says. */
export const NEEDED: readonly Kind[] = [
  "create",
  "pay",
  "refund",
  "dispute",
  "cancel",
  "capture",
  "withdraw",
  "withdraw_approve",
  "refund_approve",
  "return",
  "credit",
  "proposal_approve",
];

export interface Client {
  journal: Journal;
  /** Those of the service that runs. */
  callers: Callers;
  /** Responses that no request may get. */
  unexpectedAnswers: string[];
}

export interface LoadOptions {
  seed: number;
  cycle: number;
  postbackUrl: string;
  postbackShare: number;
  retryOnlyBySweep: boolean;
  /**
   * Called once a run has all that it needs; resolves when to kill. Null kills after a random number of
   * acknowledgements.
   */
  killSignal: (() => Promise<void>) | null;
}

/** Mixed requests of several workers for both companies until `kill` is called. */
export async function loadUntilKilled(
  client: Client,
  options: LoadOptions,
  kill: () => Promise<void>,
): Promise<void> {
  const { journal } = client;
  const { merchants } = client.callers;
  const moment = new Random(options.seed, options.cycle, 0);
  const killAfterAcks = moment.int(KILL_AFTER_ACKS_MIN, KILL_AFTER_ACKS_MAX);
  const deadline = Date.now() + LOAD_MAX_MS;
  let acks = 0;
  const killing: { done: Promise<void> | null } = { done: null };
  const killSoon = () => {
    killing.done ??= wait(moment.int(0, KILL_LATER_MAX_MS)).then(kill);
  };
  const killNow = () => (killing.done ??= kill());
  let isSignalAwaited = false;
  const worker = async (name: number) => {
    const random = new Random(options.seed, options.cycle, name + 1);
    let broken = false;
    while (!broken) {
      if (Date.now() > deadline) killSoon();
      const merchant = random.pick(merchants)!;
      const { companyId } = merchant;
      const { postbackUrl, postbackShare } = options;
      const plan = { random, journal, companyId, postbackUrl, postbackShare };
      const intent =
        journal.nextUnanswered(Date.now()) ?? (await nextIntent(plan, () => readWaiting(merchant)));
      const outcome = intent === null ? "broken" : await send(client, intent);
      if (outcome === "answered") acks += 1;
      const { killSignal } = options;
      if (killSignal === null && acks >= killAfterAcks && hasNeeded(journal)) killSoon();
      if (killSignal !== null && !isSignalAwaited && hasNeeded(journal)) {
        isSignalAwaited = true;
        void killSignal().then(killNow);
      }
      // Some payments are left to the service's own polling.
      if (outcome === "broken" && intent?.kind === "pay" && options.retryOnlyBySweep) {
        intent.abandoned = random.chance(0.5);
      }
      broken = outcome === "broken" && killing.done !== null;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, name) => worker(name)));
  await killing.done;
}

function hasNeeded(journal: Journal): boolean {
  const acknowledged = journal.acknowledged();
  return NEEDED.every((kind) => acknowledged[kind] > 0);
}

/** Sends an intent once; without a final response it can be sent again. */
export async function send(
  client: Client,
  intent: Intent,
): Promise<"answered" | "open" | "broken"> {
  const { journal, callers, unexpectedAnswers } = client;
  intent.attempts += 1;
  let answer: MerchantAnswer;
  try {
    answer = await callerOf(callers, intent).call(
      intent.method,
      intent.path,
      intent.body,
      intent.key === null ? {} : { "Idempotency-Key": intent.key },
    );
  } catch {
    // The connection broke: the request's outcome is unknown.
    journal.retryLater(intent, 0);
    return "broken";
  }
  const code: unknown = answer.body?.code;
  if (code === "INTERNAL_ERROR") {
    unexpectedAnswers.push(
      `wrong: ${intent.kind} was answered INTERNAL_ERROR ${answer.body.traceId}`,
    );
  }
  if (answer.status >= 500 || code === "IDEMPOTENCY_IN_PROGRESS") {
    journal.retryLater(intent, RETRY_AFTER_MS);
    return "open";
  }
  journal.acknowledge(intent, answer);
  return "answered";
}
