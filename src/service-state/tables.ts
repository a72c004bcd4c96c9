/** The tables of ServiceState's object. What is paused is not here: it is the one value `pauses` of its key-value store. */
export const SERVICE_STATE_TABLES = `
  -- Companies of which the archive lacks changes (docs/restore.md#what-is-kept). A row goes once the archive has all.
  CREATE TABLE IF NOT EXISTS archive_behind (
    company_id INTEGER PRIMARY KEY,
    since INTEGER NOT NULL -- Since when it lacks them.
  ) STRICT;
`;
