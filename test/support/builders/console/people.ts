import { generateSignedCookie } from "hono/cookie";
import { configOf } from "../../../../src/config.ts";
import type { OperatorRole } from "../../../../src/domain/operators/operator.ts";
import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import { authSecrets } from "../../../../src/http/auth/auth-secrets.ts";
import { hashPassword } from "../../../../src/pages/console/people/passwords.ts";
import { env, type TestCompany } from "../companies/env.ts";

const SESSION_MS = 12 * 60 * 60 * 1_000;
const SESSION_COOKIE = "centavo.session_token";

export const PASSWORD = "a long enough password";
export const TOTP_SECRET = "the-secret-of-an-authenticator-app";
export const RECOVERY_CODES = ["aaaaa-11111", "bbbbb-22222"];

export interface TestPerson {
  userId: string;
  email: string;
}

interface SessionState {
  nowMs?: number;
  expiresAt?: number;
  /** By default now; null for a password alone. */
  secondFactorAt?: number | null;
}

/** A member of a company with an open session; as the `Cookie` of that session. Without a password. */
export async function givenSession(
  company: TestCompany,
  role: PersonRole,
  state: SessionState & { hasSecondFactor?: boolean } = {},
): Promise<string> {
  const { hasSecondFactor = true } = state;
  const userId = `test_${role}_${company.id}`;
  const cookie = await beginSession(userId, state, [
    env.DB.prepare(
      `INSERT INTO users (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
       VALUES (?1, ?2, ?3, 1, ?4, 0, 0)
       ON CONFLICT DO UPDATE SET two_factor_enabled = ?4`,
    ).bind(userId, `Test ${role}`, `${role}.${company.id}@example.com`, hasSecondFactor ? 1 : 0),
    membership(userId, company, role),
  ]);
  return cookie;
}

/** An operator who is a person of the console. */
export interface TestOperatorPerson {
  clientId: string;
  userId: string;
  email: string;
  /** The `Cookie` of an open session. */
  cookie: string;
}

/** A new operator as a person of the console, of no company, with an open session. Without a password. */
export async function givenOperatorPerson(
  role: OperatorRole,
  state: SessionState & { hasSecondFactor?: boolean } = {},
): Promise<TestOperatorPerson> {
  const { hasSecondFactor = true } = state;
  const userId = crypto.randomUUID();
  const clientId = `op_${userId}`;
  const email = `${userId}@example.com`;
  const cookie = await beginSession(userId, state, [
    env.DB.prepare(
      `INSERT INTO users (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
       VALUES (?1, 'Olga', ?2, 1, ?3, 0, 0)`,
    ).bind(userId, email, hasSecondFactor ? 1 : 0),
    env.DB.prepare(
      "INSERT INTO operators (client_id, name, role, created_at, user_id) VALUES (?1, 'Olga', ?2, 0, ?3)",
    ).bind(clientId, role, userId),
  ]);
  return { clientId, userId, email, cookie };
}

/** A member who can sign in with `PASSWORD` and, if so wished, `TOTP_SECRET` and `RECOVERY_CODES`. */
export async function givenPerson(
  company: TestCompany,
  role: PersonRole,
  { hasAuthenticator = false } = {},
): Promise<TestPerson> {
  const userId = crypto.randomUUID();
  const email = `${userId}@example.com`;
  const statements = [
    env.DB.prepare(
      `INSERT INTO users (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
       VALUES (?, 'Ana', ?, 1, ?, 0, 0)`,
    ).bind(userId, email, hasAuthenticator ? 1 : 0),
    env.DB.prepare(
      `INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
       VALUES (?1, ?1, ?1, 'credential', ?2, 0, 0)`,
    ).bind(userId, await hashPassword(PASSWORD)),
    membership(userId, company, role),
  ];
  if (hasAuthenticator) {
    // It is large, and most tests need none.
    const { symmetricEncrypt } = await import("better-auth/crypto");
    const [current] = await authSecrets(configOf(env).secretsKeys);
    const key = {
      keys: new Map([[current!.version, current!.value]]),
      currentVersion: current!.version,
    };
    statements.push(
      env.DB.prepare(
        "INSERT INTO two_factors (id, user_id, secret, backup_codes, verified) VALUES (?1, ?1, ?2, ?3, 1)",
      ).bind(
        userId,
        await symmetricEncrypt({ key, data: TOTP_SECRET }),
        await symmetricEncrypt({ key, data: JSON.stringify(RECOVERY_CODES) }),
      ),
    );
  }
  await env.DB.batch(statements);
  return { userId, email };
}

/** Makes somebody a member of one more company. */
export async function joinCompany(
  userId: string,
  company: TestCompany,
  role: PersonRole,
): Promise<void> {
  await membership(userId, company, role).run();
}

/** One more open session of a person, as its `Cookie`. */
export async function beginSession(
  userId: string,
  { nowMs = Date.now(), expiresAt = nowMs + SESSION_MS, secondFactorAt = nowMs }: SessionState,
  before: D1PreparedStatement[] = [],
): Promise<string> {
  const token = crypto.randomUUID();
  await env.DB.batch([
    ...before,
    env.DB.prepare(
      `INSERT INTO sessions (id, user_id, token, expires_at, second_factor_at, created_at, updated_at)
       VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?5)`,
    ).bind(token, userId, expiresAt, secondFactorAt, nowMs),
  ]);
  const [current] = await authSecrets(configOf(env).secretsKeys);
  const cookie = await generateSignedCookie(SESSION_COOKIE, token, current!.value);
  return cookie.split(";")[0]!;
}

function membership(userId: string, company: TestCompany, role: PersonRole): D1PreparedStatement {
  return env.DB.prepare(
    `INSERT INTO memberships (user_id, company_id, role, created_at) VALUES (?1, ?2, ?3, 0)
     ON CONFLICT DO UPDATE SET role = ?3`,
  ).bind(userId, company.id, role);
}
