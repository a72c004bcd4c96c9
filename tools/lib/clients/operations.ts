import type { ApiDocument } from "../client-types.ts";
import { capital, unionOf, type Schema, type Shape, type Shapes } from "./shapes.ts";

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}
type Content = Record<string, { schema?: Schema }>;

interface Described {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, { content?: Content }>;
}

/** A parameter of a query or header. */
export interface Argument {
  /** As the API calls it. */
  name: string;
  shape: Shape;
  required: boolean;
}

/** One operation, as a method of a client. */
export interface ClientOperation {
  name: string;
  summary: string;
  method: string;
  path: string;
  params: Argument[];
  query: Argument[];
  /** Headers but the idempotency key, which a client sends with every POST. */
  headers: Argument[];
  body: { shape: Shape; required: boolean } | null;
  /** Media types of a file that is its body. */
  uploads: string[];
  /** What it answers as JSON; null for an operation that answers files only. */
  answer: Shape | null;
  /** Media types of the files that it answers. */
  files: string[];
}

const JSON_TYPE = "application/json";

/** The operations of a document, by their names. */
export function operationsOf(document: ApiDocument, shapes: Shapes): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      operationOf(method, path, operation as unknown as Described, shapes),
    ),
  );
}

function operationOf(
  method: string,
  path: string,
  described: Described,
  shapes: Shapes,
): ClientOperation {
  const { operationId, parameters = [], requestBody, responses, summary = "" } = described;
  const named = capital(operationId);
  const argumentsIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.name !== "Idempotency-Key")
      .map(({ name, required = false, schema }) => ({
        name,
        required,
        shape: shapes.shapeOf(schema, named + capital(name)),
      }));
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const media = Object.keys(requestBody?.content ?? {}).filter((type) => type !== JSON_TYPE);
  const contents = Object.values(responses).map(({ content = {} }) => content);
  const answers = contents.flatMap(({ [JSON_TYPE]: answer }) => answer?.schema ?? []);
  const files = contents.flatMap((content) => Object.keys(content));
  return {
    name: operationId,
    summary,
    method: method.toUpperCase(),
    path,
    params: argumentsIn("path"),
    query: argumentsIn("query"),
    headers: argumentsIn("header"),
    body:
      body === undefined
        ? null
        : {
            shape: shapes.shapeOf(body, `${named}Body`),
            required: requestBody?.required === true,
          },
    uploads: body === undefined ? media : [],
    answer:
      answers.length === 0
        ? null
        : unionOf(answers.map((answer) => shapes.shapeOf(answer, `${named}Answer`))),
    files: [...new Set(files)].filter((type) => type !== JSON_TYPE),
  };
}
