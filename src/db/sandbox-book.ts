import { and, eq } from "drizzle-orm";
import type { Env } from "../env.ts";
import { databaseFor } from "./client.ts";
import { runIdempotent } from "./faults.ts";
import { sandboxCharges, sandboxPayments, sandboxPayouts } from "./schema/operations.ts";

type PayoutStatus = "processing" | "paid" | "failed" | "returned";

interface Payout {
  status: PayoutStatus;
  endToEndId: string | null;
}

interface Payment {
  endToEndId: string;
  amount: number;
  paidAt: number;
}

/** The sandbox bank's book in D1. Every write may be repeated without effect. */
export function sandboxBookOf(env: Env, companyId: number) {
  const db = databaseFor(env, companyId);
  const payout = async (payoutId: string): Promise<Payout | null> => {
    const [row] = await db
      .select({ status: sandboxPayouts.status, endToEndId: sandboxPayouts.endToEndId })
      .from(sandboxPayouts)
      .where(eq(sandboxPayouts.payoutId, payoutId));
    return row ?? null;
  };

  return {
    payout,
    payments: (chargeId: string): Promise<Payment[]> =>
      db
        .select({
          endToEndId: sandboxPayments.endToEndId,
          amount: sandboxPayments.amount,
          paidAt: sandboxPayments.paidAt,
        })
        .from(sandboxPayments)
        .where(eq(sandboxPayments.chargeId, chargeId))
        .orderBy(sandboxPayments.paidAt),

    addPayment: async (chargeId: string, payment: Payment): Promise<void> => {
      await runIdempotent(() =>
        db
          .insert(sandboxPayments)
          .values({ chargeId, ...payment })
          .onConflictDoNothing()
          .run(),
      );
    },

    chargeStatus: async (chargeId: string): Promise<"open" | "failed" | "expired"> => {
      const [row] = await db
        .select({ status: sandboxCharges.status })
        .from(sandboxCharges)
        .where(eq(sandboxCharges.chargeId, chargeId));
      return row?.status ?? "open";
    },

    endCharge: async (chargeId: string, status: "failed" | "expired"): Promise<void> => {
      await runIdempotent(() =>
        db.insert(sandboxCharges).values({ chargeId, status }).onConflictDoNothing().run(),
      );
    },

    openPayout: async (payoutId: string, opened: Payout): Promise<Payout> => {
      const [, [row]] = await runIdempotent(() =>
        db.batch([
          db
            .insert(sandboxPayouts)
            .values({ payoutId, ...opened })
            .onConflictDoNothing(),
          db
            .select({ status: sandboxPayouts.status, endToEndId: sandboxPayouts.endToEndId })
            .from(sandboxPayouts)
            .where(eq(sandboxPayouts.payoutId, payoutId)),
        ]),
      );
      return row ?? opened;
    },

    movePayout: async (
      payoutId: string,
      from: PayoutStatus,
      to: Payout,
    ): Promise<Payout | null> => {
      await runIdempotent(() =>
        db
          .update(sandboxPayouts)
          .set(to)
          .where(and(eq(sandboxPayouts.payoutId, payoutId), eq(sandboxPayouts.status, from)))
          .run(),
      );
      return payout(payoutId);
    },
  };
}
