import type { Mutant } from "./mutant.ts";
import { bookkeepingMutants } from "./table/bookkeeping.ts";
import { chargeMutants } from "./table/charges.ts";
import { contradictionMutants } from "./table/contradictions.ts";
import { projectionMutants } from "./table/projections.ts";
import { authenticationMutants } from "./table/authentication.ts";
import { houseClientMutants } from "./table/house-clients.ts";
import { ledgerMutants } from "./table/ledger.ts";
import { limitMutants } from "./table/limits.ts";
import { linkMutants } from "./table/links.ts";
import { pagarMeMutants } from "./table/pagarme.ts";
import { providerProposalMutants } from "./table/provider-proposals.ts";
import { providerReportMutants } from "./table/provider-reports.ts";
import { disputeMutants } from "./table/disputes.ts";
import { refundMutants } from "./table/refunds.ts";
import { rowArchiveMutants } from "./table/row-archive.ts";
import { payersSubscriptionMutants } from "./table/payers-subscription.ts";
import { cycleEndMutants } from "./table/subscription-ends.ts";
import { subscriptionStepMutants } from "./table/subscription-steps.ts";
import { unexpectedPaymentMutants } from "./table/unexpected-payments.ts";
import { approvalMutants } from "./table/approvals.ts";
import { pendingSettingMutants } from "./table/pending-settings.ts";
import { verifierMutants } from "./table/verifiers.ts";
import { debitWindowMutants } from "./table/debit-window.ts";
import { debitReasonMutants } from "./table/debit-reasons.ts";
import { debitReportMutants } from "./table/debit-reports.ts";
import { dueAmountMutants } from "./table/due-amounts.ts";
import { dueDateMutants } from "./table/due-dates.ts";
import { holidayMutants } from "./table/holidays.ts";
import { certificateMutants } from "./table/certificates.ts";
import { failoverBoletoMutants } from "./table/failover-boletos.ts";
import { failoverMutants } from "./table/failover.ts";
import { coveredOnceMutants } from "./table/covered-once.ts";
import { paidEndMutants } from "./table/paid-ends.ts";
import { toldAmountMutants } from "./table/told-amounts.ts";
import { paymentOwnerMutants } from "./table/payment-owners.ts";
import { byHandMutants } from "./table/by-hand.ts";
import { dunningCardMutants } from "./table/dunning-cards.ts";
import { cardMutants } from "./table/cards.ts";
import { declineMutants } from "./table/declines.ts";
import { efiCobrancasMutants } from "./table/efi-cobrancas.ts";
import { exitMutants } from "./table/exits.ts";
import { pauseMutants } from "./table/pauses.ts";
import { proposalMutants } from "./table/proposals.ts";
import { puppetMutants } from "./table/puppets.ts";
import { restoredObjectMutants } from "./table/restored-objects.ts";
import { settlementMutants } from "./table/settlements.ts";
import { signInMutants } from "./table/sign-in.ts";
import { linkTimeMutants } from "./table/link-times.ts";
import { reminderMutants } from "./table/reminders.ts";
import { rehearsalMutants } from "./table/rehearsal.ts";
import { webhookEndpointMutants } from "./table/webhook-endpoints.ts";
import { withdrawMutants } from "./table/withdraws.ts";

/** All mutants: one-line bugs in the code that handles money. */
export const MUTANTS: readonly Mutant[] = [
  ...ledgerMutants,
  ...limitMutants,
  ...chargeMutants,
  ...refundMutants,
  ...disputeMutants,
  ...withdrawMutants,
  ...contradictionMutants,
  ...projectionMutants,
  ...authenticationMutants,
  ...bookkeepingMutants,
  ...providerReportMutants,
  ...houseClientMutants,
  ...pagarMeMutants,
  ...settlementMutants,
  ...efiCobrancasMutants,
  ...rowArchiveMutants,
  ...unexpectedPaymentMutants,
  ...debitWindowMutants,
  ...debitReasonMutants,
  ...debitReportMutants,
  ...cycleEndMutants,
  ...payersSubscriptionMutants,
  ...subscriptionStepMutants,
  ...byHandMutants,
  ...dunningCardMutants,
  ...linkMutants,
  ...linkTimeMutants,
  ...signInMutants,
  ...restoredObjectMutants,
  ...proposalMutants,
  ...pauseMutants,
  ...puppetMutants,
  ...providerProposalMutants,
  ...exitMutants,
  ...cardMutants,
  ...declineMutants,
  ...paymentOwnerMutants,
  ...certificateMutants,
  ...failoverMutants,
  ...paidEndMutants,
  ...coveredOnceMutants,
  ...toldAmountMutants,
  ...failoverBoletoMutants,
  ...holidayMutants,
  ...dueAmountMutants,
  ...dueDateMutants,
  ...verifierMutants,
  ...pendingSettingMutants,
  ...approvalMutants,
  ...reminderMutants,
  ...rehearsalMutants,
  ...webhookEndpointMutants,
];
