import type {
  AccountConnection,
  AccountProvider,
  AccountSecrets,
} from "../domain/psp/psp-account.ts";

/** Where the callbacks to accounts of each kind arrive. */
const CALLBACK_PATHS: Record<AccountProvider, string> = {
  PixApi: "/callbacks/pix-api",
  EfiCobrancas: "/callbacks/efi-cobrancas",
  PagarMe: "/callbacks/pagarme",
};

/** Whose dashboard alone takes the URL: a person types it there. */
const TYPED_BY_HAND: ReadonlySet<AccountProvider> = new Set(["PagarMe"]);

/** Whether a person has to type an account's callback URL into its provider's dashboard. */
export function isTypedByHand({ provider }: Pick<AccountConnection, "provider">): boolean {
  return TYPED_BY_HAND.has(provider);
}

/** The URL that an account's provider calls back. Its last part is a secret between the gateway and the provider. */
export function callbackUrlOf(
  { provider, settings: { callbackOrigin } }: AccountConnection,
  { callbackToken }: Pick<AccountSecrets[AccountProvider], "callbackToken">,
): string {
  return `${callbackOrigin}${CALLBACK_PATHS[provider]}/${callbackToken}`;
}
