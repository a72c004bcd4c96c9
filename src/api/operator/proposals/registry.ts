import type { ProposalAction } from "../../../domain/operators/proposal.ts";
import type { ActionDefinition } from "./action.ts";
import { pixKeyAction, unfreezeAction } from "./actions/company.ts";
import { contradictionAction } from "./actions/contradiction.ts";
import { operationAction } from "./actions/operation.ts";
import { paymentAction } from "./actions/payment.ts";
import { providerAction } from "./actions/provider.ts";
import { payoutAction } from "./actions/payout.ts";
import { restoreAction } from "./actions/restore.ts";

/** Everything that two operators decide together, and nothing else. */
export const ACTIONS: Record<ProposalAction, ActionDefinition> = {
  "payout.decide": payoutAction,
  "operation.decide": operationAction,
  "contradiction.decide": contradictionAction,
  "payment.decide": paymentAction,
  "company.pix_key": pixKeyAction,
  "company.unfreeze": unfreezeAction,
  "company.provider": providerAction,
  "company.restore": restoreAction,
};
