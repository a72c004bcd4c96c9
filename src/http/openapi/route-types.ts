import type { RouteConfig, z } from "@hono/zod-openapi";
import type { ProblemBody } from "./openapi.ts";

/** What a call needs to know of a route: `createRoute` makes it, and so does a plain `RouteConfig`. */
export type Route = Pick<RouteConfig, "method" | "path" | "request" | "responses">;

declare const typedText: unique symbol;
/** A text as a person typed it: the route checks it, and says at its field what is wrong with it. */
export type TypedText = string & { readonly [typedText]: true };

/** A value that a route takes, or in its place a text that a person typed. */
type Sent<Value> = Value extends string | number | boolean | null | undefined
  ? Value | TypedText
  : unknown extends Value
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Sent<Item>[]
      : { [Name in keyof Value]: Sent<Value[Name]> };

/** A query holds texts only: a number is sent as one, and an absent parameter not at all. */
type SentQuery<Query> = {
  [Name in keyof Query]:
    | Query[Name]
    | TypedText
    | (string extends Query[Name] ? number : never)
    | (undefined extends Query[Name] ? undefined : never);
};

type RequestOf<R extends Route> = NonNullable<R["request"]>;
/** Sent where the route has it; may be left out where nothing of it is required. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? { [Key in Name]?: never }
  : {} extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

type ParamsOf<R extends Route> =
  RequestOf<R> extends { params: infer Schema }
    ? { [Name in keyof InputOf<Schema>]: string | number }
    : never;
/** The query of a route. */
export type QueryOf<R extends Route> =
  RequestOf<R> extends { query: infer Schema } ? SentQuery<InputOf<Schema>> : never;
type ContentOf<R extends Route> =
  RequestOf<R> extends { body: { content: infer Content } } ? Content : never;
type HeadersOf<R extends Route> =
  RequestOf<R> extends { headers: infer Schema } ? InputOf<Schema> : {};

/** The body that a route takes, as JSON. */
export type JsonOf<R extends Route> =
  ContentOf<R> extends { "application/json": { schema: infer Schema } }
    ? Sent<InputOf<Schema>>
    : never;
/** A body that is no JSON. */
type TextOf<R extends Route> = [ContentOf<R>] extends [never]
  ? never
  : "application/json" extends keyof ContentOf<R>
    ? never
    : { type: keyof ContentOf<R> & string; text: string | Uint8Array<ArrayBuffer> };

/** What a call of a route sends, by the route's own schemas. */
export type RouteInput<R extends Route> = Part<"params", ParamsOf<R>> &
  Part<"query", QueryOf<R>> &
  Part<"json", JsonOf<R>> &
  Part<"text", TextOf<R>> & {
    idempotencyKey?: "Idempotency-Key" extends keyof HeadersOf<R> ? string : never;
    /** Asks what would happen, without doing it. */
    dryRun?: "X-Dry-Run" extends keyof HeadersOf<R> ? boolean : never;
  };

/** The input as an argument that is left out where a route requires nothing. */
export type RouteArguments<R extends Route> =
  {} extends RouteInput<R> ? [input?: RouteInput<R>] : [input: RouteInput<R>];

/** The answers whose status a route names; problems may stand under a status or under none. */
type NamedResponses<R extends Route> = {
  [
    Status in keyof R["responses"] as string extends Status
      ? never
      : number extends Status
        ? never
        : Status
  ]: R["responses"][Status];
};
type BodyOf<Response> = Response extends {
  content: { "application/json": { schema: infer Schema extends z.ZodType } };
}
  ? z.output<Schema>
  : null;
type IsSuccess<Status> = `${Status & number}` extends `2${string}` ? true : false;

type SuccessOf<R extends Route> = {
  [Status in keyof NamedResponses<R>]: IsSuccess<Status> extends true
    ? { ok: true; status: Status; body: BodyOf<NamedResponses<R>[Status]>; headers: Headers }
    : never;
}[keyof NamedResponses<R>];
/** An answer other than a problem that a route gives to a request that it refuses. */
type RefusalOf<R extends Route> = {
  [Status in keyof NamedResponses<R>]: IsSuccess<Status> extends true
    ? never
    : NonNullable<BodyOf<NamedResponses<R>[Status]>>;
}[keyof NamedResponses<R>];

/** An answer that refuses a call, and why. */
export interface RouteRefusal<Body = ProblemBody> {
  ok: false;
  status: number;
  body: Body;
  headers: Headers;
}

/** What a route answers, told apart by `ok`, then by `status`. */
export type RouteAnswer<R extends Route> = SuccessOf<R> | RouteRefusal<ProblemBody | RefusalOf<R>>;

/** What a route answers when all is well. */
export type RouteBody<R extends Route> = SuccessOf<R>["body"];

/** The media types in which a route answers. */
export type FileTypeOf<R extends Route> = {
  [Status in keyof NamedResponses<R>]: NamedResponses<R>[Status] extends { content: infer Content }
    ? IsSuccess<Status> extends true
      ? keyof Content
      : never
    : never;
}[keyof NamedResponses<R>] &
  string;
