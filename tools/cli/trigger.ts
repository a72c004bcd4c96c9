import { setTimeout as sleep } from "node:timers/promises";
import type { TestEventType } from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { EVENTS_PAGE, eventsAfter, newestEventOf, type CompanyEvent } from "./events.ts";
import { Failure } from "./failure.ts";
import { ask } from "./gateway.ts";
import { RECIPES, type Made, type Recipe } from "./recipes.ts";

/** A sandbox withdraw is paid within 5 s (`product.md` section 9); this is for slow machines. */
const EVENT_TIMEOUT_MS = 15_000;
const EVENT_POLL_MS = 250;
const TEST_TYPE: TestEventType = "webhook.test";

type Say = (line: string) => void;

/** Lists the types that `trigger` knows, and how each comes about. */
export function listTypes(say: Say): void {
  const types = { ...RECIPES, [TEST_TYPE]: { how: "a test event to your webhook URL" } };
  for (const [type, { how }] of Object.entries(types)) say(`${type.padEnd(32)} ${how}`);
}

/**
 * Makes an event of a type happen in the sandbox, and says what was made and which event it became.
 * Throws `Failure` at an unknown type, and where the service says no.
 */
export async function trigger(client: ApiClient, type: string, say: Say): Promise<void> {
  if (type === TEST_TYPE) return triggerTest(client, say);
  const recipe = (RECIPES as Record<string, Recipe | undefined>)[type];
  if (recipe === undefined) {
    throw new Failure(`"${type}" is not a type; centavo trigger --list names them.`, 2);
  }
  const newest = await newestEventOf(client);
  const made = await recipe.play(client);
  say(`${made.kind.padEnd(12)} ${made.id}`);
  const event = await eventOf(client, newest?.companySequence ?? 0, type, made);
  say(`${"event".padEnd(12)} ${event.id}  ${event.type}`);
}

/** The gateway's own test event, and what came of it. */
async function triggerTest(client: ApiClient, say: Say): Promise<void> {
  const event = await ask(client, { method: "POST", path: "/api/v1/webhooks/test", body: {} });
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

async function eventOf(
  client: ApiClient,
  before: number,
  type: string,
  made: Made,
): Promise<CompanyEvent> {
  const deadline = Date.now() + EVENT_TIMEOUT_MS;
  let after = before;
  while (Date.now() < deadline) {
    const events = await eventsAfter(client, after, EVENTS_PAGE);
    const found = events.find((event) => event.type === type && isAbout(event, made));
    if (found !== undefined) return found;
    after = events.at(-1)?.companySequence ?? after;
    if (events.length < EVENTS_PAGE) await sleep(EVENT_POLL_MS);
  }
  throw new Failure(`No ${type} of it came within ${EVENT_TIMEOUT_MS / 1_000} s.`);
}

function isAbout({ data }: CompanyEvent, { id }: Made): boolean {
  const releases = (data["releases"] ?? []) as { transactionId: string }[];
  return data["id"] === id || releases.some(({ transactionId }) => transactionId === id);
}
