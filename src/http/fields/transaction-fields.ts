import { z } from "@hono/zod-openapi";
import { FailureReasonSchema } from "./failure-reason.ts";

/** The paid amount, in every view of a transaction. */
export const paidFields = {
  paidAmount: z
    .int()
    .nullable()
    .openapi({ description: "centavos; what really came, null until it is paid", example: null }),
  underpaid: z.boolean().openapi({
    description:
      "Whether less came than was due on the day of payment: of a boleto with discount, fine and " +
      "interest, else the amount.",
    example: false,
  }),
};

/** Why it failed or was refused, in every view of a transaction; left out in any other status. */
export const failureFields = {
  failureReason: FailureReasonSchema.optional(),
};

/** That its texts are in the archive; an entry of a list then has no address. */
export const listedArchiveFields = {
  archived: z
    .literal(true)
    .optional()
    .openapi({
      description:
        "Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. " +
        "Else absent.",
    }),
};

/** Whether its texts are in the archive, in every view that shows them. */
export const archiveFields = {
  ...listedArchiveFields,
  textsMissing: z
    .literal(true)
    .optional()
    .openapi({
      description:
        "The archive could not be read: address, items, metadata, `returnUrl` and the texts of the payment method " +
        "are missing here. Ask again later. Else absent.",
    }),
};
