import type { components, paths } from "./generated/api.ts";

/** The shapes of the API by the names of its document, such as `Schemas["Transaction"]`. */
export type Schemas = components["schemas"];

export type Transaction = Schemas["Transaction"];
export type Withdraw = Schemas["Withdraw"];
export type Problem = Schemas["Problem"];
/** An event of the company, in order: its `type` tells the shape of `data`. */
export type Event = Schemas["Event"];
/** What a webhook's body says: its `type` tells the shape of `data`. */
export type Webhook = Schemas["Webhook"];

export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The paths of the API that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];
/** One operation of the API. */
export type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;

type Json = "application/json";
/** The body that an operation takes. */
type BodyOf<Op> = Op extends { requestBody: { content: Record<Json, infer Body> } }
  ? Body
  : Op extends { requestBody?: { content: Record<Json, infer Body> } }
    ? Body | undefined
    : undefined;
type QueryOf<Op> = Op extends { parameters: { query?: infer Asked extends object } }
  ? Asked
  : undefined;
type ParamsOf<Op> = Op extends { parameters: { path: infer Params extends object } }
  ? Params
  : undefined;

/** The query that a list takes. */
export type Query<P extends PathOf<"get">> = NonNullable<QueryOf<Operation<"get", P>>>;

/** Members that may be undefined may also be left out. */
type Optional<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & { [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Value[Key] };

/** What an operation is called with. */
export type Input<Op> = Optional<{
  params: ParamsOf<Op>;
  query: QueryOf<Op> | undefined;
  body: BodyOf<Op>;
}>;

type Answers<Op> = Op extends { responses: infer Responses } ? Responses[keyof Responses] : never;
/** What an operation answers, by any success, in a media type. */
export type Answer<Op, Media extends string = Json> =
  Answers<Op> extends infer Each
    ? Each extends { content: Record<Media, infer Body> }
      ? Body
      : never
    : never;
