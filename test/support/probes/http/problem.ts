import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import problemSchema from "../../../vectors/problem.schema.json";
import type { Answer } from "../../builders/requests/api.ts";
import { openApi } from "./documented.ts";

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const isProblem = ajv.compile(problemSchema);

/** Reason phrases of RFC 9110 and RFC 6585: the titles. */
const STATUS_TEXT: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

const INTERNAL_DETAILS =
  /sqlite|\bd1\b|d1_|select |insert |update |constraint|\bat .*\.[jt]s|error:/i;

export interface ExpectedProblem {
  status: number;
  code: string;
  /** The paths in `errors`, in any order; undefined if the problem names no field. */
  fields?: string[];
  /** Additional members. */
  extensions?: Record<string, unknown>;
  /** A replayed rejection has the trace id of the first request. */
  replayed?: boolean;
  retryAfter?: boolean;
}

/** Asserts that the response is a problem with exactly these members, as documented. */
export async function expectProblem(answer: Answer, expected: ExpectedProblem): Promise<void> {
  const { body, headers } = answer;
  expect({ status: answer.status, code: body?.code, fields: fieldsOf(body) }).toEqual({
    status: expected.status,
    code: expected.code,
    fields: expected.fields === undefined ? undefined : expected.fields.toSorted(),
  });
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  expect(isProblem(body), JSON.stringify(isProblem.errors)).toBe(true);
  expect(body).toStrictEqual({
    type: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${expected.code}$`)),
    title: STATUS_TEXT[expected.status],
    status: expected.status,
    detail: expect.stringMatching(/\S/),
    instance: expect.stringMatching(/^\//),
    code: expected.code,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    ...expected.extensions,
    ...(body.reason === undefined ? {} : { reason: expect.stringMatching(/^[a-z_]+$/) }),
    ...(expected.fields === undefined
      ? {}
      : { errors: expect.any(Object), rules: expect.any(Object) }),
  });
  for (const [path, messages] of Object.entries<unknown>(body.errors ?? {})) {
    expect(body.rules[path], `${path}: ${String(messages)}`).toHaveLength(
      (messages as unknown[]).length,
    );
    expect(messages).toEqual([expect.stringMatching(/\S/), ...(messages as string[]).slice(1)]);
  }
  if (expected.replayed !== true) expect(headers.get("X-Trace-Id")).toBe(body.traceId);
  if (expected.retryAfter === true) {
    expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  }
  expect(answer.text).not.toMatch(INTERNAL_DETAILS);
  const { components } = await openApi();
  for (const member of Object.keys(body)) {
    expect(components.schemas.Problem.properties, "is documented").toHaveProperty(member);
  }
  await expectDocumented(answer);
}

/** Statuses without an operation: no route matched. */
const WITHOUT_OPERATION = new Set([405, 414]);

/** Asserts that an operation at the path documents the status as a problem. */
async function expectDocumented(answer: Answer): Promise<void> {
  if (WITHOUT_OPERATION.has(answer.status)) return;
  const operations = await operationsAt(answer.body.instance);
  if (operations.length === 0) {
    expect([404, 406], "no operation is at this path").toContain(answer.status);
    return;
  }
  const contents = operations.flatMap(
    (operation) => operation.responses[answer.status]?.content?.["application/problem+json"] ?? [],
  );
  expect(contents.length, `${answer.body.instance} documents ${answer.status}`).toBeGreaterThan(0);
}

/** The documented operations with a matching path; the template with the fewest parameters wins. */
async function operationsAt(path: string): Promise<any[]> {
  const { paths } = await openApi();
  const fitting = Object.keys(paths)
    .filter((template) => matchesTemplate(template, path))
    .toSorted((left, right) => parameterCount(left) - parameterCount(right));
  const [best] = fitting;
  return best === undefined ? [] : Object.values(paths[best] ?? {});
}

function matchesTemplate(template: string, path: string): boolean {
  const parts = path.split("/");
  const pattern = template.split("/");
  return (
    parts.length === pattern.length &&
    pattern.every((part, index) => part.startsWith("{") || part === parts[index])
  );
}

function parameterCount(template: string): number {
  return template.split("{").length - 1;
}

function fieldsOf(body: any): string[] | undefined {
  return body?.errors === undefined ? undefined : Object.keys(body.errors).toSorted();
}
