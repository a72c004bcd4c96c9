import { callCompany } from "../../../company-client/stub.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { DeliveryTarget } from "../../../domain/events/delivery.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { deliver } from "../../../webhooks/delivery/deliver.ts";
import { findEvent } from "../../events/repository.ts";
import { detailView } from "../../events/views.ts";

const RETRY_SECONDS = 5;

/**
 * Sends a `webhook.test` event to a URL, the company's own where none is named, and answers it with
 * its one attempt. It is an event like any other, but tried once; an arrival switches the host on
 * again. Throws 409 where there is no URL, 503 where D1 cannot be told.
 */
export async function sendTestEvent(
  env: Env,
  deps: Dependencies,
  company: Company,
  requestedUrl: string | undefined,
) {
  const url = requestedUrl ?? company.webhookUrl;
  if (url === "") {
    throw new Problem({
      code: "INVALID_STATE",
      detail: "The company has no webhook URL. Set one, or send url in this request.",
    });
  }
  const target: DeliveryTarget = url === company.webhookUrl ? "endpoint" : "postback";
  const testId = newUuid(deps.random);
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
  return detailView(found);
}
