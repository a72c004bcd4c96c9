import type { z } from "zod";
import { reaisText, type Cents } from "../domain/shared/money.ts";
import type { Scope } from "../domain/shared/company.ts";
import { executionContextOf } from "../http/auth/internal-retry.ts";
import type { AppContext, Caller } from "../http/context.ts";
import type { ProblemBody } from "../http/openapi/openapi.ts";
import { routeRequest } from "../http/openapi/route-request.ts";
import type {
  Route,
  RouteAnswer,
  RouteArguments,
  RouteBody,
  RouteInput,
} from "../http/openapi/route-types.ts";

/** What a tool answers: members of JSON. */
export type ToolAnswer = Record<string, unknown>;

/** Why a route refused, as the model reads it. */
export interface Refused {
  refused: Pick<ProblemBody, "code" | "detail" | "traceId"> & Partial<ProblemBody>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The tool is shown to applications that have one of them. */
  scopes: readonly Scope[];
  /** Only for companies whose money is not real. */
  isSandboxOnly?: boolean;
  /** Only for applications with spending limits of their own. */
  needsSpendingLimits?: boolean;
  input: z.ZodObject;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  run: (c: AppContext, given: unknown) => Promise<ToolAnswer | Refused>;
}

/** A tool whose `run` gets what its input says. */
export function tool<Input extends z.ZodObject>(
  declared: Omit<Tool, "input" | "run"> & {
    input: Input;
    run: (c: AppContext, given: z.output<Input>) => Promise<ToolAnswer | Refused>;
  },
): Tool {
  const { input, run, ...described } = declared;
  return { ...described, input, run: (c, given) => run(c, input.parse(given)) };
}

/** The tools that a caller may use. */
export function toolsOf(tools: readonly Tool[], { scopes, company, application }: Caller): Tool[] {
  return tools.filter(
    (each) =>
      each.scopes.some((scope) => scopes.has(scope)) &&
      (each.isSandboxOnly !== true || company.mode === "sandbox") &&
      (each.needsSpendingLimits !== true || application.spendingLimits !== null),
  );
}

export function isRefused(answer: ToolAnswer | Refused): answer is Refused {
  return "refused" in answer;
}

/** An amount for a model: the number that it sends back, and the text that a person reads. */
export function amount(cents: Cents): { cents: Cents; text: string } {
  return { cents, text: reaisText(cents) };
}

/**
 * Calls a route in this process with the caller's own credentials: with the same checks, idempotency and audit trail as
 * any client. Its types are the route's.
 */
async function callRoute<R extends Route>(
  c: AppContext,
  route: R,
  input: RouteInput<R>,
): Promise<RouteAnswer<R>> {
  const request = routeRequest(c, route, input, {
    Accept: "application/json",
    "X-Client-Id": c.req.header("X-Client-Id") ?? "",
    "X-API-Key": c.req.header("X-API-Key") ?? "",
  });
  const response = await c.get("app").fetch(request, c.env, executionContextOf(c));
  const { ok, status, headers } = response;
  // The route's handler is held to the same types.
  return { ok, status, headers, body: await response.json() } as RouteAnswer<R>;
}

/** What a route answers, made into a tool's answer; its refusal where it refuses. */
export async function answerOf<R extends Route>(
  c: AppContext,
  route: R,
  view: (body: RouteBody<R>) => ToolAnswer | Refused | Promise<ToolAnswer | Refused>,
  ...[input = {} as RouteInput<R>]: RouteArguments<R>
): Promise<ToolAnswer | Refused> {
  const answer = await callRoute(c, route, input);
  return answer.ok ? view(answer.body) : { refused: answer.body as ProblemBody };
}
