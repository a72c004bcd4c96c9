import { setTimeout as sleep } from "node:timers/promises";
import type { TestEventType } from "../../../src/domain/events/event-types.ts";
import type { Centavo, Event } from "../src/index.ts";
import type { Command } from "./command.ts";
import { EVENTS_PAGE, eventsAfter, newestEventOf } from "./events.ts";
import { CliError } from "./failure.ts";
import type { Output } from "./output.ts";
import { RECIPES, type CreatedObject, type Recipe } from "./event-triggers.ts";

/** A sandbox withdraw is paid within 5 s. The rest is for slow machines. */
const EVENT_TIMEOUT_MS = 15_000;
const EVENT_POLL_MS = 250;
const TEST_TYPE: TestEventType = "webhook.test";

/** Causes an event in the sandbox. */
export const triggerCommand: Command = {
  name: "trigger",
  summary: "creates an event of this type (sandbox companies only)",
  argument: "TYPE",
  isArgumentOptional: true,
  choices: [...Object.keys(RECIPES), TEST_TYPE],
  options: { list: { help: "lists the event types" } },
  run: async (call) => {
    if (call.has("list")) return listTypes(call.output);
    if (call.argument === "")
      throw new CliError("Use centavo trigger TYPE; centavo trigger --list lists the types.", 2);
    return trigger(call.centavo(), call.account.url, call.argument, call.output);
  },
};

/** Prints the types that `trigger` supports, each with a description. */
function listTypes(output: Output): void {
  const types = { ...RECIPES, [TEST_TYPE]: { description: "a test event to your webhook URL" } };
  for (const [type, { description }] of Object.entries(types))
    output.say(`${type.padEnd(32)} ${description}`, { type, description });
}

/** Causes an event, and prints the object and the event. Throws `CliError` for an unknown type. */
async function trigger(centavo: Centavo, url: string, type: string, output: Output): Promise<void> {
  if (type === TEST_TYPE) return triggerTest(centavo, output);
  const recipe = (RECIPES as Record<string, Recipe | undefined>)[type];
  if (recipe === undefined) {
    throw new CliError(`"${type}" is not an event type. centavo trigger --list lists them.`, 2);
  }
  const newest = await newestEventOf(centavo);
  const created = await recipe.run(centavo, url);
  output.say(`${created.kind.padEnd(12)} ${created.id}`, created);
  const event = await waitForEvent(centavo, newest?.companySequence ?? 0, type, created);
  output.say(`${"event".padEnd(12)} ${event.id}  ${event.type}`, event);
}

/** Sends the gateway's own test event, and prints its deliveries. */
async function triggerTest(centavo: Centavo, output: Output): Promise<void> {
  const event = await centavo.webhooks.test();
  output.say(`${"event".padEnd(12)} ${event.id}  ${event.type}`, event);
  if (output.isJson) return;
  for (const { url, status, tries } of event.deliveries) {
    const outcome = tries.map((each) => each.httpStatus ?? each.fault).join(", ");
    output.say(`${"delivery".padEnd(12)} ${status}  ${outcome}  ${url}`);
  }
}

async function waitForEvent(
  centavo: Centavo,
  before: number,
  type: string,
  created: CreatedObject,
): Promise<Event> {
  const deadline = Date.now() + EVENT_TIMEOUT_MS;
  let after = before;
  while (Date.now() < deadline) {
    const events = await eventsAfter(centavo, after, EVENTS_PAGE);
    const found = events.find((event) => event.type === type && concerns(event, created));
    if (found !== undefined) return found;
    after = events.at(-1)?.companySequence ?? after;
    if (events.length < EVENTS_PAGE) await sleep(EVENT_POLL_MS);
  }
  throw new CliError(
    `No ${type} event for the created object arrived within ${EVENT_TIMEOUT_MS / 1_000} s.`,
  );
}

function concerns(event: Event, { kind, id }: CreatedObject): boolean {
  const data = event.data as Record<string, unknown> | null;
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
