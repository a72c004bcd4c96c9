import { movementsBy } from "./check-statement.ts";
import { decisionsOf } from "./check-decisions.ts";
import { acknowledged, intentsBySubject } from "./check-durability.ts";
import { wasCreditedByRule } from "./check-unexpected.ts";
import type { ReceivedEvent, Inbox } from "../inbox.ts";
import type { Intent, Journal } from "../journal.ts";
import { cardOutcome } from "../methods.ts";
import type { Observed } from "../observe.ts";

const WITHDRAW_EVENTS: Record<string, string[]> = {
  Processing: ["withdraw.processing"],
  Paid: ["withdraw.processing", "withdraw.paid"],
  Failed: ["withdraw.processing", "withdraw.failed"],
  Cancelled: ["withdraw.cancelled"],
};

/** The event of an unexpected payment's final status. */
const PAYMENT_END_EVENT: Record<string, string> = {
  credited: "payment.credited",
  returned: "payment.returned",
};

const LIST_STATUS: Record<string, string> = {
  WAITING_PAYMENT: "PENDING",
  AUTHORIZED: "PENDING",
  REFUSED: "FAILED",
};

/** Every change has one event, in its object's order, and none is missing. */
export function eventProblems(
  journal: Journal,
  observed: Observed,
  inbox: Pick<Inbox, "events" | "postbacks">,
): string[] {
  const { companyId, transactions, withdraws, payments, movements } = observed;
  const problems: string[] = [];
  const arrivals = inbox.events(companyId);
  for (let number = 1; number <= arrivals.size; number++) {
    const id = `evt_${companyId}_${number}`;
    if (!arrivals.has(id)) problems.push(`lost: event ${id} did not come`);
  }
  const byObject = grouped([...arrivals.values()]);
  for (const [object, events] of byObject) problems.push(...sequenceGaps(object, events));
  const postbacks = grouped([...inbox.postbacks().values()]);
  const creates = new Map(journal.of(companyId, "create").map((intent) => [intent.key, intent]));
  const onTransaction = movementsBy(movements, "transactionId");
  const intents = intentsBySubject(journal, companyId);
  for (const { id, status, key } of transactions) {
    const object = `transaction ${companyId} ${id}`;
    const events = byObject.get(object) ?? [];
    const booked = onTransaction(id);
    const own = intents.get(id) ?? [];
    const count = (...types: string[]) => events.filter(({ type }) => types.includes(type)).length;
    const expectCount = (what: string, came: number, expected: number) => {
      if (came < expected) problems.push(`lost: ${what} of ${id}: ${came} of ${expected} came`);
      if (came > expected) problems.push(`doubled: ${what} of ${id}: ${came}, not ${expected}`);
    };
    const credits = booked.of("charge_paid", "suspense_credited").length;
    expectCount("transaction.paid", count("transaction.paid"), credits);
    expectCount(
      "refund events",
      count("transaction.refunded", "transaction.partially_refunded"),
      booked.of("refund_done", "dispute_lost", "chargeback").length,
    );
    const lost = [...arrivals.values()].filter(
      ({ type, data }) => type === "dispute.lost" && data.transactionId === id,
    );
    expectCount("dispute.lost", lost.length, booked.of("dispute_lost", "chargeback").length);
    expectCount("transaction.cancelled", count("transaction.cancelled"), cancelCount(own));
    const create = creates.get(key);
    const fate = create === undefined ? null : cardOutcome(create);
    for (const what of ["authorized", "refused"]) {
      const type = `transaction.${what}`;
      expectCount(type, count(type), what === fate ? 1 : 0);
    }
    const last = events.at(-1)?.data.status ?? "WAITING_PAYMENT";
    if ((LIST_STATUS[last] ?? last) !== status) {
      problems.push(`lost: the last event of ${id} says ${last}, the list ${status}`);
    }
    const wantsPostback = create?.body?.["postbackUrl"] !== undefined;
    const there = (postbacks.get(object) ?? []).map((event) => event.id).join();
    const expected = wantsPostback ? events.map((event) => event.id).join() : "";
    if (there !== expected) problems.push(`lost: postbacks of ${id}: ${there}, not ${expected}`);
  }
  const decisionsOn = decisionsOf(journal, companyId, "withdraw");
  for (const { id, status, approval } of withdraws) {
    const events = byObject.get(`withdraw ${companyId} ${id}`) ?? [];
    const came = events.map(({ type }) => type).join();
    const isRefused = decisionsOn(id).refused.length > 0;
    const expected = [
      ...(approval === "none" ? [] : ["withdraw.awaiting_approval"]),
      ...(approval === "approved" ? ["withdraw.approved"] : []),
      ...(isRefused ? ["withdraw.refused"] : []),
      ...(WITHDRAW_EVENTS[status] ?? []),
    ].join();
    if (came !== expected) problems.push(`lost: of withdraw ${id} came ${came}, not ${expected}`);
  }
  for (const payment of payments) {
    const { id, status } = payment;
    const events = byObject.get(`payment ${companyId} ${id}`) ?? [];
    const came = events.map(({ type }) => type);
    const [first, ...more] = came;
    const ends = more.filter((type) => type !== "payment.return_failed").join();
    const last = wasCreditedByRule(payment) ? "" : (PAYMENT_END_EVENT[status] ?? "");
    const isLast = last === "" || came.at(-1) === last;
    if (first !== "payment.unexpected" || ends !== last || !isLast) {
      problems.push(`lost: of payment ${id}, which is ${status}, came ${came.join()}`);
    }
  }
  return problems;
}

function cancelCount(own: Intent[]): number {
  return Math.min(1, acknowledged(own.filter((intent) => intent.kind === "cancel")).length);
}

/** Events by object in the order of their `sequence`. */
function grouped(arrivals: ReceivedEvent[]): Map<string, ReceivedEvent[]> {
  const byObject = new Map<string, ReceivedEvent[]>();
  for (const arrival of arrivals) {
    const own = byObject.get(arrival.object);
    if (own === undefined) byObject.set(arrival.object, [arrival]);
    else own.push(arrival);
  }
  for (const own of byObject.values()) own.sort((left, right) => left.sequence - right.sequence);
  return byObject;
}

function sequenceGaps(object: string, events: ReceivedEvent[]): string[] {
  return events.every((event, index) => event.sequence === index + 1)
    ? []
    : [`lost: ${object} was announced as ${events.map(({ sequence }) => sequence).join()}`];
}
