import { z } from "@hono/zod-openapi";
import type { PixCharge } from "../../domain/charges/payment-details.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { assert } from "../../lib/assert.ts";
import { integer, isoTimeText } from "../../lib/fields.ts";
import type { Charge, PushMethod } from "../method.ts";
import { EXPIRY_DAYS_MAX, pixExpiresAt, registeredExpiresAt } from "./expiry.ts";

const requestFields = {
  pix: z.object({ expiresInDays: integer(1, EXPIRY_DAYS_MAX, "days").optional() }).optional(),
};

const responseFields = {
  pix: z
    .object({
      qrcode: z.string().openapi({ description: "BR Code" }),
      url: z.string().nullable(),
      expirationDate: isoTimeText,
    })
    .optional(),
};

interface PixFields {
  pix?: z.output<typeof requestFields.pix>;
}

interface PixOrder {
  paymentMethod: "PIX";
  expiresAt: number;
}

/** A dynamic BR Code, registered at a PSP and paid once. */
export const pixMethod = {
  name: "PIX",
  initiation: "push",
  requestFields,
  requiredFields: [],
  fieldErrors: () => [],
  maxInstallments: 1,
  requestProblem: () => null,
  fingerprint: () => ({}),
  exampleRequest: { paymentMethod: "PIX", pix: { expiresInDays: 1 } },
  answerSummary: "a BR Code",
  draft: ({ pix }, { nowMs }) => ({
    expiresAt: pixExpiresAt(nowMs, pix?.expiresInDays),
  }),
  asRequested: () => ({}),
  order({ expiresAt }: Charge): PixOrder {
    assert(expiresAt !== null, "a PIX has an expiry");
    return { paymentMethod: "PIX", expiresAt };
  },
  register({ expiresAt }, { pix }) {
    if (pix === undefined) return null;
    return { pix, expiresAt: registeredExpiresAt(expiresAt, pix.expirationDate) };
  },
  responseFields,
  view({ pix }) {
    if (pix === null) return {};
    const { qrcode, url, expirationDate } = pix;
    return { pix: { qrcode, url, expirationDate: isoTime(expirationDate) } };
  },
  payableBy: ["PIX"],
  hasEndToEndId: true,
  amountDue: ({ amount }) => amount,
  expiresByClock: true,
  defaultReleaseDays: 0,
  releaseParts: () => 1,
} as const satisfies PushMethod<PixFields, PixOrder, { pix?: PixCharge }>;
