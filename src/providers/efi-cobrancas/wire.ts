import * as z from "zod";
import { toSentence } from "../calls/sentence.ts";

/**
 * What Efí's API Cobranças says, as this service reads it: fields that are not here are passed over. Money is centavos,
 * days are `YYYY-MM-DD`, times have no offset and are São Paulo's.
 */

const Code = z.union([z.int(), z.string().regex(/^\d+$/)]).transform(String);
const ChargeId = z.int().positive();
const Cents = z.int().nonnegative();
const Text = z.string();
const CUSTOM_ID = z.string().nullish();

/** `expires_in` in seconds; `expire_at`, the same as text, is not needed. A token without a lifetime is used once. */
export const TokenAnswer = z.object({
  access_token: z
    .string()
    .max(8_192)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().nonnegative().default(0),
});

/** A success: most answers say so as `code`, a refund's as `status`. */
export const Success = z.union([
  z.object({ code: Code.refine((code) => code === "200") }),
  z.object({ status: Code.refine((status) => status === "200") }),
]);

/** An error in Efí's own words, whatever the HTTP status. */
export const EfiProblem = z
  .object({
    code: Code,
    error: Text,
    error_description: z
      .union([Text, z.object({ property: Text.optional(), message: Text.optional() })])
      .nullish()
      .catch(null),
  })
  .transform(({ code, error, error_description: about }) => {
    const { property = "", message = "" } =
      typeof about === "object" && about !== null ? about : { message: about ?? "" };
    return { code, message: toSentence([message === "" ? error : message, property]) };
  });
export type EfiProblem = z.infer<typeof EfiProblem>;

const STATUSES = [
  "new",
  "link",
  "waiting",
  "identified",
  "approved",
  "paid",
  "unpaid",
  "settled",
  "refunded",
  "contested",
  "canceled",
  "expired",
] as const;
const Status = z.enum(STATUSES);
export type EfiStatus = (typeof STATUSES)[number];

/** Answer of `POST /v1/charge`. */
export const CreatedCharge = z.object({ data: z.object({ charge_id: ChargeId, total: Cents }) });

const Configurations = z
  .object({
    days_to_write_off: z.int().nullish(),
    fine: z.int().nullish(),
    interest: z.int().nullish(),
    interest_type: Text.nullish(),
  })
  .nullish();

/** A boleto. `barcode` is its typeable line; `pix` is there where the account issues Bolix. */
export const Billet = z.object({
  barcode: Text,
  expire_at: Text,
  pix: z.object({ qrcode: Text }).nullish().catch(null),
  configurations: Configurations,
});
export type Billet = z.infer<typeof Billet>;

/** Answer of `POST /v1/charge/:id/pay`. */
export const PaidBillet = z.object({
  data: Billet.extend({ charge_id: ChargeId, total: Cents, payment: z.literal("banking_billet") }),
});
export const PaidCard = z.object({
  data: z.object({
    charge_id: ChargeId,
    total: Cents,
    status: Status,
    payment: z.literal("credit_card"),
    reason: Text.nullish().catch(null),
    refusal: z.object({ reason: Text, retry: z.boolean() }).nullish().catch(null),
  }),
});
export type PaidCard = z.infer<typeof PaidCard>["data"];

const HistoryEntry = z.object({ message: Text, created_at: Text });

/** Answer of `GET /v1/charge/:id`: neither what was paid nor when. */
export const Detail = z.object({
  data: z.object({
    charge_id: ChargeId,
    total: Cents,
    status: Status,
    custom_id: CUSTOM_ID,
    created_at: Text,
    reason: Text.nullish().catch(null),
    history: z.array(HistoryEntry).catch([]),
    payment: z
      .object({
        method: Text,
        created_at: Text.nullish(),
        banking_billet: Billet.nullish().catch(null),
      })
      .nullish()
      .catch(null),
  }),
});
export type Detail = z.infer<typeof Detail>["data"];

/** An entry of `GET /v1/charges`. */
export const ListEntry = z.object({
  id: ChargeId,
  status: Status,
  custom_id: CUSTOM_ID,
  created_at: Text,
  payment: z
    .object({
      paid_at: Text.nullish(),
      received_by_bank_at: Text.nullish(),
      paid_value: Cents.nullish(),
    })
    .nullish(),
});
export type ListEntry = z.infer<typeof ListEntry>;

export const Page = z.object({
  data: z.array(z.unknown()),
  params: z.object({ pagination: z.object({ limit: z.int().positive(), page: z.int() }) }),
});

/** Answer of `GET /v1/notification/:token`: every change of a charge's status so far. */
export const Notice = z.object({
  data: z.array(
    z.object({
      custom_id: CUSTOM_ID,
      status: z.object({ current: Text }),
      identifiers: z.object({ charge_id: ChargeId.nullish() }),
      created_at: Text,
      value: Cents.nullish(),
      received_by_bank_at: Text.nullish(),
    }),
  ),
});
export type Notice = z.infer<typeof Notice>;
