import { createOTP } from "@better-auth/utils/otp";
import { base32 } from "@better-auth/utils/base32";
import { symmetricEncrypt } from "better-auth/crypto";
import { ROLES_WITH_SECOND_FACTOR } from "../../src/domain/access/person.ts";
import { PERSON_ROLES, type PersonRole } from "../../src/domain/access/person-role.ts";
import type { KeyRing } from "../../src/lib/secret-box.ts";
import { authSecrets } from "../../src/http/auth/auth-secrets.ts";
import { hashPassword } from "../../src/pages/console/people/passwords.ts";

/** Everybody's password on this machine. */
export const LOCAL_PASSWORD = "senha-so-desta-maquina";
/** Everybody's authenticator app on this machine. */
const LOCAL_TOTP_SECRET = "only-on-this-machine";

interface LocalPerson {
  role: PersonRole;
  email: string;
  hasAuthenticator: boolean;
}

/** One person for each role in the first local company. They exist only in a local database. */
export const LOCAL_PEOPLE: readonly LocalPerson[] = PERSON_ROLES.map((role) => ({
  role,
  email: `${role}@loja.local`,
  hasAuthenticator: ROLES_WITH_SECOND_FACTOR.has(role),
}));

/** The local operator as a person of the console, of no company. */
export const LOCAL_OPERATOR_PERSON = { clientId: "operator", email: "operador@centavo.local" };

/** The secret to type into an authenticator app. */
export function localTotpText(): string {
  return base32.encode(LOCAL_TOTP_SECRET, { padding: false });
}

/** The code that such an app shows now. */
export function localCode(): Promise<string> {
  return createOTP(LOCAL_TOTP_SECRET).totp();
}

/** The SQL that adds the people to a local database, once; after the operators. */
export async function peopleSql(secretsKeys: KeyRing, nowMs: number): Promise<string> {
  const [current] = await authSecrets(secretsKeys);
  if (current === undefined) throw new Error("no key");
  const { version, value } = current;
  const key = { keys: new Map([[version, value]]), currentVersion: version };
  const password = await hashPassword(LOCAL_PASSWORD);
  const secret = await symmetricEncrypt({ key, data: LOCAL_TOTP_SECRET });
  const codes = await symmetricEncrypt({ key, data: "[]" });
  const userSql = (id: string, name: string, email: string, hasAuthenticator: boolean) => {
    const app = `
INSERT INTO two_factors (id, user_id, secret, backup_codes, verified)
VALUES ('${id}', '${id}', '${secret}', '${codes}', 1) ON CONFLICT DO NOTHING;`;
    return `
INSERT INTO users (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
VALUES ('${id}', '${name}', '${email}', 1, ${hasAuthenticator ? 1 : 0}, ${nowMs}, ${nowMs})
ON CONFLICT DO NOTHING;
INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
VALUES ('${id}', '${id}', '${id}', 'credential', '${password}', ${nowMs}, ${nowMs})
ON CONFLICT DO NOTHING;${hasAuthenticator ? app : ""}
`;
  };
  const members = LOCAL_PEOPLE.map(
    ({ role, email, hasAuthenticator }) => `
${userSql(`local_${role}`, `Local ${role}`, email, hasAuthenticator)}
INSERT INTO memberships (user_id, company_id, role, created_at)
VALUES ('local_${role}', 1, '${role}', ${nowMs}) ON CONFLICT DO NOTHING;
`,
  );
  const { clientId, email } = LOCAL_OPERATOR_PERSON;
  return `${members.join("")}
${userSql("local_operator", "Local operator", email, true)}
UPDATE operators SET user_id = 'local_operator' WHERE client_id = '${clientId}' AND user_id IS NULL;
`;
}
