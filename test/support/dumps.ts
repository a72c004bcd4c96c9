import { vi } from "vitest";
import { unpackBeside } from "../../src/db/packed-values.ts";
import { formatUuid } from "../../src/domain/ids.ts";
import { env } from "./env.ts";

/** Every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = [];
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    const rows = name === "events" ? results.map(asTexts) : results;
    dumps.push(`${name} ${JSON.stringify(rows)}`);
  }
  return dumps.join("\n");
}

/** A row with the texts that were packed for the bytes that D1 gives of a BLOB. */
function asTexts({ object_id: id, ...row }: Record<string, unknown>): Record<string, unknown> {
  const objectId = Array.isArray(id) ? formatUuid(Uint8Array.from(id)) : String(id);
  const beside = { id: objectId, at: Number(row["created_at"]) };
  const texts = Object.entries(row).map(([column, value]) => {
    return [column, isBlob(value) ? unpackBeside(Uint8Array.from(value), beside) : value];
  });
  return { ...Object.fromEntries(texts), objectId };
}

function isBlob(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((byte) => typeof byte === "number");
}

/** All that was written to the console, from here on. */
export function overhearConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}
