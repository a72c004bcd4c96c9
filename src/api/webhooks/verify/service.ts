import type { z } from "@hono/zod-openapi";
import { configOf, type Env } from "../../../config.ts";
import { findAllSealedSecrets } from "../../../db/companies/webhook-secrets.ts";
import { eventId, parseEventId } from "../../../domain/events/delivery.ts";
import type { Dependencies } from "../../../http/context.ts";
import { diagnose, type VerificationContext } from "../../../webhooks/debugger/diagnosis.ts";
import { webhookKeySeeds } from "../../../webhooks/signing/asymmetric-key.ts";
import { openSecrets } from "../../../webhooks/signing/secrets.ts";
import { findEventBody } from "../../events/repository.ts";
import { archiveUnreadable } from "../../../http/problems.ts";
import { requireEventScope, type EventReader } from "../../events/service.ts";
import { VERIFIED, type Received } from "./schemas.ts";

/**
 * Names the first cause why a received webhook does not verify. Stores and logs nothing. Throws 403 without the
 * scope of the event's object: a guessed body would be compared with the event's.
 */
export async function verifyWebhook(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  reader: EventReader,
  request: z.output<typeof Received>,
) {
  const { headers, body, secret, receivedAt } = request;
  const received = { headers, body, secret: secret ?? null, receivedAt: receivedAt ?? null };
  const context = verificationContext(env, reader, deps.platformClock.now());
  const { error, eventId: id } = await diagnose(received, context);
  return {
    verified: error === null,
    cause: error?.cause ?? null,
    detail: error?.detail ?? VERIFIED,
    eventId: id,
  };
}

function verificationContext(
  env: Env,
  { company, scopes }: EventReader,
  nowMs: number,
): VerificationContext {
  const { secretsKeys } = configOf(env);
  return {
    nowMs,
    eventBody: async (id) => {
      const ref = parseEventId(id);
      // The signature covers the id's spelling: only the canonical one is the event's.
      if (ref === null || ref.companyId !== company.id) return null;
      if (eventId(ref.companyId, ref.companySequence) !== id) return null;
      const event = await findEventBody(env, ref.companyId, ref.companySequence);
      if (event === null) return null;
      requireEventScope(scopes, event.type);
      if (event.content === null) throw archiveUnreadable();
      return event.content;
    },
    secrets: async () => {
      const sealed = await findAllSealedSecrets(env, company.id);
      const opened = await Promise.all(
        sealed.map(async (each) => {
          const secrets = await openSecrets(secretsKeys, each);
          return secrets.map((secret) => Object.assign(secret, { endpoint: each.endpoint }));
        }),
      );
      return opened.flat();
    },
    seeds: () => webhookKeySeeds(secretsKeys, company.providerCompanyId),
  };
}
