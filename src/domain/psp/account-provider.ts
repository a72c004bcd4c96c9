import type { ProviderName } from "../charges/transaction.ts";
import type { Company } from "../shared/company.ts";

/** Whom a company has an account with; null for an account that it has left. */
export function providerOfAccount(
  { mode, accounts }: Pick<Company, "mode" | "accounts">,
  account: string,
): ProviderName | null {
  if (mode === "sandbox") return "Sandbox";
  return accounts.find((each) => each.account === account)?.provider ?? null;
}
