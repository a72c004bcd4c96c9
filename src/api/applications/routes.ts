import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { clientAddress } from "../../http/client-address.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { requesterOf } from "../../http/context.ts";
import { announceLoosened } from "../settings/change.ts";
import { PendingParam } from "../settings/schemas.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { applicationContext } from "./context.ts";
import { applicationKeyRoutes } from "./keys/routes.ts";
import {
  ApplicationEnvelope,
  ApplicationParam,
  Applications,
  ApplicationsQuery,
  ChangeApplication,
  CreateApplication,
} from "./schemas.ts";
import {
  changeApplication,
  createApplication,
  deleteApplication,
  draftApplication,
  findReplayed,
  refusePendingLimit,
  pageOfApplications,
  requireApplication,
} from "./service.ts";
import {
  announcedLimit,
  applicationView,
  auditedSettings,
  settingsIn,
  settingsOf,
} from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Applications");
const PATH = "/api/v1/applications";

const list = route.get(PATH, {
  operationId: "listApplications",
  summary: "List the company's applications",
  guard: requireScope("keys:write"),
  query: ApplicationsQuery,
  answers: { 200: jsonResponse("One page", Applications) },
  problems: ["VALIDATION_FAILED"],
});

const create = route.post(PATH, {
  operationId: "createApplication",
  summary: "Make an application",
  description:
    "Without a key: issue one next. It has at most the scopes, networks and time of the application that asks " +
    "(403). An application with spending limits gives no `withdraws:write`. At most 50 applications (409).",
  guard: requireScope("keys:write"),
  body: jsonBody(CreateApplication),
  idempotencyKey: optionalIdempotencyKey("app_erp"),
  answers: { 201: jsonResponse("The application", ApplicationEnvelope) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const change = route.patch(`${PATH}/{id}`, {
  operationId: "changeApplication",
  summary: "Change an application",
  description:
    "From the next request on; wider networks, wider spending limits and a higher limit of refunds only after the company's " +
    "cool-down, at least 24 hours: they stand in `pending` until then (202). 403 if the application has, or would have, more than the one that asks. 409 if " +
    "an application gives up its own `keys:write` or its own address.",
  guard: requireScope("keys:write"),
  params: ApplicationParam,
  body: jsonBody(ChangeApplication),
  answers: {
    200: jsonResponse("The application", ApplicationEnvelope),
    202: jsonResponse("The application; some of what was sent waits", ApplicationEnvelope),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

const refuse = route.delete(`${PATH}/{id}/pending/{field}`, {
  operationId: "refusePendingLimit",
  summary: "Refuse a loosened limit that waits",
  description: "What limits the application now goes on to.",
  guard: requireScope("keys:write"),
  params: ApplicationParam.extend({
    field: PendingParam.shape.field.openapi({ example: "networks" }),
  }),
  answers: { 200: jsonResponse("The application", ApplicationEnvelope) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "QUOTA_EXCEEDED"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deleteApplication",
  summary: "Delete an application and its keys",
  description:
    "The next request with its credentials is refused, everywhere. 409 for the application that asks.",
  guard: requireScope("keys:write"),
  params: ApplicationParam,
  answers: { 200: jsonResponse("The application as it was", ApplicationEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export {
  list as listApplications,
  create as createApplication,
  change as changeApplication,
  remove as deleteApplication,
};

/** A merchant's routes for its applications and their API keys. */
export function applicationRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const page = await pageOfApplications(
      applicationContext(c, c.get("caller")),
      c.req.valid("query"),
    );
    const { rows, after } = page;
    return c.json({ items: rows.map(applicationView), after, hasMore: after !== null }, 200);
  });

  app.openapi(create, async (c) => {
    const context = applicationContext(c, c.get("caller"));
    const draft = await draftApplication(context, c.req.valid("json"), c.get("idempotencyKey"));
    const replayed = await findReplayed(context, draft);
    if (replayed !== null) {
      c.header(REPLAYED_HEADER, "true");
      return c.json({ data: applicationView(replayed) }, 201);
    }
    const entry = {
      companyId: context.caller.company.id,
      action: "application.create",
      target: `application:${draft.clientId}`,
      after: auditedSettings(draft.settings),
    };
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(entry));
    const made = await audited(c, entry, () =>
      writeOptimistically(c, (caller) => createApplication(applicationContext(c, caller), draft)),
    );
    return c.json({ data: applicationView(made) }, 201);
  });

  app.openapi(remove, async (c) => {
    const { id: clientId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    const before = await requireApplication(c, clientId);
    const entry = {
      companyId,
      action: "application.delete",
      target: `application:${clientId}`,
      before: auditedSettings(settingsIn(before)),
    };
    await takeReservedQuota(c);
    const deleted = await audited(c, entry, () =>
      writeOptimistically(c, (caller) =>
        deleteApplication(applicationContext(c, caller), clientId),
      ),
    );
    return c.json({ data: applicationView(deleted) }, 200);
  });

  changeRoutes(app);
  applicationKeyRoutes(app);
}

function changeRoutes(app: Api): void {
  app.openapi(change, async (c) => {
    const { id: clientId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    const request = c.req.valid("json");
    const before = await requireApplication(c, clientId);
    const entry = {
      companyId,
      action: "application.change",
      target: `application:${clientId}`,
      before: auditedSettings(settingsIn(before)),
      after: auditedSettings(settingsOf(request)),
    };
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(entry));
    const { row, loosened } = await audited(c, entry, () =>
      writeOptimistically(c, (caller) =>
        changeApplication(applicationContext(c, caller), clientId, request, clientAddress(c)),
      ),
    );
    const by = requesterOf(c.get("caller"));
    await announceLoosened(c.env, { companyId, by }, loosened.map(announcedLimit), clientId);
    return c.json({ data: applicationView(row) }, loosened.length === 0 ? 200 : 202);
  });

  app.openapi(refuse, async (c) => {
    const { id: clientId, field } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    await requireApplication(c, clientId);
    await takeReservedQuota(c);
    const entry = {
      companyId,
      action: "application.refuse",
      target: `application:${clientId}`,
      before: { pending: field },
    };
    const row = await audited(c, entry, () =>
      writeOptimistically(c, (caller) =>
        refusePendingLimit(applicationContext(c, caller), clientId, field),
      ),
    );
    return c.json({ data: applicationView(row) }, 200);
  });
}
