import { stopSignal } from "../../../tools/lib/stop-signal.ts";
import type { Event } from "../src/index.ts";
import { typeFilter } from "./account.ts";
import type { Call, Command } from "./command.ts";
import { newestEventOf } from "./events.ts";
import { printable } from "./output.ts";

const POLL_MS = 1_000;
const BEGINNINGS = ["start", "now"] as const;

/** Prints the company's events, each once and in order. */
export const tailCommand: Command = {
  name: "events tail",
  summary: "prints events as they happen",
  options: {
    from: { value: "start|now", help: "where to begin (default: now)", choices: BEGINNINGS },
    types: { value: "a,b", help: "prints only these event types" },
    once: { help: "ends at the newest event" },
  },
  run: tail,
};

async function tail(call: Call): Promise<void> {
  const types = typeFilter(call.text("types"));
  const from = call.choice("from", BEGINNINGS, "now");
  const centavo = call.centavo();
  const newest = from === "now" ? await newestEventOf(centavo) : null;
  const signal = stopSignal();
  const follow = !call.has("once");
  const events = centavo.events.iterate({
    after: newest?.companySequence ?? 0,
    follow,
    pollMs: POLL_MS,
    signal,
  });
  try {
    for await (const event of events) {
      if (types === null || types.has(event.type)) call.output.say(lineOf(event), event);
    }
  } catch (error) {
    // `signal` aborts the current wait, which is no error.
    if (!signal.aborted) throw error;
  }
}

function lineOf({ timestamp, type, id, data }: Event): string {
  const about = data !== null && "id" in data ? [String(data.id)] : [];
  return printable([timestamp, type, id, ...about].join("  "));
}
