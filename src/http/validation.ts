import type { Hook } from "@hono/zod-openapi";
import * as z from "zod";
import type { DayPeriod } from "../domain/ledger/entries/month.ts";
import { Problem, type FieldErrors } from "../domain/shared/problem.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { faultOfDays } from "./fields/fields.ts";
import { fieldMessage } from "./fields/messages.ts";
import { breaks } from "../lib/fields/rules.ts";

// Messages for schemas without their own: zod's default ones name its types, not JSON's.
z.config({
  customError: (issue) => {
    if (issue.code === "too_big") {
      const max = Number(issue.maximum);
      return breaks(issue.origin === "string" ? "maxLength" : "max", { max });
    }
    if (issue.code === "too_small" && issue.origin !== "string") {
      return breaks("min", { min: Number(issue.minimum) });
    }
    if (issue.input === undefined && issue.code !== "custom") return breaks("required");
    if (issue.code === "invalid_value") return breaks("oneOf", { values: issue.values.join(", ") });
    if (issue.code !== "invalid_type") return undefined;
    if (Array.isArray(issue.input) && issue.expected !== "array") return breaks("sentOnce");
    if (issue.expected === "int") return breaks("integer");
    if (issue.expected === "object") return objectExpected(issue.inst);
    return breaks("type", { type: issue.expected });
  },
});

/** The sentence of something else where an object is asked for, with the names of the object's fields. */
function objectExpected(schema: unknown): string {
  return schema instanceof z.ZodObject
    ? breaks("objectOf", { names: Object.keys(schema.shape).join(", ") })
    : breaks("object");
}

/** The validation hook of every route: throws one 400 with all invalid fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- the hook's own type parameters are open
export const onInvalid: Hook<any, AppEnv, any, any> = (result, c) => {
  const found: z.core.$ZodIssue[] = result.success ? [] : result.error.issues;
  throwIfInvalid([
    ...found.map((issue) =>
      Object.assign(issue, { message: fieldMessage(issue, sentData(result), result.target) }),
    ),
    ...(result.target === "json" ? (c.get("fieldErrors") ?? []) : []),
    ...(result.target === "query" ? (c.get("queryErrors") ?? []) : []),
  ]);
};

/** Throws one 400 with all issues; nothing where there are none. */
export function throwIfInvalid(issues: z.core.$ZodIssue[]): void {
  if (issues.length > 0) throw validationProblem(issues);
}

/** The check of `inDayRange` for days of which one is a default, at most `max` where that is less. Throws 400. */
export function requireDayRange({ from, to }: DayPeriod, max?: number): DayPeriod {
  const fault = faultOfDays(from, to, max);
  throwIfInvalid(fault === null ? [] : [fault]);
  return { from, to };
}

/** What was sent; the hook's type has it only where the request is valid. */
function sentData(result: object): unknown {
  return "data" in result ? result.data : undefined;
}

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
