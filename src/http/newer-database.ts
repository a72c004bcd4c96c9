import { createMiddleware } from "hono/factory";
import { NewerDatabase } from "../db/schema-versions.ts";
import type { AppEnv } from "./context.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses what may write, with 503, while a database is newer than this code. Reading goes on. */
export const refuseNewerDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const isReading = READING.has(c.req.method);
  if (!isReading && (await c.get("deps").schemaVersions.isNewer(c.env))) throw new NewerDatabase();
  await next();
});
