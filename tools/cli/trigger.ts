import { setTimeout as sleep } from "node:timers/promises";
import type { TestEventType } from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { EVENTS_PAGE, eventsAfter, newestEventOf, type CompanyEvent } from "./events.ts";
import { CliError } from "./failure.ts";
import { requestJson } from "./gateway.ts";
import { RECIPES, type CreatedObject, type Recipe } from "./event-triggers.ts";

/** A sandbox withdraw is paid within 5 s. The rest is for slow machines. */
const EVENT_TIMEOUT_MS = 15_000;
const EVENT_POLL_MS = 250;
const TEST_TYPE: TestEventType = "webhook.test";

type Log = (line: string) => void;

/** Prints the types that `trigger` supports, each with a description. */
export function listTypes(log: Log): void {
  const types = { ...RECIPES, [TEST_TYPE]: { description: "a test event to your webhook URL" } };
  for (const [type, { description }] of Object.entries(types))
    log(`${type.padEnd(32)} ${description}`);
}

/**
 * Causes an event of a type in the sandbox, and prints the object and the event. Throws `CliError` for an
 * unknown type and when the service refuses a request.
 */
export async function trigger(client: ApiClient, type: string, log: Log): Promise<void> {
  if (type === TEST_TYPE) return triggerTest(client, log);
  const recipe = (RECIPES as Record<string, Recipe | undefined>)[type];
  if (recipe === undefined) {
    throw new CliError(`"${type}" is not an event type. centavo trigger --list lists them.`, 2);
  }
  const newest = await newestEventOf(client);
  const created = await recipe.run(client);
  log(`${created.kind.padEnd(12)} ${created.id}`);
  const event = await waitForEvent(client, newest?.companySequence ?? 0, type, created);
  log(`${"event".padEnd(12)} ${event.id}  ${event.type}`);
}

/** Sends the gateway's own test event, and prints its deliveries. */
async function triggerTest(client: ApiClient, log: Log): Promise<void> {
  const event = await requestJson(client, {
    method: "POST",
    path: "/api/v1/webhooks/test",
    body: {},
  });
  log(`${"event".padEnd(12)} ${event.id}  ${event.type}`);
  for (const { url, status, tries: attempts } of event.deliveries) {
    const outcome = attempts.map((each: Attempt) => each.httpStatus ?? each.fault).join(", ");
    log(`${"delivery".padEnd(12)} ${status}  ${outcome}  ${url}`);
  }
}

interface Attempt {
  httpStatus: number | null;
  fault: string | null;
}

async function waitForEvent(
  client: ApiClient,
  before: number,
  type: string,
  created: CreatedObject,
): Promise<CompanyEvent> {
  const deadline = Date.now() + EVENT_TIMEOUT_MS;
  let after = before;
  while (Date.now() < deadline) {
    const events = await eventsAfter(client, after, EVENTS_PAGE);
    const found = events.find((event) => event.type === type && concerns(event, created));
    if (found !== undefined) return found;
    after = events.at(-1)?.companySequence ?? after;
    if (events.length < EVENTS_PAGE) await sleep(EVENT_POLL_MS);
  }
  throw new CliError(
    `No ${type} event for the created object arrived within ${EVENT_TIMEOUT_MS / 1_000} s.`,
  );
}

function concerns({ data }: CompanyEvent, { kind, id }: CreatedObject): boolean {
  if (data === null) return false;
  // An event of the company itself names no object of its.
  if (kind === "company") return true;
  const releases = (data["releases"] ?? []) as { transactionId: string }[];
  return (
    data["id"] === id ||
    data["transactionId"] === id ||
    releases.some(({ transactionId }) => transactionId === id)
  );
}
