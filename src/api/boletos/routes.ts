import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import {
  BOLETO_ERRORS,
  parseBoleto,
  type BoletoErrorCode,
} from "../../methods/boleto/boleto-code-parser.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";

const route = routesOf("Boleto", "Public");

/** A masked line has 54 characters; people paste more spaces than that. */
const CODE_MAX = 128;
/** Of Banco do Brasil, due on 2026-12-01. */
const EXAMPLE_CODE = "00190.00009 01234.567897 01234.567897 1 16470000002500";
const EXAMPLE_DAY = "2026-11-21";

const ValidBoleto = z
  .object({
    valid: z.literal(true),
    barcode: z.string().openapi({ description: "44 digits." }),
    digitableLine: z.string().openapi({ description: "47 digits." }),
    formattedLine: z.string().openapi({ description: "The same as a slip prints it." }),
    bank: z.string().openapi({ description: "Three digits (COMPE)." }),
    amount: z.int().nullable().openapi({
      description: "Centavos, without fine, interest and discount; null where it is 0.",
    }),
    currency: z.string().openapi({ example: CURRENCY }),
    factor: z.string().openapi({ description: "Four digits (fator de vencimento)." }),
    dueDate: z
      .string()
      .nullable()
      .openapi({
        format: "date",
        description:
          "Null below factor 1000. A factor comes back every 9,000 days: this is its last date up " +
          "to 5,500 days from today.",
      }),
    freeField: z.string().openapi({ description: "25 digits, the bank's own (campo livre)." }),
  })
  .openapi("ValidBoleto", { example: decodeBoleto(EXAMPLE_CODE, EXAMPLE_DAY) });

const InvalidBoleto = z
  .object({
    valid: z.literal(false),
    reasons: z
      .array(
        z.object({
          reason: z
            .enum(Object.keys(BOLETO_ERRORS) as [BoletoErrorCode, ...BoletoErrorCode[]])
            .openapi({ description: "Stable." }),
          detail: z.string().openapi({ description: "The same in a sentence for people." }),
        }),
      )
      .openapi({ description: "Every rule that the code breaks." }),
  })
  .openapi("InvalidBoleto", {
    example: decodeBoleto(EXAMPLE_CODE.replace("9 0", "8 0"), EXAMPLE_DAY),
  });

const Verdict = z.union([ValidBoleto, InvalidBoleto]).openapi("BoletoVerdict");

const decode = route.get("/api/v1/boletos/decode", {
  operationId: "decodeBoleto",
  summary: "See what a boleto's line or barcode asks for",
  description:
    "Judges a boleto by the rules of the central bank and of FEBRABAN and shows what it says. No " +
    "credentials; nothing is kept, and no bank is asked: whether the boleto was registered, paid " +
    "or cancelled is not told. A code that breaks a rule is a 200 with `valid: false`.",
  guard: limitPublicRoute,
  security: [],
  query: z.object({
    code: z
      .string()
      .trim()
      .min(1, breaks("notEmpty"))
      .max(CODE_MAX, breaks("maxLength", { max: CODE_MAX }))
      .openapi({
        description: "The line (47 digits), masked or not, or the barcode (44).",
        example: EXAMPLE_CODE,
      }),
  }),
  answers: { 200: jsonResponse("The verdict", Verdict) },
  problems: ["VALIDATION_FAILED", "NOT_ACCEPTABLE"],
});

/** `/api/v1/boletos`: reads any boleto, and no company's data. */
export function boletoRoutes(app: Api): void {
  app.openapi(decode, (c) => {
    const today = saoPauloDay(c.get("deps").platformClock.now());
    return c.json(decodeBoleto(c.req.valid("query").code, today), 200);
  });
}

function decodeBoleto(code: string, today: string) {
  const verdict = parseBoleto(code, today);
  if (verdict.valid) return { valid: true as const, ...verdict.content, currency: CURRENCY };
  const reasons = verdict.reasons.map((reason) => ({ reason, detail: BOLETO_ERRORS[reason] }));
  return { valid: false as const, reasons };
}
