import type { Scope } from "../../../../src/domain/shared/company.ts";
import { SUBSCRIPTION_PERMISSIONS } from "./subscription-permissions.ts";
import { CARD_REQUEST } from "../../builders/requests/full-request.ts";

/**
 * The response for another company's resource: forbidden, or the caller's own resource with that
 * number.
 */
export type ForeignAccess = "transaction" | "company" | "withdraw" | "none";

export interface RoutePermission {
  /** `any`: whatever scopes an application has. */
  scope: Scope | "any";
  /** A scope that admits as well. */
  orScope?: Scope;
  /** Scopes that it needs besides. */
  furtherScopes?: Scope[];
  foreignAccess: ForeignAccess;
  sandbox?: true;
  query?: string;
  body?: object;
}

const READS = { scope: "transactions:read", foreignAccess: "none" } as const;
const WRITES = { scope: "transactions:write", foreignAccess: "none" } as const;
const READS_REQUESTS: RoutePermission = {
  scope: "keys:write",
  furtherScopes: ["transactions:read"],
  foreignAccess: "none",
};

/** Every route and its permission; permissions.test.ts fails for a route that is missing here. */
export const ROUTE_PERMISSIONS: Record<string, RoutePermission> = {
  "POST /api/v1/transactions/create": {
    ...WRITES,
    orScope: "cashier:write",
    body: { amount: 1_000, paymentMethod: "PIX" },
  },
  "GET /api/Transaction/transactionByTransactionId/:transactionId": {
    scope: "transactions:read",
    foreignAccess: "transaction",
  },
  "GET /api/v1/transactions/:id/receipt": { ...READS, foreignAccess: "transaction" },
  "GET /api/v1/transactions/:id/qr": { ...READS, foreignAccess: "transaction" },
  "GET /api/v1/me": { scope: "any", foreignAccess: "none" },
  "GET /api/v1/balance": {
    scope: "balance:read",
    foreignAccess: "none",
    query: "?currency=BRL",
  },
  "GET /api/v1/payers": READS,
  "GET /api/v1/withdraws/:id/receipt": { scope: "withdraws:read", foreignAccess: "withdraw" },
  "GET /api/v1/transactions/:id/timeline": {
    scope: "transactions:read",
    foreignAccess: "transaction",
  },
  "GET /api/Transaction/company/transactions": READS,
  "GET /api/v1/transactions": READS,
  "GET /api/v1/disputes": READS,
  "GET /api/v1/disputes/:id": READS,
  "GET /api/v1/disputes/:id/dossier": READS,
  "POST /api/v1/disputes/:id/evidence/files": {
    scope: "disputes:write",
    foreignAccess: "none",
    query: "?name=nota.pdf",
  },
  "GET /api/v1/disputes/:id/evidence/files/:fileId": {
    scope: "transactions:read",
    furtherScopes: ["pii:read"],
    foreignAccess: "none",
  },
  "DELETE /api/v1/disputes/:id/evidence/files/:fileId": {
    scope: "disputes:write",
    foreignAccess: "none",
  },
  "POST /api/v1/disputes/:id/evidence": {
    scope: "disputes:write",
    foreignAccess: "none",
    body: { text: "The customer got the goods." },
  },
  "POST /api/v1/disputes/:id/response": { scope: "disputes:write", foreignAccess: "none" },
  "POST /api/v1/transactions/search": { ...READS, body: {} },
  "GET /api/v1/transactions/:id": { scope: "transactions:read", foreignAccess: "transaction" },
  "GET /api/v1/withdraws": { scope: "withdraws:read", foreignAccess: "none" },
  "POST /api/v1/withdraws/search": { scope: "withdraws:read", foreignAccess: "none", body: {} },
  "PATCH /api/v1/transactions/:id": {
    scope: "transactions:write",
    foreignAccess: "transaction",
    body: { fiscalKey: null },
  },
  "GET /api/v1/reports/daily": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/reports/conversion": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/reports/rehearsal": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/reports/fees": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/reports/subscriptions": { scope: "transactions:read", foreignAccess: "none" },
  "GET /api/v1/reports/subscriptions/backtest": READS,
  "GET /api/v1/reports/fees/differences": { scope: "balance:read", foreignAccess: "none" },
  "POST /api/v1/reconcile": { ...READS, body: { items: [] } },
  "POST /api/Withdraw/request": {
    scope: "withdraws:write",
    foreignAccess: "none",
    body: { amount: 1_000 },
  },
  "POST /api/v1/withdraws/preview": {
    scope: "withdraws:write",
    foreignAccess: "none",
    body: { amount: 1_000 },
  },
  "POST /api/Withdraw/:id/cancel": { scope: "withdraws:write", foreignAccess: "withdraw" },
  "GET /api/v1/withdraws/:id/approval": {
    scope: "withdraws:approve",
    foreignAccess: "withdraw",
  },
  "POST /api/v1/withdraws/:id/approve": { scope: "withdraws:approve", foreignAccess: "withdraw" },
  "POST /api/v1/withdraws/:id/refuse": { scope: "withdraws:approve", foreignAccess: "withdraw" },
  "POST /api/v1/pix/static-codes": { ...WRITES, body: { amount: 1_000 } },
  "GET /api/v1/pix/static-codes": READS,
  "GET /api/v1/pix/static-codes/:id": READS,
  "DELETE /api/v1/pix/static-codes/:id": { scope: "transactions:write", foreignAccess: "none" },
  "POST /api/v1/sandbox/pix/static-codes/:id/pay": {
    scope: "transactions:write",
    foreignAccess: "none",
    sandbox: true,
    body: { amount: 1_000 },
  },
  "GET /api/v1/company/pix-keys": { scope: "settings:write", foreignAccess: "none" },
  "POST /api/v1/company/pix-keys": {
    scope: "settings:write",
    foreignAccess: "none",
    body: { pixKey: "maria@example.com" },
  },
  "DELETE /api/v1/company/pix-keys/:id": { scope: "settings:write", foreignAccess: "none" },
  "POST /api/v1/company/withdraw-policy/backtest": {
    scope: "settings:write",
    foreignAccess: "none",
    body: { settings: {} },
  },
  "GET /api/v1/company/settings": {
    scope: "balance:read",
    orScope: "settings:write",
    foreignAccess: "none",
  },
  "GET /api/v1/company/terms": { scope: "balance:read", foreignAccess: "none" },
  "POST /api/v1/payers/export": {
    scope: "pii:read",
    furtherScopes: ["transactions:read", "withdraws:read", "webhooks:read"],
    foreignAccess: "none",
    body: { document: "52998224725" },
  },
  "POST /api/v1/payers/erase": {
    scope: "settings:write",
    foreignAccess: "none",
    body: { document: "52998224725" },
  },
  "PUT /api/v1/company/settings": {
    scope: "settings:write",
    foreignAccess: "none",
    body: { duplicateWithdrawGuard: false },
  },
  "DELETE /api/v1/company/settings/pending/:field": {
    scope: "settings:write",
    foreignAccess: "none",
  },
  "GET /api/v1/requests": READS_REQUESTS,
  "GET /api/v1/requests/:traceId": READS_REQUESTS,
  "GET /api/v1/applications": { scope: "keys:write", foreignAccess: "none" },
  "POST /api/v1/applications": {
    scope: "keys:write",
    foreignAccess: "none",
    body: { name: "ERP", scopes: ["keys:write"] },
  },
  "PATCH /api/v1/applications/:id": {
    scope: "keys:write",
    foreignAccess: "none",
    body: { name: "ERP" },
  },
  "DELETE /api/v1/applications/:id": { scope: "keys:write", foreignAccess: "none" },
  "DELETE /api/v1/applications/:id/pending/:field": { scope: "keys:write", foreignAccess: "none" },
  "GET /api/v1/applications/:id/keys": { scope: "keys:write", foreignAccess: "none" },
  "POST /api/v1/applications/:id/keys": { scope: "keys:write", foreignAccess: "none" },
  "DELETE /api/v1/applications/:id/keys/:keyId": {
    scope: "keys:write",
    foreignAccess: "none",
  },
  "GET /api/v1/saved-views": READS,
  "POST /api/v1/saved-views": { ...READS, body: { name: "Paid", filters: {} } },
  "PATCH /api/v1/saved-views/:id": { ...READS, body: { name: "Paid" } },
  "DELETE /api/v1/saved-views/:id": READS,
  "GET /api/v1/people": { scope: "people:write", foreignAccess: "none" },
  "POST /api/v1/people/invitations": {
    scope: "people:write",
    // Those of the role that the body gives.
    furtherScopes: ["transactions:read", "withdraws:read", "balance:read", "webhooks:read"],
    foreignAccess: "none",
    body: { email: "maria@example.com", role: "viewer" },
  },
  "DELETE /api/v1/people/invitations/:id": { scope: "people:write", foreignAccess: "none" },
  "PATCH /api/v1/people/:id": {
    scope: "people:write",
    foreignAccess: "none",
    body: { role: "viewer" },
  },
  "DELETE /api/v1/people/:id": { scope: "people:write", foreignAccess: "none" },
  "GET /api/v1/audit": { scope: "settings:write", foreignAccess: "none" },
  "GET /api/Withdraw/company/withdraws": { scope: "withdraws:read", foreignAccess: "none" },
  "GET /api/v1/withdraws/:id/timeline": { scope: "withdraws:read", foreignAccess: "withdraw" },
  "GET /api/Withdraw/:id": { scope: "withdraws:read", foreignAccess: "withdraw" },
  "GET /api/Balance/balance/:companyId": {
    scope: "balance:read",
    foreignAccess: "company",
    query: "?currency=BRL",
  },
  "GET /api/Balance/statement/:companyId": {
    scope: "balance:read",
    foreignAccess: "company",
    query: "?currency=BRL",
  },
  "POST /api/v1/statement/verify": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/releases": {
    scope: "balance:read",
    foreignAccess: "none",
    query: "?day=2026-12-21",
  },
  "GET /api/v1/company/providers": {
    scope: "balance:read",
    orScope: "settings:write",
    foreignAccess: "none",
  },
  "GET /api/v1/statement/entries": { scope: "balance:read", foreignAccess: "none" },
  "GET /api/v1/statement/archive": {
    scope: "balance:read",
    furtherScopes: ["transactions:read", "withdraws:read"],
    foreignAccess: "none",
  },
  "POST /api/v1/payment-links": { ...WRITES, body: { name: "Curso", amount: 5_000 } },
  "GET /api/v1/payment-links": READS,
  "GET /api/v1/payment-links/:id": READS,
  "GET /api/v1/payment-links/:id/qr": READS,
  "PATCH /api/v1/payment-links/:id": { ...WRITES, body: { active: false } },
  ...SUBSCRIPTION_PERMISSIONS,
  "GET /api/v1/payments/received": {
    scope: "transactions:read",
    orScope: "cashier:write",
    foreignAccess: "none",
    query: "?endToEndId=E00000000202611211201a1b2c3d4e5f",
  },
  "POST /api/v1/transactions/:id/refund": {
    scope: "refunds:write",
    foreignAccess: "transaction",
  },
  "GET /api/v1/refunds": {
    scope: "transactions:read",
    foreignAccess: "none",
    query: "?approval=pending",
  },
  "POST /api/v1/refunds/:id/approve": { scope: "withdraws:approve", foreignAccess: "none" },
  "POST /api/v1/refunds/:id/refuse": { scope: "withdraws:approve", foreignAccess: "none" },
  "GET /api/v1/payments/unexpected": READS,
  "GET /api/v1/payments/unexpected/:id": READS,
  "POST /api/v1/payments/unexpected/:id/return": { scope: "payments:write", foreignAccess: "none" },
  "POST /api/v1/payments/unexpected/:id/credit": { scope: "payments:write", foreignAccess: "none" },
  "GET /api/v1/events": { scope: "webhooks:read", foreignAccess: "none" },
  "GET /api/v1/events/:id": { scope: "webhooks:read", foreignAccess: "none" },
  "GET /api/v1/webhooks/deliveries": { scope: "webhooks:read", foreignAccess: "none" },
  "POST /api/v1/webhooks/deliveries/:id/resend": { scope: "webhooks:write", foreignAccess: "none" },
  "POST /api/v1/webhooks/deliveries/resend": {
    scope: "webhooks:write",
    foreignAccess: "none",
    body: { from: "2026-01-01", to: "2026-01-02" },
  },
  "POST /api/v1/webhooks/secret/rotate": { scope: "webhooks:write", foreignAccess: "none" },
  "DELETE /api/v1/webhooks/secret/previous": { scope: "webhooks:write", foreignAccess: "none" },
  "POST /api/v1/webhooks/verify": {
    scope: "webhooks:read",
    foreignAccess: "none",
    body: { headers: {}, body: "" },
  },
  "POST /api/v1/webhooks/test": { scope: "webhooks:write", foreignAccess: "none" },
  "GET /api/v1/sandbox/webhooks/chaos": {
    scope: "webhooks:read",
    foreignAccess: "none",
    sandbox: true,
  },
  "PUT /api/v1/sandbox/webhooks/chaos": {
    scope: "webhooks:write",
    foreignAccess: "none",
    sandbox: true,
    body: { drop: 0 },
  },
  "GET /api/v1/webhooks/endpoint": { scope: "webhooks:read", foreignAccess: "none" },
  "PUT /api/v1/webhooks/endpoint": {
    scope: "webhooks:write",
    foreignAccess: "none",
    body: { url: "" },
  },
  "GET /api/v1/webhooks/endpoints": { scope: "webhooks:read", foreignAccess: "none" },
  "POST /api/v1/webhooks/endpoints": {
    scope: "webhooks:write",
    foreignAccess: "none",
    body: { url: "https://erp.example.com/webhooks", events: ["*"] },
  },
  "PATCH /api/v1/webhooks/endpoints/:id": {
    scope: "webhooks:write",
    foreignAccess: "none",
    body: { events: ["*"] },
  },
  "DELETE /api/v1/webhooks/endpoints/:id": { scope: "webhooks:write", foreignAccess: "none" },
  "POST /api/v1/webhooks/endpoints/:id/rotate-secret": {
    scope: "webhooks:write",
    foreignAccess: "none",
  },
  "GET /api/Balance/forecast/:companyId": {
    scope: "balance:read",
    foreignAccess: "company",
    query: "?currency=BRL",
  },
  ...Object.fromEntries<RoutePermission>(
    [["cancel"], ["capture"], ["due-date", { dueDate: "2049-10-13" }] as const].map(
      ([move, body = {}]) => [
        `POST /api/v1/transactions/:id/${move}`,
        { scope: "transactions:write", foreignAccess: "transaction", body },
      ],
    ),
  ),
  "GET /api/v1/cards": { ...READS, query: "?customer=00000000-0001-8000-8000-000000000001" },
  "DELETE /api/v1/cards/:id": WRITES,
  "POST /api/v1/cards/tokens": {
    scope: "transactions:write",
    foreignAccess: "none",
    sandbox: true,
    body: CARD_REQUEST.card,
  },
  "GET /api/v1/sandbox/faults": { ...READS, sandbox: true },
  "GET /api/v1/sandbox/clock": { ...READS, sandbox: true },
  ...Object.fromEntries<RoutePermission>(
    Object.entries({
      "POST /api/v1/sandbox/clock": { advance: "PT1S" },
      "PUT /api/v1/sandbox/faults": { items: [] },
    }).map(([name, body]) => [
      name,
      {
        scope: "transactions:write",
        orScope: "webhooks:write",
        foreignAccess: "none",
        sandbox: true,
        body,
      },
    ]),
  ),
  "POST /api/v1/sandbox/payments": {
    scope: "transactions:write",
    foreignAccess: "none",
    sandbox: true,
    body: { amount: 1_000 },
  },
  "GET /api/v1/sandbox/settings": { scope: "settings:write", foreignAccess: "none", sandbox: true },
  "PUT /api/v1/sandbox/settings": {
    scope: "settings:write",
    foreignAccess: "none",
    sandbox: true,
    body: { fees: {} },
  },
  "POST /api/v1/sandbox/transactions/:id/dispute/resolve": {
    ...WRITES,
    foreignAccess: "transaction",
    sandbox: true,
    body: { outcome: "won" },
  },
  ...Object.fromEntries<RoutePermission>(
    ["pay", "fail", "expire", "dispute", "chargeback", "chargeback/reverse"].map((move) => [
      `POST /api/v1/sandbox/transactions/:id/${move}`,
      { scope: "transactions:write", foreignAccess: "transaction", sandbox: true },
    ]),
  ),
  ...Object.fromEntries<RoutePermission>(
    ["pay", "fail", "return"].map((move) => [
      `POST /api/v1/sandbox/withdraws/:id/${move}`,
      { scope: "withdraws:write", foreignAccess: "withdraw", sandbox: true },
    ]),
  ),
};

/** Routes without credentials: for payers and for verifiers of webhooks. */
export const PUBLIC_ROUTES = new Set([
  "GET /api/checkout/status/:id",
  "GET /health",
  "GET /ready",
  "GET /.well-known/webhook-keys.json",
  "GET /api/v1/pix/decode",
  "GET /api/v1/calendar",
  "GET /api/v1/boletos/decode",
  "POST /receipts/verify",
  "POST /callbacks/pix-api/:callbackToken",
  ...["pix", "rec", "cobr"].map((kind) => `POST /callbacks/pix-api/:callbackToken/${kind}`),
  ...["efi-cobrancas", "pagarme"].map((kind) => `POST /callbacks/${kind}/:callbackToken`),
]);

/** Routes of the operators of the gateway; no company's credentials open them. */
