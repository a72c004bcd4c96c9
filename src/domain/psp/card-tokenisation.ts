import type { EfiCobrancasSettings } from "./efi-cobrancas-settings.ts";
import type { PagarMeSettings } from "./pagarme-settings.ts";

/**
 * Where a card becomes a token in its payer's browser. `sandbox`: at this service (`POST /api/v1/cards/tokens`), for made-up
 * cards. The others: at the house that will charge it, so that the number never comes here.
 */
export type CardTokenisation = { kind: "sandbox" } | HouseTokenisation;

/** What a payer's browser needs to make a token at a house; all of it is public. */
export type HouseTokenisation =
  | {
      kind: "pagarme";
      publicKey: string;
      /** `https://api.pagar.me/core/v5/tokens`. */
      tokensUrl: string;
    }
  | {
      kind: "efi-cobrancas";
      payeeCode: string;
      /** Base URL before `/v1`, which gives the account's RSA key. */
      apiUrl: string;
      /** Base URL of the house's vault; null at its sandbox, where the API itself makes tokens. */
      tokenizerUrl: string | null;
    };

/** The settings of an account whose house makes tokens in the browser. */
type HouseConnection =
  | { provider: "PagarMe"; settings: Pick<PagarMeSettings, "baseUrl" | "publicKey"> }
  | { provider: "EfiCobrancas"; settings: Pick<EfiCobrancasSettings, "baseUrl" | "payeeCode"> };

/** Efí's production; every other host is its sandbox, or a fake of it. */
const EFI_PRODUCTION = "https://cobrancas.api.efipay.com.br";
/** Of production only (npm `payment-token-efi` 3.4.1). */
const EFI_TOKENIZER = "https://tokenizer.sejaefi.com.br";

/** How payers of an account make tokens; null where it takes no cards. */
export function cardTokenisationOf(connection: HouseConnection): HouseTokenisation | null {
  if (connection.provider === "PagarMe") {
    const { baseUrl, publicKey } = connection.settings;
    return { kind: "pagarme", publicKey, tokensUrl: `${baseUrl}/tokens` };
  }
  const { baseUrl, payeeCode } = connection.settings;
  if (payeeCode === null) return null;
  const tokenizerUrl = new URL(baseUrl).origin === EFI_PRODUCTION ? EFI_TOKENIZER : null;
  return { kind: "efi-cobrancas", payeeCode, apiUrl: baseUrl, tokenizerUrl };
}

/** The origins that a page asks for a token: what its Content-Security-Policy lets it connect to. */
export function tokeniserOrigins(tokenisation: HouseTokenisation): string[] {
  const urls =
    tokenisation.kind === "pagarme"
      ? [tokenisation.tokensUrl]
      : [tokenisation.apiUrl, tokenisation.tokenizerUrl];
  return urls.flatMap((url) => (url === null ? [] : [new URL(url).origin]));
}
