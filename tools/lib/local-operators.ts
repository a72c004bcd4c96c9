import { keyPrefix } from "../../src/domain/access/masks.ts";
import type { OperatorRole } from "../../src/domain/operators/operator.ts";
import { sha256Hex } from "../../src/lib/hash.ts";

/** The operator's key on this machine. */
export const LOCAL_OPERATOR_KEY = "sk_test_local_operator_of_this_machine";
/** The key of the second operator on this machine, who approves proposals. */
export const LOCAL_APPROVER_KEY = "sk_test_local_approver_of_this_machine";

export interface LocalOperator {
  clientId: string;
  name: string;
  role: OperatorRole;
  apiKey: string;
}

/** The operators of a local database. Their keys exist only there. */
export const LOCAL_OPERATORS: readonly LocalOperator[] = [
  { clientId: "operator", name: "Local operator", role: "admin", apiKey: LOCAL_OPERATOR_KEY },
  { clientId: "approver", name: "Local approver", role: "admin", apiKey: LOCAL_APPROVER_KEY },
];

/** The SQL that adds an operator with a key to a local database, once. */
export async function operatorSql(operator: LocalOperator, nowMs: number): Promise<string> {
  const { clientId, name, role, apiKey } = operator;
  return `
INSERT INTO operators (client_id, name, role, created_at)
VALUES ('${clientId}', '${name}', '${role}', ${nowMs})
ON CONFLICT DO NOTHING;
INSERT INTO operator_keys (client_id, key_hash, prefix, created_at)
VALUES ('${clientId}', '${await sha256Hex(apiKey)}', '${keyPrefix(apiKey)}', ${nowMs})
ON CONFLICT DO NOTHING;
`;
}
