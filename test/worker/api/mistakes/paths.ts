import { mistake, wrongGet, wrongPost, type Mistake } from "./mistake.ts";

const INVALID = [400, "VALIDATION_FAILED"] as const;
const UNKNOWN = [404, "NOT_FOUND"] as const;
const DETAIL = "/api/Transaction/transactionByTransactionId";
const LIST = "/api/Transaction/company/transactions";
const BODY = { amount: 2_500, paymentMethod: "PIX" };

export const ID_MISTAKES: Mistake[] = [
  wrongGet(
    "the list's integer for the id",
    ({ listId }) => `${DETAIL}/${listId}`,
    ...UNKNOWN,
    "There is no such transaction. Its id is the UUID that the create answered as data.id; by your own reference: GET /api/v1/transactions?externalRef=.",
  ),
  wrongGet(
    "an id of another system",
    `${DETAIL}/0f8fad5b-d9cb-469f-a165-70867728950e`,
    ...UNKNOWN,
    "There is no such transaction. Its id is the UUID that the create answered as data.id; by your own reference: GET /api/v1/transactions?externalRef=.",
  ),
  wrongGet(
    "another company's transaction",
    ({ othersTransaction }) => `${DETAIL}/${othersTransaction}`,
    403,
    "FORBIDDEN",
    "These credentials have no access to this company.",
  ),
  wrongPost(
    "another company's transaction to refund",
    ({ othersTransaction }) => `/api/v1/transactions/${othersTransaction}/refund`,
    undefined,
    403,
    "FORBIDDEN",
    "These credentials have no access to this company.",
  ),
  wrongPost(
    "an id in braces",
    ({ open }) => `/api/v1/transactions/{${open}}/cancel`,
    undefined,
    ...UNKNOWN,
    "There is no such transaction. Its id is the UUID that the create answered as data.id; by your own reference: GET /api/v1/transactions?externalRef=.",
  ),
  wrongGet(
    "a checkout of an unknown id",
    "/api/checkout/status/1",
    ...UNKNOWN,
    "There is no such transaction.",
  ),
];

export const QUERY_MISTAKES: Mistake[] = [
  wrongGet("the contract's page in a search of ours", "/api/v1/transactions?page=2", ...INVALID, {
    page: "unknown parameter; did you mean after?",
  }),
  wrongGet(
    "the contract's page size in a search of ours",
    "/api/v1/transactions?pageSize=2",
    ...INVALID,
    {
      pageSize: "unknown parameter; did you mean limit?",
    },
  ),
  wrongGet("page 0", `${LIST}?page=0`, ...INVALID, { page: 'must be at least 1; got "0"' }),
  wrongGet("a page size that is no number", `${LIST}?pageSize=all`, ...INVALID, {
    pageSize: 'must be a positive whole number; got "all"',
  }),
  wrongGet("an order that there is not", `${LIST}?sort=createdAt`, ...INVALID, {
    sort: 'must be createdAt_desc or createdAt_asc; got "createdAt"',
  }),
  wrongGet("the page given twice", `${LIST}?page=1&page=2`, ...INVALID, {
    page: "must be sent once; got an array of 2",
  }),
  wrongGet("a search from a Brazilian date", "/api/v1/transactions?from=01/11/2026", ...INVALID, {
    from: 'must be a day such as 2026-11-21 or an ISO 8601 time with its offset; got "01/11/2026"',
  }),
  wrongGet(
    "a search from a time whose plus was not escaped",
    "/api/v1/transactions?from=2026-11-01T10:00:00+03:00",
    ...INVALID,
    {
      from: 'must be a day such as 2026-11-21 or an ISO 8601 time with its offset; got "2026-11-01T10:00:00 03:00"; in a query a + is %2B',
    },
  ),
  wrongGet("a search of 1,000 items", "/api/v1/transactions?limit=1000", ...INVALID, {
    limit: 'must be 1 to 100; got "1000"',
  }),
  wrongGet("a search by a wrong CPF", "/api/v1/transactions?document=123", ...INVALID, {
    document: "is not a valid CPF or CNPJ",
  }),
];

const SEARCH = "/api/v1/transactions";
const ENDPOINTS = "/api/v1/webhooks/endpoints";

export const PEER_QUERY_MISTAKES: Mistake[] = [
  ["startDate", "2026-11-01", "from"],
  ["date_from", "2026-11-01", "from"],
  ["inicio", "2026-11-01", "from"],
  ["end_date", "2026-11-30", "to"],
  ["amount", "2500", "amountFrom or amountTo"],
  ["starting_after", "tx_1", "after"],
].map(([name = "", value = "", ours = ""]) =>
  wrongGet(`${name} in a search`, `${SEARCH}?${name}=${value}`, ...INVALID, {
    [name]: `unknown parameter; did you mean ${ours}?`,
  }),
);

export const ENDPOINT_MISTAKES: Mistake[] = [
  wrongPost(
    "the fields of Stripe's endpoint",
    ENDPOINTS,
    { url: "https://loja.example.com/hook", enabled_events: ["transaction.paid"] },
    ...INVALID,
    { events: "is required", enabled_events: "unknown field; did you mean events?" },
  ),
  wrongPost(
    "webhookUrl of an endpoint",
    ENDPOINTS,
    { webhookUrl: "https://loja.example.com/hook", events: ["*"] },
    ...INVALID,
    { url: "is required", webhookUrl: "unknown field; did you mean url?" },
  ),
  wrongPost(
    "an event of a peer",
    ENDPOINTS,
    { url: "https://loja.example.com/hook", events: ["charge.paid"] },
    ...INVALID,
    {
      "events.0":
        'must be * or an event type, such as transaction.paid (/docs/payloads); got the string "charge.paid"',
    },
  ),
  wrongPost(
    "a secret of one's own",
    ENDPOINTS,
    { url: "https://loja.example.com/hook", events: ["*"], secret: "whsec_1" },
    ...INVALID,
    { secret: "unknown field; known here: url, events, description" },
  ),
  mistake(
    "an endpoint's number for its id",
    () => ({ path: `${ENDPOINTS}/2`, method: "DELETE" }),
    ...UNKNOWN,
    "There is no such webhook endpoint. GET /api/v1/webhooks/endpoints lists the ids.",
  ),
];

export const PATH_MISTAKES: Mistake[] = [
  wrongPost(
    "no /create",
    "/api/v1/transactions",
    BODY,
    405,
    "METHOD_NOT_ALLOWED",
    "This path accepts only GET, HEAD. Did you mean POST /api/v1/transactions/create?",
    { headers: { Allow: "GET, HEAD" } },
  ),
  wrongPost(
    "no /v1",
    "/api/transactions/create",
    BODY,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/v1/transactions/create?",
  ),
  wrongPost(
    "the path in capitals",
    "/API/V1/TRANSACTIONS/CREATE",
    BODY,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/v1/transactions/create?",
  ),
  wrongPost(
    "a slash at the end",
    "/api/v1/transactions/create/",
    BODY,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/v1/transactions/create?",
  ),
  wrongPost(
    "the singular",
    "/api/v1/transaction/create",
    BODY,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/v1/transactions/create?",
  ),
  wrongPost(
    "withdraw in lower case",
    "/api/withdraw/request",
    { amount: 1_000 },
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/Withdraw/request?",
  ),
  wrongGet(
    "balance in lower case",
    ({ company }) => `/api/balance/balance/${company.id}?currency=BRL`,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean GET /api/Balance/balance/{companyId}?",
  ),
  wrongGet(
    "no id",
    DETAIL,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean GET /api/Transaction/transactionByTransactionId/{transactionId}?",
  ),
  wrongGet(
    "a path that is like none",
    "/api/v2/invoices",
    ...UNKNOWN,
    "No resource exists at this path.",
  ),
  wrongGet(
    "a create by GET",
    "/api/v1/transactions/create",
    405,
    "METHOD_NOT_ALLOWED",
    "This path accepts only POST. Did you mean GET /api/v1/transactions/{id}?",
    { headers: { Allow: "POST" } },
  ),
  mistake(
    "a withdraw by PUT",
    () => ({ path: "/api/Withdraw/request", method: "PUT", body: { amount: 1_000 } }),
    405,
    "METHOD_NOT_ALLOWED",
    "This path accepts only POST. Did you mean POST /api/Withdraw/request?",
    { headers: { Allow: "POST" } },
  ),
  wrongPost(
    "a sandbox payment without sandbox",
    ({ open }) => `/api/v1/transactions/${open}/pay`,
    undefined,
    ...UNKNOWN,
    "No resource exists at this path. Did you mean POST /api/v1/sandbox/transactions/{id}/pay?",
  ),
];
