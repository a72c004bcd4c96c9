import type { ProblemCode } from "../../../domain/shared/problem.ts";
import { BODY_PROBLEMS } from "../../../http/openapi/openapi.ts";

/** How a route that proposes a decision may refuse. */
export const PROPOSAL_PROBLEMS: ProblemCode[] = [
  ...BODY_PROBLEMS,
  "NOT_FOUND",
  "INVALID_STATE",
  "PROVIDER_DISAGREES",
  "SECOND_OPERATOR_REQUIRED",
  "PROVIDER_DISCONNECTED",
];
