import { callCompany } from "../../../company-client/stub.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { DeliveryTarget } from "../../../domain/events/delivery.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { servicePaused } from "../../../http/auth/service-pause.ts";
import { keyReused } from "../../../http/idempotency.ts";
import { invalidState } from "../../../http/problems.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { deliver } from "../../../webhooks/delivery/deliver.ts";
import { findEvent } from "../../events/repository.ts";
import { detailView } from "../../events/views.ts";

const RETRY_SECONDS = 5;

/**
 * Sends a `webhook.test` event once, to a URL or by default to the company's own, and returns it with its
 * attempt. A 2xx switches the host on again. A repeated `idempotencyKey` (null for none) makes no second event.
 * Throws 409 without a URL or if the key was used for another one, 503 while the service is paused, or if the
 * event is not in D1 yet.
 */
export async function sendTestEvent(
  env: Env,
  deps: Dependencies,
  company: Company,
  {
    url: requestedUrl,
    idempotencyKey,
  }: { url?: string | undefined; idempotencyKey: string | null },
) {
  const url = requestedUrl ?? company.webhookUrl;
  if (url === "") {
    throw invalidState(
      "The company has no webhook URL. Set one, or send url in this request",
      "no_webhook",
    );
  }
  if ((await deps.pauses.of(env, company.id)) !== null) throw servicePaused();
  const target: DeliveryTarget = url === company.webhookUrl ? "endpoint" : "postback";
  const testId =
    idempotencyKey === null
      ? newUuid(deps.random)
      : await sha256Hex(`webhook_test:${company.id}:${idempotencyKey}`);
  const companySequence = await callCompany(env, company.id, (account) =>
    account.announceTestEvent({ companyId: company.id, testId, target, url }),
  );
  await deliver(env, { companyId: company.id, companySequence, target }, deps.sender(env));
  const found = await findEvent(env, company.id, companySequence);
  if (found === null) {
    throw new Problem({
      code: "STORAGE_UNAVAILABLE",
      detail: "The gateway accepted the test event and will send it later.",
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  const shown = detailView(found);
  const { data } = shown;
  const sentTo = data !== null && "url" in data ? data.url : null;
  if (requestedUrl !== undefined && sentTo !== requestedUrl) throw keyReused();
  return shown;
}
