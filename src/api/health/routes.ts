import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { ArchiveStateName } from "../../http/fields/archive-state.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { versionOf } from "../../version.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { readinessOf } from "./readiness.ts";

/** A monitor asks again after this. */
const RETRY_SECONDS = 10;
const route = routesOf("Public");

const Health = z
  .object({
    status: z.literal("ok"),
    version: z.string(),
    commit: z.string().openapi({ description: "`local` outside of a deploy." }),
  })
  .openapi("Health", { example: { status: "ok", version: "0.1.0", commit: "3f2c1a9b7d10" } });

const Ready = z
  .object({ status: z.literal("ready"), archive: ArchiveStateName })
  .openapi("Ready", { example: { status: "ready", archive: "ok" } });

const health = route.get("/health", {
  operationId: "getHealth",
  summary: "Show that the service runs, and which version",
  description: "Reads nothing: it answers while every storage is down.",
  guard: limitPublicRoute,
  security: [],
  answers: { 200: jsonResponse("It runs", Health) },
});

const ready = route.get("/ready", {
  operationId: "checkReadiness",
  summary: "Check that the service can work",
  description:
    "Its databases and bindings answer, their schema fits the code, and the cron has run in the last minutes. " +
    "`failed` names only the class of what does not. An isolate checks at most every five seconds.",
  guard: limitPublicRoute,
  security: [],
  answers: { 200: jsonResponse("It can", Ready) },
  problems: ["NOT_READY"],
});

/** The routes that a monitor outside asks, without credentials and without detail. */
export function healthRoutes(app: Api): void {
  app.openapi(health, (c) => {
    c.header("Cache-Control", "no-store");
    return c.json({ status: "ok" as const, ...versionOf(c.env) }, 200);
  });

  app.openapi(ready, async (c) => {
    const { failed, archive } = await readinessOf(c.env, c.get("deps").platformClock);
    c.header("Cache-Control", "no-store");
    if (failed.length === 0) return c.json({ status: "ready" as const, archive }, 200);
    throw new Problem({
      code: "NOT_READY",
      detail: `The service is not ready: ${failed.join(", ")}.`,
      retryAfterSeconds: RETRY_SECONDS,
      extensions: { failed },
    });
  });
}
