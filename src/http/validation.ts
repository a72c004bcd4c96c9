import type { Hook } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem, type FieldErrors } from "../domain/shared/problem.ts";
import type { AppContext, AppEnv } from "./context.ts";

// What a schema says nothing of itself: zod's own sentences speak of its types, not of JSON.
z.config({
  customError: (issue) => {
    if (issue.code !== "invalid_type") return undefined;
    if (issue.input === undefined) return "is required";
    return Array.isArray(issue.input) && issue.expected !== "array"
      ? "must be sent once, not as a list"
      : `must be ${issue.expected === "object" ? "an object" : `a ${issue.expected}`}`;
  },
});

/** Turns zod's verdict into a 400 with all wrong fields at once. The hook of every route. */
// oxlint-disable-next-line typescript/no-explicit-any -- the hook's own type parameters are open
export const onInvalid: Hook<any, AppEnv, any, any> = (result, c) => {
  const issues = [
    ...(result.success ? [] : result.error.issues),
    ...(result.target === "json" ? (c.get("fieldErrors") ?? []) : []),
  ];
  if (issues.length > 0) throw validationProblem(issues);
};

/** Adds to what is wrong with the body beyond what its schema can tell. */
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

/** Marks the one validation issue that has a code of its own (`product.md` section 6). */
export const BELOW_MINIMUM = { problem: "WITHDRAW_BELOW_MINIMUM" } as const;

function isBelowMinimum(issues: z.core.$ZodIssue[]): boolean {
  return issues.some(
    (issue) => issue.code === "custom" && issue.params?.problem === BELOW_MINIMUM.problem,
  );
}

/** A client names its fields as it likes, `__proto__` included: they are kept in a map until the end. */
function errorsByPath(issues: z.core.$ZodIssue[]): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    const path = issue.path.length === 0 ? "body" : issue.path.join(".");
    errors.set(path, [...(errors.get(path) ?? []), issue.message]);
  }
  return Object.fromEntries(errors);
}
