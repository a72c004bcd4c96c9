import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { DeadLetter, DeadLetterParam, DeadLetters, DeadLettersQuery } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { pageOfDeadLetters, replay, requireDeadLetter } from "./service.ts";

const route = routesOf("Operator");
const PATH = "/api/v1/operator/dead-letters";

const list = route.get(PATH, {
  operationId: "listDeadLetters",
  summary: "List the messages that a queue gave up",
  description:
    "Oldest first, for 90 days. Nothing is lost with one: its work is stored, and the cron finds it.",
  guard: requireOperator("companies:read"),
  query: DeadLettersQuery.extend({ limit: pageLimit }),
  answers: { 200: jsonResponse("One page", DeadLetters) },
  problems: ["VALIDATION_FAILED"],
});

const replayRoute = route.post(`${PATH}/{id}/replay`, {
  operationId: "resendDeadLetter",
  summary: "Send a message to its queue again",
  description: "Once: a message that was sent again is answered and not sent.",
  guard: requireOperator("companies:support"),
  params: DeadLetterParam,
  body: NO_FIELDS,
  answers: { 200: jsonResponse("The message", DeadLetter) },
  problems: ["NOT_FOUND"],
});

/** An operator's routes for messages that failed too often. */
export function deadLetterRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    return c.json(await pageOfDeadLetters(c.env, c.req.valid("query")), 200);
  });

  app.openapi(replayRoute, async (c) => {
    const { id } = c.req.valid("param");
    const action = {
      companyId: GATEWAY_TRAIL,
      action: "dead_letter.replay",
      target: `dead_letter:${id}`,
    };
    const now = c.get("deps").platformClock.now();
    const replayed = await audited(c, action, async () =>
      replay(c.env, await requireDeadLetter(c.env, id), now),
    );
    return c.json(replayed, 200);
  });
}
