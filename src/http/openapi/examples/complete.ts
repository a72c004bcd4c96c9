import { componentOf, exampleOf, type Schema, type Schemas } from "./compose.ts";
import { PROBLEM_EXAMPLES } from "./problems.ts";
import { PARAMETERS } from "./values.ts";

interface Reference {
  $ref: string;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, object>;
}

interface Response {
  content?: Record<string, MediaType>;
}

interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: Response;
  responses: Record<string, Response | Reference>;
}

type PathItems = Record<string, Record<string, Operation>>;

/** What this needs to know of the document that the library writes. */
export interface Document {
  paths: PathItems;
  webhooks?: PathItems;
  components: { schemas: Schemas };
}

/** The components that operations share by name. */
interface Shared {
  schemas: Schemas;
  examples: Record<string, object>;
  responses: Record<string, Response>;
}

/**
 * The document with an example of each parameter, request and answer, and with one component for each answer that
 * has one problem only. Large, so it runs only when the document is asked for.
 */
export function completed(document: Document): object {
  const { schemas } = document.components;
  const shared: Shared = { schemas, examples: {}, responses: {} };
  const paths = completedItems(document.paths, shared);
  const webhooks = completedItems(document.webhooks ?? {}, shared);
  const { examples, responses } = shared;
  return {
    ...document,
    paths,
    webhooks,
    components: {
      ...document.components,
      schemas: {
        ...schemas,
        Problem: { ...schemas["Problem"], examples: outsideOperations(examples) },
      },
      responses,
      examples,
    },
  };
}

/** The problems that no operation has, because the service answers them before it finds one. */
function outsideOperations(examples: Record<string, object>): object[] {
  return Object.entries(PROBLEM_EXAMPLES)
    .filter(([code]) => !(code in examples))
    .map(([, example]) => example);
}

function completedItems(items: PathItems, shared: Shared): PathItems {
  return mapped(items, (operations, path) =>
    mapped(operations, (operation) => completedOperation(operation, path, shared)),
  );
}

function completedOperation(operation: Operation, path: string, shared: Shared): Operation {
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((parameter) => completedParameter(parameter, path)) }),
    ...(requestBody === undefined ? {} : { requestBody: completedBody(requestBody, shared) }),
    responses: mapped(responses, (response) =>
      "$ref" in response ? response : sharedProblem(completedBody(response, shared), shared),
    ),
  };
}

function completedParameter(parameter: Parameter, path: string): Parameter {
  const { schema = {} } = parameter;
  if ("example" in schema || "default" in schema || schema.enum !== undefined) return parameter;
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${parameter.name}}`) - 1] ?? "";
  const known = PARAMETERS[parameter.name] ?? PARAMETERS[before];
  return {
    ...parameter,
    schema: { ...schema, example: known ?? exampleOf(schema, {}, parameter.name) },
  };
}

function completedBody<Body extends Response>(body: Body, shared: Shared): Body {
  return body.content === undefined
    ? body
    : { ...body, content: mapped(body.content, (media) => completedMedia(media, shared)) };
}

function completedMedia(media: MediaType, { schemas, examples }: Shared): MediaType {
  const { schema } = media;
  if (schema === undefined || "example" in media) return media;
  if (media.examples !== undefined) {
    for (const code of Object.keys(media.examples)) {
      const value = PROBLEM_EXAMPLES[code];
      if (value !== undefined) examples[code] = { value };
    }
    return media;
  }
  const component = componentOf(schema);
  if (component === null) return { ...media, example: exampleOf(schema, schemas) };
  examples[component] ??= { value: exampleOf(schema, schemas) };
  return { ...media, examples: { example: { $ref: `#/components/examples/${component}` } } };
}

/** A reference to the answer's component if it has one problem only, whose code names it. */
function sharedProblem(response: Response, { responses }: Shared): Response | Reference {
  const problem = response.content?.["application/problem+json"];
  const [code, ...others] = Object.keys(problem?.examples ?? {});
  if (code === undefined || others.length > 0) return response;
  responses[code] = response;
  return { $ref: `#/components/responses/${code}` };
}

function mapped<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
