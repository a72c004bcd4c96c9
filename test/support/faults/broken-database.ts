import { env } from "../builders/companies/env.ts";
import { withDatabase } from "../probes/database/instrumented-database.ts";

/** An environment whose D1 fails every statement that `matches`. */
export function withBrokenDatabase(
  message: string,
  matches: (sql: string) => boolean = () => true,
): typeof env {
  return withDatabase({
    before: (sql) => {
      if (matches(sql)) throw new Error(message);
    },
  });
}
