import { and, desc, eq, gt, gte, isNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Env } from "../../config.ts";
import { DEVICE_TRIES_MAX, mayUseCounter, PIN_HOLDS_MS } from "../../domain/cashier/pin.ts";
import type { PersonRole } from "../../domain/access/person-role.ts";
import type { Standing } from "../../domain/access/standing.ts";
import { standingOf } from "../companies/credentials.ts";
import { findOpenCompanyHead, type CompanyHead } from "../companies/companies.ts";
import { directoryOf } from "../client.ts";
import { cashierDevices, cashierPins } from "../schema/cashier/devices.ts";
import { memberships } from "../schema/people/memberships.ts";
import { users } from "../schema/people/sessions.ts";
import { runIdempotent } from "../storage-errors.ts";
import { isOf } from "./cashier-pins.ts";

/** A browser at a counter that a company's people share. */
export interface CashierDevice {
  id: string;
  name: string;
  companyId: number;
  company: CompanyHead;
  /** Whose PIN opened it; null while nobody's did. */
  cashier: DeviceCashier | null;
}

/** A person at a shared counter, with the role that he has elsewhere. */
interface DeviceCashier {
  userId: string;
  name: string;
  email: string;
  role: PersonRole;
  standing: Standing;
}

/** A shared counter as the company's people see it. Epoch milliseconds. */
export interface ListedDevice {
  id: string;
  name: string;
  createdBy: string;
  createdAt: number;
  /** Whose PIN was typed last, and when; null for nobody's. */
  cashier: string | null;
  since: number | null;
}

const isOpen = (nowMs: number) =>
  and(isNull(cashierDevices.revokedAt), gt(cashierDevices.expiresAt, nowMs));

/** The open device of a token, with the person who uses it; null for none, and for one of a closed company. */
export async function findCashierDevice(
  env: Env,
  tokenHash: string,
  nowMs: number,
): Promise<CashierDevice | null> {
  const [row] = await directoryOf(env)
    .select({
      id: cashierDevices.id,
      name: cashierDevices.name,
      companyId: cashierDevices.companyId,
      person: { userId: users.id, name: users.name, email: users.email },
      role: memberships.role,
      givenAt: memberships.givenAt,
      givenBy: memberships.givenBy,
    })
    .from(cashierDevices)
    // A PIN that was changed or taken away since opens nothing any more.
    .leftJoin(
      cashierPins,
      and(
        eq(cashierPins.companyId, cashierDevices.companyId),
        eq(cashierPins.userId, cashierDevices.userId),
        lte(cashierPins.setAt, cashierDevices.since),
        gt(cashierDevices.since, nowMs - PIN_HOLDS_MS),
      ),
    )
    .leftJoin(
      memberships,
      and(
        eq(memberships.companyId, cashierPins.companyId),
        eq(memberships.userId, cashierPins.userId),
        isNull(memberships.removedAt),
      ),
    )
    .leftJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(cashierDevices.tokenHash, tokenHash), isOpen(nowMs)));
  if (row === undefined) return null;
  const { id, name, companyId, person, role, givenAt, givenBy } = row;
  const company = await findOpenCompanyHead(env, companyId);
  if (company === null) return null;
  const cashier =
    person === null || role === null || !mayUseCounter(role)
      ? null
      : { ...person, role, standing: standingOf(givenAt, givenBy) };
  return { id, name, companyId, company, cashier };
}

/** A company's open devices, newest first. */
export async function listCashierDevices(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<ListedDevice[]> {
  const cashiers = alias(users, "cashiers");
  return directoryOf(env)
    .select({
      id: cashierDevices.id,
      name: cashierDevices.name,
      createdBy: users.name,
      createdAt: cashierDevices.createdAt,
      cashier: cashiers.name,
      since: cashierDevices.since,
    })
    .from(cashierDevices)
    .innerJoin(users, eq(users.id, cashierDevices.createdBy))
    .leftJoin(cashiers, eq(cashiers.id, cashierDevices.userId))
    .where(and(eq(cashierDevices.companyId, companyId), isOpen(nowMs)))
    .orderBy(desc(cashierDevices.createdAt))
    .limit(100);
}

/** Makes a device. */
export async function addCashierDevice(
  env: Env,
  device: Pick<
    typeof cashierDevices.$inferInsert,
    "id" | "companyId" | "name" | "tokenHash" | "createdBy" | "createdAt" | "expiresAt"
  >,
): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env).insert(cashierDevices).values(device).onConflictDoNothing(),
  );
}

/** Ends a device of a company; nothing happens to one that has ended or is another's. */
export async function revokeCashierDevice(
  env: Env,
  { companyId, id }: { companyId: number; id: string },
  nowMs: number,
): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .update(cashierDevices)
      .set({ revokedAt: nowMs })
      .where(
        and(eq(cashierDevices.companyId, companyId), eq(cashierDevices.id, id), isOpen(nowMs)),
      ),
  );
}

/** Lets a person use a device after his PIN was right, and forgets the wrong ones before. */
export async function seatCashier(
  env: Env,
  { id, companyId }: Pick<CashierDevice, "id" | "companyId">,
  userId: string,
  nowMs: number,
): Promise<void> {
  const db = directoryOf(env);
  await runIdempotent(() =>
    db.batch([
      db.update(cashierPins).set({ failedTries: 0 }).where(isOf({ companyId, userId })),
      db
        .update(cashierDevices)
        .set({ userId, since: nowMs, failedPins: 0 })
        .where(eq(cashierDevices.id, id)),
    ]),
  );
}

/** Takes the person off a device: the next one types a PIN. */
export async function unseatCashier(env: Env, id: string): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .update(cashierDevices)
      .set({ userId: null, since: null })
      .where(eq(cashierDevices.id, id)),
  );
}

/** Counts a wrong PIN on a device. The tenth in a row ends it; answers whether it did. */
export async function noteWrongPin(env: Env, id: string, nowMs: number): Promise<boolean> {
  const db = directoryOf(env);
  const [, ended] = await db.batch([
    db
      .update(cashierDevices)
      .set({ failedPins: sql`${cashierDevices.failedPins} + 1` })
      .where(eq(cashierDevices.id, id)),
    db
      .update(cashierDevices)
      .set({ revokedAt: nowMs })
      .where(
        and(
          eq(cashierDevices.id, id),
          isNull(cashierDevices.revokedAt),
          gte(cashierDevices.failedPins, DEVICE_TRIES_MAX),
        ),
      )
      .returning({ id: cashierDevices.id }),
  ]);
  return ended.length > 0;
}
