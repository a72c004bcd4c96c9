import type { ApproverRefusal } from "../../domain/access/standing.ts";
import type { Problem } from "../../domain/shared/problem.ts";
import { forbidden } from "../problems.ts";

/** The 403 of somebody who is no second pair of eyes for a withdraw or refund (`refusalOfApprover`). */
export function notApprover(why: ApproverRefusal, thing: "withdraw" | "refund"): Problem {
  const sentences: Record<ApproverRefusal, string> = {
    requester: `Whoever asked for a ${thing} does not decide about it.`,
    younger_than_request: `The right to approve, or the key that was presented, is younger than the ${thing}. Somebody who had the right before decides about it.`,
    given_by_requester: `Whoever asked for the ${thing} gave this right to approve, or the key that was presented, directly or through others. Somebody else decides about it.`,
    tied_by_application:
      "The one who asked and the one who approves have their rights through the same application, or one of them is it. Somebody else decides about it.",
    tie_too_young:
      "The one who asked and the one who approves have their rights through the same hands, and one of these rights is younger than the cool-down. Somebody else decides about it.",
  };
  return forbidden(sentences[why], why);
}
