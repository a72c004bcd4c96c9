/** The cron anchors no ledger while the newest day is one that is still to come, and finished. */
export async function anchorNothing(database: D1Database): Promise<void> {
  await database
    .prepare(
      "INSERT OR IGNORE INTO anchor_days (day, digest, companies) VALUES ('9999-12-31', '', 0)",
    )
    .run();
}
