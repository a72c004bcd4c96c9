import type { RoutePermission } from "./route-permissions.ts";

const READS = { scope: "transactions:read", foreignAccess: "none" } as const;
const WRITES = { scope: "transactions:write", foreignAccess: "none" } as const;

/** The routes of subscriptions, and those that play their payers. */
export const SUBSCRIPTION_PERMISSIONS: Record<string, RoutePermission> = {
  "POST /api/v1/subscriptions": {
    ...WRITES,
    body: {
      customer: { name: "Maria da Silva", document: { number: "12345678909" } },
      description: "Clube do livro",
      amount: 4_990,
      period: "MONTHLY",
      firstDueDate: "2099-12-10",
      journey: "QR",
    },
  },
  "GET /api/v1/subscriptions": READS,
  "GET /api/v1/subscriptions/:id": READS,
  "PATCH /api/v1/subscriptions/:id": { ...WRITES, body: { amount: 5_990 } },
  "POST /api/v1/subscriptions/:id/cancel": WRITES,
  "POST /api/v1/subscriptions/:id/pause": WRITES,
  "POST /api/v1/subscriptions/:id/resume": WRITES,
  "GET /api/v1/subscriptions/:id/charges": READS,
  "POST /api/v1/subscriptions/:id/charges": { ...WRITES, body: { dueDate: "2099-12-10" } },
  "POST /api/v1/subscriptions/:id/charges/:transactionId/by-hand": WRITES,
  "POST /api/v1/subscriptions/:id/charges/:transactionId/retry": {
    ...WRITES,
    body: { date: "2099-12-11" },
  },
  "POST /api/v1/subscriptions/:id/charges/:transactionId/cancel": WRITES,
  "GET /api/v1/reports/subscriptions/upcoming": READS,
  "GET /api/v1/reports/subscriptions/banks": READS,
  "POST /api/v1/sandbox/subscriptions/:id/approve": { ...WRITES, sandbox: true },
  "POST /api/v1/sandbox/subscriptions/:id/reject": { ...WRITES, sandbox: true },
  "POST /api/v1/sandbox/subscriptions/:id/payer-cancel": { ...WRITES, sandbox: true },
  "POST /api/v1/sandbox/transactions/:id/attempt": {
    ...WRITES,
    sandbox: true,
    foreignAccess: "transaction",
    body: { outcome: "paid" },
  },
};
