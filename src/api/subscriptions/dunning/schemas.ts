import { z } from "@hono/zod-openapi";
import { METHODS_WITH_CODE } from "../../../domain/charges/charge-status.ts";
import {
  DUNNING_DAYS,
  DUNNING_DAYS_MAX,
  DUNNING_DAYS_OF_BOLETO,
} from "../../../domain/subscriptions/dunning.ts";
import { DUNNING_ENDS, DUNNING_LINKS } from "../../../domain/subscriptions/subscription.ts";
import { EVEN_AFTER_OTHER_ERRORS, integer, text, TEXT_MAX } from "../../../lib/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const oneOf = (values: readonly string[]) => ({
  error: breaks("oneOf", { values: values.join(", ") }),
});

/** What is done about cycles that stay unpaid; by itself nothing. */
export const DunningInput = z
  .object({
    savedCardId: text(TEXT_MAX)
      .min(1, breaks("notEmpty"))
      .optional()
      .openapi({
        description:
          "A saved card of this customer (`GET /api/v1/cards`), charged first once no attempt is left, from the day of the " +
          "debit on, and again within `days` as its brand allows (`retryNotBefore`). Then follows the link.",
      }),
    link: z
      .enum(DUNNING_LINKS, oneOf(DUNNING_LINKS))
      .default("none")
      .openapi({
        description:
          "Once no attempt is left a charge is made by which the payer pays by hand: `subscription.charge_failed` has it as " +
          "`charge.byHand` (`event`), and an e-mail to `customer.email` too (`email`). For a link that is made later, or " +
          "in place of one that was refused or cancelled (a day after it), both are sent again.",
      }),
    method: z
      .enum(METHODS_WITH_CODE, oneOf(METHODS_WITH_CODE))
      .optional()
      .openapi({
        default: METHODS_WITH_CODE[0],
        description:
          "By what the link is paid. A boleto is due within `days`, at least 2; a PIX takes its place where no account can " +
          "make it any more.",
      }),
    days: integer(1, DUNNING_DAYS_MAX, "days")
      .default(DUNNING_DAYS)
      .openapi({
        description:
          "After so many days unpaid the subscription becomes what `then` says. They count from when the link is made. With a " +
          "boleto that waits until two business days after its last day: banks tell of its payment later.",
      }),
    then: z.enum(DUNNING_ENDS, oneOf(DUNNING_ENDS)).default("none"),
  })
  .superRefine(({ method, days }, context) => {
    const isBoleto = method === "BOLETO" && typeof days === "number";
    if (!isBoleto || days >= DUNNING_DAYS_OF_BOLETO) return;
    const message = breaks("min", { min: DUNNING_DAYS_OF_BOLETO });
    context.addIssue({ code: "custom", path: ["days"], message });
  }, EVEN_AFTER_OTHER_ERRORS)
  .openapi("SubscriptionDunningInput", {
    description:
      "None follows where the payer's bank says that he has paid (`ALREADY_PAID`), or where only this service failed.",
    example: { link: "email", days: 7, then: "pause" },
  });

/** The same, as it is answered. */
export const Dunning = z.object({
  link: z.enum(DUNNING_LINKS),
  method: z.enum(METHODS_WITH_CODE),
  savedCardId: z.string().nullable(),
  days: z.int(),
  then: z.enum(DUNNING_ENDS),
});
