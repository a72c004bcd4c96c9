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

/** The URL that an account's provider calls back. Its last part is a secret between the gateway and the provider. */
export function callbackUrlOf(
  { provider, settings: { callbackOrigin } }: AccountConnection,
  { callbackToken }: Pick<AccountSecrets[AccountProvider], "callbackToken">,
): string {
  return `${callbackOrigin}${CALLBACK_PATHS[provider]}/${callbackToken}`;
}
