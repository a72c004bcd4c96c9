import { and, desc, eq, gt, isNotNull, isNull, lt, lte, or, sql, type SQL } from "drizzle-orm";
import {
  APPROVAL_LEASE_MS,
  type ProposalStatus,
  type ProviderAnswer,
} from "../../domain/operators/proposal.ts";
import { PERMISSIONS_OF_ROLE, type OperatorPermission } from "../../domain/operators/operator.ts";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { operatorKeys, operatorProposals, operators } from "../schema/operators.ts";
import { runIdempotent } from "../storage-errors.ts";

/** A proposal of operators, as D1 has it. Times in Unix milliseconds. */
export type ProposalRow = typeof operatorProposals.$inferSelect;

export type NewProposal = Pick<
  ProposalRow,
  | "id"
  | "action"
  | "companyId"
  | "target"
  | "request"
  | "reason"
  | "evidence"
  | "proposedBy"
  | "proposedByName"
  | "proposedByUser"
  | "proposedAt"
  | "expiresAt"
  | "provider"
  | "providerAnswer"
>;

/** Who decides a proposal, and why. */
export interface ProposalDecider {
  id: string;
  name: string;
  reason: string;
}

/**
 * Adds a proposal, unless one about the same thing waits, and returns the one that waits. One whose time is over ends
 * first.
 */
export async function addProposal(env: Env, proposal: NewProposal): Promise<ProposalRow | null> {
  const db = directoryOf(env);
  const { companyId, action, target, proposedAt } = proposal;
  const isSameThing = and(
    eq(operatorProposals.companyId, companyId),
    eq(operatorProposals.action, action),
    eq(operatorProposals.target, target),
    IS_PENDING,
  );
  const [, , [waiting]] = await runIdempotent(() =>
    db.batch([
      db
        .update(operatorProposals)
        .set({ status: "expired", request: WITHOUT_SECRET })
        .where(
          and(
            isSameThing,
            isNull(operatorProposals.decidedBy),
            lte(operatorProposals.expiresAt, proposedAt),
          ),
        ),
      db
        .insert(operatorProposals)
        .values({ ...proposal, status: "pending" })
        .onConflictDoNothing(),
      db.select().from(operatorProposals).where(isSameThing),
    ]),
  );
  return waiting ?? null;
}

export async function findProposal(env: Env, id: string): Promise<ProposalRow | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(operatorProposals)
    .where(eq(operatorProposals.id, id));
  return row ?? null;
}

/** Proposals, the newest first, before a number. A pending one whose time is over counts as expired. */
export async function listProposals(
  env: Env,
  query: {
    status: ProposalStatus | null;
    companyId: number | null;
    target: string | null;
    before: number;
    limit: number;
    nowMs: number;
  },
): Promise<ProposalRow[]> {
  const { status, companyId, target, before, limit, nowMs } = query;
  const db = directoryOf(env);
  const listWhere = (isInStatus: SQL | undefined) =>
    db
      .select()
      .from(operatorProposals)
      .where(
        and(
          lt(operatorProposals.number, before),
          isInStatus,
          companyId === null ? undefined : eq(operatorProposals.companyId, companyId),
          target === null ? undefined : eq(operatorProposals.target, target),
        ),
      )
      .orderBy(desc(operatorProposals.number))
      .limit(limit);
  if (status === null) return listWhere(undefined);
  const { decidedBy, expiresAt } = operatorProposals;
  if (status === "pending") {
    return listWhere(and(IS_PENDING, or(isNotNull(decidedBy), gt(expiresAt, nowMs))));
  }
  const hasStatus = eq(operatorProposals.status, status);
  if (status !== "expired") return listWhere(hasStatus);
  // Two queries: with an OR of both, SQLite sorts every expired one for each page.
  const pages = await db.batch([
    listWhere(hasStatus),
    listWhere(and(IS_PENDING, isNull(decidedBy), lte(expiresAt, nowMs))),
  ]);
  return pages
    .flat()
    .toSorted((a, b) => b.number - a.number)
    .slice(0, limit);
}

/**
 * Begins an approval: of two operators at once one gets it. The one who began it may begin it again after a crash.
 * False if it has ended, expired, or another one has begun it.
 */
export async function claimProposal(
  env: Env,
  id: string,
  by: ProposalDecider,
  { word, said }: ProviderAnswer,
  nowMs: number,
): Promise<boolean> {
  const { decidedBy, expiresAt } = operatorProposals;
  const isFree = and(isNull(decidedBy), gt(expiresAt, nowMs));
  const claimed = await directoryOf(env)
    .update(operatorProposals)
    .set({
      decidedBy: by.id,
      decidedByName: by.name,
      decisionReason: by.reason,
      decidedAt: nowMs,
      provider: word,
      providerAnswer: said,
    })
    .where(and(eq(operatorProposals.id, id), IS_PENDING, or(isFree, eq(decidedBy, by.id))))
    .returning({ id: operatorProposals.id });
  return claimed.length > 0;
}

/** Ends the approval of one whose decision was not possible: it waits again. */
export async function releaseProposal(env: Env, id: string, by: ProposalDecider): Promise<void> {
  await directoryOf(env)
    .update(operatorProposals)
    .set(UNDECIDED)
    .where(and(eq(operatorProposals.id, id), IS_PENDING, eq(operatorProposals.decidedBy, by.id)));
}

/** Ends the approval of one who crashed before its effect: the proposal waits again, or its time is over. */
export async function releaseCrashed(env: Env, id: string, nowMs: number): Promise<void> {
  await directoryOf(env)
    .update(operatorProposals)
    .set(UNDECIDED)
    .where(
      and(
        eq(operatorProposals.id, id),
        IS_PENDING,
        lte(operatorProposals.decidedAt, nowMs - APPROVAL_LEASE_MS),
      ),
    );
}

/** Ends a proposal whose decision had its effect. Idempotent. */
export async function markApproved(
  env: Env,
  id: string,
  by: ProposalDecider,
  outcome: Record<string, unknown>,
): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .update(operatorProposals)
      .set({ status: "approved", outcome, request: WITHOUT_SECRET })
      .where(and(eq(operatorProposals.id, id), IS_PENDING, eq(operatorProposals.decidedBy, by.id))),
  );
}

/** Refuses a proposal that waits. False if it no longer does, or its approval has begun. */
export async function refuseProposal(
  env: Env,
  id: string,
  by: ProposalDecider,
  nowMs: number,
): Promise<boolean> {
  const refused = await directoryOf(env)
    .update(operatorProposals)
    .set({
      status: "refused",
      request: WITHOUT_SECRET,
      decidedBy: by.id,
      decidedByName: by.name,
      decisionReason: by.reason,
      decidedAt: nowMs,
    })
    .where(
      and(
        eq(operatorProposals.id, id),
        IS_PENDING,
        isNull(operatorProposals.decidedBy),
        gt(operatorProposals.expiresAt, nowMs),
      ),
    )
    .returning({ id: operatorProposals.id });
  return refused.length > 0;
}

/**
 * Whether another human being than an operator may approve: one who can sign in and has the permission. `operators_user`
 * lets no person be two operators.
 */
export async function hasSecondOperator(
  env: Env,
  permission: OperatorPermission,
  proposerId: string,
  nowMs: number,
): Promise<boolean> {
  const roles = Object.entries(PERMISSIONS_OF_ROLE)
    .filter(([, permissions]) => permissions.includes(permission))
    .map(([role]) => role);
  const [row] = await directoryOf(env)
    .select({ isTrue: sql<number>`1` })
    .from(operators)
    .where(
      and(
        isNull(operators.removedAt),
        sql`${operators.role} IN (SELECT value FROM json_each(${JSON.stringify(roles)}))`,
        sql`${operators.clientId} <> ${proposerId}`,
        sql`(${operators.userId} IS NOT NULL OR EXISTS (SELECT 1 FROM ${operatorKeys}
          WHERE ${operatorKeys.clientId} = ${operators.clientId} AND ${operatorKeys.revokedAt} IS NULL
            AND (${operatorKeys.expiresAt} IS NULL OR ${operatorKeys.expiresAt} > ${nowMs})))`,
      ),
    )
    .limit(1);
  return row !== undefined;
}

const UNDECIDED = {
  decidedBy: null,
  decidedByName: null,
  decisionReason: null,
  decidedAt: null,
};

/** A proposal that is over needs no secret. */
const WITHOUT_SECRET = sql`json_remove(request, '$.sealedSecret')`;

/** Written as in the partial index `operator_proposals_pending`, so that SQLite uses it. */
const IS_PENDING = sql`status = 'pending'`;
