import type { Hook } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem, type FieldErrors } from "../domain/shared/problem.ts";
import type { AppContext, AppEnv } from "./context.ts";

// Messages for schemas without their own: zod's default ones name its types, not JSON's.
z.config({
  customError: (issue) => {
    if (issue.code !== "invalid_type") return undefined;
    if (issue.input === undefined) return "is required";
    return Array.isArray(issue.input) && issue.expected !== "array"
      ? "must be sent once, not as a list"
      : `must be ${issue.expected === "object" ? "an object" : `a ${issue.expected}`}`;
  },
});

/** The validation hook of every route: throws one 400 with all invalid fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- the hook's own type parameters are open
export const onInvalid: Hook<any, AppEnv, any, any> = (result, c) => {
  const issues = [
    ...(result.success ? [] : result.error.issues),
    ...(result.target === "json" ? (c.get("fieldErrors") ?? []) : []),
  ];
  if (issues.length > 0) throw validationProblem(issues);
};

/** Adds errors of the body that its schema cannot detect. */
export function addFieldErrors(c: AppContext, issues: z.core.$ZodIssue[]): void {
  c.set("fieldErrors", [...(c.get("fieldErrors") ?? []), ...issues]);
}

function validationProblem(issues: z.core.$ZodIssue[]): Problem {
  const errors = errorsByPath(issues);
  const fields = Object.keys(errors).join(", ");
  return new Problem({
    code: isBelowMinimum(issues) ? "WITHDRAW_BELOW_MINIMUM" : "VALIDATION_FAILED",
    detail: `Invalid fields: ${fields}.`,
    errors,
  });
}

/** Marks the only validation issue with its own problem code. */
export const BELOW_MINIMUM = { problem: "WITHDRAW_BELOW_MINIMUM" } as const;

function isBelowMinimum(issues: z.core.$ZodIssue[]): boolean {
  return issues.some(
    (issue) => issue.code === "custom" && issue.params?.problem === BELOW_MINIMUM.problem,
  );
}

/** Collects messages in a map, because a client may name a field `__proto__`. */
function errorsByPath(issues: z.core.$ZodIssue[]): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    const path = issue.path.length === 0 ? "body" : issue.path.join(".");
    errors.set(path, [...(errors.get(path) ?? []), issue.message]);
  }
  return Object.fromEntries(errors);
}
