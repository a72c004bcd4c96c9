import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Card, ChargedCard, RefusedReason } from "../domain/charges/payment-details.ts";
import type { ReportedPayer } from "../domain/charges/payer-match.ts";
import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import type { DisputeReason } from "../domain/disputes/dispute.ts";
import { configOf, type Env } from "../config.ts";
import { drizzle } from "drizzle-orm/d1";
import { directoryOf, type Database } from "./client.ts";
import { databaseNamed } from "./sharding/databases.ts";
import { runIdempotent } from "./storage-errors.ts";
import {
  sandboxCardCharges,
  sandboxCardTokens,
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
  orderedAt: number;
  returnedAmount: number;
}

const { payoutId: _payoutId, ...PAYOUT } = getTableColumns(sandboxPayouts);

interface Payment {
  paymentId: string;
  method: PaymentMethod;
  amount: number;
  paidAt: number;
  /** With a masked document; `customer`: whom the charge names. */
  payer?: ReportedPayer | "customer" | undefined;
}

interface CardCharge {
  decision: "approved" | "refused" | "unheard";
  amount: number;
  card: ChargedCard;
  nsu: string;
  refusedReason: RefusedReason | null;
}

interface Token {
  token: string;
  card: Card;
  outcome: string;
  createdAt: number;
}

/** The columns of a `Payment`. */
const PAYMENT = {
  paymentId: sandboxPayments.paymentId,
  method: sandboxPayments.method,
  amount: sandboxPayments.amount,
  paidAt: sandboxPayments.paidAt,
  payer: sandboxPayments.payer,
};

interface Dispute {
  kind: "DISPUTE" | "CHARGEBACK";
  status: "OPEN" | "WON" | "LOST";
  reason?: DisputeReason;
  deadline?: number;
}

interface Refund {
  refundId: string;
  paymentId: string;
  amount: number;
  orderedAt: number;
  isInstead: boolean;
}

/**
 * The sandbox bank's book in D1. Every write is safe to repeat. The book is in the database for sandbox
 * companies, by default the directory: a company move leaves it.
 */
export function sandboxBankStore(env: Env, companyId: number) {
  const { sandboxDatabase } = configOf(env);
  const db =
    sandboxDatabase === null ? directoryOf(env) : drizzle(databaseNamed(env, sandboxDatabase));
  return {
    ...chargeBook(db),
    ...cardBook(db, companyId),
    ...refundBook(db),
    ...disputeBook(db),
    ...payoutBook(db),
  };
}

function chargeBook(db: Database) {
  return {
    charge: (chargeId: string) => findCharge(db, chargeId),

    findPayment: async (paymentId: string) => {
      const [[row], disputes] = await db.batch([
        db
          .select({ ...PAYMENT, chargeId: sandboxPayments.chargeId, txid: sandboxPayments.txid })
          .from(sandboxPayments)
          .where(eq(sandboxPayments.paymentId, paymentId)),
        db
          .select()
          .from(sandboxDisputes)
          .where(eq(sandboxDisputes.paymentId, paymentId))
          .orderBy(sandboxDisputes.chargeId, sandboxDisputes.number),
      ]);
      if (row === undefined) return null;
      const { chargeId, txid, ...payment } = row;
      return { payment: toPayment(payment), chargeId, txid, disputes: disputes.map(toDispute) };
    },

    addPayment: async (
      chargeId: string,
      { payer, ...payment }: Payment,
      txid: string | null,
    ): Promise<void> => {
      const namedPayer = payer === undefined || payer === "customer" ? null : payer;
      await runIdempotent(() =>
        db
          .insert(sandboxPayments)
          .values({ chargeId, txid, payer: namedPayer, ...payment })
          .onConflictDoNothing()
          .run(),
      );
    },

    endCharge: async (
      chargeId: string,
      status: "failed" | "expired" | "cancelled",
    ): Promise<void> => {
      // A failed charge has an unanswered card decision; any other end needs an approved one.
      const decision = status === "failed" ? "unheard" : "approved";
      await runIdempotent(() =>
        db
          .insert(sandboxCharges)
          .select(
            sql`SELECT ${chargeId}, ${status} WHERE NOT EXISTS (
              SELECT 1 FROM sandbox_payments WHERE charge_id = ${chargeId})
              AND NOT EXISTS (SELECT 1 FROM sandbox_card_charges
                WHERE charge_id = ${chargeId} AND decision <> ${decision})`,
          )
          .onConflictDoNothing()
          .run(),
      );
    },
  };
}

function cardBook(db: Database, companyId: number) {
  return {
    recordCardDecision: async (chargeId: string, card: CardCharge, payment: Payment | null) => {
      // The NSU shows whether this call recorded the decision; only then it inserts the payment.
      const isRecordedHere = sql`EXISTS (SELECT 1 FROM sandbox_card_charges
        WHERE charge_id = ${chargeId} AND nsu = ${card.nsu})`;
      await runIdempotent(async () => {
        const insertDecision = db
          .insert(sandboxCardCharges)
          .values({ chargeId, ...card })
          .onConflictDoNothing();
        if (payment === null) await insertDecision.run();
        else await db.batch([insertDecision, insertPayment(db, chargeId, payment, isRecordedHere)]);
      });
      return findCharge(db, chargeId);
    },

    captureCard: async (
      chargeId: string,
      decisions: readonly CardCharge["decision"][],
      payment: Payment,
    ) => {
      const isCapturable = sql`EXISTS (SELECT 1 FROM sandbox_card_charges
        WHERE charge_id = ${chargeId} AND decision IN ${decisions} AND amount >= ${payment.amount})`;
      await runIdempotent(() => insertPayment(db, chargeId, payment, isCapturable).run());
      return findCharge(db, chargeId);
    },

    addToken: async (token: Token): Promise<void> => {
      await runIdempotent(() =>
        db
          .insert(sandboxCardTokens)
          .values({ companyId, ...token })
          .onConflictDoNothing()
          .run(),
      );
    },

    findToken: async (token: string): Promise<Token | null> => {
      const [row] = await db
        .select()
        .from(sandboxCardTokens)
        .where(and(eq(sandboxCardTokens.token, token), eq(sandboxCardTokens.companyId, companyId)));
      return row ?? null;
    },
  };
}

function refundBook(db: Database) {
  return {
    recordRefund: async ({ refundId, paymentId, amount, orderedAt, isInstead }: Refund) => {
      const claims = isInstead ? "LOST" : null;
      const status = sql`CASE WHEN ${remainingAmount(paymentId, claims)} >= ${amount}
        THEN 'done' ELSE 'refused' END`;
      const [, [row]] = await runIdempotent(() =>
        db.batch([
          db
            .insert(sandboxRefunds)
            .select(
              sql`SELECT ${refundId}, ${paymentId}, ${amount}, ${status}, ${orderedAt} WHERE true`,
            )
            .onConflictDoNothing(),
          db
            .select({ status: sandboxRefunds.status })
            .from(sandboxRefunds)
            .where(eq(sandboxRefunds.refundId, refundId)),
        ]),
      );
      return row?.status ?? ("refused" as const);
    },

    findRefund: async (refundId: string) => {
      const [row] = await db
        .select({ status: sandboxRefunds.status, orderedAt: sandboxRefunds.orderedAt })
        .from(sandboxRefunds)
        .where(eq(sandboxRefunds.refundId, refundId));
      return row ?? null;
    },
  };
}

function disputeBook(db: Database) {
  return {
    addDispute: async (
      chargeId: string,
      paymentId: string,
      { kind, status, reason, deadline }: Dispute,
    ): Promise<void> => {
      const remaining = remainingAmount(paymentId);
      const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM sandbox_disputes
        WHERE charge_id = ${chargeId})`;
      // A repeated run finds no remaining amount and inserts nothing.
      await runIdempotent(() =>
        db
          .insert(sandboxDisputes)
          .select(
            sql`SELECT ${chargeId}, ${number}, ${paymentId}, ${kind}, ${remaining}, ${status},
                ${reason ?? null}, ${deadline ?? null}
              WHERE ${remaining} > 0`,
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

    reverseChargebacks: async (chargeId: string): Promise<void> => {
      await runIdempotent(() =>
        db
          .update(sandboxDisputes)
          .set({ status: "WON" })
          .where(
            and(
              eq(sandboxDisputes.chargeId, chargeId),
              eq(sandboxDisputes.kind, "CHARGEBACK"),
              eq(sandboxDisputes.status, "LOST"),
            ),
          )
          .run(),
      );
    },
  };
}

function payoutBook(db: Database) {
  return {
    payout: (payoutId: string) => findPayout(db, payoutId),

    recordPayout: async (payoutId: string, payout: Payout): Promise<Payout> => {
      const [, [row]] = await runIdempotent(() =>
        db.batch([
          db
            .insert(sandboxPayouts)
            .values({ payoutId, ...payout })
            .onConflictDoNothing(),
          db.select(PAYOUT).from(sandboxPayouts).where(eq(sandboxPayouts.payoutId, payoutId)),
        ]),
      );
      return row ?? payout;
    },

    transitionPayout: async (
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
      return findPayout(db, payoutId);
    },
  };
}

async function findCharge(db: Database, chargeId: string) {
  const [[ended], payments, disputes, [card]] = await db.batch([
    db
      .select({ status: sandboxCharges.status })
      .from(sandboxCharges)
      .where(eq(sandboxCharges.chargeId, chargeId)),
    db
      .select(PAYMENT)
      .from(sandboxPayments)
      .where(eq(sandboxPayments.chargeId, chargeId))
      .orderBy(sandboxPayments.paymentId),
    db
      .select()
      .from(sandboxDisputes)
      .where(eq(sandboxDisputes.chargeId, chargeId))
      .orderBy(sandboxDisputes.number),
    db.select().from(sandboxCardCharges).where(eq(sandboxCardCharges.chargeId, chargeId)),
  ]);
  return {
    status: ended?.status ?? ("open" as const),
    payments: payments.map(toPayment).toSorted((one, other) => one.paidAt - other.paidAt),
    disputes: disputes.map(toDispute),
    card: card ?? null,
  };
}

function toPayment({
  payer,
  ...payment
}: Omit<Payment, "payer"> & { payer: ReportedPayer | null }) {
  return { ...payment, payer: payer ?? ("customer" as const) };
}

function toDispute(row: typeof sandboxDisputes.$inferSelect) {
  const { chargeId, number, kind, amount, status, reason, deadline } = row;
  return {
    id: `${chargeId}:${number}`,
    kind,
    amount,
    status,
    ...(reason === null ? {} : { reason }),
    ...(deadline === null ? {} : { deadline }),
  };
}

async function findPayout(db: Database, payoutId: string): Promise<Payout | null> {
  const [row] = await db
    .select(PAYOUT)
    .from(sandboxPayouts)
    .where(eq(sandboxPayouts.payoutId, payoutId));
  return row ?? null;
}

/** Inserts a payment once, if its charge has not ended and the condition holds. */
function insertPayment(
  db: Database,
  chargeId: string,
  { paymentId, method, amount, paidAt }: Payment,
  condition: SQL,
) {
  return db
    .insert(sandboxPayments)
    .select(
      sql`SELECT ${chargeId}, ${paymentId}, ${method}, ${amount}, ${paidAt}, NULL, NULL
        WHERE ${condition}
        AND NOT EXISTS (SELECT 1 FROM sandbox_charges WHERE charge_id = ${chargeId})`,
    )
    .onConflictDoNothing();
}

/** The part of a payment, in centavos, that is neither refunded nor in a dispute of this status, or in one not won (null). */
function remainingAmount(paymentId: string, claims: "LOST" | null = null): SQL {
  const counted = claims === null ? sql`status <> 'WON'` : sql`status = ${claims}`;
  return sql`(
    coalesce((SELECT amount FROM sandbox_payments WHERE payment_id = ${paymentId}), 0)
    - coalesce((SELECT sum(amount) FROM sandbox_refunds
      WHERE payment_id = ${paymentId} AND status = 'done'), 0)
    - coalesce((SELECT sum(amount) FROM sandbox_disputes
      WHERE payment_id = ${paymentId} AND ${counted}), 0))`;
}
