import type { z } from "@hono/zod-openapi";
import type { DeliveryMessage, Env, PayoutMessage, TaskMessage } from "../../../config.ts";
import {
  findDeadLetter,
  listDeadLetters,
  markReplayed,
  type DeadLetter,
} from "../../../db/watch/dead-letters.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { notFound } from "../../../http/problems.ts";
import type { DeadLettersQuery } from "./schemas.ts";

/** Before all dead letters. */
const FIRST = { receivedAt: 0, id: "" };

/** A page of dead letters, by arrival. */
export async function pageOfDeadLetters(
  env: Env,
  { status, after, limit }: z.output<typeof DeadLettersQuery> & { limit: number },
) {
  const rows = await listDeadLetters(env, {
    onlyOpen: status === "open",
    after: after ?? FIRST,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const next = last === undefined ? null : `${last.receivedAt}-${last.id}`;
  return { items: page.map(view), after: hasMore ? next : null, hasMore };
}

/** A dead letter. Throws 404. */
export async function requireDeadLetter(env: Env, id: string): Promise<DeadLetter> {
  const letter = await findDeadLetter(env, id);
  if (letter === null) throw notFound("dead letter");
  return letter;
}

/**
 * Sends a message to its queue again, once: a message only wakes work that is claimed before it is done, so that
 * even a second one would do nothing twice. Throws if the queue does not take it.
 */
export async function replay(env: Env, letter: DeadLetter, nowMs: number) {
  if (letter.replayedAt !== null) return view(letter);
  await sendAgain(env, letter, nowMs);
  await markReplayed(env, letter.id, nowMs);
  return view({ ...letter, replayedAt: nowMs });
}

async function sendAgain(env: Env, { queue, body }: DeadLetter, nowMs: number): Promise<void> {
  if (queue === "webhooks") await env.WEBHOOKS.send(body as DeliveryMessage);
  else if (queue === "payouts") await env.PAYOUTS.send(body as PayoutMessage);
  // As of now: the cron skips the work of minutes that have passed.
  else await env.TASKS.send({ ...(body as TaskMessage), at: nowMs });
}

function view({ id, queue, body, receivedAt, replayedAt }: DeadLetter) {
  return {
    id,
    queue: queue as "webhooks" | "payouts" | "tasks",
    body,
    receivedAt: isoTime(receivedAt),
    replayedAt: isoTimeOrNull(replayedAt),
  };
}
