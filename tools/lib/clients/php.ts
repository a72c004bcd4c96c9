import { merchantsPart, type ApiDocument } from "../client-types.ts";
import { operationsOf, type Argument, type ClientOperation } from "./operations.ts";
import { Shapes, type Named, type Shape } from "./shapes.ts";

const HEAD = `<?php

// \`npm run clients\` writes this file from the API's document.

declare(strict_types=1);

namespace Centavo\\Generated;
`;
const SCALARS = {
  string: "string",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "null",
};

/** The generated files of the PHP client, by their paths in its package. */
export function phpFiles(document: ApiDocument): Record<string, string> {
  const merchants = merchantsPart(document);
  const shapes = new Shapes(merchants);
  const methods = operationsOf(merchants, shapes).flatMap(methodsOf).join("\n");
  const names = [...shapes.named.keys()];
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  return {
    "src/Generated/Types.php": `${HEAD}
/**
 * The shapes of the API, by the names of its document. Amounts are centavos where nothing else is said.
 *
${[...shapes.named].map(([name, named]) => ` * @phpstan-type ${name} ${definitionOf(named)}`).join("\n")}
 */
interface Types
{
}
`,
    "src/Generated/Operations.php": `${HEAD}
use Centavo\\Http;

/**
 * Everything that a company may call, by the names of the API's document. Each throws a \`CentavoError\` where it fails.
 *
${used.map((name) => ` * @phpstan-import-type ${name} from Types`).join("\n")}
 */
final class Operations
{
    public function __construct(private readonly Http $http)
    {
    }

${methods}}
`,
  };
}

function definitionOf(named: Named): string {
  if ("shape" in named) return typeOf(named.shape);
  const members = named.members.map(({ name, shape, required }) => {
    const key = /^\w+$/.test(name) ? name : literalOf(name);
    return `${key}${required ? "" : "?"}: ${typeOf(shape)}`;
  });
  return `array{${members.join(", ")}}`;
}

/** The type that a comment states. */
function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "any":
      return "mixed";
    case "scalar":
      return SCALARS[shape.name];
    case "literals":
      return shape.values.map(literalOf).join("|");
    case "list":
      return `list<${typeOf(shape.items)}>`;
    case "map":
      return `array<string, ${typeOf(shape.values)}>`;
    case "named":
      return shape.name;
    case "union":
      return shape.of.map(typeOf).join("|");
  }
}

function literalOf(value: string | number | boolean): string {
  return typeof value === "string" ? `'${value.replaceAll(/(?=['\\])/g, "\\")}'` : String(value);
}

/** The type that PHP itself checks. */
function nativeOf(shape: Shape): string {
  if (shape.kind === "scalar") return SCALARS[shape.name];
  if (shape.kind === "literals" && shape.values.every((value) => typeof value === "string"))
    return "string";
  return "mixed";
}

/** The method of an operation, or two where it answers JSON as well as files. */
function methodsOf(operation: ClientOperation): string[] {
  const { answer, files, name } = operation;
  const file = answer === null ? name : `${name}File`;
  return [
    ...(answer === null ? [] : [methodOf(operation, name, answer)]),
    ...(files.length === 0 ? [] : [methodOf(operation, file, null)]),
  ];
}

/** A parameter of a method: what its comment and PHP say of it. */
interface MethodParameter {
  name: string;
  type: string;
  native: string;
  required: boolean;
}

/** A method; `answer` is null for one that answers a file. */
function methodOf(operation: ClientOperation, name: string, answer: Shape | null): string {
  const { method, path, params, query, headers, uploads, body, summary } = operation;
  const parameters = parametersOf(operation, answer === null).toSorted(
    (one, other) => Number(other.required) - Number(one.required),
  );
  const sent = [
    `'${method}'`,
    pathOf(path, params),
    ...(query.length === 0 ? [] : [`query: ${arrayOf(query)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${arrayOf(headers)}`]),
    ...(uploads.length === 0 ? [] : ["content: $content", "contentType: $contentType"]),
    ...(body === null ? [] : ["body: $body"]),
    ...(answer === null ? ["media: $media"] : []),
    ...(method === "POST" ? ["idempotencyKey: $idempotencyKey"] : []),
  ];
  const comment = [
    summary.replace(/\.?$/, "."),
    "",
    ...parameters.map(
      ({ name: parameter, type, required }) =>
        `@param ${type}${required || type === "mixed" || parameter === "body" ? "" : "|null"} $${parameter}`,
    ),
    `@return ${answer === null ? "string the file's bytes" : typeOf(answer)}`,
  ];
  return `    /**
${comment.map((line) => `     * ${line}`.trimEnd()).join("\n")}
     */
    public function ${name}(${parameters.map(parameterText).join(", ")}): ${answer === null ? "string" : "array"}
    {
        return $this->http->${answer === null ? "file" : "call"}(${sent.join(", ")});
    }
`;
}

function parametersOf(operation: ClientOperation, isFile: boolean): MethodParameter[] {
  const { method, params, query, headers, files, uploads, body } = operation;
  const given = [...params, ...query, ...headers].map(({ name, shape, required }) => ({
    name: variableOf(name),
    type: typeOf(shape),
    native: nativeOf(shape),
    required,
  }));
  return [
    ...given.slice(0, params.length),
    ...(isFile ? [textParameter("media", mediumOf(files))] : []),
    ...(uploads.length === 0
      ? []
      : [textParameter("content", "string"), textParameter("contentType", mediumOf(uploads))]),
    ...(body === null
      ? []
      : [
          {
            name: "body",
            type: typeOf(body.shape),
            native: "array",
            required: body.required,
          },
        ]),
    ...given.slice(params.length),
    ...(method === "POST" ? [textParameter("idempotencyKey", "string", false)] : []),
  ];
}

function textParameter(name: string, type: string, required = true): MethodParameter {
  return { name, type, required, native: "string" };
}

function mediumOf(types: string[]): string {
  return types.map(literalOf).join("|");
}

function parameterText({ name, native, required }: MethodParameter): string {
  // Cards and payers stand in no report of an error.
  const hidden = name === "body" ? "#[\\SensitiveParameter] " : "";
  if (required) return `${hidden}${native} $${name}`;
  if (native === "array") return `${hidden}array $${name} = []`;
  return `${hidden}${native === "mixed" ? "mixed" : `?${native}`} $${name} = null`;
}

/** `X-Dry-Run` as `dryRun`. */
function variableOf(name: string): string {
  const [first = "", ...others] = name.replace(/^X-/, "").split("-");
  if (others.length === 0) return first;
  return first.toLowerCase() + others.join("");
}

function arrayOf(members: Argument[]): string {
  return `[${members.map(({ name }) => `'${name}' => $${variableOf(name)}`).join(", ")}]`;
}

function pathOf(path: string, params: Argument[]): string {
  const parts = path.split(/\{(\w+)\}/g).map((part, index) => {
    if (index % 2 === 0) return part === "" ? "" : `'${part}'`;
    const isText = params.some(({ name, shape }) => name === part && nativeOf(shape) === "string");
    return `Http::segment(${isText ? `$${part}` : `(string) $${part}`})`;
  });
  return parts.filter((part) => part !== "").join(" . ");
}
