import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { configOf, type Env } from "../config.ts";
import { directoryOf } from "./client.ts";
import { sandboxDebits, sandboxMandates } from "./schema/subscriptions/sandbox-mandates.ts";
import { databaseNamed } from "./sharding/databases.ts";
import { runIdempotent } from "./storage-errors.ts";

type MandateRow = typeof sandboxMandates.$inferSelect;
type DebitRow = typeof sandboxDebits.$inferSelect;

/** The sandbox bank's mandates and debits, beside its other books (`sandbox-bank-store.ts`). Writes may be repeated. */
export function sandboxMandateStore(env: Env) {
  const { sandboxDatabase } = configOf(env);
  const db =
    sandboxDatabase === null ? directoryOf(env) : drizzle(databaseNamed(env, sandboxDatabase));
  const { mandateId, contract } = sandboxMandates;
  const findDebit = async (chargeId: string): Promise<DebitRow | null> => {
    const [row] = await db.select().from(sandboxDebits).where(eq(sandboxDebits.chargeId, chargeId));
    return row ?? null;
  };
  return {
    findMandate: async (by: { mandateId: string } | { contract: string }) => {
      const found = "contract" in by ? eq(contract, by.contract) : eq(mandateId, by.mandateId);
      const [row] = await db.select().from(sandboxMandates).where(found);
      return row ?? null;
    },

    /** Adds a mandate, unless its contract has one. */
    addMandate: async (mandate: MandateRow): Promise<void> => {
      await runIdempotent(() =>
        db.insert(sandboxMandates).values(mandate).onConflictDoNothing().run(),
      );
    },

    changeMandate: async (
      id: string,
      change: Partial<Pick<MandateRow, "status" | "requestId" | "endReason">>,
    ): Promise<void> => {
      await runIdempotent(() =>
        db.update(sandboxMandates).set(change).where(eq(mandateId, id)).run(),
      );
    },

    findDebit,

    debitsOf: (id: string): Promise<DebitRow[]> =>
      db.select().from(sandboxDebits).where(eq(sandboxDebits.mandateId, id)),

    addDebit: async (debit: DebitRow): Promise<void> => {
      await runIdempotent(() => db.insert(sandboxDebits).values(debit).onConflictDoNothing().run());
    },

    /** Changes a debit as it was read; answers it as it stands then, also where another was quicker. */
    changeDebit: async (
      read: DebitRow,
      change: Partial<Pick<DebitRow, "status" | "attempts" | "nextOutcome">>,
    ): Promise<DebitRow> => {
      const { chargeId, version } = read;
      await runIdempotent(() =>
        db
          .update(sandboxDebits)
          .set({ ...change, version: version + 1 })
          .where(and(eq(sandboxDebits.chargeId, chargeId), eq(sandboxDebits.version, version)))
          .run(),
      );
      return (await findDebit(chargeId)) ?? read;
    },
  };
}
