/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** With parameters in braces. */
  path: string;
  parameters: { name: string; in: "path" | "query" | "header"; schema: any }[];
  /** Valid bodies, each with its schema; empty if the operation takes none. */
  bodies: any[];
  bodySchema: any;
  responses: Record<string, { content?: Record<string, { schema: object; examples?: object }> }>;
}

/** The operations of a document. */
export function operationsOf(document: any): Operation[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => {
      const content = operation.requestBody?.content["application/json"];
      const bodySchema = content === undefined ? undefined : resolve(document, content.schema);
      return {
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        bodies: content === undefined ? [] : examplesOf(content, bodySchema),
        bodySchema,
        responses: operation.responses,
      };
    }),
  );
}

/** The schema that a reference leads to. */
function resolve(document: any, schema: any): any {
  if (typeof schema?.$ref !== "string") return schema;
  return document.components.schemas[schema.$ref.split("/").at(-1)];
}

/** The operation of a request; undefined if none is documented. A fixed path wins over a parameter. */
export function operationOf(
  operations: Operation[],
  method: string,
  pathname: string,
): Operation | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return operations
    .filter((operation) => operation.method === asked && fits(operation.path, pathname))
    .toSorted((left, right) => left.path.split("{").length - right.path.split("{").length)[0];
}

function fits(template: string, pathname: string): boolean {
  const parts = pathname.split("/");
  const pattern = template.split("/");
  return (
    parts.length === pattern.length &&
    pattern.every((part, index) =>
      part.startsWith("{") ? parts[index] !== "" : part === parts[index],
    )
  );
}

function examplesOf(content: any, schema: any): any[] {
  if (content.examples !== undefined) {
    return Object.values<any>(content.examples).map(({ value }) => value);
  }
  const one = content.example ?? schema?.example;
  return one === undefined ? [] : [one];
}
