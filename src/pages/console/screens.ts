import type { ConsoleApp } from "./context.ts";
import { accountScreen } from "./screens/account/routes.tsx";
import { secondFactorScreen } from "./screens/account/second-factor-routes.tsx";
import { confirmScreen } from "./screens/sign-in/confirm-routes.tsx";
import { disputesScreen } from "./screens/disputes/routes.tsx";
import { homeScreen } from "./screens/home/routes.tsx";
import { passwordResetScreen } from "./screens/password-reset/routes.tsx";
import { passkeyRoutes } from "./screens/sign-in/passkey-routes.ts";
import { paymentsScreen } from "./screens/payments/routes.tsx";
import { signInScreen } from "./screens/sign-in/routes.tsx";
import { unexpectedPaymentsScreen } from "./screens/unexpected-payments/routes.tsx";
import { newChargeScreen } from "./screens/new-charge/routes.tsx";
import { paymentScreen } from "./screens/payment/routes.tsx";
import { refundsScreen } from "./screens/refunds/routes.tsx";
import { payersScreen } from "./screens/payers/routes.tsx";
import { providersScreen } from "./screens/providers/routes.tsx";
import { settingsScreen } from "./screens/settings/routes.tsx";
import { withdrawsScreen } from "./screens/withdraws/routes.tsx";
import { invitationScreen } from "./screens/invitation/routes.tsx";
import { cashierDevicesScreen } from "./screens/team/device-routes.ts";
import { teamScreen } from "./screens/team/routes.tsx";
import { auditScreen } from "./screens/audit/routes.tsx";
import { keysScreen } from "./screens/keys/routes.tsx";
import { findScreen } from "./screens/find/routes.tsx";
import { deliveriesScreen } from "./screens/webhooks/delivery-routes.tsx";
import { webhooksScreen } from "./screens/webhooks/routes.tsx";
import { subscriptionsScreen } from "./screens/subscriptions/routes.tsx";
import { staticCodesScreen } from "./screens/static-codes/routes.tsx";
import { cashierDeviceScreen } from "./screens/cashier/device-routes.tsx";
import { cashierScreen } from "./screens/cashier/routes.tsx";
import { statementScreen } from "./screens/statement/routes.tsx";
import { forecastScreen } from "./screens/forecast/routes.tsx";
import { rehearsalScreen } from "./screens/rehearsal/routes.tsx";
import { feesScreen } from "./screens/fees/routes.tsx";
import { paymentLinksScreen } from "./screens/payment-links/routes.tsx";
import { liveScreen } from "./screens/live/routes.ts";
import { eventsScreen } from "./screens/events/routes.tsx";
import { clockScreen } from "./screens/clock/routes.tsx";
import { scenariosScreen } from "./screens/scenarios/routes.tsx";
import { requestsScreen } from "./screens/requests/routes.tsx";
import { operatorHomeScreen } from "./screens/operator/home/routes.tsx";
import { setUpScreen } from "./screens/operator/set-up/routes.tsx";
import { operatorPeopleScreen } from "./screens/operator/people/routes.tsx";
import { operatorAuditScreen } from "./screens/operator/audit/routes.tsx";
import { companiesScreen } from "./screens/operator/companies/routes.tsx";
import { decideScreen } from "./screens/operator/company/decide-routes.tsx";
import { accountTermsScreen } from "./screens/operator/company/account-terms-routes.tsx";
import { certificateScreen } from "./screens/operator/company/certificate-routes.tsx";
import { accountsScreen } from "./screens/operator/company/accounts-routes.tsx";
import { manageCompanyScreen } from "./screens/operator/company/manage-routes.tsx";
import { companyScreen } from "./screens/operator/company/routes.tsx";
import { contradictionsScreen } from "./screens/operator/contradictions/routes.tsx";
import { proposalsScreen } from "./screens/operator/proposals/routes.tsx";
import { movesScreen } from "./screens/operator/moves/routes.tsx";
import { statusScreen } from "./screens/operator/status/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [
  homeScreen,
  liveScreen,
  paymentsScreen,
  findScreen,
  withdrawsScreen,
  disputesScreen,
  unexpectedPaymentsScreen,
  signInScreen,
  confirmScreen,
  passwordResetScreen,
  passkeyRoutes,
  accountScreen,
  secondFactorScreen,
  newChargeScreen,
  paymentScreen,
  refundsScreen,
  payersScreen,
  settingsScreen,
  providersScreen,
  teamScreen,
  cashierDevicesScreen,
  invitationScreen,
  keysScreen,
  auditScreen,
  webhooksScreen,
  deliveriesScreen,
  eventsScreen,
  requestsScreen,
  clockScreen,
  scenariosScreen,
  statementScreen,
  forecastScreen,
  rehearsalScreen,
  feesScreen,
  paymentLinksScreen,
  subscriptionsScreen,
  staticCodesScreen,
  cashierScreen,
  cashierDeviceScreen,
  operatorHomeScreen,
  setUpScreen,
  operatorPeopleScreen,
  operatorAuditScreen,
  companiesScreen,
  companyScreen,
  accountsScreen,
  accountTermsScreen,
  certificateScreen,
  manageCompanyScreen,
  decideScreen,
  contradictionsScreen,
  proposalsScreen,
  movesScreen,
  statusScreen,
];
