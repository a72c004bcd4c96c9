import { and, eq, isNotNull, type SQL } from "drizzle-orm";
import type { DeliveryRow, StoredDelivery } from "../../db/projection/event-rows.ts";
import { deliveries, type Attempt } from "../../db/schema/webhooks.ts";

/** Attempts of one delivery that are kept, and those of them whose answers are: a row has its limit. */
const ATTEMPTS_STORED = 1_000;
const ANSWERS_STORED = 20;

/** The log of a delivery after one more attempt. The log that was read stays as it is. */
export function appendAttempt(log: Attempt[], next: Attempt): Attempt[] {
  const kept = [...log, next].slice(-ATTEMPTS_STORED);
  const withoutAnswer = kept.length - ANSWERS_STORED;
  return kept.map((attempt, index) =>
    index < withoutAnswer ? Object.assign({}, attempt, { answer: "" }) : attempt,
  );
}

/** Whether nobody has made an attempt since the delivery was read: every attempt counts up. */
export function isUnchanged({ attempts }: DeliveryRow): SQL {
  return eq(deliveries.attempts, attempts);
}

/** Whether the delivery is open, and nobody has made an attempt since it was read. */
export function isOpenAndUnchanged(delivery: DeliveryRow): SQL | undefined {
  return and(isUnchanged(delivery), isNotNull(deliveries.nextAttemptAt));
}

/** Whether these very attempts stand there: a write whose answer was lost is made again. */
export function isAlreadyRecorded({
  attempts,
  attemptsLog,
}: Pick<StoredDelivery, "attempts" | "attemptsLog">): SQL | undefined {
  return and(eq(deliveries.attempts, attempts), eq(deliveries.attemptsLog, attemptsLog));
}
