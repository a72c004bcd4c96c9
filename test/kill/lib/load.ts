import { Merchant, type MerchantAnswer } from "../../../tools/lib/merchant.ts";
import type { Intent, Journal } from "./journal.ts";
import { nextIntent } from "./plan.ts";
import { Random } from "./random.ts";
import { wait } from "./wait.ts";

const WORKERS = 8;
/** The latest time of the kill, whatever the number of acknowledgements. */
const LOAD_MAX_REQUESTS = 600;
const LOAD_MAX_MS = 45_000;
const KILL_AFTER_ACKS_MIN = 30;
const KILL_AFTER_ACKS_MAX = 260;
/** Varies the kill's distance from the last response. */
const KILL_LATER_MAX_MS = 60;
/** The wait before a request without a result is repeated. */
const RETRY_AFTER_MS = 1_000;

export interface Client {
  journal: Journal;
  merchants: Merchant[];
  /** Responses that no request may get. */
  unexpectedAnswers: string[];
}

export interface LoadOptions {
  seed: number;
  cycle: number;
  postbackUrl: string;
  postbackShare: number;
  retryOnlyBySweep: boolean;
  /** Resolves when to kill; null kills after a random number of acknowledgements. */
  killSignal: Promise<void> | null;
}

/** Mixed requests of several workers for both companies until `kill` is called. */
export async function loadUntilKilled(
  client: Client,
  options: LoadOptions,
  kill: () => Promise<void>,
): Promise<void> {
  const { journal, merchants } = client;
  const moment = new Random(options.seed, options.cycle, 0);
  const killAfterAcks = moment.int(KILL_AFTER_ACKS_MIN, KILL_AFTER_ACKS_MAX);
  const deadline = Date.now() + LOAD_MAX_MS;
  let acks = 0;
  let requests = 0;
  const killing: { done: Promise<void> | null } = { done: null };
  const killSoon = () => {
    killing.done ??= wait(moment.int(0, KILL_LATER_MAX_MS)).then(kill);
  };
  const killNow = () => (killing.done ??= kill());
  void options.killSignal?.then(killNow);
  const worker = async (name: number) => {
    const random = new Random(options.seed, options.cycle, name + 1);
    let broken = false;
    while (!broken) {
      if (requests >= LOAD_MAX_REQUESTS || Date.now() > deadline) killSoon();
      requests += 1;
      const merchant = random.pick(merchants)!;
      const intent =
        journal.nextUnanswered(Date.now()) ??
        nextIntent({
          random,
          journal,
          companyId: merchant.companyId,
          postbackUrl: options.postbackUrl,
          postbackShare: options.postbackShare,
        });
      const outcome = await send(client, intent);
      if (outcome === "answered") acks += 1;
      if (options.killSignal === null && acks >= killAfterAcks) killSoon();
      // Some payments are left to the service's own polling.
      if (outcome === "broken" && intent.kind === "pay" && options.retryOnlyBySweep) {
        intent.abandoned = random.chance(0.5);
      }
      broken = outcome === "broken" && killing.done !== null;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, name) => worker(name)));
  await killing.done;
}

/** Sends an intent once; without a final response it can be sent again. */
export async function send(
  client: Client,
  intent: Intent,
): Promise<"answered" | "open" | "broken"> {
  const { journal, merchants, unexpectedAnswers } = client;
  const merchant = merchants[intent.companyId - 1];
  if (merchant === undefined) throw new Error(`no merchant of company ${intent.companyId}`);
  intent.attempts += 1;
  let answer: MerchantAnswer;
  try {
    answer = await merchant.call(
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
