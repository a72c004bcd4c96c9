import { mistake, WITHDRAW, wrongGet, wrongPost, wrongWithdraw, type Mistake } from "./mistake.ts";

const INVALID = [400, "VALIDATION_FAILED"] as const;

export const WITHDRAW_MISTAKES: Mistake[] = [
  mistake(
    "a withdraw without an Idempotency-Key",
    () => ({ path: WITHDRAW, body: { amount: 1_000 } }),
    400,
    "IDEMPOTENCY_KEY_REQUIRED",
    { "Idempotency-Key": "is required" },
  ),
  wrongWithdraw("a withdraw of nothing", { amount: undefined }, ...INVALID, {
    amount: "is required",
  }),
  wrongWithdraw("a withdraw in reais", { amount: 10.5 }, ...INVALID, {
    amount: "must be an integer number of centavos; got the number 10.5",
  }),
  wrongWithdraw("ten reais as 10", { amount: 10 }, 400, "WITHDRAW_BELOW_MINIMUM", {
    amount: "must be at least 1000 centavos (10.00 reais); got the number 10",
  }),
  wrongWithdraw("value, as the answer calls it", { amount: undefined, value: 10 }, ...INVALID, {
    amount: "is required",
    value: "unknown field; did you mean amount?",
  }),
  wrongWithdraw("eleven bare digits", { pixKey: "51998259765" }, ...INVALID, {
    pixKeyType:
      "is required: these eleven digits may be a CPF or a phone; send CPF or PHONE, or write 123.456.789-09 or +5511987654321",
  }),
  wrongWithdraw(
    "a key of another type",
    { pixKey: "maria@example.com", pixKeyType: "CPF" },
    ...INVALID,
    { pixKey: "is not a valid CPF key" },
  ),
  wrongWithdraw(
    "a type that there is not",
    { pixKey: "maria@example.com", pixKeyType: "E-MAIL" },
    ...INVALID,
    { pixKeyType: 'must be one of CPF, CNPJ, EMAIL, PHONE, EVP; got the string "E-MAIL"' },
  ),
  wrongWithdraw("an empty key", { pixKey: "" }, ...INVALID, { pixKey: "must not be empty" }),
  wrongWithdraw("a key in snake case", { pix_key: "maria@example.com" }, ...INVALID, {
    pix_key: "unknown field; did you mean pixKey?",
  }),
  wrongWithdraw("a key of Asaas", { pixAddressKey: "maria@example.com" }, ...INVALID, {
    pixAddressKey: "unknown field; did you mean pixKey?",
  }),
  wrongWithdraw("a key in Portuguese", { chavePix: "maria@example.com" }, ...INVALID, {
    chavePix: "unknown field; did you mean pixKey?",
  }),
  wrongWithdraw("a key that is none", { pixKey: "maria" }, ...INVALID, {
    pixKey:
      "is not a valid PIX key: an e-mail, a phone as +5511987654321, a CPF, a CNPJ or a random key (UUID)",
  }),
  wrongWithdraw("a day to pay on", { scheduleDate: "2030-01-01" }, ...INVALID, {
    scheduleDate:
      "unknown field; known here: amount, currency, pixKey, pixKeyType, description, metadata",
  }),
  wrongWithdraw("the type of a main key that is another", { pixKeyType: "EMAIL" }, ...INVALID, {
    pixKeyType: "is not the type of the registered main key, which is CNPJ",
  }),
  wrongWithdraw(
    "more than there is",
    { amount: 999_999 },
    422,
    "INSUFFICIENT_BALANCE",
    "The available balance does not cover this withdraw.",
    { extensions: { availableCents: 12_500, requiredCents: 999_999 } },
  ),
  wrongGet(
    "a withdraw that there is not",
    "/api/Withdraw/99",
    404,
    "NOT_FOUND",
    "There is no such withdraw.",
  ),
  wrongPost(
    "the cancel of a withdraw that there is not",
    "/api/Withdraw/99/cancel",
    undefined,
    404,
    "NOT_FOUND",
    "There is no such withdraw.",
  ),
];

export const BALANCE_MISTAKES: Mistake[] = [
  wrongGet("no currency", ({ company }) => `/api/Balance/balance/${company.id}`, ...INVALID, {
    currency: "is required",
  }),
  wrongGet(
    "currency=brl",
    ({ company }) => `/api/Balance/balance/${company.id}?currency=brl`,
    ...INVALID,
    { currency: 'must be BRL, in capitals; got "brl"' },
  ),
  wrongGet(
    "currency=R$",
    ({ company }) => `/api/Balance/balance/${company.id}?currency=R$`,
    ...INVALID,
    { currency: 'must be a currency code of three capital letters, such as BRL; got "R$"' },
  ),
  wrongGet(
    "the balance of another currency",
    ({ company }) => `/api/Balance/balance/${company.id}?currency=USD`,
    404,
    "NOT_FOUND",
    "There is no such balance.",
  ),
  wrongGet(
    "providerCompanyId for companyId",
    "/api/Balance/balance/6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01?currency=BRL",
    ...INVALID,
    {
      companyId:
        'must be an integer: the companyId of a create\'s answer; got "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01"',
    },
  ),
  wrongGet(
    "another company's balance",
    ({ other }) => `/api/Balance/balance/${other.id}?currency=BRL`,
    403,
    "FORBIDDEN",
    "These credentials have no access to this company.",
  ),
  wrongGet(
    "no company",
    "/api/Balance/balance?currency=BRL",
    404,
    "NOT_FOUND",
    "No resource exists at this path. Did you mean GET /api/Balance/balance/{companyId}?",
  ),
  wrongGet(
    "a statement from a day that there is not",
    ({ company }) => `/api/Balance/statement/${company.id}?currency=BRL&from=2026-02-30`,
    ...INVALID,
    {
      from: 'must be a day such as 2026-11-21 or an ISO 8601 time with its offset; got "2026-02-30"',
    },
  ),
];

export const OPERATION_MISTAKES: Mistake[] = [
  wrongPost(
    "the refund of what nobody paid",
    ({ open }) => `/api/v1/transactions/${open}/refund`,
    undefined,
    409,
    "INVALID_STATE",
    "This action is not allowed: the transaction is WAITING_PAYMENT; a cancel ends it.",
  ),
  wrongPost(
    "a refund above what was paid",
    ({ paid }) => `/api/v1/transactions/${paid}/refund`,
    { amount: 999_999 },
    422,
    "REFUND_EXCEEDS_PAID",
    "The refund exceeds what is left of the payment.",
    { extensions: { refundableCents: 2_500 } },
  ),
  wrongPost(
    "a refund in reais",
    ({ paid }) => `/api/v1/transactions/${paid}/refund`,
    { amount: 25.5 },
    ...INVALID,
    { amount: "must be an integer number of centavos; got the number 25.5" },
  ),
  wrongPost(
    "a refund with a reason",
    ({ paid }) => `/api/v1/transactions/${paid}/refund`,
    { reason: "desistiu" },
    ...INVALID,
    { reason: "unknown field; known here: amount, insteadOf" },
  ),
  wrongPost(
    "the cancel of what was paid",
    ({ paid }) => `/api/v1/transactions/${paid}/cancel`,
    undefined,
    409,
    "INVALID_STATE",
    "This action is not allowed: the transaction is PAID; a refund gives it back.",
  ),
  wrongPost(
    "a cancel with an amount",
    ({ open }) => `/api/v1/transactions/${open}/cancel`,
    { amount: 100 },
    ...INVALID,
    { amount: "unknown field; none is known here" },
  ),
  wrongPost(
    "the capture of a PIX",
    ({ open }) => `/api/v1/transactions/${open}/capture`,
    undefined,
    409,
    "INVALID_STATE",
    "This action is not allowed: the transaction is WAITING_PAYMENT; only an authorized card is captured.",
  ),
  wrongPost(
    "a capture above what was authorized",
    ({ authorized }) => `/api/v1/transactions/${authorized}/capture`,
    { amount: 999_999 },
    422,
    "CAPTURE_EXCEEDS_AUTHORIZED",
    "The capture exceeds the authorized amount.",
    { extensions: { authorizedCents: 5_000 } },
  ),
  wrongPost(
    "a sandbox payment in a string",
    ({ open }) => `/api/v1/sandbox/transactions/${open}/pay`,
    { amount: "2500" },
    ...INVALID,
    { amount: 'must be an integer number of centavos; got the string "2500"' },
  ),
  wrongPost(
    "the end of a dispute that was not opened",
    ({ paid }) => `/api/v1/sandbox/transactions/${paid}/dispute/resolve`,
    { outcome: "won" },
    409,
    "INVALID_STATE",
    "The transaction has no open dispute.",
  ),
  wrongPost(
    "a dispute's outcome in capitals",
    ({ paid }) => `/api/v1/sandbox/transactions/${paid}/dispute/resolve`,
    { outcome: "WON" },
    ...INVALID,
    { outcome: 'must be won or lost; got the string "WON"' },
  ),
];
