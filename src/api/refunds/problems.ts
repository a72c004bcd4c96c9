import type { ExitLimitRefusal } from "../../domain/exits/exit-limits.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { COMPANY_FROZEN } from "../../http/problems.ts";
import { Problem } from "../../domain/shared/problem.ts";

/** The problem of a refund, return or credit that the gate refuses. Amounts in centavos. */
export function exitRefused(refusal: { kind: "frozen" } | ExitLimitRefusal): Problem {
  if (refusal.kind === "frozen") {
    return new Problem(COMPANY_FROZEN);
  }
  const { rule, limit, used, possibleFrom } = refusal;
  return new Problem({
    code: "REFUND_LIMIT_EXCEEDED",
    detail: `The amount exceeds what ${whose(rule)} sends back a day (America/Sao_Paulo).`,
    extensions: {
      rule,
      limitCents: limit,
      usedCents: used,
      ...(possibleFrom === null ? {} : { possibleFrom: isoTime(possibleFrom) }),
    },
  });
}

function whose(rule: string): string {
  if (rule.startsWith("roleLimits.")) return `a person of the role ${rule.split(".")[1]}`;
  return rule.startsWith("application.") ? "the application" : "the company";
}
