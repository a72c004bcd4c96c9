import type { z } from "@hono/zod-openapi";
import type { PixDetails, RegisteredPix } from "../../domain/charges/payment-details.ts";
import { assert } from "../../lib/assert.ts";
import type { Charge, PushMethod } from "../method.ts";
import { isRightAmount } from "../terms/amounts-due.ts";
import { pixAmountDue } from "./due-amount.ts";
import { dueExpiresAt, pixExpiresAt, registeredExpiresAt } from "./expiry.ts";
import { PIX_DEFAULTS, pixDetails, pixErrors, PixRequest } from "./request.ts";
import { PixResponse, pixView } from "./response.ts";

interface PixFields {
  pix?: z.output<typeof PixRequest> | undefined;
}

interface PixOrder {
  paymentMethod: "PIX";
  expiresAt: number;
  /** Left out where there is nothing beyond amount and expiry. */
  pix?: PixDetails;
}

/** A dynamic BR Code, registered at a PSP and paid once, at once or by a due date. */
export const pixMethod = {
  name: "PIX",
  label: "Pix",
  initiation: "push",
  leaves: "always",
  requestFields: { pix: PixRequest.optional() },
  requiredFields: [],
  fieldErrors: (body, today) => [...pixErrors(body, today)],
  maxInstallments: 1,
  requestProblem: () => null,
  payableFor: (seconds) => ({ pix: { expiresInSeconds: seconds } }),
  requestDefaults: { pix: PIX_DEFAULTS },
  fingerprint: () => ({}),
  exampleRequest: {
    paymentMethod: "PIX",
    pix: {
      expiresInDays: 1,
      payerMessage: "Número do pedido",
      additionalInfo: [{ name: "Pedido", value: "1001" }],
    },
  },
  answerSummary: "a BR Code",
  draft({ pix: sent }: PixFields, { nowMs }) {
    const pix = pixDetails(sent);
    const expiresAt = pix?.due === undefined ? pixExpiresAt(nowMs, sent) : dueExpiresAt(pix.due);
    return { pix, expiresAt };
  },
  asRequested: () => ({}),
  order({ pix, expiresAt }: Charge): PixOrder {
    assert(expiresAt !== null, "a PIX has an expiry");
    return { paymentMethod: "PIX", expiresAt, ...(pix === null ? {} : { pix }) };
  },
  register({ pix: ordered, expiresAt }, { pix }: { pix?: RegisteredPix }) {
    if (pix === undefined) return null;
    return {
      pix: { ...ordered, ...pix },
      expiresAt: registeredExpiresAt(expiresAt, pix.expirationDate),
    };
  },
  isRegistered: ({ pix }) => pix?.qrcode !== undefined,
  responseFields: { pix: PixResponse.optional() },
  view: pixView,
  howToPay: ({ pix }) => ({ code: pix?.qrcode ?? null, slip: null }),
  payableBy: ["PIX"],
  hasEndToEndId: true,
  amountDue: ({ amount, pix }, day) =>
    pix?.due === undefined ? amount : pixAmountDue(pix.due, amount, day),
  isRightAmount: ({ amount, pix }, paid, paidAt) =>
    pix?.due === undefined
      ? paid === amount
      : isRightAmount(pix.due, { movesAll: true }, { amount, paid, paidAt }),
  expiresByClock: true,
  defaultReleaseDays: 0,
  releaseParts: () => 1,
} as const satisfies PushMethod<PixFields, PixOrder, { pix?: RegisteredPix }>;
