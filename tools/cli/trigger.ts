import { setTimeout as sleep } from "node:timers/promises";
import type { TestEventType } from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { EVENTS_PAGE, eventsAfter, newestEventOf, type CompanyEvent } from "./events.ts";
import { CliError } from "./failure.ts";
import { requestJson } from "./gateway.ts";
import { RECIPES, type CreatedObject, type Recipe } from "./recipes.ts";

/** A sandbox withdraw is paid within 5 s (`product.md` section 9); this is for slow machines. */
const EVENT_TIMEOUT_MS = 15_000;
const EVENT_POLL_MS = 250;
const TEST_TYPE: TestEventType = "webhook.test";

type Log = (line: string) => void;

/** Lists the types that `trigger` knows, and how each comes about. */
export function listTypes(say: Log): void {
  const types = { ...RECIPES, [TEST_TYPE]: { description: "a test event to your webhook URL" } };
  for (const [type, { description }] of Object.entries(types))
    say(`${type.padEnd(32)} ${description}`);
}

/**
 * Makes an event of a type happen in the sandbox, and says what was made and which event it became.
 * Throws `CliError` at an unknown type, and where the service says no.
 */
export async function trigger(client: ApiClient, type: string, say: Log): Promise<void> {
  if (type === TEST_TYPE) return triggerTest(client, say);
  const recipe = (RECIPES as Record<string, Recipe | undefined>)[type];
  if (recipe === undefined) {
    throw new CliError(`"${type}" is not a type; centavo trigger --list names them.`, 2);
  }
  const newest = await newestEventOf(client);
  const made = await recipe.run(client);
  say(`${made.kind.padEnd(12)} ${made.id}`);
  const event = await waitForEvent(client, newest?.companySequence ?? 0, type, made);
  say(`${"event".padEnd(12)} ${event.id}  ${event.type}`);
}

/** The gateway's own test event, and what came of it. */
async function triggerTest(client: ApiClient, say: Log): Promise<void> {
  const event = await requestJson(client, {
    method: "POST",
    path: "/api/v1/webhooks/test",
    body: {},
  });
  say(`${"event".padEnd(12)} ${event.id}  ${event.type}`);
  for (const { url, status, tries } of event.deliveries) {
    const outcome = tries.map((each: Attempt) => each.httpStatus ?? each.fault).join(", ");
    say(`${"delivery".padEnd(12)} ${status}  ${outcome}  ${url}`);
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

function concerns({ data }: CompanyEvent, { id }: CreatedObject): boolean {
  const releases = (data["releases"] ?? []) as { transactionId: string }[];
  return data["id"] === id || releases.some(({ transactionId }) => transactionId === id);
}
