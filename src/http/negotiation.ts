import { accepts } from "hono/accepts";
import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

const JSON_TYPE = "application/json";
export const CSV_TYPE = "text/csv";

/** What else than JSON some paths answer in, by how the path begins. */
const EXTRA_TYPES: [string, string][] = [["/api/Balance/statement/", CSV_TYPE]];

/**
 * Chooses the media type of the answer (RFC 9110): JSON unless another one the path knows is
 * preferred. Refuses a request whose `Accept` excludes them. A missing header accepts everything.
 * Hono parses the header. Its own match refuses a range of all types, so the match is ours.
 */
export const negotiateContent = createMiddleware<AppEnv>(async (c, next) => {
  const more = EXTRA_TYPES.filter(([path]) => c.req.path.startsWith(path)).map(([, type]) => type);
  const supports = [JSON_TYPE, ...more];
  const chosen = accepts(c, {
    header: "Accept",
    supports,
    default: "",
    match: (accepted, config) => {
      const asked = accepted.map(({ type, q }) => ({ type: type.toLowerCase(), q }));
      const qualityOf = (type: string) =>
        asked.find((entry) => entry.type === type)?.q ??
        asked.find((entry) => entry.type === `${type.split("/")[0]}/*`)?.q ??
        asked.find((entry) => entry.type === "*/*" || entry.type === "*")?.q ??
        0;
      const best = Math.max(...config.supports.map(qualityOf));
      return config.supports.find((type) => best > 0 && qualityOf(type) === best) ?? config.default;
    },
  });
  if (chosen === "" && c.req.header("Accept")) {
    throw new Problem({
      code: "NOT_ACCEPTABLE",
      detail: `This path answers in ${supports.join(" or ")} only.`,
    });
  }
  c.set("mediaType", chosen === "" ? JSON_TYPE : chosen);
  await next();
});
