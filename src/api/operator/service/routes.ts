import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { Pause, Pauses, PauseTarget } from "../../../domain/operators/pause.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Api } from "../../../http/api.ts";
import { audited, operatorRequester } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import type { AppContext } from "../../../http/context.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { OneService, ResumeService, ServiceReason } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Operator");
const SERVICE = "/api/v1/operator/service";

const show = route.get(SERVICE, {
  operationId: "getService",
  summary: "Show what is paused",
  guard: requireOperator("companies:read"),
  answers: { 200: jsonResponse("What is paused", OneService) },
});

const pause = route.post(`${SERVICE}/pause`, {
  operationId: "pauseService",
  summary: "Pause the service",
  description:
    "Creates, captures, and every way out of the money get 503 `SERVICE_PAUSED`; webhooks and accepted payouts wait; " +
    "callbacks of PSPs are taken and kept. Reading goes on. Answers once every server has seen it, within 15 seconds; " +
    "requests under way may take half a minute more. Idempotent: a service that is paused keeps its reason.",
  guard: requireOperator("companies:write"),
  body: jsonBody(ServiceReason),
  answers: { 200: jsonResponse("What is paused", OneService) },
});

const resume = route.post(`${SERVICE}/resume`, {
  operationId: "resumeService",
  summary: "End the service's pause",
  description:
    "Every server has seen it within 15 seconds; what waited goes on by the next minute. Freezes stay, and so do pauses of " +
    "companies, which the restore ends that made them, or this with `companyId`. Idempotent.",
  guard: requireOperator("companies:write"),
  body: jsonBody(ResumeService),
  answers: { 200: jsonResponse("What is paused", OneService) },
});

/** An operator's routes that stop the service and have it go on. */
export function serviceRoutes(app: Api): void {
  app.openapi(show, async (c) =>
    c.json({ data: serviceView(await c.get("deps").pauses.list(c.env)) }, 200),
  );

  app.openapi(pause, async (c) => {
    const { reason } = c.req.valid("json");
    const { platformClock, pauses } = c.get("deps");
    const own = { since: platformClock.now(), reason, by: operatorRequester(c) };
    const paused = await recorded(c, "pause", { target: "service", reason }, () =>
      pauses.pause(c.env, "service", own),
    );
    return c.json({ data: serviceView(paused) }, 200);
  });

  app.openapi(resume, async (c) => {
    const { reason, companyId } = c.req.valid("json");
    const { pauses } = c.get("deps");
    const target = companyId ?? ("service" as const);
    const left = await recorded(c, "resume", { target, reason }, () =>
      pauses.resume(c.env, target),
    );
    return c.json({ data: serviceView(left) }, 200);
  });
}

function recorded(
  c: AppContext,
  verb: "pause" | "resume",
  { target, reason }: { target: PauseTarget; reason: string },
  run: () => Promise<Pauses>,
): Promise<Pauses> {
  const action = `service.${verb}`;
  const entry =
    target === "service"
      ? { companyId: GATEWAY_TRAIL, action, target }
      : { companyId: target, action, target: `company:${target}` };
  return audited(c, { ...entry, reason }, run);
}

function serviceView({ service, companies }: Pauses) {
  return {
    paused: service !== null,
    pause: service === null ? null : pauseView(service),
    companies: Object.entries(companies).map(([id, own]) => ({
      companyId: Number(id),
      pause: pauseView(own),
    })),
  };
}

function pauseView({ since, reason, by }: Pause) {
  return { since: isoTime(since), reason, by };
}
