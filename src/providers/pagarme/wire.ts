import * as z from "zod";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/**
 * What Pagar.me says, as this service reads it (API v5). Fields that are not here are passed over, a missing field may
 * also be null. Words for states are an open set. What moves money is read strictly, the rest loosely.
 */

/** Whole centavos. Movements have them as text (the SDK's models), all else as a number. */
const Centavos = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform((text): Cents => Number(text)),
]);
/** RFC 3339 as epoch milliseconds. Without its offset the hour is unknown. */
const Time = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));
/** A text that is read loosely; null for anything else. */
const looseText = z.string().min(1).nullish().catch(null);
export const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_\\w{1,64}$`));

const Card = z.object({
  id: looseText,
  first_six_digits: z.string().regex(/^\d{6}$/),
  last_four_digits: z.string().regex(/^\d{4}$/),
  brand: looseText,
  holder_name: looseText,
  exp_month: z.int().min(1).max(12),
  /** Two digits in some answers. */
  exp_year: z.int().min(0).max(2_100),
});

/** What the acquirer of a gateway says of further attempts. Read loosely: it moves no money. */
const RetryInfo = z
  .object({
    brand_failure_return_code: looseText,
    /** Attempts that are left. */
    transaction_limit: z
      .union([
        z.int().nonnegative(),
        z
          .string()
          .regex(/^\d{1,4}$/)
          .transform(Number),
      ])
      .nullish()
      .catch(null),
    /** When the count begins anew. */
    transaction_date_limit: Time.nullish().catch(null),
  })
  .nullish()
  .catch(null);

/** The last attempt of a charge. Money is counted only on the charge: one may have several attempts. */
const Transaction = z.object({
  transaction_type: looseText,
  status: looseText,
  acquirer_nsu: looseText,
  acquirer_auth_code: looseText,
  acquirer_return_code: looseText,
  card: Card.nullish().catch(null),
  antifraud_response: z.object({ status: looseText }).nullish().catch(null),
  retry_info: RetryInfo,
  gateway_response: z
    .object({ errors: z.array(z.object({ message: looseText })).nullish() })
    .nullish()
    .catch(null),
  line: looseText,
  barcode: looseText,
  nosso_numero: looseText,
  qr_code: looseText,
  paid_at: Time.nullish(),
  paid_amount: Centavos.nullish(),
});
export type Transaction = z.infer<typeof Transaction>;

const Customer = z.object({ id: looseText }).nullish().catch(null);

/** A charge as an order holds it, which names the customer, or by itself; then it names its order and its customer. */
export const Charge = z.object({
  id: idOf("ch"),
  amount: Centavos,
  status: z.string(),
  payment_method: z.string(),
  paid_at: Time.nullish(),
  paid_amount: Centavos.nullish(),
  canceled_amount: Centavos.nullish(),
  last_transaction: Transaction.nullish(),
  customer: Customer,
});
export type Charge = z.infer<typeof Charge>;

/** A charge that was asked for by its own id. */
export const ChargeOfOrder = Charge.extend({
  order: z.object({ id: idOf("or"), code: z.string() }),
});

/** An order of ours has one charge. */
export const Order = z.object({
  id: idOf("or"),
  code: z.string(),
  amount: Centavos,
  customer: Customer,
  charges: z.array(Charge),
});
export type Order = z.infer<typeof Order>;

/** A page of orders. `next`: the address of the next one. */
export const OrderPage = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ next: z.string().nullish() }).nullish(),
});

/** The code of an order, of any shape; null where it has none. */
export const OrderCode = z.object({ code: z.string() }).nullable().catch(null);

/** What the house took, or gave back; null for nothing. */
const Taken = z
  .int()
  .nullish()
  .transform((taken): Cents => taken ?? 0);
/** A day of São Paulo as a time, in most answers its midnight. */
const DayTime = z.union([
  Time.transform(saoPauloDay),
  z.iso.date(),
  z.iso.datetime({ local: true }).transform((time) => time.slice(0, "YYYY-MM-DD".length)),
]);

/**
 * A receivable (`payable`). Its id was a number until 2026, and is a text since. What reduces the balance is told by its
 * type, in some answers by its sign too.
 */
export const Payable = z.object({
  id: z.union([z.string().min(1).max(64), z.int().transform(String)]),
  status: z.string(),
  amount: z.int(),
  fee: Taken,
  anticipation_fee: Taken,
  fraud_coverage_fee: Taken,
  installment: z
    .int()
    .positive()
    .nullish()
    .transform((installment) => installment ?? 1),
  /** Null for one of no charge, such as an adjustment of the account. */
  charge_id: idOf("ch").nullable(),
  bulk_anticipation_id: looseText,
  anticipation_id: looseText,
  payment_date: DayTime,
  type: z.string(),
  created_at: Time.nullish().catch(null),
});
export type Payable = z.infer<typeof Payable>;

/** A page of receivables; the cursor leads to the next one. */
export const PayablePage = z.object({
  data: z.array(z.unknown()).nullish(),
  paging: z.object({ forward_cursor: z.string().nullish() }),
});
