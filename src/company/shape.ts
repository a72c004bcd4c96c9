/** How many migrations make the tables of this code. */
export const SHAPE = 8;

/** How many migrations an object has. Its first wake makes the table that says so. */
export function appliedMigrations(sql: SqlStorage): number {
  sql.exec("CREATE TABLE IF NOT EXISTS applied_migrations (number INTEGER PRIMARY KEY)");
  return sql.exec<{ applied: number }>("SELECT count(*) AS applied FROM applied_migrations").one()
    .applied;
}

/**
 * Brings an object's tables to the newest shape before any call is served. Migrations are loaded only by
 * an object that lacks one.
 */
export function bringUpToDate(state: DurableObjectState): void {
  if (appliedMigrations(state.storage.sql) === SHAPE) return;
  void state.blockConcurrencyWhile(async () => {
    const { migrateCompany } = await import("./migrations.ts");
    migrateCompany(state.storage);
  });
}
