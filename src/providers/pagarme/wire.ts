import * as z from "zod";
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

/** The last attempt of a charge. Money is counted only on the charge: one may have several attempts. */
const Transaction = z.object({
  transaction_type: looseText,
  status: looseText,
  acquirer_nsu: looseText,
  acquirer_auth_code: looseText,
  acquirer_return_code: looseText,
  card: Card.nullish().catch(null),
  antifraud_response: z.object({ status: looseText }).nullish().catch(null),
  retry_info: z.object({ brand_failure_return_code: looseText }).nullish().catch(null),
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
