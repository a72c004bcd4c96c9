import type { OperatorPermission } from "../../../../src/domain/operators/operator.ts";

interface OperatorRoute {
  permission: OperatorPermission;
  /** Whether every operator is admitted whose client id is the `id` of the path. */
  self?: true;
  body?: object;
}

/** Every operator's route and its permission. */
export const OPERATOR_ROUTES: Record<string, OperatorRoute> = {
  "GET /api/v1/operator/companies": { permission: "companies:read" },
  "POST /api/v1/operator/companies": {
    permission: "companies:write",
    body: { name: "Loja Nova", mode: "sandbox" },
  },
  "GET /api/v1/operator/companies/:companyId": { permission: "companies:read" },
  "PATCH /api/v1/operator/companies/:companyId": {
    permission: "companies:write",
    body: { name: "Loja Outra" },
  },
  "POST /api/v1/operator/companies/:companyId/close": {
    permission: "companies:write",
    body: { reason: "The contract has ended." },
  },
  "POST /api/v1/operator/companies/:companyId/reopen": {
    permission: "companies:write",
    body: { reason: "The contract goes on." },
  },
  "POST /api/v1/operator/companies/:companyId/fork": {
    permission: "companies:write",
    body: { reason: "A wrong balance is reported." },
  },
  "POST /api/v1/operator/companies/:companyId/owner-invitation": {
    permission: "companies:write",
    body: { email: "maria@example.com" },
  },
  "GET /api/v1/operator/people": { permission: "people:write" },
  "POST /api/v1/operator/people": {
    permission: "people:write",
    body: { name: "Ana Souza", role: "read" },
  },
  "GET /api/v1/operator/people/:id": { permission: "people:write", self: true },
  "PATCH /api/v1/operator/people/:id": { permission: "people:write", body: { name: "Ana" } },
  "DELETE /api/v1/operator/people/:id": { permission: "people:write" },
  "POST /api/v1/operator/people/:id/sign-in-link": { permission: "people:write" },
  "GET /api/v1/operator/people/:id/keys": { permission: "people:write", self: true },
  "POST /api/v1/operator/people/:id/keys": { permission: "people:write", self: true },
  "DELETE /api/v1/operator/people/:id/keys/:keyId": { permission: "people:write", self: true },
  "GET /api/v1/operator/audit": { permission: "companies:read" },
  "GET /api/v1/operator/contradictions": { permission: "companies:read" },
  "GET /api/v1/operator/contradictions/:id": { permission: "companies:read" },
  "POST /api/v1/operator/contradictions/:id/decide": {
    permission: "money:decide",
    body: { action: "dismiss", reason: "It is settled." },
  },
  "GET /api/v1/operator/proposals": { permission: "companies:read" },
  "GET /api/v1/operator/proposals/:id": { permission: "companies:read" },
  "POST /api/v1/operator/proposals": {
    permission: "money:decide",
    body: {
      action: "payout.decide",
      companyId: 1,
      target: "withdraw:7",
      request: { outcome: "failed" },
      reason: "The bank says so.",
    },
  },
  "POST /api/v1/operator/proposals/:id/approve": {
    permission: "money:decide",
    body: { reason: "I have read it too." },
  },
  "POST /api/v1/operator/proposals/:id/refuse": {
    permission: "money:decide",
    body: { reason: "It is forged." },
  },
  "POST /api/v1/operator/companies/:companyId/freeze": {
    permission: "companies:write",
    body: { reason: "A key was stolen." },
  },
  "DELETE /api/v1/operator/companies/:companyId/freeze": { permission: "companies:write" },
  "GET /api/v1/operator/events": { permission: "companies:read" },
  "GET /api/v1/operator/status": { permission: "companies:read" },
  "GET /metrics": { permission: "companies:read" },
  "GET /api/v1/operator/dead-letters": { permission: "companies:read" },
  "POST /api/v1/operator/dead-letters/:id/replay": { permission: "companies:support" },
  "POST /api/v1/operator/companies/:companyId/violations/acknowledge": {
    permission: "companies:support",
    body: { reason: "The bank confirms it." },
  },
  "PUT /api/v1/operator/companies/:companyId/providers/pix-api/access-end": {
    permission: "companies:write",
    body: { certificateExpiresAt: "2027-01-31T23:59:59.000Z", credentialsExpireAt: null },
  },
  "GET /api/v1/operator/companies/:companyId/status": { permission: "companies:read" },
  "GET /api/v1/operator/companies/:companyId/health": { permission: "companies:read" },
  "GET /api/v1/operator/companies/:companyId/move": { permission: "companies:read" },
  "GET /api/v1/operator/moves": { permission: "companies:read" },
  "GET /api/v1/operator/companies/:companyId/inspect": { permission: "companies:read" },
  "GET /api/v1/operator/companies/:companyId/terms": { permission: "companies:read" },
  "PUT /api/v1/operator/companies/:companyId/terms": {
    permission: "companies:write",
    body: { frozen: true },
  },
  "GET /api/v1/operator/companies/:companyId/suspense": { permission: "companies:read" },
  "POST /api/v1/operator/companies/:companyId/suspense/:paymentId/return": {
    permission: "money:decide",
    body: { reason: "The payer asks for it." },
  },
  "POST /api/v1/operator/companies/:companyId/reconcile": {
    permission: "companies:support",
    body: {},
  },
  "POST /api/v1/operator/companies/:companyId/restore": {
    permission: "companies:write",
    body: {},
  },
  "POST /api/v1/operator/companies/:companyId/restore/object": {
    permission: "companies:write",
    body: { to: 1, reason: "The object is damaged." },
  },
  "POST /api/v1/operator/companies/:companyId/withdraws/:id/decide": {
    permission: "money:decide",
    body: { outcome: "failed", reason: "The bank says so." },
  },
  "POST /api/v1/operator/companies/:companyId/operations/:operationId/decide": {
    permission: "money:decide",
    body: { outcome: "failed", reason: "The bank says so." },
  },
  "POST /api/v1/operator/companies/:companyId/move": {
    permission: "companies:write",
    body: { to: "DB_2" },
  },
  "GET /api/v1/operator/companies/:companyId/keys": { permission: "companies:read" },
  "POST /api/v1/operator/companies/:companyId/keys": {
    permission: "companies:write",
    body: { overlapHours: 1 },
  },
  "POST /api/v1/operator/companies/:companyId/keys/:keyId/revoke": {
    permission: "companies:write",
  },
  "GET /api/v1/operator/companies/:companyId/providers": { permission: "companies:read" },
  "PUT /api/v1/operator/companies/:companyId/providers/:account": {
    permission: "companies:write",
    body: { provider: "pagarme" },
  },
  "PATCH /api/v1/operator/companies/:companyId/providers/:account": {
    permission: "companies:write",
    body: { state: "draining" },
  },
  "DELETE /api/v1/operator/companies/:companyId/providers/:account": {
    permission: "companies:write",
  },
  "PUT /api/v1/operator/companies/:companyId/providers/:account/certificate": {
    permission: "companies:write",
    body: { binding: "PSP_LOJA_2" },
  },
  "DELETE /api/v1/operator/companies/:companyId/providers/:account/certificate": {
    permission: "companies:write",
  },
  "GET /api/v1/operator/companies/:companyId/providers/pix-api": { permission: "companies:read" },
  "PUT /api/v1/operator/companies/:companyId/providers/pix-api": {
    permission: "companies:write",
    body: { pixKey: "maria@example.com" },
  },
  "DELETE /api/v1/operator/companies/:companyId/providers/pix-api": {
    permission: "companies:write",
  },
  "POST /api/v1/operator/companies/:companyId/providers/pix-api/webhook": {
    permission: "companies:write",
  },
  "POST /api/v1/operator/companies/:companyId/providers/pix-api/callback-token/rotate": {
    permission: "companies:write",
  },
  "POST /api/v1/operator/alarms/test": { permission: "companies:support" },
  "GET /api/v1/operator/service": { permission: "companies:read" },
  "POST /api/v1/operator/service/pause": {
    permission: "companies:write",
    body: { reason: "D1 goes back by an hour." },
  },
  "POST /api/v1/operator/service/resume": {
    permission: "companies:write",
    body: { reason: "D1 is back." },
  },
  "GET /api/v1/operator/companies/:companyId/quotas": { permission: "companies:read" },
  "PUT /api/v1/operator/companies/:companyId/quotas": {
    permission: "companies:write",
    body: { percent: 100 },
  },
  "POST /api/v1/operator/secrets/reseal": { permission: "companies:write" },
};
