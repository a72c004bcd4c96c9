/** Wrangler's console of the local D1. A file that another process edits beside workerd fails workerd's next batch. */
const D1_CONSOLE = "/cdn-cgi/local/explorer/api/d1/database/DB/raw";

interface Table {
  columns: string[];
  rows: unknown[][];
}

/** Runs SQL in the D1 of a running service past it, as D1's own console does; the first row. */
export async function runInD1(
  base: string,
  sql: string,
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${base}${D1_CONSOLE}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sql }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${sql}: ${text}`);
  const { result } = JSON.parse(text) as { result: { results: Table }[] };
  const [row] = result[0]?.results.rows ?? [];
  const columns = result[0]?.results.columns ?? [];
  return row && Object.fromEntries(columns.map((name, index) => [name, row[index]]));
}
