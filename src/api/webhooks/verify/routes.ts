import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { findSealedSecrets } from "../../../db/webhook-secrets.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { eventId, parseEventId } from "../../../domain/events/delivery.ts";
import { configOf, type Env } from "../../../config.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { quotingJsonBody } from "../../../http/body.ts";
import { text, TEXT_MAX } from "../../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { webhookKeySeed } from "../../../webhooks/signing/asymmetric-key.ts";
import { findEventBody } from "../../events/repository.ts";
import { CAUSES } from "../../../webhooks/debugger/causes.ts";
import {
  diagnose,
  type VerificationContext,
  type ReceivedWebhook,
} from "../../../webhooks/debugger/diagnosis.ts";
import { openSecrets } from "../../../webhooks/signing/secrets.ts";

const VERIFIED = "The webhook is valid: its headers, body, signature and timestamp are correct.";

const Received = z
  .object({
    headers: z.record(z.string(), z.unknown(), { error: "must be an object" }).openapi({
      description:
        "As received, names in any case, values as text or lists of it; further ones are ignored.",
      example: {
        "webhook-id": "evt_1_42",
        "webhook-timestamp": "1795262400",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
    }),
    body: z
      .string({ error: "must be a string: the raw body, not what was parsed of it" })
      .openapi({ description: "The raw body as received.", example: '{"type":"..."}' }),
    secret: text(TEXT_MAX)
      .optional()
      .openapi({ description: "What your code verifies with. Neither stored nor logged." }),
    receivedAt: z.iso
      .datetime({ offset: true, error: "must be an ISO 8601 time" })
      .transform((value) => Date.parse(value))
      .optional()
      .openapi({
        type: "string",
        format: "date-time",
        description: "By your server's clock; now where it is left out.",
      }),
  })
  .openapi("ReceivedWebhook");

const Diagnosis = z
  .object({
    verified: z.boolean(),
    cause: z.enum(CAUSES).nullable().openapi({ description: "The first; null where verified." }),
    detail: z.string().openapi({ description: "A sentence that says what to change." }),
    eventId: z.string().nullable().openapi({ description: "Where it is an event of yours." }),
  })
  .openapi("WebhookDiagnosis", {
    example: { verified: true, cause: null, detail: VERIFIED, eventId: "evt_1_42" },
  });

const verify = createRoute({
  method: "post",
  path: "/api/v1/webhooks/verify",
  summary: "Find out why a webhook does not verify",
  description:
    "Takes a webhook as your code received it and names the first cause why it does not verify. " +
    "Changes nothing. Takes up to 1 MiB, so that a whole event fits in as a string.",
  tags: ["Webhooks"],
  security: SECURITY,
  middleware: [requireScope("webhooks:read"), quotingJsonBody(Received)] as const,
  request: { body: { required: true, content: { "application/json": { schema: Received } } } },
  responses: {
    200: jsonResponse("The verdict", Diagnosis),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function verifyRoutes(app: Api): void {
  app.openapi(verify, async (c) => {
    const { headers, body, secret, receivedAt } = c.req.valid("json");
    const received: ReceivedWebhook = {
      headers,
      body,
      secret: secret ?? null,
      receivedAt: receivedAt ?? null,
    };
    const { company } = c.get("caller");
    const known = verificationContext(c.env, company, c.get("deps").clock.now());
    const { error, eventId: id } = await diagnose(received, known);
    const verdict = {
      verified: error === null,
      cause: error?.cause ?? null,
      detail: error?.detail ?? VERIFIED,
      eventId: id,
    };
    return c.json(verdict, 200);
  });
}

function verificationContext(env: Env, company: Company, nowMs: number): VerificationContext {
  const { secretsKey } = configOf(env);
  return {
    nowMs,
    eventBody: async (id) => {
      const ref = parseEventId(id);
      // The id is signed as it is spelt: only one spelling of it is the event's.
      if (ref === null || ref.companyId !== company.id) return null;
      if (eventId(ref.companyId, ref.companySequence) !== id) return null;
      return findEventBody(env, ref.companyId, ref.companySequence);
    },
    secrets: async () => openSecrets(secretsKey, await findSealedSecrets(env, company.id)),
    seed: () => webhookKeySeed(secretsKey, company.providerCompanyId),
  };
}
