import type {
  DecidePayment,
  DecidePaymentAnswer,
  PaymentToCredit,
} from "../../company/charges/payment-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { log } from "../../lib/log.ts";
import { createTransactionOfPayment } from "../transactions/payment-charge.ts";
import type { BookingContext } from "./provider-order.ts";

/** The title of the item of a transaction that is made for a payment. */
const DESCRIPTION = "Pagamento recebido sem cobrança";

/** A request that the service makes by itself. */
const UNKEYED = { key: null, traceId: "", requestHash: "" };

/** A credit, and who asks for it: null where it goes on by rule or request. */
type Credit = Pick<DecidePayment, "paymentId" | "target" | "requestedBy" | "limits" | "request">;

/** Has the object credit a payment, and makes a transaction for it first where it has none. */
export async function creditPayment(
  context: BookingContext,
  credit: Credit,
): Promise<Exclude<DecidePaymentAnswer, { kind: "make" }>> {
  const answer = await decide(context, credit);
  if (answer.kind !== "make") return answer;
  const row = await makeTransaction(context, answer.payment);
  const made = { kind: "made", terms: chargeTerms(row) } as const;
  const credited = await decide(context, { ...credit, target: made });
  if (credited.kind === "make")
    throw new Error("a payment is credited to the charge that is named");
  await endUnused(context, row, credited);
  return credited;
}

/**
 * Credits a payment whose rule or merchant asked for it. Idempotent: the transaction is made once for each
 * payment, and the object credits it once.
 */
export async function creditToNewTransaction(
  context: BookingContext,
  paymentId: string,
): Promise<void> {
  const credit = { paymentId, target: null, requestedBy: null, request: UNKEYED };
  const answer = await creditPayment(context, credit);
  if (answer.kind === "credited") return;
  const { kind } = answer;
  log("warn", "payment_not_credited", { companyId: context.company.id, paymentId, kind });
}

function decide(
  { env, deps, company }: BookingContext,
  credit: Credit,
): Promise<DecidePaymentAnswer> {
  const { id: companyId, credentialsVersion } = company;
  const command: DecidePayment = {
    companyId,
    credentialsVersion,
    action: "credit",
    operationId: newUuid(deps.random),
    ...credit,
  };
  return callCompany(env, companyId, (account) => account.decidePayment(command));
}

function makeTransaction(
  { env, deps, company }: BookingContext,
  payment: PaymentToCredit,
): Promise<TransactionRow> {
  const { paymentId, paymentMethod, amount, paidAt, account, payer } = payment;
  return createTransactionOfPayment(env, deps, company, {
    paymentId,
    paymentMethod,
    amount,
    paidAt,
    account,
    externalRef: "",
    description: DESCRIPTION,
    payer,
    origin: "unexpected_payment",
  });
}

/** Ends a transaction whose payment was credited elsewhere meanwhile: nobody else can pay it. */
async function endUnused(
  { env, company }: BookingContext,
  row: TransactionRow,
  answer: DecidePaymentAnswer,
): Promise<void> {
  const isCreditedElsewhere = answer.kind === "credited" && answer.payment.transactionId !== row.id;
  if (!isCreditedElsewhere) return;
  const { id: companyId } = company;
  await callCompany(env, companyId, (account) =>
    account.transitionCharge({
      companyId,
      terms: chargeTerms(row),
      to: "cancelled",
      cancelReason: "REQUESTED",
    }),
  );
}
