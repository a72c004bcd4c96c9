import { isRoutePattern } from "../../src/http/uri-limit.ts";
import { StrictSchemas } from "../support/probes/http/strict-schema.ts";
import { operationOf, type Operation } from "../support/probes/http/operations.ts";

const PROBLEM_TYPE = "application/problem+json";
/** The only 5xx: the sandbox's card whose acquirer does not answer. */
const UNAVAILABLE = "PROVIDER_UNAVAILABLE";
/** Answers before any route: no such path, no such method, no such media type, a long URI. */
const WITHOUT_OPERATION = new Set([404, 405, 406, 414]);
/** Answers to an operation's path and method that no operation lists. */
const BEFORE_OPERATION = new Set([405, 414]);
/** Pages at the path of an operation of another method. */
const PAGES = new Set(["GET /receipts/verify", "HEAD /receipts/verify"]);
const INTERNAL_DETAILS = /sqlite|\bd1_|select .* from|insert into|\bat .*\.[jt]s:\d|typeerror/i;

export interface Sent {
  method: string;
  pathname: string;
  response: Response;
  text: string;
}

/** Compares answers with the OpenAPI document. */
export class Checks {
  readonly #operations: Operation[];
  readonly #schemas: StrictSchemas;
  readonly #problem: object;

  constructor(document: any, operations: Operation[]) {
    this.#operations = operations;
    this.#schemas = new StrictSchemas(document);
    this.#problem = { $ref: "#/components/schemas/Problem" };
  }

  /** What is wrong with an answer; empty if nothing is. */
  faultsOf({ method, pathname, response, text }: Sent): string[] {
    const { status, headers } = response;
    const [type = ""] = (headers.get("Content-Type") ?? "").split(";");
    const faults: string[] = [];
    const check = (name: string, holds: boolean) => {
      if (!holds) faults.push(name);
    };
    const trace = headers.get("X-Trace-Id") ?? "";
    check("has no trace id", /^[0-9a-f]{32}$/.test(trace));
    if (method === "HEAD") check("HEAD has a body", text === "");
    const hasBody = method !== "HEAD" && status !== 304;
    const body = hasBody && type.endsWith("json") ? parsed(text, faults) : undefined;
    if (status >= 500) check("is a 5xx", status === 503 && body?.code === UNAVAILABLE);
    if (status === 503 || status === 429) {
      check("has no Retry-After", /^[1-9]\d*$/.test(headers.get("Retry-After") ?? ""));
    }
    if (hasBody && type === PROBLEM_TYPE) {
      check("a problem's status differs", body?.status === status);
      const replayed = headers.get("Idempotent-Replayed") === "true";
      check("a problem's trace id differs", replayed || body?.traceId === trace);
      check("tells internal details", !INTERNAL_DETAILS.test(String(body?.detail)));
    }
    if (status === 200 && type === "text/html" && PAGES.has(`${method} ${pathname}`)) return faults;
    // The front page, which also tells machines where everything is, is no operation.
    if (status === 200 && pathname === "/") return faults;
    const operation = isRoutePattern(pathname)
      ? undefined
      : operationOf(this.#operations, method, pathname);
    if (operation === undefined || BEFORE_OPERATION.has(status)) {
      check(`${status} is no answer here`, WITHOUT_OPERATION.has(status));
      check("is no problem", !hasBody || type === PROBLEM_TYPE);
      if (hasBody) faults.push(...this.#against(this.#problem, body));
      return faults;
    }
    const documented = operation.responses[status];
    check(`${status} is not documented`, documented !== undefined);
    if (documented === undefined || !hasBody) return faults;
    const content = documented.content?.[type];
    check(`${status} ${type} is not documented`, content !== undefined);
    if (content === undefined) return faults;
    if (type === PROBLEM_TYPE) {
      const isDocumented = Object.hasOwn(content.examples ?? {}, String(body?.code));
      check(`${status} ${body?.code} is not documented`, isDocumented);
    }
    faults.push(...this.#against(content.schema, body ?? text));
    return faults;
  }

  #against(schema: object, body: unknown): string[] {
    const error = this.#schemas.errorOf(schema, body);
    return error === null ? [] : [`breaks its schema: ${error.slice(0, 1_000)}`];
  }
}

function parsed(text: string, faults: string[]): any {
  try {
    return JSON.parse(text);
  } catch {
    faults.push("is no JSON");
    return undefined;
  }
}
