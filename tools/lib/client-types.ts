import { registerHooks } from "node:module";

/** Components that no operation's success names, and a client needs. */
const SHARED = ["Problem", "Webhook"];
/** Operations of these tags are none of a merchant's. */
const FOREIGN_TAGS = new Set(["Operator", "Provider callbacks"]);

interface Operation {
  tags?: string[];
  responses: Record<string, { content?: object }>;
}

type PathItem = Record<string, Operation>;

/** What this needs to know of the OpenAPI document. */
export interface ApiDocument {
  openapi: string;
  info: object;
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, object>>;
}

/** TypeScript types of the document's operations and components, by openapi-typescript. */
export function typescriptOf(document: object, options: object = {}): Promise<string> {
  return withOldTypescript(async () => {
    const { default: openapiTypescript, astToString } = await import("openapi-typescript");
    // It changes what it gets.
    return astToString(await openapiTypescript(structuredClone(document) as never, options));
  });
}

/** Runs a generator that imports the compiler API of TypeScript 5, which TypeScript 7 does not have. */
export async function withOldTypescript<Result>(run: () => Promise<Result>): Promise<Result> {
  const api = new URL("./typescript-api.ts", import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === "typescript" ? api : specifier, context),
  });
  try {
    return await run();
  } finally {
    hooks.deregister();
  }
}

/** The types that the TypeScript client is built on: what a merchant may call, and what that needs. */
export async function clientTypes(document: ApiDocument): Promise<string> {
  // What has a default may be left out of a request.
  const types = await typescriptOf(merchantsPart(document), { defaultNonNullable: false });
  return `// \`npm run clients\` writes this file from the API's document.\n\n${types}`;
}

/** The document without operators' and providers' operations, without examples, and without what only those need. */
export function merchantsPart({
  openapi,
  info,
  components,
  ...document
}: ApiDocument): ApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, item]) => [path, merchantsOperations(item)] as const)
      .filter(([, item]) => Object.keys(item).length > 0),
  );
  const { schemas = {} } = components;
  const needed = neededBy(paths, schemas);
  const kept = Object.entries(schemas).filter(([name]) => needed.has(name));
  return withoutExamples({
    openapi,
    info,
    paths,
    components: { schemas: Object.fromEntries(kept) },
  });
}

/** Of their answers only those of a success: any other is a `Problem`. */
function merchantsOperations(item: PathItem): PathItem {
  const own = Object.entries(item).filter(
    ([, { tags = [] }]) => !tags.some((tag) => FOREIGN_TAGS.has(tag)),
  );
  return Object.fromEntries(
    own.map(([method, operation]) => [method, { ...operation, responses: successOf(operation) }]),
  );
}

function successOf({ responses }: Operation): Operation["responses"] {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, { content = {} }]) => [status, { description: "", content }]),
  );
}

/** The names of all components that these operations need, directly or not. */
function neededBy(paths: ApiDocument["paths"], schemas: Record<string, object>): Set<string> {
  const needed = new Set<string>();
  const visit = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    namedIn(schemas[name] ?? {}).forEach(visit);
  };
  [...SHARED, ...namedIn(paths)].forEach(visit);
  return needed;
}

function namedIn(part: object): string[] {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...references].map(([, name = ""]) => name);
}

/** A copy without examples, which say nothing to a type. */
function withoutExamples<Part>(part: Part): Part {
  const text = JSON.stringify(part, function keep(this: unknown, key: string, value: unknown) {
    const isMember = typeof this === "object" && this !== null && "properties" in this;
    return !isMember && /^examples?$/.test(key) ? undefined : value;
  });
  return JSON.parse(text) as Part;
}
