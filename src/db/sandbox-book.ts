import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Env } from "../env.ts";
import { databaseFor } from "./client.ts";
import { runIdempotent } from "./faults.ts";
import {
  sandboxCharges,
  sandboxDisputes,
  sandboxPayments,
  sandboxPayouts,
  sandboxRefunds,
} from "./schema/operations.ts";

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

interface Dispute {
  kind: "DISPUTE" | "CHARGEBACK";
  status: "OPEN" | "WON" | "LOST";
}

interface Refund {
  refundId: string;
  chargeId: string;
  endToEndId: string;
  amount: number;
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
    charge: async (chargeId: string) => {
      const [[ended], payments, disputes] = await db.batch([
        db
          .select({ status: sandboxCharges.status })
          .from(sandboxCharges)
          .where(eq(sandboxCharges.chargeId, chargeId)),
        db
          .select({
            endToEndId: sandboxPayments.endToEndId,
            amount: sandboxPayments.amount,
            paidAt: sandboxPayments.paidAt,
          })
          .from(sandboxPayments)
          .where(eq(sandboxPayments.chargeId, chargeId))
          .orderBy(sandboxPayments.paidAt),
        db
          .select()
          .from(sandboxDisputes)
          .where(eq(sandboxDisputes.chargeId, chargeId))
          .orderBy(sandboxDisputes.number),
      ]);
      return {
        status: ended?.status ?? ("open" as const),
        payments,
        disputes: disputes.map(({ number, kind, amount, status }) => ({
          id: `${chargeId}:${number}`,
          kind,
          amount,
          status,
        })),
      };
    },

    findPayment: async (chargeId: string, endToEndId: string): Promise<Payment | null> => {
      const [row] = await db
        .select({
          endToEndId: sandboxPayments.endToEndId,
          amount: sandboxPayments.amount,
          paidAt: sandboxPayments.paidAt,
        })
        .from(sandboxPayments)
        .where(
          and(eq(sandboxPayments.chargeId, chargeId), eq(sandboxPayments.endToEndId, endToEndId)),
        );
      return row ?? null;
    },

    addPayment: async (chargeId: string, payment: Payment): Promise<void> => {
      await runIdempotent(() =>
        db
          .insert(sandboxPayments)
          .values({ chargeId, ...payment })
          .onConflictDoNothing()
          .run(),
      );
    },

    endCharge: async (
      chargeId: string,
      status: "failed" | "expired" | "cancelled",
    ): Promise<void> => {
      await runIdempotent(() =>
        db
          .insert(sandboxCharges)
          .select(
            sql`SELECT ${chargeId}, ${status} WHERE NOT EXISTS (
              SELECT 1 FROM sandbox_payments WHERE charge_id = ${chargeId})`,
          )
          .onConflictDoNothing()
          .run(),
      );
    },

    refund: async ({ refundId, chargeId, endToEndId, amount }: Refund) => {
      const verdict = sql`CASE WHEN ${leftOf(chargeId, endToEndId)} >= ${amount}
        THEN 'done' ELSE 'refused' END`;
      const [, [row]] = await runIdempotent(() =>
        db.batch([
          db
            .insert(sandboxRefunds)
            .select(sql`SELECT ${refundId}, ${endToEndId}, ${amount}, ${verdict} WHERE true`)
            .onConflictDoNothing(),
          db
            .select({ status: sandboxRefunds.status })
            .from(sandboxRefunds)
            .where(eq(sandboxRefunds.refundId, refundId)),
        ]),
      );
      return row?.status ?? ("refused" as const);
    },

    findRefund: async (refundId: string): Promise<"done" | "refused" | null> => {
      const [row] = await db
        .select({ status: sandboxRefunds.status })
        .from(sandboxRefunds)
        .where(eq(sandboxRefunds.refundId, refundId));
      return row?.status ?? null;
    },

    addDispute: async (
      chargeId: string,
      endToEndId: string,
      { kind, status }: Dispute,
    ): Promise<void> => {
      const left = leftOf(chargeId, endToEndId);
      const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM sandbox_disputes
        WHERE charge_id = ${chargeId})`;
      // Run twice, the second finds nothing left.
      await runIdempotent(() =>
        db
          .insert(sandboxDisputes)
          .select(
            sql`SELECT ${chargeId}, ${number}, ${endToEndId}, ${kind}, ${left}, ${status}
              WHERE ${left} > 0`,
          )
          .run(),
      );
    },

    resolveDispute: async (chargeId: string, status: "WON" | "LOST"): Promise<void> => {
      await runIdempotent(() =>
        db
          .update(sandboxDisputes)
          .set({ status })
          .where(and(eq(sandboxDisputes.chargeId, chargeId), eq(sandboxDisputes.status, "OPEN")))
          .run(),
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

/** What of a payment was neither refunded nor asked back. */
function leftOf(chargeId: string, endToEndId: string): SQL {
  return sql`(
    coalesce((SELECT amount FROM sandbox_payments
      WHERE charge_id = ${chargeId} AND end_to_end_id = ${endToEndId}), 0)
    - coalesce((SELECT sum(amount) FROM sandbox_refunds
      WHERE end_to_end_id = ${endToEndId} AND status = 'done'), 0)
    - coalesce((SELECT sum(amount) FROM sandbox_disputes
      WHERE end_to_end_id = ${endToEndId} AND status <> 'WON'), 0))`;
}
