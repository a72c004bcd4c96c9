import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ProblemCode, ProblemStatus } from "../../domain/shared/problem.ts";
import { assert } from "../../lib/assert.ts";
import type { Api } from "../api.ts";
import type { BodyRule } from "../body.ts";
import type { AppEnv } from "../context.ts";
import type { IdempotencyRule } from "../idempotency.ts";
import type { Route } from "./route-types.ts";
import {
  BODY_PROBLEMS,
  problemResponses,
  publicProblemResponses,
  REPLAYED_HEADERS,
  SECURITY,
} from "./openapi.ts";

type Middleware = MiddlewareHandler<AppEnv>;
type Method = "get" | "post" | "put" | "patch" | "delete";
type Fields = z.ZodObject;

/** What an answer says: `jsonResponse`, or any other content. */
interface Answer {
  description: string;
  headers?: object;
  content?: object;
}
type Answers = Record<number, Answer>;

/** What a route is, without what follows from it. */
interface Declaration<
  Params extends Fields | undefined,
  Query extends Fields | undefined,
  Body extends z.ZodType | undefined,
  Key extends IdempotencyRule | undefined,
  Given extends Answers,
> {
  operationId: string;
  summary: string;
  description?: string;
  /** Not in the document. */
  hide?: boolean;
  /** A narrower path for the router, such as `:id{[0-9]+}`; the document has the plain one. See `mounted`. */
  mountedAs?: string;
  /** Who is admitted, such as `requireScope`; the first says 401, the others may refuse too. */
  guard: Middleware | Middleware[];
  /** Credentials by the document; by default both headers, `[]` for a public route. */
  security?: Record<string, string[]>[];
  params?: Params;
  query?: Query;
  body?: BodyRule<Body>;
  /** Whether an `Idempotency-Key` is read or required; its answers then say whether they are replayed. */
  idempotencyKey?: Key;
  /** What is checked of a valid body, in this order. */
  checks?: Middleware[];
  answers: Given;
  /** The route's own; those of a body, of a key and of every route follow. */
  problems?: readonly ProblemCode[];
}

/**
 * Declares routes under tags of the document: `route.get(path, {...})`. Of the declaration follow security, middleware
 * (guard, body, key, checks: in this order), the key's header, and the common problems. Handlers are mounted with
 * `app.openapi`.
 */
export function routesOf(...tags: string[]) {
  const declarer =
    <Verb extends Method>(method: Verb) =>
    <
      Path extends string,
      Given extends Answers,
      Params extends Fields | undefined = undefined,
      Query extends Fields | undefined = undefined,
      Body extends z.ZodType | undefined = undefined,
      Key extends IdempotencyRule | undefined = undefined,
    >(
      path: Path,
      declaration: Declaration<Params, Query, Body, Key, Given>,
    ) =>
      declareRoute(tags, method, path, declaration);
  return {
    get: declarer("get"),
    post: declarer("post"),
    put: declarer("put"),
    patch: declarer("patch"),
    delete: declarer("delete"),
  };
}

function declareRoute<
  Path extends string,
  Verb extends Method,
  Params extends Fields | undefined,
  Query extends Fields | undefined,
  Body extends z.ZodType | undefined,
  Key extends IdempotencyRule | undefined,
  Given extends Answers,
>(
  tags: string[],
  method: Verb,
  path: Path,
  declaration: Declaration<Params, Query, Body, Key, Given>,
): DeclaredRoute<Verb, Path, Params, Query, Body, Key, Given>;
function declareRoute(
  tags: string[],
  method: Method,
  path: string,
  {
    guard,
    security = SECURITY,
    params,
    query,
    body,
    idempotencyKey,
    checks = [],
    answers,
    problems = [],
    ...described
  }: Declaration<Fields, Fields, z.ZodType, IdempotencyRule, Answers>,
) {
  const describeProblems = security.length === 0 ? publicProblemResponses : problemResponses;
  return createRoute({
    ...described,
    method,
    path,
    tags,
    security,
    middleware: [guard, body?.middleware ?? [], idempotencyKey?.middleware ?? [], checks].flat(),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: body.described }),
      ...(idempotencyKey === undefined ? {} : { headers: idempotencyKey.described }),
    },
    responses: {
      ...(idempotencyKey?.isReplayed === true ? withReplayedHeader(answers) : answers),
      ...describeProblems(
        ...new Set([
          ...(body === undefined ? [] : BODY_PROBLEMS),
          ...(idempotencyKey?.problems ?? []),
          ...problems,
        ]),
      ),
    },
  });
}

/**
 * A route with `mountedAs` as the router matches it, so that a wrong method on a path beside it gets a 405. Puts it into
 * the document under its plain path.
 */
export function mounted<Declared extends Route>(app: Api, declared: Declared): Declared {
  const route: RouteConfig & { mountedAs?: string } = declared;
  const { mountedAs, middleware: _, ...described } = route;
  assert(mountedAs !== undefined, "the route has a path for the router");
  app.openAPIRegistry.registerPath(described);
  return { ...declared, path: mountedAs, hide: true };
}

/** What the types of handlers and of `callRoute` are read from. */
type DeclaredRoute<Verb extends Method, Path extends string, Params, Query, Body, Key, Given> = {
  operationId: string;
  method: Verb;
  path: Path;
  middleware: Middleware[];
  request: DeclaredRequest<Params, Query, Body, Key>;
  responses: Given & Record<Exclude<ProblemStatus, keyof Given>, ProblemAnswer>;
  getRoutingPath: () => RoutingPath<Path>;
};

/** As Hono has a path: `:id` for `{id}`. */
type RoutingPath<Path extends string> = Path extends `${infer Start}/{${infer Name}}${infer Rest}`
  ? `${Start}/:${Name}${RoutingPath<Rest>}`
  : Path;

/** Absent fields have no key, so that a handler has nothing of them to read. */
type DeclaredRequest<Params, Query, Body, Key> = (Params extends Fields
  ? { params: Params }
  : NoPart) &
  (Query extends Fields ? { query: Query } : NoPart) &
  (Body extends z.ZodType ? { body: BodyRule<Body>["described"] } : NoPart) &
  (Key extends IdempotencyRule ? { headers: IdempotencyRule["described"] } : NoPart);
type NoPart = object;
type ProblemAnswer = ReturnType<typeof problemResponses>[string];

/** Every answer of a route with a key says whether it is an earlier one. */
function withReplayedHeader(answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...REPLAYED_HEADERS, ...answer.headers } },
    ]),
  );
}
