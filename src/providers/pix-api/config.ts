/** How a company reaches its PSP. Holds a secret: kept encrypted, never logged or shown. */
export interface PixApiConfig {
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
  clientSecret: string;
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

const CHARGE_SCOPES = ["cob.write", "cob.read", "cobv.write", "cobv.read"];
const PIX_SCOPES = ["pix.write", "pix.read", "webhook.write", "webhook.read"];
/** Efí's own: to pay out, and to ask about it. */
const PAYOUT_SCOPES = ["pix.send", "gn.pix.send.read"];

/** What a token must allow (BACEN Pix API 2.9.0, securitySchemes; Efí for payouts). */
export function scopesOf(config: Pick<PixApiConfig, "scope" | "payouts">): string {
  const scopes = [
    ...CHARGE_SCOPES,
    ...PIX_SCOPES,
    ...(config.payouts === null ? [] : PAYOUT_SCOPES),
  ];
  return config.scope ?? scopes.join(" ");
}

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Why a PSP may not be called at `url`; null where it may. Credentials and money go there: https
 * only. Only tests and local development also allow http to loopback.
 */
export function pspUrlFault(url: string, allowHttpLoopback: boolean): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return "must be an absolute URL";
  if (parsed.username !== "" || parsed.password !== "") return "must not carry user-info";
  if (parsed.hash !== "") return "must not have a fragment";
  const loopback = parsed.protocol === "http:" && LOOPBACK_HOSTS.has(parsed.hostname);
  if (allowHttpLoopback && loopback) return null;
  return parsed.protocol === "https:" ? null : "must be https";
}
