import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import {
  PAYMENT_METHODS,
  type ChargeStatus,
  type PaymentMethod,
} from "../../domain/charges/charge-status.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { databaseFor } from "../client.ts";
import { cashierCharges, cashierShifts } from "../schema/cashier/shifts.ts";
import { transactions } from "../schema/transactions.ts";
import { runIdempotent } from "../storage-errors.ts";

/** A cashier of a company, as the audit trail names people. Nobody sees another one's shifts. */
export interface Cashier {
  companyId: number;
  cashier: string;
}

/** A cashier's shift. Epoch milliseconds; `closedAt` is null while it is open. */
export interface Shift {
  id: string;
  openedAt: number;
  closedAt: number | null;
}

/** A charge that a cashier made, as the projection has it. Centavos, epoch milliseconds. */
export interface CashierCharge {
  id: string;
  shiftId: string;
  amount: Cents;
  paidAmount: Cents;
  status: ChargeStatus;
  paymentMethod: PaymentMethod;
  createdAt: number;
  paidAt: number | null;
  payerName: string | null;
  /** The code that its payer's bank reads. */
  qrcode: string | null;
}

/** What a shift took by one method. */
export interface ShiftSum {
  paymentMethod: PaymentMethod;
  payments: number;
  amount: Cents;
}

const SHIFT = {
  id: cashierShifts.id,
  openedAt: cashierShifts.openedAt,
  closedAt: cashierShifts.closedAt,
};
const CHARGE = {
  id: transactions.id,
  shiftId: cashierCharges.shiftId,
  amount: transactions.amount,
  paidAmount: transactions.paidAmount,
  status: transactions.status,
  paymentMethod: transactions.paymentMethod,
  createdAt: transactions.createdAt,
  paidAt: transactions.paidAt,
  payerName: sql<string | null>`${transactions.paidBy} ->> 'name'`,
  qrcode: sql<string | null>`${transactions.pix} ->> 'qrcode'`,
};

const IS_THE_CHARGE = and(
  eq(transactions.companyId, cashierCharges.companyId),
  eq(transactions.id, cashierCharges.chargeId),
);
const IS_THE_SHIFT = and(
  eq(cashierShifts.companyId, cashierCharges.companyId),
  eq(cashierShifts.id, cashierCharges.shiftId),
);

/** The cashier's open shift; null without one. */
export async function findOpenShift(env: Env, of: Cashier): Promise<Shift | null> {
  const [shift] = await databaseFor(env, of.companyId)
    .select(SHIFT)
    .from(cashierShifts)
    .where(and(isOf(of), isNull(cashierShifts.closedAt)));
  return shift ?? null;
}

/** A shift of the cashier's own; null for another's. */
export async function findShift(env: Env, of: Cashier, id: string): Promise<Shift | null> {
  const [shift] = await databaseFor(env, of.companyId)
    .select(SHIFT)
    .from(cashierShifts)
    .where(and(isOf(of), eq(cashierShifts.id, id)));
  return shift ?? null;
}

/** Opens a shift; answers false if one is open. */
export async function openShift(
  env: Env,
  of: Cashier,
  { id, openedAt }: Pick<Shift, "id" | "openedAt">,
): Promise<boolean> {
  const opened = await runIdempotent(() =>
    databaseFor(env, of.companyId)
      .insert(cashierShifts)
      .values({ ...of, id, openedAt })
      .onConflictDoNothing()
      .returning({ id: cashierShifts.id }),
  );
  return opened.length > 0;
}

/** Closes the cashier's shift; answers false if it is closed already. */
export async function closeShift(
  env: Env,
  of: Cashier,
  { id, closedAt }: { id: string; closedAt: number },
): Promise<boolean> {
  const closed = await databaseFor(env, of.companyId)
    .update(cashierShifts)
    .set({ closedAt })
    .where(and(isOf(of), eq(cashierShifts.id, id), isNull(cashierShifts.closedAt)))
    .returning({ id: cashierShifts.id });
  return closed.length > 0;
}

/** Notes that a charge was made in a shift; a repeat changes nothing. */
export async function noteCashierCharge(
  env: Env,
  companyId: number,
  { chargeId, shiftId, nowMs }: { chargeId: string; shiftId: string; nowMs: number },
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .insert(cashierCharges)
      .values({ companyId, chargeId, shiftId, createdAt: nowMs })
      .onConflictDoNothing(),
  );
}

/** A charge that the cashier made; null for any other. */
export async function findCashierCharge(
  env: Env,
  of: Cashier,
  id: string,
): Promise<CashierCharge | null> {
  const [charge] = await databaseFor(env, of.companyId)
    .select(CHARGE)
    .from(cashierCharges)
    .innerJoin(cashierShifts, IS_THE_SHIFT)
    .innerJoin(transactions, IS_THE_CHARGE)
    .where(
      and(isOf(of), eq(cashierCharges.companyId, of.companyId), eq(cashierCharges.chargeId, id)),
    );
  return charge ?? null;
}

/** The newest charges of a shift. */
export async function newestOfShift(
  env: Env,
  companyId: number,
  { shiftId, limit }: { shiftId: string; limit: number },
): Promise<CashierCharge[]> {
  return databaseFor(env, companyId)
    .select(CHARGE)
    .from(cashierCharges)
    .innerJoin(transactions, IS_THE_CHARGE)
    .where(isIn(companyId, shiftId))
    .orderBy(desc(cashierCharges.createdAt))
    .limit(limit);
}

/** What a shift took by method: its charges that were paid by the time it closed, as paid. */
export async function sumsOfShift(
  env: Env,
  companyId: number,
  { id, closedAt }: Shift,
): Promise<ShiftSum[]> {
  const db = databaseFor(env, companyId);
  // `+` keeps SQLite from walking all the company's payments by their time.
  const isPaid =
    closedAt === null
      ? sql`+${transactions.paidAt} IS NOT NULL`
      : sql`+${transactions.paidAt} <= ${closedAt}`;
  const sums = await Promise.all(
    PAYMENT_METHODS.map(async (paymentMethod) => {
      const [sum] = await db
        .select({
          payments: sql<number>`count(*)`,
          amount: sql<number>`coalesce(sum(${transactions.paidAmount}), 0)`,
        })
        .from(cashierCharges)
        .innerJoin(transactions, IS_THE_CHARGE)
        .where(and(isIn(companyId, id), isPaid, eq(transactions.paymentMethod, paymentMethod)));
      return { paymentMethod, payments: sum?.payments ?? 0, amount: sum?.amount ?? 0 };
    }),
  );
  return sums.filter(({ payments }) => payments > 0);
}

/** How many of a shift's charges still wait for their payment, and how much. */
export async function waitingOfShift(
  env: Env,
  companyId: number,
  shiftId: string,
): Promise<{ charges: number; amount: Cents }> {
  const [waiting] = await databaseFor(env, companyId)
    .select({
      charges: sql<number>`count(*)`,
      amount: sql<number>`coalesce(sum(${transactions.amount}), 0)`,
    })
    .from(cashierCharges)
    .innerJoin(transactions, IS_THE_CHARGE)
    // `+` keeps SQLite from walking all the company's open charges.
    .where(
      and(
        isIn(companyId, shiftId),
        sql`+${transactions.status} IN ('creating', 'waiting_payment')`,
      ),
    );
  return waiting ?? { charges: 0, amount: 0 };
}

function isOf({ companyId, cashier }: Cashier) {
  return and(eq(cashierShifts.companyId, companyId), eq(cashierShifts.cashier, cashier));
}

function isIn(companyId: number, shiftId: string) {
  return and(eq(cashierCharges.companyId, companyId), eq(cashierCharges.shiftId, shiftId));
}
