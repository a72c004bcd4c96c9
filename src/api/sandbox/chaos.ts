import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { callCompany } from "../../company-client/stub.ts";
import { findWebhookChaos, setWebhookChaos } from "../../db/companies/companies.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { integer } from "../../http/fields/fields.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { updateCredentials } from "../settings/update-credentials.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";

const route = routesOf("Sandbox");
const PATH = "/api/v1/sandbox/webhooks/chaos";
const SEED_MAX = 2 ** 31 - 1;
const DELAY_MAX_SECONDS = 3_600;

function shareField(description: string) {
  const error = breaks("fraction");
  return z.number({ error }).min(0, error).max(1, error).default(0).openapi({ description });
}

const Chaos = z
  .object({
    seed: integer(0, SEED_MAX, "")
      .default(0)
      .openapi({ description: "The same seed and the same calls meet the same run." }),
    duplicate: shareField("The share of events that are sent again after they arrived."),
    reorder: shareField(
      "The share of events after which the object's previous one is sent once more.",
    ),
    drop: shareField(
      "The share of attempts that are not sent, and are made again by the schedule.",
    ),
    delay: integer(0, DELAY_MAX_SECONDS, "seconds")
      .default(0)
      .openapi({ description: "The longest an event is held back at first. Seconds." }),
  })
  .openapi("WebhookChaos", {
    description: "Nothing of it is done to webhooks by default, nor to companies with real money.",
  });

const NO_CHAOS = { seed: 0, duplicate: 0, reorder: 0, drop: 0, delay: 0 };

const show = route.get(PATH, {
  operationId: "getWebhookChaos",
  summary: "Show how hostile the company's webhooks are",
  guard: [requireScope("webhooks:read"), sandboxOnly],
  answers: { 200: jsonResponse("The chaos", Chaos) },
});

const put = route.put(PATH, {
  operationId: "setWebhookChaos",
  summary: "Have the company's webhooks delivered with hostility",
  description:
    "Duplicates, an old state after a newer one, attempts that are lost, and delays, from the next " +
    "event on, so that a merchant's own tests can prove its handler. What is left out is 0; all 0 " +
    "is none. The run begins anew with each call.",
  guard: [requireScope("webhooks:write"), sandboxOnly],
  body: jsonBody(Chaos),
  answers: { 200: jsonResponse("The chaos", Chaos) },
  problems: ["QUOTA_EXCEEDED"],
});

export function chaosRoutes(app: Api): void {
  app.openapi(show, async (c) => {
    const chaos = await findWebhookChaos(c.env, c.get("caller").company.id);
    return c.json(chaos === null ? NO_CHAOS : chaosView(chaos), 200);
  });

  app.openapi(put, async (c) => {
    const { id } = c.get("caller").company;
    const requested = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { companySequence } = await callCompany(c.env, id, (account) =>
      account.snapshot({ transactionIds: [], withdrawIds: [] }),
    );
    const { duplicate, reorder, drop, delay } = requested;
    const isNone = duplicate + reorder + drop + delay === 0;
    const chaos = isNone ? null : { ...requested, after: companySequence };
    await updateCredentials(c.env, id, () => setWebhookChaos(c.env, id, chaos));
    return c.json(isNone ? NO_CHAOS : requested, 200);
  });
}

function chaosView({ after: _after, ...chaos }: WebhookChaos) {
  return chaos;
}
