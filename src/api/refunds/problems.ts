import type { ApproverRefusal } from "../../domain/access/standing.ts";
import type { ExitLimitRefusal } from "../../domain/exits/exit-limits.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { forbidden } from "../../http/problems.ts";

/** The problem of a refund, return or credit that the gate refuses. Amounts in centavos. */
export function exitRefused(refusal: { kind: "frozen" } | ExitLimitRefusal): Problem {
  if (refusal.kind === "frozen") {
    return new Problem({
      code: "COMPANY_FROZEN",
      detail: "Refunds, returns and credits of this company are suspended.",
    });
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

const WHY_NOT: Record<ApproverRefusal, string> = {
  requester: "Who asked for it does not decide about it.",
  younger_than_request: "Your right to approve is younger than the request.",
  given_by_requester: "Your right to approve was given, keyed or invited by who asked.",
  tie_too_young:
    "Your right to approve and the right of who asked come from the same hands, and one of them is younger than the cool-down.",
};

/** The 403 of somebody who may not be the second pair of eyes. */
export function notApprover(why: ApproverRefusal): Problem {
  return forbidden(WHY_NOT[why]);
}
