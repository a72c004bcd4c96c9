import { audited } from "../../http/audit.ts";
import { EXITS } from "../../domain/exits/exits.ts";
import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { visibleWithdraw } from "../../domain/access/payer-masks.ts";
import { withdrawView, type WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { OWNER_CHECKS_VERSION, requireScope } from "../../http/auth/auth.ts";
import { NO_FIELDS, jsonBody } from "../../http/body.ts";
import { requesterOf, companyDeps, type AppContext, type Caller } from "../../http/context.ts";
import { pageEnvelope, PageQuery } from "../../http/fields/fields.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import {
  optionalIdempotencyKey,
  REPLAYED_HEADER,
  requiredIdempotencyKey,
} from "../../http/idempotency.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  REPLAYED_HEADERS,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { assert } from "../../lib/assert.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { NO_PIX_KEY_MESSAGE } from "./views.ts";
import {
  MissingPixKey,
  RequestWithdrawBody,
  Withdraw,
  WithdrawDryRun,
  WithdrawPageSchema,
  type RequestWithdrawRequest,
} from "./schemas.ts";
import {
  cancelWithdraw,
  pageOfWithdraws,
  previewWithdraw,
  requestWithdraw,
  requireWithdraw,
} from "./service.ts";
import { withdrawTimelineRoute } from "./timeline/routes.ts";
import { mounted, routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";

const route = routesOf("Withdraws");

const REQUEST_BODY = jsonBody(RequestWithdrawBody);
const REQUEST_KEY = requiredIdempotencyKey("wd_01JD8ZC3");

const problems = problemResponses(
  ...BODY_PROBLEMS,
  "WITHDRAW_BELOW_MINIMUM",
  "IDEMPOTENCY_KEY_REQUIRED",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_KEY_REUSED",
  "POSSIBLE_DUPLICATE_WITHDRAW",
  "PROVIDER_NOT_CONFIGURED",
  "COMPANY_FROZEN",
  "SPENDING_LIMITS_ENDED",
  "SPENDING_LIMITS_EXCEEDED",
  "PIX_KEY_NOT_ALLOWED",
  "PIX_KEY_COOLING_DOWN",
  "DAILY_LIMIT_EXCEEDED",
  "NIGHT_LIMIT_EXCEEDED",
  "KEY_LIMIT_EXCEEDED",
  "QUOTA_EXCEEDED",
  "INSUFFICIENT_BALANCE",
);

// By hand: it has two answers of success, of which one is replayed, and a 400 of two shapes.
const request = createRoute({
  method: "post",
  path: "/api/Withdraw/request",
  operationId: "requestWithdraw",
  summary: "Request a withdraw",
  description: "Pays out of the available balance to a PIX key. `amount` in centavos.",
  tags: ["Withdraws"],
  security: SECURITY,
  middleware: [
    requireScope(EXITS.withdraw.scope, OWNER_CHECKS_VERSION),
    REQUEST_BODY.middleware,
    REQUEST_KEY.middleware,
  ] as const,
  request: {
    headers: REQUEST_KEY.described.extend({
      "X-Dry-Run": z
        .enum(["true", "false"], { error: breaks("boolean") })
        .optional()
        .openapi({ description: "`true` makes every check, returns 200 and stores nothing." }),
      "X-Confirm-Duplicate": z
        .string()
        .regex(/^[1-9]\d{0,14}$/, breaks("earlierWithdraw"))
        .optional()
        .openapi({ description: "Id of the earlier withdraw that this one may duplicate." }),
    }),
    body: REQUEST_BODY.described,
  },
  responses: {
    ...problems,
    200: jsonResponse("The result of a dry run", WithdrawDryRun),
    201: jsonResponse("The withdraw", Withdraw, REPLAYED_HEADERS),
    400: {
      description: `${problems["400"]?.description}. Without any PIX key the body is only a \`message\`.`,
      content: {
        ...problems["400"]?.content,
        "application/json": { schema: MissingPixKey },
      },
    },
  },
});

const preview = route.post("/api/v1/withdraws/preview", {
  operationId: "previewWithdraw",
  summary: "Check a withdraw without requesting it",
  description:
    "What `POST /api/Withdraw/request` answers with `X-Dry-Run`: every check, and nothing is stored. A key under which " +
    "it was requested is told among the checks.",
  guard: requireScope(EXITS.withdraw.scope, OWNER_CHECKS_VERSION),
  body: REQUEST_BODY,
  idempotencyKey: optionalIdempotencyKey("wd_01JD8ZC3", { isReplayed: false }),
  answers: { 200: jsonResponse("The checks", WithdrawDryRun) },
  problems: ["WITHDRAW_BELOW_MINIMUM"],
});

const find = route.get("/api/Withdraw/{id}", {
  operationId: "getWithdraw",
  summary: "Get a withdraw",
  // Digits only, so that a wrong method on /request gets a 405.
  mountedAs: "/api/Withdraw/:id{[0-9]+}",
  guard: requireScope("withdraws:read"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  answers: { 200: jsonResponse("The withdraw", Withdraw) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const list = route.get("/api/Withdraw/company/withdraws", {
  operationId: "listWithdraws",
  summary: "List the company's withdraws",
  guard: requireScope("withdraws:read"),
  query: PageQuery,
  answers: { 200: jsonResponse("One page, with totals", WithdrawPageSchema) },
  problems: ["VALIDATION_FAILED"],
});

const cancel = route.post("/api/Withdraw/{id}/cancel", {
  operationId: "cancelWithdraw",
  summary: "Cancel a withdraw",
  description: "While it is Awaiting. Amount and fee return to the available balance.",
  guard: requireScope("withdraws:write"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  body: NO_FIELDS,
  idempotencyKey: optionalIdempotencyKey("cancel_01JD8ZC3"),
  answers: { 200: jsonResponse("The withdraw", Withdraw) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

export { request as requestWithdraw, preview as previewWithdraw, find as getWithdraw };

export function withdrawRoutes(app: Api): void {
  withdrawTimelineRoute(app);
  app.openapi(request, async (c) => {
    const idempotencyKey = c.get("idempotencyKey");
    assert(idempotencyKey !== null, "the key was required");
    const headers = c.req.valid("header");
    const confirmed = headers["X-Confirm-Duplicate"];
    const options = {
      idempotencyKey,
      confirmedDuplicate: confirmed === undefined ? null : Number(confirmed),
    };
    const body = c.req.valid("json");
    if (headers["X-Dry-Run"] === "true") return c.json(await previewed(c, body, options), 200);
    const run = () =>
      writeOptimistically(c, (caller) => requestWithdraw(contextOf(c, caller), body, options));
    const result = await requestedByPerson(c, body.amount, idempotencyKey, run);
    if (result.kind === "no_pix_key") return c.json({ message: NO_PIX_KEY_MESSAGE }, 400);
    if (result.replayed) c.header(REPLAYED_HEADER, "true");
    return c.json(shown(c, result.withdraw), 201);
  });

  app.openapi(preview, async (c) => {
    const options = {
      idempotencyKey: c.get("idempotencyKey") ?? `auto:${newUuid(c.get("deps").random)}`,
      confirmedDuplicate: null,
    };
    return c.json(await previewed(c, c.req.valid("json"), options), 200);
  });

  app.openapi(cancel, async (c) => {
    const { withdraw, replayed } = await cancelWithdraw(
      c.env,
      c.get("caller").company,
      c.req.valid("param").id,
      { idempotencyKey: c.get("idempotencyKey"), random: c.get("deps").random },
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json(shown(c, withdraw), 200);
  });

  app.openapi(list, async (c) => {
    const page = c.req.valid("query");
    const { items, totalItems } = await pageOfWithdraws(c.env, c.get("caller").company, page);
    return c.json(
      pageEnvelope(
        items.map((withdraw) => shown(c, withdraw)),
        totalItems,
        page,
      ),
      200,
    );
  });

  app.openapi(mounted(app, find), async (c) => {
    const withdraw = await requireWithdraw(c.env, c.get("caller").company, c.req.valid("param").id);
    return c.json(shown(c, withdraw), 200);
  });
}

function contextOf(c: AppContext, caller: Caller) {
  return {
    env: c.env,
    deps: companyDeps(c),
    company: caller.company,
    application: caller.application,
    requestedBy: requesterOf(caller),
    cachedAuth: caller.cachedAuth,
  };
}

/** The checks of a withdraw as its caller may see them. */
async function previewed(
  c: AppContext,
  body: RequestWithdrawRequest,
  options: Parameters<typeof previewWithdraw>[2],
) {
  const found = await writeOptimistically(c, (caller) =>
    previewWithdraw(contextOf(c, caller), body, options),
  );
  return visibleWithdraw(c.get("caller").scopes, found);
}

/**
 * A person's request is in the audit trail before it is done. An application's is in the withdraw's own row and in its
 * events: an entry more for each withdraw would be a trip more.
 */
function requestedByPerson<Result>(
  c: AppContext,
  amount: number,
  idempotencyKey: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const { company, person } = c.get("caller");
  if (person === null) return run();
  const target = `withdraw_key:${idempotencyKey}`;
  const action = { companyId: company.id, action: EXITS.withdraw.audit, target, after: { amount } };
  return audited(c, action, run);
}

/** A withdraw as its caller may see it. */
function shown(c: AppContext, withdraw: WithdrawRecord) {
  return withdrawView(visibleWithdraw(c.get("caller").scopes, withdraw));
}
