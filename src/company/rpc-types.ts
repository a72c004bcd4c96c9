/**
 * The commands and answers of `CompanyRpc`. Refusals are plain unions: an error's own properties do not
 * survive RPC, so a throw means a bug.
 */
export type * from "./rpc-types/charges.ts";
export type * from "./rpc-types/company.ts";
export type * from "./rpc-types/contradictions.ts";
export type * from "./rpc-types/disputes.ts";
export type * from "./rpc-types/links.ts";
export type * from "./rpc-types/operations.ts";
export type * from "./rpc-types/operators.ts";
export type * from "./rpc-types/payments.ts";
export type * from "./rpc-types/versioned-command.ts";
export type * from "./rpc-types/withdraws.ts";
