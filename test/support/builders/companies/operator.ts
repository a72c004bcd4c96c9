import { call, type Answer, type Call } from "../requests/api.ts";
import { APPROVER_CLIENT_ID, OPERATOR_CLIENT_ID } from "../../../../src/http/auth/auth.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../../src/lib/local-key.ts";

/** Credentials of the operator of the gateway. */
export const OPERATOR_CREDENTIALS = {
  "X-Client-Id": OPERATOR_CLIENT_ID,
  "X-API-Key": LOCAL_OPERATOR_KEY,
};

/** Credentials of the second operator. */
export const APPROVER_CREDENTIALS = {
  "X-Client-Id": APPROVER_CLIENT_ID,
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
