/** How far the cron has looked at a database's rows, by the time in their ids. */
export interface Cursor {
  name: string;
  value: number;
}

/** The walks that a row is seen by once, when it comes of age, wherever it is then. */
const LOOKS = ["unanswered", "open"];

export async function readCursors(database: D1Database): Promise<Cursor[]> {
  const { results } = await database
    .prepare("SELECT name, value FROM cursors WHERE name IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(LOOKS))
    .all<Cursor>();
  return results;
}

/** Has the cron look again at what came of age since these, all of which may be done twice. */
export async function setBackCursors(database: D1Database, cursors: Cursor[]): Promise<void> {
  if (cursors.length === 0) return;
  await database.batch(
    cursors.map(({ name, value }) =>
      database
        .prepare("UPDATE cursors SET value = ?1 WHERE name = ?2 AND value > ?1")
        .bind(value, name),
    ),
  );
}
