import { TIME_ZONE } from "../../../src/domain/shared/business-day.ts";
import type { Schemas } from "../src/index.ts";
import type { Call, Command } from "./command.ts";
import { CliError } from "./failure.ts";
import { named } from "./output.ts";

/** Short words for one unit of ISO 8601: `2h`, `3d`, `1w`. */
const SHORT = /^(\d+)([hdw])$/;
const ISO = /^P/;
/** `YYYY-MM-DD HH:MM:SS`, as Sweden writes it. */
const TIMES = new Intl.DateTimeFormat("sv-SE", {
  timeZone: TIME_ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

const advanceCommand: Command = {
  name: "clock advance",
  summary: "moves the company's time forward (sandbox companies only)",
  argument: "DURATION",
  run: async (call) => show(call, await call.centavo().sandbox.advance(durationOf(call.argument))),
};

const setCommand: Command = {
  name: "clock set",
  summary: "moves the company's time forward to a day or a time (sandbox companies only)",
  argument: "TIME",
  run: async (call) => show(call, await call.centavo().sandbox.setClock(call.argument)),
};

const clockCommand: Command = {
  name: "clock",
  summary: "shows the company's time (sandbox companies only)",
  run: async (call) => {
    const clock = await call.centavo().sandbox.clock();
    call.output.say(named(rowsOf(clock)), clock);
  },
};

/** The time of a sandbox company, in America/Sao_Paulo. The commands of two words go first: theirs begin with the other's. */
export const CLOCK_COMMANDS: readonly Command[] = [advanceCommand, setCommand, clockCommand];

/** What became due, a line each, and the time that it is. */
function show(call: Call, moved: Schemas["MovedClock"]["data"]): void {
  const lines = moved.ran.map(({ at, kind, id }) =>
    [timeText(at), kind.replaceAll("_", " ").padEnd(18), id].join("  "),
  );
  const ran = lines.length === 0 ? "Nothing was due." : lines.join("\n");
  const more = moved.hasMore ? "\nMore is due: set the same time again." : "";
  call.output.say(`${ran}\n${named(rowsOf(moved))}${more}`, moved);
}

function rowsOf({ now, moved, until }: Schemas["CompanyClock"]["data"]) {
  return {
    time: timeText(now),
    clock: moved ? "moved" : "as the service's",
    "runs until": until === null ? null : timeText(until),
  };
}

function timeText(time: string): string {
  return TIMES.format(Date.parse(time));
}

/** An ISO 8601 duration of it or of its short word, such as `P3D` of `3d`. Throws `CliError` for any other text. */
export function durationOf(text: string): string {
  const [, count = "", unit = ""] = SHORT.exec(text.toLowerCase()) ?? [];
  if (unit !== "") return `${unit === "h" ? "PT" : "P"}${count}${unit.toUpperCase()}`;
  if (ISO.test(text)) return text;
  throw new CliError(`clock advance takes 2h, 3d, 1w or a duration as P1M, not "${text}".`, 2);
}
