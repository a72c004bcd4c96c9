/**
 * The commands and answers of `CompanyRpc`. Refusals are plain unions: an error's own properties do not
 * survive RPC, so a throw means a bug.
 */
export type { ChargeHistory } from "../domain/charges/timeline.ts";
export type { ForecastDay } from "../domain/ledger/release.ts";
export type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
export type { Contradiction } from "../domain/reconciliation/contradiction.ts";
export type { LedgerPosition } from "../domain/reconciliation/ledger-position.ts";
export type { RowsByTable } from "../domain/shared/inspection.ts";
export type { PageWindow } from "../domain/shared/page.ts";
export type * from "./rpc-types/charges.ts";
export type * from "./rpc-types/company.ts";
export type * from "./rpc-types/contradictions.ts";
export type * from "./rpc-types/disputes.ts";
export type * from "./rpc-types/operations.ts";
export type * from "./rpc-types/versioned-command.ts";
export type * from "./rpc-types/withdraws.ts";
