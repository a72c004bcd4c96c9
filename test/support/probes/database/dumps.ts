import { vi } from "vitest";
import { companyIdOfTransactionId, hyphenateUuid } from "../../../../src/domain/shared/ids.ts";
import { env } from "../../builders/companies/env.ts";

/** Every row of every table of D1, as text; of one company, with the sandbox bank's rows of its charges. */
export async function dumpD1(companyId?: number): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = [];
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    const rows = results.filter((row) => companyId === undefined || ownerOf(row) === companyId);
    dumps.push(`${name} ${JSON.stringify(rows)}`);
  }
  return dumps.join("\n");
}

function ownerOf(row: Record<string, unknown>): unknown {
  const chargeId = row["charge_id"];
  if (typeof chargeId === "string") return companyIdOfTransactionId(hyphenateUuid(chargeId));
  return "company_id" in row ? row["company_id"] : row["id"];
}

/** Captures the console from now on; returns its content. */
export function captureConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}
