import { expect, it } from "vitest";
import { isOperatorId } from "../../../../src/domain/access/client-id.ts";
import { personClientId } from "../../../../src/domain/access/person.ts";
import { SETUP_CLIENT_ID } from "../../../../src/http/auth/operator-auth.ts";
import { LOCAL_APPROVER, LOCAL_COMPANIES } from "../../../../tools/lib/local-companies.ts";
import { LOCAL_OPERATORS } from "../../../../tools/lib/local-operators.ts";

const HEX = "5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42";

it.each([...LOCAL_OPERATORS.map(({ clientId }) => clientId), SETUP_CLIENT_ID, `op_${HEX}`])(
  "%s is an operator's",
  (clientId) => {
    expect(isOperatorId(clientId)).toBe(true);
  },
);

it.each([
  ...[...LOCAL_COMPANIES, LOCAL_APPROVER].map(({ clientId }) => clientId),
  `app_${HEX}`,
  personClientId({ userId: "op_1" }),
])("%s is none", (clientId) => {
  expect(isOperatorId(clientId)).toBe(false);
});
