import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import {
  BR_CODE_ERRORS,
  BR_CODE_KINDS,
  parseBrCode,
  type BrCodeErrorCode,
} from "../../methods/pix/br-code-parser.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";

const route = routesOf("PIX", "Public");

/** `pixCopiaECola` of BACEN's Pix API has at most so many characters. */
const CODE_MAX = 512;
/** The static example of BACEN's Manual de Padrões para Iniciação do Pix. */
const EXAMPLE_CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
  "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

const ValidCode = z
  .object({
    valid: z.literal(true),
    kind: z.enum(BR_CODE_KINDS).openapi({
      description:
        "`static`: a key. `dynamic`: a charge that the location serves. `recurring`: nothing to " +
        "pay, a recurrence to consent to (Pix Automático).",
    }),
    key: z.string().nullable().openapi({ description: "As the code writes it." }),
    keyType: z
      .enum(PIX_KEY_TYPES)
      .nullable()
      .openapi({ description: "Null where it is not certain, as of eleven bare digits." }),
    location: z.string().nullable(),
    recurrenceLocation: z.string().nullable(),
    amount: z
      .int()
      .nullable()
      .openapi({ description: "Centavos; null where the payer or the location says it." }),
    currency: z.string().openapi({ example: CURRENCY }),
    merchantName: z.string(),
    merchantCity: z.string(),
    postalCode: z.string().nullable(),
    txid: z.string().nullable().openapi({ description: "Null where the code says `***`." }),
    description: z.string().nullable(),
    withdrawalFacilitator: z
      .string()
      .nullable()
      .openapi({ description: "The ISPB of who hands out cash (Pix Saque)." }),
    reusable: z
      .boolean()
      .openapi({ description: "False where the code says that it is used once." }),
  })
  .openapi("ValidPixCode", { example: decodePixCode(EXAMPLE_CODE) });

const InvalidCode = z
  .object({
    valid: z.literal(false),
    reason: z
      .enum(Object.keys(BR_CODE_ERRORS) as [BrCodeErrorCode, ...BrCodeErrorCode[]])
      .openapi({ description: "The first rule that the code breaks; stable." }),
    detail: z.string().openapi({ description: "The same in a sentence for people." }),
  })
  .openapi("InvalidPixCode", { example: decodePixCode(EXAMPLE_CODE.slice(0, -1) + "E") });

const Verdict = z.union([ValidCode, InvalidCode]).openapi("PixCodeVerdict");

const decode = route.get("/api/v1/pix/decode", {
  operationId: "decodePixCode",
  summary: "See what a PIX code pays",
  description:
    "Judges a PIX copia e cola (BR Code) by the rules of the central bank and shows what it says. " +
    "No credentials; nothing is kept, and no bank is asked: whether a key exists, or what a " +
    "location serves, is not told. A code that breaks a rule is a 200 with `valid: false`.",
  guard: limitPublicRoute,
  security: [],
  query: z.object({
    code: z
      .string()
      .trim()
      .min(1, breaks("notEmpty"))
      .max(CODE_MAX, breaks("maxLength", { max: CODE_MAX }))
      .openapi({ description: "Percent-encoded: a + is %2B.", example: EXAMPLE_CODE }),
  }),
  answers: { 200: jsonResponse("The verdict", Verdict) },
  problems: ["VALIDATION_FAILED", "NOT_ACCEPTABLE"],
});

/** `/api/v1/pix`: reads any PIX code, and no company's data. */
export function pixRoutes(app: Api): void {
  app.openapi(decode, (c) => c.json(decodePixCode(c.req.valid("query").code), 200));
}

function decodePixCode(code: string) {
  const verdict = parseBrCode(code);
  if (verdict.valid) return { valid: true as const, ...verdict.content, currency: CURRENCY };
  const { reason } = verdict;
  return { valid: false as const, reason, detail: BR_CODE_ERRORS[reason] };
}
