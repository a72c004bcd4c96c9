import type { ProviderName } from "../../../domain/charges/transaction.ts";
import { useTexts } from "../texts.ts";

interface NamedAccount {
  account: string;
  /** Null for an account that the company has left. */
  provider: ProviderName | null;
}

/** An account by its provider's name; with its own where the page has several, or nothing else names it. */
export function AccountName({ of, isOneOf }: { of: NamedAccount; isOneOf: Iterable<string> }) {
  const { providerNames } = useTexts().shell;
  const { account, provider } = of;
  if (provider === null) return <>{account}</>;
  const isAlone = new Set(isOneOf).size < 2;
  return (
    <>
      {providerNames[provider]}
      {isAlone ? null : <small> {account}</small>}
    </>
  );
}
