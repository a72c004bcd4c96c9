import { Webhook } from "standardwebhooks";
import type { EndpointId } from "../../../../src/domain/events/webhook-endpoint.ts";
import type { ReceivedWebhook } from "../../fakes/webhook-sink.ts";
import { assert } from "../../../../src/lib/assert.ts";
import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";

export const ENDPOINTS = "/api/v1/webhooks/endpoints";

/** `POST /api/v1/webhooks/endpoints`, by default of all events. */
export function postEndpoint(
  company: TestCompany,
  body: Record<string, unknown>,
  options: Call = {},
): Promise<Answer> {
  return call(ENDPOINTS, { ...options, company, body: { events: ["*"], ...body } });
}

/** An endpoint of the company, as it was made. */
export async function givenEndpoint(
  company: TestCompany,
  body: Record<string, unknown>,
): Promise<{ id: EndpointId; secret: string; url: string }> {
  const answer = await postEndpoint(company, body);
  assert(answer.status === 201, answer.text);
  return answer.body.data;
}

/** The secrets among these that signed a request. */
export function signersOf({ headers, rawBody, id }: ReceivedWebhook, secrets: string[]): string[] {
  const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const parts = headers["webhook-signature"]!.split(" ");
  return secrets.filter((secret) => parts.includes(new Webhook(secret).sign(id, sentAt, rawBody)));
}
