import { PROBLEM_EXAMPLES } from "./problems.ts";
import { samplerOf, type Sampler, type Schema, type Schemas } from "./sampler.ts";
import { PARAMETERS } from "./values.ts";

const SCHEMAS = "#/components/schemas/";

interface Reference {
  $ref: string;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, object>;
}

interface Body {
  content?: Record<string, MediaType>;
}

interface Parameter {
  name: string;
  schema: Schema;
}

interface Operation {
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body | Reference>;
}

type PathItems = Record<string, Record<string, Operation>>;
type Examples = Record<string, { value: unknown }>;

/** What this needs to know of the document that the library writes. */
export interface Document {
  tags: { name: string }[];
  paths: PathItems;
  webhooks: PathItems;
  components: { schemas: Schemas; examples?: Examples; responses?: Record<string, Body> };
}

/**
 * The document with an example of each parameter, request and answer, and with one component for each answer that
 * has one problem only. Large, so it runs only when the document is asked for.
 */
export function completed(written: Document): Document {
  const document = structuredClone(written);
  const { schemas } = document.components;
  const exampleOf = samplerOf(schemas);
  const examples: Examples = {};
  const responses: Record<string, Body> = {};
  for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks })) {
    for (const operation of Object.values(item)) {
      for (const parameter of operation.parameters ?? []) {
        completeParameter(parameter, path, exampleOf);
      }
      for (const media of mediaTypesOf(operation)) completeMedia(media, examples, exampleOf);
      shareProblems(operation, responses);
    }
  }
  const problem = { ...schemas["Problem"], examples: outsideOperations(examples) };
  document.components = {
    ...document.components,
    schemas: { ...schemas, Problem: problem },
    examples,
    responses,
  };
  return document;
}

function completeParameter(parameter: Parameter, path: string, exampleOf: Sampler): void {
  const { name, schema } = parameter;
  if ("example" in schema || "default" in schema || "enum" in schema) return;
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  const example = PARAMETERS[name] ?? PARAMETERS[before] ?? exampleOf(schema, name);
  parameter.schema = { ...schema, example };
}

function mediaTypesOf({ requestBody = {}, responses }: Operation): MediaType[] {
  return [requestBody, ...Object.values(responses)].flatMap((body) =>
    "content" in body ? Object.values(body.content ?? {}) : [],
  );
}

/** The example of a component is one of `examples`, under the component's name, as that of a problem under its code. */
function completeMedia(media: MediaType, examples: Examples, exampleOf: Sampler): void {
  const { schema } = media;
  if (schema === undefined || "example" in media) return;
  const component = schema.$ref?.split(SCHEMAS)[1];
  if (media.examples !== undefined) {
    for (const code of Object.keys(media.examples)) {
      if (code in PROBLEM_EXAMPLES) examples[code] = { value: PROBLEM_EXAMPLES[code] };
    }
  } else if (component === undefined) {
    media.example = exampleOf(schema);
  } else {
    examples[component] ??= { value: exampleOf(schema) };
    media.examples = { example: { $ref: `#/components/examples/${component}` } };
  }
}

/** Puts a reference in the place of each answer that has one problem only, whose code names it. */
function shareProblems({ responses }: Operation, shared: Record<string, Body>): void {
  for (const [status, response] of Object.entries(responses)) {
    if ("$ref" in response) continue;
    const problem = response.content?.["application/problem+json"];
    const [code, ...others] = Object.keys(problem?.examples ?? {});
    if (code === undefined || others.length > 0) continue;
    shared[code] = response;
    responses[status] = { $ref: `#/components/responses/${code}` };
  }
}

/** The problems that no operation has, because the service answers them before it finds one. */
function outsideOperations(examples: Examples): object[] {
  return Object.entries(PROBLEM_EXAMPLES)
    .filter(([code]) => !(code in examples))
    .map(([, example]) => example);
}
