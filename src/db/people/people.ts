import { and, asc, eq, isNull } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { OperatorPerson } from "../../domain/operators/operator.ts";
import type { PersonRole } from "../../domain/access/person-role.ts";
import type { Standing } from "../../domain/access/standing.ts";
import { standingOf } from "../companies/credentials.ts";
import { COMPANY_HEAD, findOpenCompanyHead, type CompanyHead } from "../companies/companies.ts";
import { directoryOf } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { operators } from "../schema/operators.ts";
import { memberships } from "../schema/people/memberships.ts";
import { accounts, passkeys, users } from "../schema/people/sessions.ts";

/** A company that a person may open, with the role there. */
export interface Membership extends CompanyHead {
  companyId: number;
  role: PersonRole;
  standing: Standing;
}

/** A person with what he may open. */
export interface PersonRecord {
  userId: string;
  name: string;
  /** The open companies. */
  memberships: Membership[];
  /** The operator that this person is; null for a person of companies only. */
  operator: Omit<OperatorPerson, "userId"> | null;
}

/** What names a person: the id, the e-mail in lower case, or the credential id of a passkey. */
export type PersonKey = { userId: string } | { email: string } | { credentialId: string };

/** The columns of a person's company, one row each, for `openMemberships`. */
export const MEMBERSHIP_COLUMNS = {
  companyId: memberships.companyId,
  role: memberships.role,
  givenAt: memberships.givenAt,
  givenBy: memberships.givenBy,
  ...COMPANY_HEAD,
  closedAt: companies.closedAt,
};

interface MembershipRow {
  companyId: number | null;
  role: PersonRole | null;
  givenAt: number | null;
  givenBy: string[] | null;
  companyName: string | null;
  mode: CompanyHead["mode"] | null;
  freeze: CompanyHead["freeze"];
  createdAt: number | null;
  clockOffsetMs: number | null;
  closedAt: number | null;
}

/** The open companies of a person's rows. */
export async function openMemberships(
  env: Env,
  rows: readonly MembershipRow[],
): Promise<PersonRecord["memberships"]> {
  const named = await Promise.all(
    rows.map(async (row) => {
      const { companyId, closedAt, role, givenAt, givenBy } = row;
      if (companyId === null || role === null || closedAt !== null) return [];
      // A company in another database is named there.
      const head = headOf(row) ?? (await findOpenCompanyHead(env, companyId));
      return head === null
        ? []
        : [{ ...head, companyId, role, standing: standingOf(givenAt, givenBy) }];
    }),
  );
  return named.flat();
}

function headOf(row: MembershipRow): CompanyHead | null {
  const { companyName, mode, freeze, createdAt, clockOffsetMs } = row;
  return companyName === null || mode === null || createdAt === null || clockOffsetMs === null
    ? null
    : { companyName, mode, freeze, createdAt, clockOffsetMs };
}

/** A person with the open companies; null if there is none. */
export async function findPerson(env: Env, key: PersonKey): Promise<PersonRecord | null> {
  const db = directoryOf(env);
  const rows = await db
    .select({
      userId: users.id,
      name: users.name,
      ...MEMBERSHIP_COLUMNS,
      operator: { clientId: operators.clientId, name: operators.name, role: operators.role },
    })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), isNull(memberships.removedAt)))
    .leftJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(operators, and(eq(operators.userId, users.id), isNull(operators.removedAt)))
    .where(
      "email" in key
        ? eq(users.email, key.email)
        : eq(
            users.id,
            "userId" in key
              ? key.userId
              : db
                  .select({ userId: passkeys.userId })
                  .from(passkeys)
                  .where(eq(passkeys.credentialID, key.credentialId)),
          ),
    )
    .orderBy(asc(memberships.companyId));
  const [first] = rows;
  if (first === undefined) return null;
  const { userId, name, operator } = first;
  return { userId, name, memberships: await openMemberships(env, rows), operator };
}

/** The e-mail and the hashed password of a person; null for a person without a password. */
export async function findPassword(
  env: Env,
  userId: string,
): Promise<{ email: string; passwordHash: string } | null> {
  const [row] = await directoryOf(env)
    .select({ email: users.email, passwordHash: accounts.password })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(eq(users.id, userId), eq(accounts.providerId, "credential")));
  return row === undefined || row.passwordHash === null
    ? null
    : { email: row.email, passwordHash: row.passwordHash };
}
