import type { OperationReport } from "../../company/operations/command-types.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { ChangedBoleto, RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { assert } from "../../lib/assert.ts";
import { methodOf } from "../../methods/registry.ts";
import type { BoletoOrder } from "../../providers/due-dates.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { BookingContext, ClaimedOperation } from "../payments/provider-order.ts";
import { requireTransaction, shownAt } from "./attempts/shown-at.ts";
import { orderOf, planReminders } from "./register-charge.ts";
import { syncCharge } from "./sync.ts";

/** Another due date of a transaction, as its provider is asked for it. */
interface DueDateOrder {
  /** The row with that day. */
  charge: TransactionRow;
  order: BoletoOrder;
  /** When it ends unpaid with that day, epoch milliseconds. */
  expiresAt: number;
  /** Why it cannot have that day now. */
  errors: string[];
}

/** The order for another due date of a transaction; null of one whose day never changes. */
export function dueDateOrder(
  company: Pick<Company, "name">,
  row: TransactionRow,
  dueDate: string,
  nowMs: number,
): DueDateOrder | null {
  const method = methodOf(row.paymentMethod);
  if (method.initiation === "pull") return null;
  const changed = method.withDueDate?.(row, dueDate, saoPauloDay(nowMs)) ?? null;
  if (changed === null) return null;
  const charge = { ...row, ...changed.columns };
  // Only a boleto's method has `withDueDate`, and it orders a boleto.
  const order = orderOf(company, charge, method.order(charge)) as BoletoOrder;
  return { charge, order, expiresAt: changed.columns.expiresAt, errors: changed.errors };
}

/** Why a transaction cannot have a due date, also at its account; none where it can. */
export function dueDateErrors({ order, errors }: DueDateOrder, provider: Provider): string[] {
  return errors.length > 0 ? errors : (provider.orderFaults(order)["boleto.dueDate"] ?? []);
}

/** The problem of a day that a boleto cannot have. */
export function wrongDueDate(errors: string[]): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: dueDate.",
    errors: { dueDate: errors },
  });
}

/** The problem of a transaction whose account changes no due date of it. */
export function keepsDueDate(): Problem {
  return new Problem({
    code: "NOT_SUPPORTED_BY_PROVIDER",
    detail: "The account that has this charge changes no due date of it by API.",
  });
}

/**
 * Has a boleto's provider change its due date. Repeated after a lost answer, it looks first. A refusal of a repeat counts
 * only once the first call cannot be on its way any more; after one the charge is refreshed.
 */
export async function executeDueDate(
  context: BookingContext,
  begunAt: Provider,
  claimed: ClaimedOperation,
): Promise<OperationReport> {
  const { company, deps } = context;
  const { transactionId, dueDate } = claimed.order;
  assert(transactionId !== null && dueDate !== undefined, "a due date is of a transaction");
  const row = await requireTransaction(context, transactionId);
  const provider = await shownAt(context, row, begunAt, claimed.order);
  const asked = dueDateOrder(company, row, dueDate.to, deps.clock.now());
  if (asked === null || provider?.dueDates === undefined) return { kind: "unknown" };
  const about = { provider: provider.name, companyId: company.id };
  const outcome = await callProvider(provider.dueDates.change(asked.order), about);
  if (outcome.kind === "unknown") return outcome;
  if (outcome.kind === "refused") {
    await syncCharge(context, provider, row);
    const isFinal = claimed.kind === "send" || claimed.refusalIsFinal;
    return isFinal ? { kind: "failed", reason: outcome.reason } : { kind: "unknown" };
  }
  const boleto = changedBoleto(asked, outcome);
  if (boleto === null) return { kind: "unknown" };
  await planReminders(context, asked.charge);
  return { kind: "done", boleto };
}

/** Null where the line is not of that day and amount. */
function changedBoleto(
  { charge }: DueDateOrder,
  answer: { boleto: RegisteredBoleto },
): ChangedBoleto | null {
  const method = methodOf(charge.paymentMethod);
  const changed = method.initiation === "pull" ? null : method.register(charge, answer);
  const boleto = changed?.boleto ?? null;
  if (changed === null || boleto === null || boleto.registered === null) return null;
  const { dueDate, registered } = boleto;
  return { dueDate, registered, expiresAt: changed.expiresAt };
}
