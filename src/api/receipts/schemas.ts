import { z } from "@hono/zod-openapi";
import { CREATE_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION, EXAMPLE_WITHDRAW } from "../../domain/events/api-examples.ts";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { isoTimeText } from "../../http/fields/fields.ts";
import { paymentReceipt, withdrawReceipt } from "./views.ts";

const EXAMPLE_COMPANY = { id: 1, name: "Loja Exemplo" };
const EXAMPLE_PAID_AT = EXAMPLE_TRANSACTION.createdAt + 60_000;
export const EXAMPLE_SIGNATURE = {
  algorithm: "Ed25519",
  keyId: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  publicKey: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  signedAt: "2026-11-22T12:30:00.000Z",
  value: "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==",
};

/** What `signDocument` adds to a document. */
export const Signature = z
  .object({
    algorithm: z.literal("Ed25519"),
    keyId: z
      .string()
      .openapi({ description: "`kid` of one of the company's published webhook keys (RFC 7638)." }),
    publicKey: z.string().openapi({ description: "base64url" }),
    signedAt: isoTimeText,
    value: z.string().openapi({
      description:
        "Ed25519 (RFC 8032), base64, over the canonical JSON (RFC 8785) of the document without this member.",
    }),
  })
  .openapi("DocumentSignature");

/** Who signs a document. */
export const company = z
  .object({ id: z.int().openapi({ example: 1 }), name: z.string() })
  .openapi("DocumentCompany");
const cents = z.int().openapi({ description: "centavos" });

export const PaymentReceipt = z
  .object({
    type: z.literal("payment"),
    company,
    transactionId: z.uuid(),
    status: z.enum(CREATE_STATUSES),
    amount: cents,
    paidAmount: cents,
    refundedAmount: cents,
    currency: z.string(),
    paymentMethod: z.enum(PAYMENT_METHODS),
    paidAt: isoTimeText,
    endToEndId: z.string().nullable(),
    payer: z.object({
      name: z.string(),
      documentMasked: z.string(),
      ispb: z.string().nullable(),
    }),
    signature: Signature,
  })
  .openapi("PaymentReceipt", {
    example: {
      ...paymentReceipt(EXAMPLE_COMPANY, {
        ...EXAMPLE_TRANSACTION,
        status: "paid",
        paidAt: EXAMPLE_PAID_AT,
        paidAmount: EXAMPLE_TRANSACTION.amount,
        endToEndId: "E0000000020261122122648vmpfg9qo5",
      }),
      signature: EXAMPLE_SIGNATURE,
    },
  });

export const WithdrawReceipt = z
  .object({
    type: z.literal("withdraw"),
    company,
    withdrawId: z.int(),
    status: z.enum(["Paid", "Returned"]),
    amount: cents,
    fee: cents,
    returnedAmount: cents,
    currency: z.string(),
    pixKeyMasked: z.string(),
    pixKeyType: z.enum(PIX_KEY_TYPES),
    creditorDocumentMasked: z.string(),
    description: z.string(),
    paidAt: isoTimeText,
    endToEndId: z.string().nullable(),
    signature: Signature,
  })
  .openapi("WithdrawReceipt", {
    example: {
      ...withdrawReceipt(EXAMPLE_COMPANY, {
        ...EXAMPLE_WITHDRAW,
        status: "Paid",
        paidAt: EXAMPLE_PAID_AT,
        endToEndId: "E0000000020261122122748vmpfg9qo5",
      }),
      signature: EXAMPLE_SIGNATURE,
    },
  });

/** Any JSON object: one that is no receipt is not genuine. */
export const ReceiptToVerify = z
  .looseObject({})
  .openapi("ReceiptToVerify", { description: "A receipt as it was issued.", example: {} });

export const ReceiptVerdict = z
  .object({
    genuine: z.boolean(),
    companyId: z.int().optional().openapi({ description: "Who signed it, if it is genuine." }),
    signedAt: isoTimeText.optional(),
  })
  .openapi("ReceiptVerdict", {
    example: { genuine: true, companyId: 1, signedAt: "2026-11-22T12:30:00.000Z" },
  });
