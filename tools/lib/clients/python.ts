import { merchantsPart, type ApiDocument } from "../client-types.ts";
import { operationsOf, type Argument, type ClientOperation } from "./operations.ts";
import { Shapes, snake, type Member, type Named, type Shape } from "./shapes.ts";

const HEAD = "# `npm run clients` writes this file from the API's document.\n";
/** Words that name nothing in Python. */
const KEYWORDS = new Set(
  "and as async await class def del elif else except for from global if import in is lambda not or pass raise return try while with None True False".split(
    " ",
  ),
);
const SCALARS = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

/** The generated files of the Python client, by their paths in its package. */
export function pythonFiles(document: ApiDocument): Record<string, string> {
  const merchants = merchantsPart(document);
  const shapes = new Shapes(merchants);
  const operations = operationsOf(merchants, shapes);
  const methods = operations.flatMap(methodsOf).join("\n");
  return {
    "centavo/types.py": `${HEAD}
"""The shapes of the API, by the names of its document. Amounts are centavos where nothing else is said."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${[...shapes.named].map(([name, named]) => definitionOf(name, named)).join("\n")}`,
    "centavo/operations.py": `${HEAD}
"""Each operation of the API as a method, by the name that the document gives it."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union, cast

from . import types as t
from .http import Http


class Operations:
    """Everything that a company may call. Each raises a \`CentavoError\` where it fails."""

    def __init__(self, http: Http) -> None:
        self._http = http

${methods}`,
  };
}

function definitionOf(name: string, named: Named): string {
  if ("shape" in named) return `${name} = ${typeOf(named.shape, '"')}\n`;
  const required = named.members.filter((member) => member.required);
  const optional = named.members.filter((member) => !member.required);
  if (optional.length === 0) return classOf(name, required, "TypedDict");
  if (required.length === 0) return classOf(name, optional, "TypedDict, total=False");
  // Python 3.9 marks no single member as one that may be left out.
  const base = `${name}Required`;
  return `${classOf(base, required, "TypedDict")}\n${classOf(name, optional, `${base}, total=False`)}`;
}

function classOf(name: string, members: Member[], bases: string): string {
  const plain = members.filter(isIdentifier);
  const odd = members.filter((member) => !isIdentifier(member));
  if (odd.length === 0) return classWith(name, plain, bases);
  const [base = "", total] = bases.split(", ");
  const suffix = total === undefined ? "" : `, ${total}`;
  const fields = odd.map(({ name: field, shape }) => `"${field}": ${typeOf(shape, '"')}`);
  const oddName = `${name}Named`;
  const parents = base === "TypedDict" ? oddName : `${oddName}, ${base}`;
  const oddClass = `${oddName} = TypedDict("${oddName}", {${fields.join(", ")}}${suffix})\n`;
  return `${oddClass}\n${classWith(name, plain, `${parents}${suffix}`)}`;
}

function isIdentifier({ name }: Member): boolean {
  return /^\w+$/.test(name) && !KEYWORDS.has(name);
}

function classWith(name: string, members: Member[], bases: string): string {
  const lines = members.map(({ name: member, shape }) => `    ${member}: ${typeOf(shape)}`);
  return `
class ${name}(${bases}):
${lines.length === 0 ? "    pass" : lines.join("\n")}
`;
}

/** `quote` around names that may stand later in the file; `prefix` is their module. */
function typeOf(shape: Shape, quote = "", prefix = ""): string {
  const inner = (each: Shape) => typeOf(each, quote, prefix);
  switch (shape.kind) {
    case "any":
      return "Any";
    case "scalar":
      return SCALARS[shape.name];
    case "literals":
      return `Literal[${shape.values.map(literalOf).join(", ")}]`;
    case "list":
      return `List[${inner(shape.items)}]`;
    case "map":
      return `Dict[str, ${inner(shape.values)}]`;
    case "named":
      return `${quote}${prefix}${shape.name}${quote}`;
    case "union":
      return unionText(shape.of.map(inner));
  }
}

function unionText(types: string[]): string {
  const told = types.filter((type) => type !== "None");
  const [only = "None"] = told;
  const union = told.length > 1 ? `Union[${told.join(", ")}]` : only;
  return told.length === types.length ? union : `Optional[${union}]`;
}

function literalOf(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** The method of an operation, or two where it answers JSON as well as files. */
function methodsOf(operation: ClientOperation): string[] {
  const { answer, files } = operation;
  const name = snake(operation.name);
  const file = answer === null ? name : `${name}_file`;
  return [
    ...(answer === null ? [] : [methodOf(operation, name, answer)]),
    ...(files.length === 0 ? [] : [methodOf(operation, file, null)]),
  ];
}

const nameOf = (name: string) => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));
const own = (shape: Shape) => typeOf(shape, "", "t.");

/** A method; `answer` is null for one that answers a file. */
function methodOf(operation: ClientOperation, name: string, answer: Shape | null): string {
  const { method, path, params, query, headers, body, uploads, files, summary } = operation;
  const positional = [
    ...params.map((param) => `${nameOf(param.name)}: ${own(param.shape)}`),
    ...(answer === null ? [`media: Literal[${files.map(literalOf).join(", ")}]`] : []),
    ...(uploads.length === 0
      ? []
      : ["content: bytes", `content_type: Literal[${uploads.map(literalOf).join(", ")}]`]),
    ...(body === null
      ? []
      : [body.required ? `body: ${own(body.shape)}` : `body: Optional[${own(body.shape)}] = None`]),
  ];
  const named = [...query, ...headers].map(keywordOf);
  if (method === "POST") named.push("idempotency_key: Optional[str] = None");
  const signature = ["self", ...positional, ...(named.length === 0 ? [] : ["*", ...named])];
  const sent = [
    `"${method}"`,
    pathOf(path, params),
    ...(query.length === 0 ? [] : [`query=${dictOf(query)}`]),
    ...(headers.length === 0 ? [] : [`headers=${dictOf(headers)}`]),
    ...(uploads.length === 0 ? [] : ["content=content", "content_type=content_type"]),
    ...(body === null ? [] : [body.required ? "body=body" : "body={} if body is None else body"]),
    ...(answer === null ? ["media=media"] : []),
    ...(method === "POST" ? ["idempotency_key=idempotency_key"] : []),
  ];
  const result = answer === null ? "bytes" : own(answer);
  const call = `self._http.${answer === null ? "file" : "call"}(${sent.join(", ")})`;
  return `    def ${name}(${signature.join(", ")}) -> ${result}:
        """${summary.replaceAll("\\", "\\\\").replace(/\.?$/, ".")}"""
        return ${answer === null ? call : `cast(${JSON.stringify(result).replaceAll('\\"', "'")}, ${call})`}
`;
}

function keywordOf({ name, shape, required }: Argument): string {
  if (required) return `${nameOf(name)}: ${own(shape)}`;
  return `${nameOf(name)}: Optional[${own(shape)}] = None`;
}

function dictOf(members: Argument[]): string {
  return `{${members.map(({ name }) => `"${name}": ${nameOf(name)}`).join(", ")}}`;
}

/** The path as a format string whose parameters are encoded. */
function pathOf(path: string, params: Argument[]): string {
  if (params.length === 0) return `"${path}"`;
  return `f"${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{self._http.quote(${nameOf(name)})}`)}"`;
}
