import type { z } from "@hono/zod-openapi";
import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import type { CardIdentity, PaymentDetails } from "../domain/charges/payment-details.ts";
import type { ListedTransaction, TransactionRecord } from "../domain/charges/transaction.ts";
import type { Company } from "../domain/shared/company.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { FieldErrors, ProblemDetails } from "../domain/shared/problem.ts";

/** The stored part of a charge that a method reads. */
export type Charge = Pick<
  TransactionRecord,
  "id" | "companyId" | "amount" | "installments" | "expiresAt" | keyof PaymentDetails
>;

/** The part of a charge that says what is owed for it on a day. */
type PricedCharge = Pick<ListedTransaction, "amount" | "boleto" | "pix">;

/** The columns that a method fills, at the create request or by a provider's answer. */
export type MethodColumns = Partial<PaymentDetails>;

/** A registered boleto as its payer sees it. */
interface Slip {
  digitableLine: string;
  formattedLine: string;
  dueDate: string;
  url: string;
  pdfUrl: string;
}

/** The methods' fields of an answer that say what a charge is paid by. */
interface PayableAnswer {
  pix?: { qrcode: string } | undefined;
  boleto?: (Slip & { qrcode: string | null }) | undefined;
}

/** What a payer pays a charge by: its BR Code, its slip, both, or nothing. */
interface HowToPay {
  code: string | null;
  slip: Slip | null;
}

/** A create request that passed its schema, with the part that every method reads. */
export type RequestOf<Fields> = Fields & {
  amount: Cents;
  paymentMethod: PaymentMethod;
  installments?: number | undefined;
};

/**
 * One payment method. Everything outside `methods/` asks the registry and never compares a name, with
 * three exceptions: a provider's adapter translates each order to its own API (a BACEN `cob` is a PIX),
 * the routes about an instrument itself (`api/pix`, `api/boletos`, `api/cards`) use its folder, and the
 * console's form of a new charge has fields of each method.
 * `test/unit/tooling/method-names.test.ts` holds the rule.
 *
 * `Fields` is the method's part of the create request.
 */
interface MethodRules<Fields> {
  readonly name: PaymentMethod;
  /** What payers call it, in Portuguese. */
  readonly label: string;

  /** The method's fields of the create request. */
  readonly requestFields: Record<string, z.ZodType>;
  /** Paths that a request by this method must fill, beyond its schema. */
  readonly requiredFields: readonly (readonly string[])[];
  /** Faults of the method's fields that depend on the day or on other fields, by any method's request. */
  fieldErrors(body: Record<string, unknown>, today: string): z.core.$ZodIssue[];
  readonly maxInstallments: number;
  /** Why a request by any method is refused for this one's sake; null where nothing is wrong. */
  requestProblem(request: RequestOf<Fields>, mode: Company["mode"]): ProblemDetails | null;
  /**
   * The fields of a request whose charge can be paid for so many seconds only; none where a method counts in
   * days, or where nothing waits to be paid.
   */
  payableFor(seconds: number): object;
  /** What the method's fields mean where a request leaves them out, by field. */
  readonly requestDefaults: object;
  /** Replaces secret fields where two requests with one idempotency key are compared. */
  fingerprint(request: Fields): object;
  /** The fields of a request by this method, for the API reference. */
  readonly exampleRequest: object;
  /** The content of the creation answer in words, for the API reference. */
  readonly answerSummary: string;

  /** The columns and the expiry of a new charge; `origin`: scheme, host and port of the service. */
  draft(
    request: Fields,
    at: { nowMs: number; origin: string },
  ): MethodColumns & { expiresAt: number | null };
  /** The columns of a charge that its provider has not decided, as far as the request shows them. */
  asRequested(charge: Charge, request: Fields): MethodColumns;

  /** The method's fields of the creation answer and of webhooks. */
  readonly responseFields: Record<string, z.ZodType>;
  view(record: TransactionRecord): object;

  /** What its payer pays a charge by, of the answer about it. */
  howToPay(answer: PayableAnswer): HowToPay;
  /** Methods by which a payer may pay such a charge. */
  readonly payableBy: readonly PaymentMethod[];
  /** Whether a payment's id is a PIX end-to-end id (BACEN). */
  readonly hasEndToEndId: boolean;
  /** The amount owed on a day (`YYYY-MM-DD` in America/Sao_Paulo), centavos. */
  amountDue(charge: PricedCharge, day: string): Cents;
  /**
   * Whether a payer's bank can rightly have asked for `paid` centavos at a time (epoch ms), where it knows other
   * holidays or rounds otherwise than `amountDue`.
   */
  isRightAmount(charge: PricedCharge, paid: Cents, paidAt: number): boolean;
  /**
   * Whether nobody can pay a charge after its `expiresAt`. False where banks report late: then only the
   * provider says that a charge has expired.
   */
  readonly expiresByClock: boolean;
  readonly defaultReleaseDays: number;
  /** The number of parts a paid charge is released in. */
  releaseParts(installments: number): number;
}

/** The payer pays a charge that the provider has registered before, as by PIX or boleto. */
export interface PushMethod<Fields, Order, Registration> extends MethodRules<Fields> {
  readonly initiation: "push";
  /**
   * When a second account may be asked for a charge that the first one did not answer about. `always` only where nobody
   * can see, and so pay, a charge whose code he was not given; else until the first one is told to make what can be paid.
   */
  readonly leaves: "always" | "until_bound";
  order(charge: Charge): Order;
  /** The columns and the expiry of a registered charge; null where it is not what was ordered. */
  register(
    charge: Charge,
    registration: Registration,
  ): (MethodColumns & { expiresAt: number }) | null;
  /**
   * The columns and the expiry of a charge with another due date, and why it cannot have that day; null of one without a
   * due date. Left out where a due date never changes.
   */
  withDueDate?(
    charge: Charge,
    dueDate: string,
    today: string,
  ): { columns: MethodColumns & { expiresAt: number }; errors: string[] } | null;
  /** Whether a charge has what its payer pays it by, such as a code; not before it is registered. */
  isRegistered(charge: PaymentDetails): boolean;
}

/**
 * The provider takes the money when the charge is created, as from a card: its answer is a decision.
 * The request alone holds the credentials, so nobody else can send the order.
 */
export interface PullMethod<Fields, Order> extends MethodRules<Fields> {
  readonly initiation: "pull";
  /** `savedCard`: what the house gave for the one that the request names; null where it names none. */
  order(charge: Charge, request: Fields, savedCard: string | null): Order;
  /** The saved card that is charged, by its id, and whether the payer lets this one be saved. */
  savedCardOf(request: Fields): { id: string | null; isSaved: boolean };
  /** What the order would be charged to, as attempts are counted by: a card, or a token of one. */
  instrumentOf(request: Fields): CardIdentity | { token: string } | null;
  /** The account that made what would be charged, by the request; null where it does not say. */
  accountOf(request: Fields): string | null;
  /**
   * Faults of what would be charged where this account takes the charge, by the field of the request; `savedAt`: the account
   * of the saved card, null where none is charged.
   */
  accountFaults(request: Fields, account: string, savedAt: string | null): FieldErrors;
}
