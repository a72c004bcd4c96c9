import { z } from "@hono/zod-openapi";
import { whoPaid, type ReportedPayer } from "../../domain/charges/payer-match.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import { NAME_MAX, text } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** A document as some PSPs tell it, with some digits hidden. */
const MASKED_DOCUMENT = /^(?=.*\*)[\d*.-]{11,14}$|^(?=.*\*)[\dA-Z*./-]{14,18}$/;

/** Whom the sandbox's bank names as the payer. */
export const SandboxPayer = z
  .object({
    name: text(NAME_MAX).optional().openapi({ example: "Ana Souza" }),
    document: z
      .string({ error: breaks("string") })
      .refine(
        (document) => parseDocument(document) !== null || MASKED_DOCUMENT.test(document),
        breaks("documentOrMask"),
      )
      .optional()
      .openapi({ example: "12345678909" }),
  })
  .openapi("SandboxPayer", {
    description: "Who pays; where left out the customer himself. The bank keeps a masked document.",
  });

/** The payer as the sandbox's bank keeps it; undefined means the charge's customer. */
export function bankPayer(
  payer: z.output<typeof SandboxPayer> | undefined,
): ReportedPayer | undefined {
  if (payer === undefined) return undefined;
  const { name = null, document = null } = payer;
  const named = { name, document, ispb: null };
  const { paidBy } = whoPaid({ paymentId: "", payer: named }, { name: "", documentNumber: "" });
  return { name: paidBy?.name ?? null, document: paidBy?.documentMasked ?? null, ispb: null };
}
