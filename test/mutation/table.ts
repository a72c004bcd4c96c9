import type { Mutant } from "./mutant.ts";
import { bookkeepingMutants } from "./table/bookkeeping.ts";
import { chargeMutants } from "./table/charges.ts";
import { contradictionMutants } from "./table/contradictions.ts";
import { projectionMutants } from "./table/projections.ts";
import { authenticationMutants } from "./table/authentication.ts";
import { ledgerMutants } from "./table/ledger.ts";
import { limitMutants } from "./table/limits.ts";
import { linkMutants } from "./table/links.ts";
import { providerReportMutants } from "./table/provider-reports.ts";
import { refundMutants } from "./table/refunds.ts";
import { setAsideMutants } from "./table/set-aside.ts";
import { withdrawMutants } from "./table/withdraws.ts";

/** All mutants: one-line bugs in the code that handles money. */
export const MUTANTS: readonly Mutant[] = [
  ...ledgerMutants,
  ...limitMutants,
  ...chargeMutants,
  ...refundMutants,
  ...withdrawMutants,
  ...contradictionMutants,
  ...projectionMutants,
  ...authenticationMutants,
  ...bookkeepingMutants,
  ...providerReportMutants,
  ...setAsideMutants,
  ...linkMutants,
];
