import { accepts } from "hono/accepts";
import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/problem.ts";
import type { AppEnv } from "./context.ts";

const JSON_TYPE = "application/json";

/** Refuses a request whose `Accept` excludes JSON. A missing header accepts everything. */
export const acceptsJson = createMiddleware<AppEnv>(async (c, next) => {
  const chosen = accepts(c, {
    header: "Accept",
    supports: [JSON_TYPE],
    default: "",
    match: (accepted, config) => {
      const qualityOf = (type: string) =>
        accepted.find((entry) => entry.type.toLowerCase() === type)?.q ??
        accepted.find((entry) => entry.type === "application/*")?.q ??
        accepted.find((entry) => entry.type === "*/*" || entry.type === "*")?.q ??
        0;
      return config.supports.find((type) => qualityOf(type) > 0) ?? config.default;
    },
  });
  if (chosen === "" && c.req.header("Accept")) {
    throw new Problem({
      code: "NOT_ACCEPTABLE",
      detail: "This service answers in application/json only.",
    });
  }
  await next();
});
