import { vi } from "vitest";
import { env } from "../../builders/companies/env.ts";

/** Every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = [];
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    dumps.push(`${name} ${JSON.stringify(results)}`);
  }
  return dumps.join("\n");
}

/** Captures the console from now on; returns its content. */
export function captureConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}
