import { assert } from "../../lib/assert.ts";
import type { FieldErrors } from "../../domain/shared/problem.ts";
import { breaks } from "../../lib/fields/rules.ts";
import type { Charge, PullMethod, RequestOf } from "../method.ts";
import { truncateCard, type CardOrder as Card } from "./card.ts";
import { cardFingerprint, rawCard, rawCardErrors, CardRequest } from "./request.ts";
import { CardResponse, RefusedReasonResponse } from "./response.ts";

const DAY_MS = 86_400_000;
const INSTALLMENTS_MAX = 12;
/** Acquirers commonly hold the money of an authorized card for this long. */
const AUTHORIZATION_DAYS = 7;

interface CardFields {
  card?: CardRequest | undefined;
}

interface CardOrder {
  paymentMethod: "CREDIT_CARD";
  card: Card;
}

/** A credit card, charged at once or authorized and captured later. */
export const cardMethod = {
  name: "CREDIT_CARD",
  label: "Cartão de crédito",
  initiation: "pull",
  requestFields: { card: CardRequest.optional() },
  requiredFields: [["customer", "name"], ["customer", "document", "number"], ["card"]],
  fieldErrors: ({ card }, today) =>
    card === undefined ? [] : rawCardErrors(card, ["card"], today),
  maxInstallments: INSTALLMENTS_MAX,
  requestProblem({ card }: RequestOf<CardFields>, mode) {
    if (card?.number === undefined || mode !== "live") return null;
    return {
      code: "RAW_CARD_NOT_ALLOWED",
      detail: "A live company must send card.token, not a card number.",
    };
  },
  payableFor: () => ({}),
  requestDefaults: {
    card: { capture: true, statementDescriptor: "", saveCard: false, initiatedBy: "payer" },
  },
  fingerprint: ({ card }: CardFields) =>
    card === undefined ? {} : { card: cardFingerprint(card) },
  exampleRequest: {
    paymentMethod: "CREDIT_CARD",
    installments: 3,
    card: {
      token: "tok_8Jp2vQm4Zc6x0a1bT9nKrw",
      capture: true,
      statementDescriptor: "LOJA EXEMPLO",
    },
  },
  answerSummary: "what the acquirer decided: a refusal is 200 with status REFUSED",
  draft({ card }: CardFields, { nowMs }) {
    const raw = card === undefined ? null : rawCard(card);
    return {
      card: raw === null ? null : { ...truncateCard(raw), authorizationCode: null },
      // A card that is charged at once has nothing to wait for.
      expiresAt: card?.capture === false ? nowMs + AUTHORIZATION_DAYS * DAY_MS : null,
    };
  },
  /** A token does not show its card before the acquirer has answered. */
  asRequested: ({ card: stored }: Charge, { card }: CardFields) => ({
    card:
      stored === null || card?.token !== undefined ? null : { ...stored, authorizationCode: null },
  }),
  order(charge: Charge, { card }: CardFields, savedCard: string | null): CardOrder {
    assert(card !== undefined, "a card charge has its card");
    return {
      paymentMethod: "CREDIT_CARD",
      card: {
        source: savedCard === null ? (rawCard(card) ?? { token: card.token ?? "" }) : { savedCard },
        capture: card.capture ?? true,
        installments: charge.installments,
        statementDescriptor: card.statementDescriptor ?? "",
        ...(card.saveCard === true ? { save: true } : {}),
        ...(card.initiatedBy === "merchant" ? { initiatedBy: "merchant" } : {}),
      },
    };
  },
  savedCardOf: ({ card }: CardFields) => ({
    id: card?.savedCardId ?? null,
    isSaved: card?.saveCard ?? false,
  }),
  instrumentOf({ card }: CardFields) {
    if (card === undefined) return null;
    if (card.token !== undefined) return { token: card.token };
    const raw = rawCard(card);
    return raw === null ? null : truncateCard(raw);
  },
  accountOf: ({ card }: CardFields) => card?.account ?? null,
  /** A token and a saved card are good at the account that made them only. */
  accountFaults({ card }: CardFields, account: string, savedAt: string | null): FieldErrors {
    const made = card?.account ?? "";
    const isOther = (each: string | null) => each !== null && each !== "" && each !== account;
    return {
      ...(isOther(made) ? { "card.account": [breaks("otherAccount")] } : {}),
      ...(isOther(savedAt) ? { "card.savedCardId": [breaks("savedAtOtherAccount")] } : {}),
    };
  },
  responseFields: {
    card: CardResponse.optional(),
    refusedReason: RefusedReasonResponse.optional(),
  },
  view: ({ card, refusedReason }) => ({
    ...(card === null ? {} : { card }),
    ...(refusedReason === null ? {} : { refusedReason }),
  }),
  howToPay: () => ({ code: null, slip: null }),
  payableBy: ["CREDIT_CARD"],
  hasEndToEndId: false,
  amountDue: ({ amount }) => amount,
  isRightAmount: ({ amount }, paid) => paid === amount,
  expiresByClock: true,
  defaultReleaseDays: 30,
  releaseParts: (installments) => installments,
} as const satisfies PullMethod<CardFields, CardOrder>;
