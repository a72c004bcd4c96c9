/** How a company reaches its PSP, without the secret that lets it in. */
export interface PixApiAccess {
  /**
   * Where the PSP serves the Pix API, up to what comes before `/cob` (`https://pix.example.com/v2`).
   * A query goes along with every call (Banco do Brasil's `gw-dev-app-key`).
   */
  baseUrl: string;
  /** Where OAuth2 client credentials become a token (`https://pix.example.com/oauth/token`). */
  tokenUrl: string;
  /** How the token is asked for: `form` by RFC 6749, `json` as Efí's manual shows it. */
  tokenBody: "form" | "json";
  clientId: string;
  /** What the token is asked for, in the PSP's words; null for all that is used, `""` to name nothing. */
  scope: string | null;
  /** The receiver's key (`chave`): charges are paid to it, payouts are taken from its account. */
  pixKey: string;
  /** Name of the Worker's `mtls_certificates` binding; null only for a PSP that asks for none. */
  certificate: string | null;
  /** `cobv` (due by the end of a day) where the payer's name, document and address are known. */
  charge: "cob" | "cobv";
  /** Where Efí's `/v3/gn/pix` is served (`https://pix.example.com`); null where nothing is paid out. */
  payouts: { url: string } | null;
}

/** The same, and how its PSP reaches the service. */
export interface PixApiSettings extends PixApiAccess {
  /** Where the PSP calls back (`https://api.example.com`). */
  callbackOrigin: string;
  /** Whether a callback must come with a client certificate that Cloudflare has verified. */
  requireClientCertificate: boolean;
}

/**
 * How long an account that was left still calls back, is reconciled and keeps its PIX key from other
 * companies: a MED may come 80 days after its payment (BACEN), a devolução 90.
 */
export const FORMER_ACCOUNT_RETENTION_MS = 100 * 24 * 60 * 60_000;

/** What is kept encrypted beside them. */
export interface PixApiSecrets {
  clientSecret: string;
  /** The last part of the callback's path, by which a callback is let in. */
  callbackToken: string;
}

/** The settings, and the secrets as AES-256-GCM under the Worker secret `SECRETS_KEY`. */
export interface StoredPixApi {
  /** Which of the accounts that the company has had. */
  account: string;
  settings: PixApiSettings;
  sealed: string;
}

/**
 * Binds a company's sealed secrets to the company, to their purpose and to the settings (as canonical
 * JSON): whoever rewrites where they are sent cannot have them opened.
 */
export function pixApiSecretContext(providerCompanyId: string, settings: string): string {
  return `pix-api:${providerCompanyId}:${settings}`;
}
