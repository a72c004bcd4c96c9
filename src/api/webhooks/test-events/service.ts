import { callCompany } from "../../../company-client/stub.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { DeliveryTarget } from "../../../domain/events/delivery.ts";
import { FIRST_ENDPOINT } from "../../../domain/events/webhook-endpoint.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { servicePaused } from "../../../http/auth/service-pause.ts";
import { keyReused } from "../../../http/idempotency.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { deliver } from "../../../webhooks/delivery/deliver.ts";
import { findEvent } from "../../events/repository.ts";
import { detailView } from "../../events/views.ts";
import { listEndpoints } from "../endpoints/repository.ts";

const RETRY_SECONDS = 5;

interface TestRequest {
  url?: string | undefined;
  endpointId?: string | undefined;
  idempotencyKey: string | null;
}

/** Where a test goes. The URL of an endpoint is that endpoint, whose secret its receiver knows. */
async function addresseeOf(
  env: Env,
  company: Company,
  { url, endpointId = FIRST_ENDPOINT }: TestRequest,
): Promise<{ target: DeliveryTarget; url: string }> {
  const endpoints = await listEndpoints(env, company.id);
  const endpoint = endpoints.find((each) =>
    url === undefined ? each.id === endpointId : each.url === url,
  );
  if (endpoint !== undefined) return { target: endpoint.id, url: endpoint.url };
  if (url !== undefined) return { target: "postback", url };
  if (endpointId !== FIRST_ENDPOINT) throw notFound("webhook endpoint");
  throw invalidState(
    "The company has no webhook URL. Set one, or send url in this request",
    "no_webhook",
  );
}

/**
 * Sends a `webhook.test` event once, to a URL or an endpoint, by default to the company's first, and returns it with its
 * attempt. A 2xx switches the host on again. A repeated `idempotencyKey` (null for none) makes no second event.
 * Throws 404 without the endpoint, 409 without a URL or if the key was used for another one, 503 while the service is paused, or if the
 * event is not in D1 yet.
 */
export async function sendTestEvent(
  env: Env,
  deps: Dependencies,
  company: Company,
  request: TestRequest,
) {
  const { idempotencyKey } = request;
  const { target, url } = await addresseeOf(env, company, request);
  if ((await deps.pauses.of(env, company.id)) !== null) throw servicePaused();
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
  const isNamed = request.url !== undefined || request.endpointId !== undefined;
  if (isNamed && sentTo !== url) throw keyReused();
  return shown;
}
