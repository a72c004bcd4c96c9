import { expect, test } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };
import { createApp } from "../../../../src/app.ts";
import { PROBLEMS } from "../../../../src/domain/shared/problem.ts";
import { openApiDocument } from "../../../../src/http/openapi/document.ts";
import { StrictSchemas } from "../../../support/probes/http/strict-schema.ts";

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: object[];
}

/** What an id or a summary may begin with, in the imperative. A new route may bring a new verb. */
const VERBS = new Set(
  (
    "accept acknowledge add allow approve attach backtest bring cancel capture change charge check clear close compare " +
    "compute configure confirm connect convert create credit decide decode delete disconnect dispute download end erase " +
    "expire explain export fail find forecast fork freeze get give have import inspect invite issue link list look make " +
    "match move name open pause pay play preview propose put read receive reconcile refund refuse register rehearse remove rename " +
    "reopen repeat replace request reseal resend resolve restore resume return reverse revoke rotate run seal search " +
    "see send set show simulate start stop submit sum take tell test unlink update validate verify"
  ).split(" "),
);
const FIELDS = new Set(
  "operationId summary description tags security parameters requestBody responses".split(" "),
);
const CREDENTIALS = [{ ClientId: [], ApiKey: [] }];

const document: any = await openApiDocument(createApp(), "https://gateway.example.com");
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
);

/** The operations that break a rule: all of them are in one failure. */
function breaking(rule: (operation: Operation, path: string) => boolean): string[] {
  return operations.filter(({ operation, path }) => !rule(operation, path)).map(({ name }) => name);
}

function repeated(values: (string | undefined)[]): (string | undefined)[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

const firstWord = (text: string) => /^[A-Za-z][a-z]*/.exec(text)?.[0] ?? "";

test("every operation has an id of a verb and a noun", () => {
  expect(
    breaking(
      ({ operationId = "" }) =>
        /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(operationId) && VERBS.has(firstWord(operationId)),
    ),
  ).toEqual([]);
});

/** Other words for `create`, `get`, `change`, `delete` and `search`. */
const SYNONYMS = new Set(["make", "show", "update", "remove", "find"]);

test("an act has one verb in the ids of all operations", () => {
  expect(breaking(({ operationId = "" }) => !SYNONYMS.has(firstWord(operationId)))).toEqual([]);
});

test("every operation has a short summary in the imperative", () => {
  expect(
    breaking(
      ({ summary = "" }) =>
        /^[A-Z].{5,89}[^.]$/.test(summary) && VERBS.has(firstWord(summary).toLowerCase()),
    ),
  ).toEqual([]);
});

test("no two operations have the same id or summary", () => {
  expect(repeated(operations.map(({ operation }) => operation.operationId))).toEqual([]);
  expect(repeated(operations.map(({ operation }) => operation.summary))).toEqual([]);
});

test("an operation says that it needs both credentials, or is tagged as public and needs none", () => {
  expect(
    breaking(
      ({ tags = [], security }) =>
        JSON.stringify(security) === JSON.stringify(tags.includes("Public") ? [] : CREDENTIALS),
    ),
    // The only one that a payer's page may call in their stead.
  ).toEqual(["POST /api/v1/cards/tokens"]);
});

test("the operators' operations, and no others, are tagged so", () => {
  expect(
    breaking(
      ({ tags = [] }, path) =>
        tags.includes("Operator") === (path.startsWith("/api/v1/operator/") || path === "/metrics"),
    ),
  ).toEqual([]);
});

test("every tag is declared with a description, and used", () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  expect(new Set(document.tags.map((tag: any) => tag.name))).toEqual(used);
  expect(document.tags.filter((tag: any) => !tag.description.endsWith("."))).toEqual([]);
  expect(breaking(({ tags = [] }) => tags.length > 0)).toEqual([]);
});

test("nothing of the code leaks into an operation", () => {
  expect(breaking((operation) => Object.keys(operation).every((key) => FIELDS.has(key)))).toEqual(
    [],
  );
});

test("the document has the version of the package", () => {
  expect(document.info.version).toBe(packageJson.version);
});

/** The schema and the examples of each parameter, request and answer, and where they stand. */
function exemplified(): { at: string; schema: any; examples: unknown[] }[] {
  const found: { at: string; schema: any; examples: unknown[] }[] = [];
  const visit = (part: any, at: string) => {
    if (part === null || typeof part !== "object") return;
    if (part.schema !== undefined) {
      found.push({ at, schema: part.schema, examples: examplesOf(part) });
      return;
    }
    for (const [key, inner] of Object.entries(part)) visit(inner, `${at}/${key}`);
  };
  visit(document.paths, "paths");
  visit(document.webhooks, "webhooks");
  visit(document.components.responses, "responses");
  return found;
}

function examplesOf({ example, examples = {}, schema }: any): unknown[] {
  const named = Object.values<any>(examples).map(({ $ref, value }) =>
    $ref === undefined ? value : document.components.examples[$ref.split("/").at(-1)].value,
  );
  return [...named, example, schema.example].filter((value) => value !== undefined);
}

test("every example fits its schema, without a member that the schema does not have", () => {
  const schemas = new StrictSchemas(document);
  const wrong = exemplified().flatMap(({ at, schema, examples }) =>
    examples.flatMap((example) => {
      const error = schemas.errorOf(schema, example);
      return error === null ? [] : [`${at}: ${error}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("every request, answer and problem has an example", () => {
  const missing = exemplified().filter(
    ({ at, examples }) => /\/content\//.test(at) && examples.length === 0,
  );
  expect(missing.map(({ at }) => at)).toEqual([]);
});

test("every problem code has an example, also one that is answered before an operation is found", () => {
  const { examples, schemas } = document.components;
  const bodies = [
    ...Object.values<any>(examples),
    ...schemas.Problem.examples.map((value: object) => ({ value })),
  ];
  const codes = bodies.map(({ value }) => value.code).filter((code) => code in PROBLEMS);
  expect(new Set(codes)).toEqual(new Set(Object.keys(PROBLEMS)));
});

test("no object is described twice without a name of its own", () => {
  const places = new Map<string, string[]>();
  const visit = (part: any, at: string) => {
    if (part === null || typeof part !== "object") return;
    if (part.properties !== undefined && !/^schemas\/\w+$/.test(at)) {
      const shape = JSON.stringify(part.properties);
      places.set(shape, [...(places.get(shape) ?? []), at]);
    }
    for (const [key, inner] of Object.entries(part)) {
      if (!/^examples?$/.test(key)) visit(inner, `${at}/${key}`);
    }
  };
  visit(document.components.schemas, "schemas");
  visit(document.paths, "paths");
  expect([...places.values()].filter((same) => same.length > 1)).toEqual([]);
});

test("every request and answer in JSON is a component by name", () => {
  const unnamed = exemplified().filter(
    ({ at, schema }) => at.endsWith("/application/json") && schema.$ref === undefined,
  );
  expect(unnamed.map(({ at }) => at)).toEqual([]);
});

/** The paths of schemas that name null as a type beside a component that has no null. */
function forbiddenNulls(value: any, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const parts: { type?: string | string[] }[] = Array.isArray(value.allOf) ? value.allOf : [];
  const isForbidden = parts.some(({ type }) => [type].flat().includes("null"));
  return [
    ...(isForbidden ? [path] : []),
    ...Object.entries(value).flatMap(([name, part]) => forbiddenNulls(part, `${path}/${name}`)),
  ];
}

test("no schema names a null that its component forbids", () => {
  expect(forbiddenNulls(document, "")).toEqual([]);
});
