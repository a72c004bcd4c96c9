import type { OperatorRole } from "../../../../src/domain/operators/operator.ts";
import { env } from "./env.ts";
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

export interface TestOperator {
  clientId: string;
  key: string;
  credentials: Record<string, string>;
}

/** A new operator with a key, added by the local admin or by `company`. */
export async function givenOperator(
  role: OperatorRole,
  { company = { credentials: OPERATOR_CREDENTIALS }, ...options }: Call = {},
): Promise<TestOperator> {
  const body = { name: `Operator ${role}`, role };
  const answer = await call("/api/v1/operator/people", { ...options, company, body });
  if (answer.status !== 201) throw new Error(`the operator was not added: ${answer.text}`);
  const { clientId, key } = answer.body.data;
  return { clientId, key, credentials: { "X-Client-Id": clientId, "X-API-Key": key } };
}

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

/** Takes every operator away, as in a gateway that has none yet. */
export async function removeAllOperators(): Promise<void> {
  await env.DB.prepare("UPDATE operators SET removed_at = 1").run();
}

/** Brings the local operators back. */
export async function restoreLocalOperators(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM operator_keys WHERE client_id NOT IN ('operator', 'approver')"),
    env.DB.prepare("DELETE FROM operators WHERE client_id NOT IN ('operator', 'approver')"),
    env.DB.prepare(
      "UPDATE operators SET role = 'admin', removed_at = NULL, user_id = NULL, link_hash = NULL, given = NULL, given_at = NULL",
    ),
    env.DB.prepare("UPDATE operator_keys SET revoked_at = NULL, expires_at = NULL"),
  ]);
}
