import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { applicationRoutes } from "./api/applications/routes.ts";
import { auditTrailRoutes } from "./api/audit/routes.ts";
import { balanceRoutes } from "./api/balance/routes.ts";
import { boletoRoutes } from "./api/boletos/routes.ts";
import { cardRoutes } from "./api/cards/routes.ts";
import { checkoutRoutes } from "./api/checkout/routes.ts";
import { allowedPixKeyRoutes } from "./api/allowed-pix-keys/routes.ts";
import { meRoutes } from "./api/me/routes.ts";
import { disputeRoutes } from "./api/disputes/routes.ts";
import { eventRoutes } from "./api/events/routes.ts";
import { auditRoutes } from "./api/operator/audit/routes.ts";
import { restoreRoutes } from "./api/operator/restore/routes.ts";
import { proposalRoutes } from "./api/operator/proposals/routes.ts";
import { decisionRoutes } from "./api/operator/decisions/routes.ts";
import { contradictionRoutes } from "./api/operator/contradictions/routes.ts";
import { alarmRoutes } from "./api/operator/alarms/routes.ts";
import { inspectRoutes } from "./api/operator/inspection/routes.ts";
import { apiKeyRoutes } from "./api/operator/keys/routes.ts";
import { peopleRoutes } from "./api/operator/people/routes.ts";
import { deadLetterRoutes } from "./api/operator/dead-letters/routes.ts";
import { companyMoveRoutes } from "./api/operator/company-moves/routes.ts";
import { forkRoutes } from "./api/operator/fork/routes.ts";
import { pixApiRoutes } from "./api/operator/pix-api/routes.ts";
import { certificateRoutes } from "./api/operator/certificates/routes.ts";
import { providerAccountRoutes } from "./api/operator/provider-accounts/routes.ts";
import { ownerInvitationRoutes } from "./api/operator/owner-invitations/routes.ts";
import { quotaRoutes } from "./api/operator/quotas/routes.ts";
import { operatorRoutes } from "./api/operator/companies/routes.ts";
import { serviceRoutes } from "./api/operator/service/routes.ts";
import { secretsRoutes } from "./api/operator/secrets/routes.ts";
import { statusRoutes } from "./api/operator/status/routes.ts";
import { healthRoutes } from "./api/health/routes.ts";
import { payerRoutes } from "./api/payers/routes.ts";
import { companyPeopleRoutes } from "./api/people/routes.ts";
import { requestRoutes } from "./api/requests/routes.ts";
import { savedViewRoutes } from "./api/saved-views/routes.ts";
import { receivedPaymentRoutes } from "./api/payments/received-routes.ts";
import { recoveryRoutes } from "./api/subscriptions/reports/recovery.ts";
import { subscriptionReportRoutes } from "./api/subscriptions/reports/routes.ts";
import { subscriptionRoutes } from "./api/subscriptions/routes.ts";
import { paymentLinkRoutes } from "./api/payment-links/routes.ts";
import { paymentRoutes } from "./api/payments/routes.ts";
import { refundRoutes } from "./api/refunds/routes.ts";
import { calendarRoutes } from "./api/pix/calendar-routes.ts";
import { pixRoutes } from "./api/pix/routes.ts";
import { callbackRoutes } from "./api/provider-callbacks/routes.ts";
import { staticCodeRoutes } from "./api/pix/static-codes/routes.ts";
import { chaosRoutes } from "./api/sandbox/chaos.ts";
import { faultRoutes } from "./api/sandbox/faults.ts";
import { receiptRoutes } from "./api/receipts/routes.ts";
import { reconcileRoutes } from "./api/reconcile/routes.ts";
import { statementRoutes } from "./api/statement/routes.ts";
import { reportRoutes } from "./api/reports/routes.ts";
import { sandboxRoutes } from "./api/sandbox/routes.ts";
import { settingsRoutes } from "./api/settings/routes.ts";
import { transactionReadRoutes } from "./api/transactions/read/routes.ts";
import { fiscalLinkRoutes } from "./api/transactions/fiscal-link/routes.ts";
import { transactionRoutes } from "./api/transactions/routes.ts";
import { webhookRoutes } from "./api/webhooks/routes.ts";
import { withdrawApprovalRoutes } from "./api/withdraws/approvals/routes.ts";
import { withdrawBacktestRoutes } from "./api/withdraws/backtest/routes.ts";
import { withdrawRoutes } from "./api/withdraws/routes.ts";
import { withdrawSearchRoutes } from "./api/withdraws/search/routes.ts";
import { systemDependencies } from "./dependencies.ts";
import type { Api } from "./http/api.ts";
import { fromOutside } from "./http/auth/person-requests.ts";
import type { AppEnv, Dependencies } from "./http/context.ts";
import { checkQueryParameters } from "./http/fields/query-parameters.ts";
import { documentRoute } from "./http/openapi/document.ts";
import { refuseNewerDatabase } from "./http/newer-database.ts";
import { originGuard } from "./http/origin-guard.ts";
import { limitFailedLogins } from "./http/rate-limits/enforce.ts";
import { clockHeader } from "./http/auth/clock-header.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { negotiateContent } from "./http/negotiation.ts";
import { onError, onMethodNotAllowed, onNotFound } from "./http/problems.ts";
import { tracing } from "./http/tracing.ts";
import { uriLimit } from "./http/uri-limit.ts";
import { onInvalid } from "./http/validation.ts";
import { boletoPages } from "./api/boletos/slip-routes.ts";
import { consolePages } from "./pages/console.ts";
import { mcpServer } from "./mcp/mount.ts";
import { receiptPages } from "./pages/receipts.ts";
import { reminderPages } from "./pages/reminders.ts";
import { subscriptionPages } from "./pages/subscription.ts";
import { checkoutPages } from "./pages/checkout.ts";
import { paymentLinkPages } from "./pages/payment-link.ts";
import { frontPage } from "./pages/front.ts";
import { docsPage } from "./pages/docs.ts";

/** The routes, in the order of the OpenAPI document. */
const MOUNTS: ((app: Api) => void)[] = [
  transactionRoutes,
  transactionReadRoutes,
  fiscalLinkRoutes,
  withdrawRoutes,
  withdrawSearchRoutes,
  withdrawApprovalRoutes,
  paymentRoutes,
  refundRoutes,
  receivedPaymentRoutes,
  balanceRoutes,
  statementRoutes,
  reportRoutes,
  reconcileRoutes,
  checkoutRoutes,
  paymentLinkRoutes,
  subscriptionRoutes,
  recoveryRoutes,
  subscriptionReportRoutes,
  cardRoutes,
  pixRoutes,
  calendarRoutes,
  staticCodeRoutes,
  boletoRoutes,
  disputeRoutes,
  webhookRoutes,
  eventRoutes,
  settingsRoutes,
  applicationRoutes,
  meRoutes,
  requestRoutes,
  companyPeopleRoutes,
  savedViewRoutes,
  allowedPixKeyRoutes,
  withdrawBacktestRoutes,
  auditTrailRoutes,
  payerRoutes,
  receiptRoutes,
  sandboxRoutes,
  chaosRoutes,
  faultRoutes,
  operatorRoutes,
  ownerInvitationRoutes,
  quotaRoutes,
  decisionRoutes,
  proposalRoutes,
  peopleRoutes,
  auditRoutes,
  restoreRoutes,
  contradictionRoutes,
  statusRoutes,
  serviceRoutes,
  alarmRoutes,
  deadLetterRoutes,
  inspectRoutes,
  apiKeyRoutes,
  companyMoveRoutes,
  forkRoutes,
  pixApiRoutes,
  providerAccountRoutes,
  certificateRoutes,
  secretsRoutes,
  callbackRoutes,
  healthRoutes,
  documentRoute,
  frontPage,
  docsPage,
  mcpServer,
  consolePages,
  checkoutPages,
  receiptPages,
  reminderPages,
  subscriptionPages,
  paymentLinkPages,
  boletoPages,
];

/** The HTTP service: middleware in order, routes, and the responses for unknown paths and errors. */
export function createApp(dependencies: Partial<Dependencies> = {}): Api {
  const deps = { ...systemDependencies, ...dependencies };
  return createAppFor(() => deps);
}

/** The same, with the dependencies that each request is asked with. */
export function createAppFor(dependencies: () => Dependencies): Api {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: onInvalid });
  app.use(async (c, next) => {
    c.set("deps", dependencies());
    c.set("app", app);
    await next();
  });
  app.use(tracing);
  app.use(fromOutside(securityHeaders));
  app.use(clockHeader);
  app.use(uriLimit);
  app.use(fromOutside(originGuard));
  app.use(refuseNewerDatabase);
  app.use(fromOutside(limitFailedLogins));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: onMethodNotAllowed(app) }));
  app.use("/api/*", negotiateContent);
  checkQueryParameters(app);
  for (const mount of MOUNTS) mount(app);
  app.notFound(onNotFound(app));
  app.onError(onError);
  return app;
}
