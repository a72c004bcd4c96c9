import { and, eq, inArray } from "drizzle-orm";
import type { Env } from "../config.ts";
import type { Clock } from "../domain/shared/clock.ts";
import type { ProviderRefs } from "../domain/psp/provider-refs.ts";
import { databaseFor } from "./client.ts";
import { inList } from "./in-list.ts";
import { providerRefs } from "./schema/psp-accounts.ts";
import { runIdempotent } from "./storage-errors.ts";

/** Of no account: says that the database was taken back in time. */
const RESTORED = { account: "", id: "restored" } as const;

/** What the adapter of one account of a company remembers, in D1. */
export function providerRefsOf(
  env: Env,
  clock: Clock,
  { companyId, account }: { companyId: number; account: string },
): ProviderRefs {
  const db = databaseFor(env, companyId);
  const isOfAccount = and(eq(providerRefs.companyId, companyId), eq(providerRefs.account, account));
  const isOf = (id: string) => and(isOfAccount, eq(providerRefs.id, id));
  return {
    read: async (id) => {
      const [row] = await db.select({ ref: providerRefs.ref }).from(providerRefs).where(isOf(id));
      return row?.ref ?? null;
    },
    readAll: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: providerRefs.id, ref: providerRefs.ref })
        .from(providerRefs)
        .where(and(isOfAccount, inList(providerRefs.id, ids)));
      return new Map(rows.map(({ id, ref }) => [id, ref]));
    },
    save: async (id, ref) => {
      await runIdempotent(() =>
        db
          .insert(providerRefs)
          .values({ companyId, account, id, ref, createdAt: clock.now() })
          .onConflictDoUpdate({
            target: [providerRefs.companyId, providerRefs.account, providerRefs.id],
            set: { ref },
          })
          .run(),
      );
    },
    // Never repeated: a repeat would not know its own row.
    swap: async (id, before, ref) => {
      const put =
        before === null
          ? db
              .insert(providerRefs)
              .values({ companyId, account, id, ref, createdAt: clock.now() })
              .onConflictDoNothing()
              .returning({ id: providerRefs.id })
          : db
              .update(providerRefs)
              .set({ ref })
              .where(and(isOf(id), eq(providerRefs.ref, before)))
              .returning({ id: providerRefs.id });
      return (await put).length === 1;
    },
    mayBeLost: async () => (await restoredAt(env, companyId)) !== null,
  };
}

/** When D1 was last brought together with a company's object after a restore (Unix milliseconds); null for never. */
export async function restoredAt(env: Env, companyId: number): Promise<number | null> {
  const { account, id } = RESTORED;
  const found = await findProviderRef(env, companyId, { accounts: [account], id });
  return found === null ? null : (found as { at: number }).at;
}

/** Keeps in mind for ever that adapters may have forgotten what they sent: D1 was taken back in time, `nowMs` the last time. */
export async function noteLostRefs(env: Env, companyId: number, nowMs: number): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .insert(providerRefs)
      .values({ companyId, ...RESTORED, ref: { at: nowMs }, createdAt: nowMs })
      .onConflictDoUpdate({
        target: [providerRefs.companyId, providerRefs.account, providerRefs.id],
        set: { ref: { at: nowMs } },
      })
      .run(),
  );
}

/** What the adapter of any of a company's accounts remembers under an id, in D1; null for nothing. */
export async function findProviderRef(
  env: Env,
  companyId: number,
  { accounts, id }: { accounts: string[]; id: string },
): Promise<unknown> {
  if (accounts.length === 0) return null;
  const [row] = await databaseFor(env, companyId)
    .select({ ref: providerRefs.ref })
    .from(providerRefs)
    .where(
      and(
        eq(providerRefs.companyId, companyId),
        inArray(providerRefs.account, accounts),
        eq(providerRefs.id, id),
      ),
    )
    .limit(1);
  return row?.ref ?? null;
}
