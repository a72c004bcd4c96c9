import { vi } from "vitest";
import { unpack } from "../../src/lib/packed.ts";
import { env } from "./env.ts";

/** Every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = [];
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    dumps.push(`${name} ${JSON.stringify(results, unpacked)}`);
  }
  return dumps.join("\n");
}

/** What D1 gives as the bytes of a BLOB, as the text that was packed. */
function unpacked(_column: string, value: unknown): unknown {
  const isBlob = Array.isArray(value) && value.every((byte) => typeof byte === "number");
  return isBlob ? unpack(Uint8Array.from(value)) : value;
}

/** All that was written to the console, from here on. */
export function overhearConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}
