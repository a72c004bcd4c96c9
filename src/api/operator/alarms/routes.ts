import { z } from "@hono/zod-openapi";
import { configOf } from "../../../config.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { sendTest } from "./test-message.ts";

const route = routesOf("Operator");

const TestedAlarms = z
  .object({
    data: z.object({
      targets: z.array(
        z.object({
          name: z.enum(["webhook", "slack", "email"]),
          sent: z.boolean(),
          error: z.string().nullable().openapi({ description: "Why it did not take the message." }),
        }),
      ),
      incomplete: z.array(z.string()).openapi({
        description: "What a target lacks, so that nothing is sent to it.",
      }),
    }),
  })
  .openapi("TestedAlarms", {
    example: { data: { targets: [{ name: "slack", sent: true, error: null }], incomplete: [] } },
  });

const test = route.post("/api/v1/operator/alarms/test", {
  operationId: "testAlarms",
  summary: "Send a test message to each target of alarms",
  guard: requireOperator("companies:support"),
  body: NO_FIELDS,
  answers: { 200: jsonResponse("What became of it", TestedAlarms) },
});

/** An operator's route that tries out where alarms go. */
export function alarmRoutes(app: Api): void {
  app.openapi(test, async (c) => {
    const deps = c.get("deps");
    const action = { companyId: GATEWAY_TRAIL, action: "alarms.test", target: "alarms" };
    const targets = await audited(c, action, () => sendTest(c.env, deps));
    return c.json({ data: { targets, incomplete: configOf(c.env).alarms.incomplete } }, 200);
  });
}
