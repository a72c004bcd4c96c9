/** Stores a finished day in the far future, so that the cron anchors no ledger. */
export async function anchorNothing(database: D1Database): Promise<void> {
  await database
    .prepare(
      "INSERT OR IGNORE INTO anchor_days (day, digest, companies) VALUES ('9999-12-31', '', 0)",
    )
    .run();
}
