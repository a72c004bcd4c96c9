import { deliveryId, eventId } from "../../src/domain/events/delivery.ts";
import type { TestCompany } from "../support/builders/companies/company.ts";
import {
  attemptsOf,
  deliveriesOf,
  type AttemptRow,
  type DeliveryState,
  storedEventsOf,
} from "../support/probes/webhooks/webhook-rows.ts";
import type { ObservedRequest } from "./flaky-receiver.ts";
import type { ChaosRun } from "./chaos.ts";

const ATTEMPTS_MAX = 11;
const PER_HOST_MAX = 16;

interface EventRow {
  companySequence: number;
  objectId: string;
  sequence: number;
  body: string;
}
/** An event's delivery to a target, with the requests that the receiver observed. */
interface ObservedDelivery {
  id: string;
  event: EventRow;
  delivery: DeliveryState;
  attemptRows: AttemptRow[];
  observedRequests: ObservedRequest[];
}

/** Compares the stored rows with the observed requests; returns a text for each violated rule. */
export async function violationsOf(run: ChaosRun): Promise<string[]> {
  const { receiver } = run;
  const violations = [
    ...run.failures.map((failure) => `a consumer failed: ${String(failure)}`),
    ...receiver.overlaps.map((overlap) => `two attempts at once: ${overlap}`),
    ...[...receiver.maxConcurrentByHost].flatMap(([host, most]) =>
      most > PER_HOST_MAX ? [`${most} at once to ${host}`] : [],
    ),
    ...receiver.requests.flatMap((observed) =>
      observed.signatureError === null
        ? []
        : [`signature of ${observed.id}: ${observed.signatureError}`],
    ),
    ...outOfOrder(receiver.requests),
  ];
  let events = 0;
  let matched = 0;
  const requestsByEvent = Map.groupBy(
    receiver.requests,
    (observed) => `${observed.id} ${observed.url}`,
  );
  for (const company of run.companies) {
    const rows = await rowsOf(company);
    violations.push(...gaps(company, rows.events));
    // A late payment and a dispute are announced by themselves too.
    events += rows.events.filter(({ objectId }) => !/^(?:payment|dispute):/.test(objectId)).length;
    const sent = observedDeliveries(company, rows, requestsByEvent);
    matched += sent.reduce((sum, each) => sum + each.observedRequests.length, 0);
    for (const each of sent) {
      violations.push(
        ...violationsOfDelivery(each, isNewestDelivery(each, sent)).map(
          (rule) => `${each.id}: ${rule}`,
        ),
      );
    }
  }
  if (events !== run.eventCount) violations.push(`${events} events of ${run.eventCount}`);
  if (matched !== receiver.requests.length) violations.push("requests of no delivery");
  return violations;
}

/** The number of deliveries in each status. */
export async function statusesOf(run: ChaosRun): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const company of run.companies) {
    for (const { status } of (await rowsOf(company)).deliveries) {
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }
  return counts;
}

/** Finds older states that a target received after a newer one. */
function outOfOrder(observed: ObservedRequest[]): string[] {
  const newest = new Map<string, number>();
  return observed.flatMap(({ object, url, sequence, id }) => {
    const group = `${object} ${url}`;
    const before = newest.get(group) ?? 0;
    newest.set(group, Math.max(before, sequence));
    return sequence < before ? [`an older state after a newer one: ${id} to ${url}`] : [];
  });
}

function gaps(company: TestCompany, events: EventRow[]): string[] {
  const ofObject = new Map<string, number>();
  return events.flatMap(({ companySequence, objectId, sequence }, index) => {
    const expected = (ofObject.get(objectId) ?? 0) + 1;
    ofObject.set(objectId, expected);
    const dense = companySequence === index + 1 && sequence === expected;
    return dense ? [] : [`gap at ${eventId(company.id, companySequence)}`];
  });
}

function observedDeliveries(
  company: TestCompany,
  { events, deliveries, attempts }: Awaited<ReturnType<typeof rowsOf>>,
  requestsByEvent: Map<string, ObservedRequest[]>,
): ObservedDelivery[] {
  const eventOf = new Map(events.map((event) => [event.companySequence, event]));
  const attemptsByDelivery = Map.groupBy(attempts, (row) => `${row.companySequence} ${row.target}`);
  return deliveries.map((delivery) => {
    const { companySequence, target, url } = delivery;
    return {
      id: deliveryId({ companyId: company.id, companySequence, target }),
      event: eventOf.get(companySequence)!,
      delivery,
      attemptRows: attemptsByDelivery.get(`${companySequence} ${target}`) ?? [],
      observedRequests: requestsByEvent.get(`${eventId(company.id, companySequence)} ${url}`) ?? [],
    };
  });
}

const newestOf = new WeakMap<ObservedDelivery[], Map<string, number>>();

/** Whether the event is the newest of its object for this target. */
function isNewestDelivery({ event, delivery }: ObservedDelivery, all: ObservedDelivery[]): boolean {
  const newest = newestOf.get(all) ?? new Map<string, number>();
  if (newest.size === 0) {
    for (const each of all) {
      newest.set(`${each.event.objectId} ${each.delivery.target}`, each.event.sequence);
    }
    newestOf.set(all, newest);
  }
  return newest.get(`${event.objectId} ${delivery.target}`) === event.sequence;
}

function violationsOfDelivery(
  { event, delivery, attemptRows, observedRequests }: ObservedDelivery,
  last: boolean,
): string[] {
  const final = observedRequests.at(-1);
  if (final === undefined) return ["was never sent"];
  const rejections = observedRequests.filter((each) => !isAccepted(each)).length;
  const holds: Record<string, boolean> = {
    "is not final": delivery.status !== "pending" && delivery.dueAt === null,
    "its body is not the event's": observedRequests.every((each) => each.rawBody === event.body),
    "its attempts do not match the observed requests":
      delivery.attempts === observedRequests.length &&
      asText(attemptRows.map(describeAttempt)) === asText(observedRequests.map(describeRequest)),
    "was sent again after it was accepted": observedRequests
      .slice(0, -1)
      .every((each) => !isAccepted(each)),
    "was sent again after 410": observedRequests
      .slice(0, -1)
      .every((each) => each.httpStatus !== 410),
    "its newest state did not arrive":
      !last || isAccepted(final) || final.httpStatus === 410 || rejections === ATTEMPTS_MAX,
    "its status does not match its outcome":
      delivery.status === outcomeOf(final, observedRequests.length, last),
  };
  return Object.entries(holds).flatMap(([rule, isKept]) => (isKept ? [] : [rule]));
}

function outcomeOf(final: ObservedRequest, attempts: number, last: boolean): string {
  if (isAccepted(final)) return "delivered";
  if (final.httpStatus === 410) return "stopped";
  if (attempts === ATTEMPTS_MAX) return last ? "exhausted" : "superseded";
  return last ? "still pending" : "superseded";
}

/** Whether the receiver sent a complete 2xx response. */
function isAccepted({ httpStatus }: ObservedRequest): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

function describeAttempt({ number, startedAt, durationMs, httpStatus, fault, answer }: AttemptRow) {
  return [number, startedAt, durationMs, httpStatus, fault, answer];
}

/** Attempts of a delivery whose answers stay. */
const ANSWERS_STORED = 5;

function describeRequest(
  { startedAt, endedAt, httpStatus, fault, answer }: ObservedRequest,
  index: number,
  all: ObservedRequest[],
) {
  const kept = index < all.length - ANSWERS_STORED ? "" : answer;
  return [index + 1, startedAt, endedAt - startedAt, httpStatus, fault, kept];
}

function asText(rows: unknown[]): string {
  return JSON.stringify(rows);
}

async function rowsOf(company: TestCompany) {
  const events = await storedEventsOf(company);
  return {
    events: events.map(({ companySequence, objectId, sequence, body }): EventRow => {
      return { companySequence, objectId, sequence, body };
    }),
    deliveries: await deliveriesOf(company),
    attempts: await attemptsOf(company),
  };
}
