import { call, type Answer, type Call } from "../requests/api.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../../tools/lib/local-operators.ts";

/** Credentials of the operator of the gateway. */
export const OPERATOR_CREDENTIALS = {
  "X-Client-Id": "operator",
  "X-API-Key": LOCAL_OPERATOR_KEY,
};

/** Credentials of the second operator. */
export const APPROVER_CREDENTIALS = {
  "X-Client-Id": "approver",
  "X-API-Key": LOCAL_APPROVER_KEY,
};

/** A request of the second operator. */
export function callAsApprover(path: string, options: Call = {}): Promise<Answer> {
  return call(`/api/v1/operator${path}`, {
    ...options,
    company: { credentials: APPROVER_CREDENTIALS },
  });
}

/** A request of the operator; `path` follows `/api/v1/operator`. */
export function callAsOperator(path: string, options: Call = {}): Promise<Answer> {
  return call(`/api/v1/operator${path}`, {
    ...options,
    company: { credentials: OPERATOR_CREDENTIALS },
  });
}
