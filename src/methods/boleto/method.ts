import type { z } from "@hono/zod-openapi";
import type { BoletoTerms, RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import type { Charge, PushMethod, RequestOf } from "../method.ts";
import { amountDue } from "../terms/amount-due.ts";
import { isRightAmount } from "../terms/amounts-due.ts";
import { MAX_BOLETO_AMOUNT_CENTS } from "./boleto-code.ts";
import { parseBoleto } from "./boleto-code-parser.ts";
import { boletoExpiresAt } from "./boleto-terms.ts";
import {
  BOLETO_DEFAULTS,
  boletoErrors,
  BoletoRequest,
  boletoTerms,
  dueDateErrors,
} from "./request.ts";
import { BoletoResponse, boletoView } from "./response.ts";
import { breaks } from "../../lib/fields/rules.ts";

interface BoletoFields {
  boleto?: z.output<typeof BoletoRequest> | undefined;
}

interface BoletoOrder {
  paymentMethod: "BOLETO";
  expiresAt: number;
  boleto: BoletoTerms;
}

/** A registered slip (boleto de cobrança), paid at a bank or by the PIX code printed on it. */
export const boletoMethod = {
  name: "BOLETO",
  label: "Boleto",
  initiation: "push",
  // Its payer's bank shows each registered slip (DDA).
  leaves: "until_bound",
  requestFields: { boleto: BoletoRequest.optional() },
  requiredFields: [
    ["customer", "name"],
    ["customer", "document", "number"],
  ],
  fieldErrors: (body, today) => [...boletoErrors(body, today)],
  maxInstallments: 1,
  requestProblem({ paymentMethod, amount }: RequestOf<BoletoFields>) {
    if (paymentMethod !== "BOLETO" || amount <= MAX_BOLETO_AMOUNT_CENTS) return null;
    return {
      code: "AMOUNT_TOO_LARGE",
      detail: `The amount of a boleto must be at most ${MAX_BOLETO_AMOUNT_CENTS} centavos.`,
      errors: {
        amount: [breaks("maxCentavosFor", { max: MAX_BOLETO_AMOUNT_CENTS, method: "BOLETO" })],
      },
    };
  },
  payableFor: () => ({}),
  requestDefaults: { boleto: BOLETO_DEFAULTS },
  fingerprint: () => ({}),
  exampleRequest: {
    paymentMethod: "BOLETO",
    boleto: {
      expiresInDays: 5,
      instructions: "Não receber após 30 dias do vencimento.",
      documentNumber: "NF-1001",
      fine: { type: "PERCENTAGE", value: 200 },
      interest: { value: 100 },
      discount: { type: "FIXED", value: 100 },
    },
  },
  answerSummary: "a barcode and its slip",
  draft({ boleto }: BoletoFields, { nowMs, origin }) {
    const terms = boletoTerms(boleto, nowMs);
    return { boleto: { ...terms, origin, registered: null }, expiresAt: boletoExpiresAt(terms) };
  },
  asRequested: () => ({}),
  order({ boleto, expiresAt }: Charge): BoletoOrder {
    assert(boleto !== null && expiresAt !== null, "a boleto has its terms and an expiry");
    return { paymentMethod: "BOLETO", expiresAt, boleto };
  },
  register(charge, { boleto: registered }: { boleto?: RegisteredBoleto }) {
    const { boleto, expiresAt } = charge;
    if (registered === undefined || boleto === null || !isAsOrdered(charge, registered))
      return null;
    return { boleto: { ...boleto, registered }, expiresAt: expiresAt ?? 0 };
  },
  withDueDate({ boleto }, dueDate, today) {
    if (boleto === null) return null;
    const changed = { ...boleto, dueDate };
    const columns = { boleto: changed, expiresAt: boletoExpiresAt(changed) };
    return { columns, errors: dueDateErrors(changed, today) };
  },
  isRegistered: ({ boleto }) => boleto !== null && boleto.registered !== null,
  responseFields: { boleto: BoletoResponse.optional() },
  view: boletoView,
  howToPay: ({ boleto }) => ({ code: boleto?.qrcode ?? null, slip: boleto ?? null }),
  payableBy: ["BOLETO", "PIX"],
  hasEndToEndId: false,
  amountDue: ({ amount, boleto }, day) =>
    boleto === null ? amount : amountDue(boleto, amount, day),
  isRightAmount: ({ amount, boleto }, paid, paidAt) =>
    boleto === null
      ? paid === amount
      : isRightAmount(boleto, { movesAll: false }, { amount, paid, paidAt }),
  expiresByClock: false,
  defaultReleaseDays: 1,
  releaseParts: () => 1,
} as const satisfies PushMethod<BoletoFields, BoletoOrder, { boleto?: RegisteredBoleto }>;

/** A line of another amount or date would send a payer's money elsewhere, so it is never shown. */
function isAsOrdered(charge: Charge, { barcode, digitableLine }: RegisteredBoleto): boolean {
  const dueDate = charge.boleto?.dueDate ?? "";
  const verdict = parseBoleto(digitableLine, dueDate);
  const fits =
    verdict.valid &&
    verdict.content.barcode === barcode &&
    verdict.content.amount === charge.amount &&
    verdict.content.dueDate === dueDate;
  if (!fits) {
    log("error", "boleto_mismatch", { companyId: charge.companyId, transactionId: charge.id });
  }
  return fits;
}
