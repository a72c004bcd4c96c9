import { createRoute } from "@hono/zod-openapi";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS, noFieldsBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { DeadLetter, DeadLetterParam, DeadLetters, DeadLettersQuery } from "./schemas.ts";

const TAGS = ["Operator"];
const PATH = "/api/v1/operator/dead-letters";

const list = createRoute({
  method: "get",
  path: PATH,
  operationId: "listDeadLetters",
  summary: "List the messages that a queue gave up",
  description:
    "Oldest first, for 90 days. Nothing is lost with one: its work is stored, and the cron finds it.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { query: DeadLettersQuery.extend({ limit: pageLimit }) },
  responses: {
    200: jsonResponse("One page", DeadLetters),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

const replay = createRoute({
  method: "post",
  path: `${PATH}/{id}/replay`,
  operationId: "resendDeadLetter",
  summary: "Send a message to its queue again",
  description: "Once: a message that was sent again is answered and not sent.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:support"), noFieldsBody] as const,
  request: { params: DeadLetterParam, body: NO_FIELDS },
  responses: {
    200: jsonResponse("The message", DeadLetter),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

/** An operator's routes for messages that failed too often. */
export function deadLetterRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { pageOfDeadLetters } = await import("./service.ts");
    return c.json(await pageOfDeadLetters(c.env, c.req.valid("query")), 200);
  });

  app.openapi(replay, async (c) => {
    const { id } = c.req.valid("param");
    const service = await import("./service.ts");
    const action = {
      companyId: GATEWAY_TRAIL,
      action: "dead_letter.replay",
      target: `dead_letter:${id}`,
    };
    const now = c.get("deps").clock.now();
    const replayed = await audited(c, action, async () =>
      service.replay(c.env, await service.requireDeadLetter(c.env, id), now),
    );
    return c.json(replayed, 200);
  });
}
