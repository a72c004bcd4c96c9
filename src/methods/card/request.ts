import { z } from "@hono/zod-openapi";
import {
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  allowCardNumber,
  NAME_MAX,
  text,
  TEXT_MAX,
} from "../../lib/fields/fields.ts";
import { cardErrors, truncateCard, withoutSeparators, type RawCard } from "./card.ts";
import { CONSENT_TEXT_VERSION } from "../../domain/cards/saved-card.ts";
import { breaks } from "../../lib/fields/rules.ts";

const STATEMENT_DESCRIPTOR_MAX = 13;
const RAW_FIELDS = ["number", "holderName", "expirationMonth", "expirationYear", "cvv"] as const;

/** Who begins a charge. */
const INITIATORS = ["payer", "merchant"] as const;

/** The fields of a whole card, which only a sandbox company may send. */
export const rawCardFields = {
  number: allowCardNumber(
    z.string({ error: breaks("string") }).regex(/^(?:\d[ -]?){11,18}\d$/, breaks("cardDigits")),
  ),
  holderName: text(NAME_MAX).min(1, breaks("notEmpty")),
  expirationMonth: integer(1, 12, ""),
  expirationYear: integer(2000, 2100, ""),
  cvv: z
    .string({ error: breaks("string") })
    .regex(/^\d{3,4}$/, breaks("digits", { sizes: "3 or 4" })),
};

/** `card` of the create request. */
export const CardRequest = z
  .object({
    token: text(TEXT_MAX).min(1, breaks("notEmpty")).optional(),
    account: text(TEXT_MAX).optional().openapi({
      description:
        "The company's account that made the token. Where another takes the charge, the answer is 422.",
    }),
    ...z.object(rawCardFields).partial().shape,
    savedCardId: text(TEXT_MAX)
      .min(1, breaks("notEmpty"))
      .optional()
      .openapi({ description: "Of a card that an earlier charge of the same customer saved" }),
    saveCard: z
      .boolean({ error: breaks("boolean") })
      .optional()
      .openapi({
        default: false,
        description:
          "True says that the payer agreed to this: the company may have the card kept by who processes it, and " +
          `charge it again as both agree (version ${CONSENT_TEXT_VERSION} of the words).`,
      }),
    initiatedBy: z
      .enum(INITIATORS, { error: breaks("oneOf", { values: INITIATORS.join(", ") }) })
      .optional()
      .openapi({
        default: "payer",
        description: "`merchant`: a saved card is charged by agreement, without its payer",
      }),
    capture: z
      .boolean({ error: breaks("boolean") })
      .optional()
      .openapi({ default: true }),
    statementDescriptor: text(STATEMENT_DESCRIPTOR_MAX).optional(),
  })
  .superRefine((card, context) => {
    const { token, savedCardId }: { token?: unknown; savedCardId?: unknown } = card;
    const fault = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (card.initiatedBy === "merchant" && savedCardId === undefined) {
      fault("savedCardId", breaks("requiredWith", { field: "initiatedBy merchant" }));
    }
    if (savedCardId !== undefined) {
      const others = [...RAW_FIELDS, "token", "saveCard"] as const;
      for (const field of others.filter((name) => card[name] !== undefined)) {
        fault(field, breaks("notTogetherWith", { field: "savedCardId" }));
      }
      return;
    }
    // A token of the wrong type has a fault of its own, and does not tell which form was meant.
    if (token !== undefined && typeof token !== "string") return;
    const given = RAW_FIELDS.filter((field) => card[field] !== undefined);
    const missing = RAW_FIELDS.filter((field) => card[field] === undefined);
    const faulty = token === undefined ? missing : given;
    const message =
      token === undefined ? breaks("requiredWithoutToken") : breaks("notTogetherWithToken");
    for (const field of faulty) fault(field, message);
  }, EVEN_AFTER_OTHER_ERRORS);

export type CardRequest = z.output<typeof CardRequest>;

/** Breaches of the card networks' rules. A field of the wrong type is left to its own fault. */
export function rawCardErrors(card: unknown, path: string[], today: string): z.core.$ZodIssue[] {
  const schema = z.object(rawCardFields);
  const parts = Object.fromEntries(
    RAW_FIELDS.flatMap((field) => {
      const part = schema.shape[field].safeParse(
        (card as Record<string, unknown> | undefined)?.[field],
      );
      return part.success ? [[field, part.data]] : [];
    }),
  );
  return Object.entries(cardErrors(parts, today)).map(([field, message]) => ({
    code: "custom",
    path: [...path, field],
    message,
    input: undefined,
  }));
}

/** A whole card; null where a token was sent. */
export function rawCard(card: CardRequest): RawCard | null {
  const { number, holderName, expirationMonth, expirationYear, cvv } = card;
  if (number === undefined || cvv === undefined || holderName === undefined) return null;
  if (expirationMonth === undefined || expirationYear === undefined) return null;
  return { number: withoutSeparators(number), holderName, expirationMonth, expirationYear, cvv };
}

/** The part of a card that a request's hash may hold: brand, last digits and expiry. */
export function cardFingerprint(card: CardRequest): object {
  const { number: _number, cvv: _cvv, holderName: _holderName, ...rest } = card;
  const raw = rawCard(card);
  if (raw === null) return rest;
  const { brand, lastDigits } = truncateCard(raw);
  return { ...rest, brand, lastDigits };
}
