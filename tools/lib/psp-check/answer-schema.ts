import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { ROOT } from "../root.ts";
import { jsonOf, type Exchange } from "./bench.ts";

/** BACEN's Pix API 2.9.0. */
const OPENAPI = join(ROOT, "test/support/fakes/fake-psp/openapi.yaml");
const DOCUMENT_ID = "pix-api";
/** Read by payers' apps under a location; for a router it equals `/cobv/{txid}`. */
const PAYLOADS = /UrlAccessToken\}$/;

interface Response {
  $ref?: string;
  content?: Record<string, object>;
}
interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, Response> }>>;
}

/** Judges answers of success by the central bank's OpenAPI document. */
export class AnswerSchema {
  readonly #document: Document;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.#document = parseYaml(readFileSync(OPENAPI, "utf8")) as Document;
    this.#ajv = new Ajv({ strict: false, logger: false, allErrors: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, DOCUMENT_ID);
  }

  /** What an answer breaks; null where it keeps the document, or the document says nothing of it. */
  faultOf(exchange: Exchange, basePath: string): string | null {
    const path = exchange.url.pathname.slice(basePath.length);
    const method = exchange.method.toLowerCase();
    const template = this.#templateOf(path, method);
    if (template === null) return null;
    const responses = this.#document.paths[template]?.[method]?.responses ?? {};
    const { status } = exchange;
    if (responses[status] === undefined) {
      const known = Object.keys(responses).filter((code) => code.startsWith("2"));
      return `its status is ${status}, not ${known.join()}`;
    }
    const pointer = this.#schemaOf(template, method, status);
    if (pointer === null) return null;
    const validate = this.#compile(pointer);
    return validate(jsonOf(exchange.text)) ? null : wordsOf(validate.errors);
  }

  #templateOf(path: string, method: string): string | null {
    const asked = path.split("/");
    const fits = (template: string) => {
      const parts = template.split("/");
      return (
        parts.length === asked.length &&
        parts.every((part, at) => part.startsWith("{") || part === asked[at])
      );
    };
    const templates = Object.entries(this.#document.paths)
      .filter(([template, operations]) => method in operations && !PAYLOADS.test(template))
      .map(([template]) => template);
    return templates.find(fits) ?? null;
  }

  /** The JSON pointer of the answer's schema; null without a body. */
  #schemaOf(template: string, method: string, status: number): string | null {
    const named = ["paths", template, method, "responses", String(status)].map(escaped).join("/");
    const response = this.#document.paths[template]?.[method]?.responses?.[status];
    const pointer = response?.$ref?.slice("#/".length) ?? named;
    const types = (valueAt(this.#document, pointer) as Response).content ?? {};
    const [type] = Object.keys(types);
    return type === undefined ? null : `${pointer}/content/${escaped(type)}/schema`;
  }

  #compile(pointer: string): ValidateFunction {
    const compiled =
      this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `${DOCUMENT_ID}#/${pointer}` });
    this.#compiled.set(pointer, compiled);
    return compiled;
  }
}

/** A name as a part of a JSON pointer in a URI fragment (RFC 6901). */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function valueAt(document: object, pointer: string): unknown {
  return pointer
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) => (value as Record<string, unknown> | undefined)?.[part],
      document,
    );
}

function wordsOf(errors: ErrorObject[] | null | undefined): string {
  const [first] = errors ?? [];
  return `${first?.instancePath || "the body"} ${first?.message ?? "is wrong"}`;
}
