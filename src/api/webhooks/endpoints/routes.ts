import { jsonBytes, SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { ENDPOINTS_MAX } from "../../../domain/events/webhook-endpoint.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { takeQuota, takeReservedQuota } from "../../settings/take-quota.ts";
import { withoutQuery } from "../endpoint/views.ts";
import { RotateSecretBody } from "../secrets/schemas.ts";
import { rotateSecret } from "../secrets/service.ts";
import type { EndpointChange, EndpointRow } from "./repository.ts";
import {
  ChangeEndpoint,
  CreateEndpoint,
  EndpointEnvelope,
  EndpointParam,
  Endpoints,
  EndpointsQuery,
  MadeEndpointEnvelope,
  RotatedEndpointEnvelope,
} from "./schemas.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  draftEndpoint,
  findReplayed,
  pageOfEndpoints,
  requireEndpoint,
  shownOne,
} from "./service.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Webhooks");
const PATH = "/api/v1/webhooks/endpoints";

const list = route.get(PATH, {
  operationId: "listWebhookEndpoints",
  summary: "List the company's webhook endpoints",
  guard: requireScope("webhooks:read"),
  query: EndpointsQuery,
  answers: { 200: jsonResponse("One page", Endpoints) },
  problems: ["VALIDATION_FAILED"],
});

const create = route.post(PATH, {
  operationId: "createWebhookEndpoint",
  summary: "Add a webhook endpoint",
  description:
    "With a secret of its own. It gets later events of the types that it names, beside the other endpoints. " +
    `At most ${ENDPOINTS_MAX} with the first (409).`,
  guard: requireScope("webhooks:write"),
  body: jsonBody(CreateEndpoint),
  idempotencyKey: optionalIdempotencyKey("endpoint_erp"),
  checks: [webhookUrlField("url")],
  answers: { 201: jsonResponse("The endpoint with its secret", MadeEndpointEnvelope) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const change = route.patch(`${PATH}/{id}`, {
  operationId: "changeWebhookEndpoint",
  summary: "Change a webhook endpoint",
  description: "For later events. A `url` switches its host on again.",
  guard: requireScope("webhooks:write"),
  params: EndpointParam,
  body: jsonBody(ChangeEndpoint),
  checks: [webhookUrlField("url")],
  answers: { 200: jsonResponse("The endpoint", EndpointEnvelope) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deleteWebhookEndpoint",
  summary: "Delete a webhook endpoint",
  description: "Nothing goes to it any more: its open deliveries end `stopped`.",
  guard: requireScope("webhooks:write"),
  params: EndpointParam,
  answers: { 200: jsonResponse("The endpoint as it was", EndpointEnvelope) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

const rotate = route.post(`${PATH}/{id}/rotate-secret`, {
  operationId: "rotateWebhookEndpointSecret",
  summary: "Rotate an endpoint's secret",
  description: "As the first endpoint's (`POST /api/v1/webhooks/secret/rotate`).",
  guard: requireScope("webhooks:write"),
  params: EndpointParam,
  body: optionalJsonBody(RotateSecretBody),
  answers: { 201: jsonResponse("The endpoint with its new secret", RotatedEndpointEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export {
  list as listWebhookEndpoints,
  create as createWebhookEndpoint,
  change as changeWebhookEndpoint,
  remove as deleteWebhookEndpoint,
  rotate as rotateWebhookEndpointSecret,
};

/** A merchant's routes for its webhook endpoints. */
export function endpointsRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { id } = c.get("caller").company;
    return c.json(await pageOfEndpoints(c.env, companyDeps(c), id, c.req.valid("query")), 200);
  });

  app.openapi(create, async (c) => {
    const { company } = c.get("caller");
    const deps = companyDeps(c);
    const draft = await draftEndpoint(
      deps,
      company.id,
      c.req.valid("json"),
      c.get("idempotencyKey"),
    );
    c.header("Cache-Control", "no-store");
    const replayed = await findReplayed(c.env, deps, company, draft);
    if (replayed !== null) {
      c.header(REPLAYED_HEADER, "true");
      return c.json({ data: replayed }, 201);
    }
    const action = {
      companyId: company.id,
      action: "endpoint.create",
      target: `company:${company.id}`,
      after: auditedEndpoint(draft.request),
    };
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(draft.request));
    const made = await audited(c, action, () => createEndpoint(c.env, deps, company, draft));
    return c.json({ data: made }, 201);
  });

  changeRoutes(app);
}

function changeRoutes(app: Api): void {
  app.openapi(change, async (c) => {
    const { id: companyId } = c.get("caller").company;
    const before = await requireEndpoint(c.env, companyId, c.req.valid("param").id);
    const request = c.req.valid("json");
    const action = {
      companyId,
      action: "endpoint.change",
      target: targetOf(before),
      before: auditedEndpoint(before),
      after: auditedEndpoint(request),
    };
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(request));
    const changed = await audited(c, action, () =>
      changeEndpoint(c.env, companyDeps(c), companyId, before.id, request),
    );
    return c.json({ data: changed }, 200);
  });

  app.openapi(remove, async (c) => {
    const { id: companyId } = c.get("caller").company;
    const deps = companyDeps(c);
    const before = await requireEndpoint(c.env, companyId, c.req.valid("param").id);
    const action = {
      companyId,
      action: "endpoint.delete",
      target: targetOf(before),
      before: auditedEndpoint(before),
    };
    await takeReservedQuota(c);
    const deleted = await shownOne(c.env, deps.clock.now(), companyId, before);
    await audited(c, action, () => deleteEndpoint(c.env, deps, companyId, before.id));
    return c.json({ data: deleted }, 200);
  });

  app.openapi(rotate, async (c) => {
    const { company } = c.get("caller");
    const deps = companyDeps(c);
    const row = await requireEndpoint(c.env, company.id, c.req.valid("param").id);
    const { overlapHours } = c.req.valid("json");
    const action = {
      companyId: company.id,
      action: "webhook_secret.rotate",
      target: targetOf(row),
      after: { overlapHours },
    };
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { secret, until } = await audited(c, action, () =>
      rotateSecret(c.env, company, deps, { endpoint: row.id, overlapHours }),
    );
    c.header("Cache-Control", "no-store");
    const shown = await shownOne(c.env, deps.clock.now(), company.id, row);
    return c.json({ data: { ...shown, secret, previousValidUntil: isoTime(until) } }, 201);
  });
}

function targetOf({ id }: EndpointRow): string {
  return `endpoint:${id}`;
}

/** An endpoint for the audit trail: without the query of its URL, which may hold a secret. */
function auditedEndpoint({ url, ...others }: EndpointChange) {
  const { events, description } = others;
  return {
    ...(url === undefined ? {} : { url: withoutQuery(url) }),
    ...(events === undefined ? {} : { events }),
    ...(description === undefined ? {} : { description }),
  };
}
