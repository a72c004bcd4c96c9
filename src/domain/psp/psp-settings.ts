/**
 * How a token request names the client (RFC 6749, 2.3.1): by HTTP Basic, by id and secret in the body, or by the id alone
 * where the client certificate proves it.
 */
export const TOKEN_CLIENTS = ["basic", "body", "certificate"] as const;
export type TokenClient = (typeof TOKEN_CLIENTS)[number];

/** Headers of single PSPs: Sicoob's, Inter's and Itaú's. */
export const PSP_HEADERS = ["client_id", "x-conta-corrente", "x-correlationID"] as const;
export type PspHeader = (typeof PSP_HEADERS)[number];

/** BACEN's `tipoConta`: a checking, a savings or a payment account. */
export const ACCOUNT_TYPES = ["CHECKING", "SAVINGS", "PAYMENT"] as const;

/** The account that automatic debits are paid to. `branch`: up to four digits. */
export interface PixReceiver {
  account: string;
  accountType: (typeof ACCOUNT_TYPES)[number];
  branch?: string | undefined;
}

/** How the gateway connects to a company's PSP, without the client secret. */
export interface PixApiAccess {
  /**
   * Base URL of the PSP's Pix API, before `/cob` (`https://pix.example.com/v2`). Its query is sent with
   * every call (Banco do Brasil's `gw-dev-app-key`).
   */
  baseUrl: string;
  /** The OAuth2 token endpoint (`https://pix.example.com/oauth/token`). */
  tokenUrl: string;
  /** Format of the token request: `form` (RFC 6749) or `json` (Efí). */
  tokenBody: "form" | "json";
  /** `basic` where it is left out. */
  tokenClient?: TokenClient | undefined;
  clientId: string;
  /** OAuth2 scope in the PSP's names; null requests all that Centavo uses, `""` sends no scope. */
  scope: string | null;
  /** The receiver's key (`chave`): charges are paid to it, payouts leave its account. */
  pixKey: string;
  /** Name of the Worker's `mtls_certificates` binding; null for a PSP without mTLS. */
  certificate: string | null;
  /**
   * `cobv` (due by the end of a day) is used when the payer's name, document and address are known. A PIX
   * with a due date of its own is a `cobv` with either.
   */
  charge: "cob" | "cobv";
  /** Sent with every call to the API, not with the token request. */
  headers?: { [Name in PspHeader]?: string | undefined } | undefined;
  /** Origin of Efí's `/v3/gn/pix` (`https://pix.example.com`); null without payouts. */
  payouts: { url: string } | null;
  /** Left out without automatic debits. */
  receiver?: PixReceiver | undefined;
  /** Where it takes answers to disputes; left out for a PSP without that, which is the usual one. */
  disputeDesk?: DisputeDeskAccess | undefined;
}

/** A PSP's desk for answers to disputes: Efí's own, below `baseUrl`, or one of a layout that no PSP is known to have. */
export type DisputeDeskAccess = { kind: "efi" } | AddressedDesk;

/** Unproven: the layout is ours. */
export interface AddressedDesk {
  /** What stands before `/<disputeId>/<responseId>`. */
  url: string;
  /** Whether it takes a further dossier of the same dispute. */
  takesFurther: boolean;
}

/** The address of a desk that has one of its own. */
export function deskUrlOf(desk: DisputeDeskAccess | undefined): string | undefined {
  return desk === undefined || "kind" in desk ? undefined : desk.url;
}

/** A client of a PSP's API: the host that gives its tokens, and its id there. Companies may share one. */
export interface PspClient {
  host: string;
  clientId: string;
}

/** The connection in both directions: to the PSP, and the PSP's callbacks to the service. */
export interface PixApiSettings extends PixApiAccess {
  /** Origin of the callback URL (`https://api.example.com`). */
  callbackOrigin: string;
  /** Whether a callback must come with a client certificate that Cloudflare has verified. */
  requireClientCertificate: boolean;
}

/**
 * For this long a disconnected account still accepts callbacks, is reconciled and reserves its PIX key: a
 * MED may come 80 days after its payment (BACEN), a devolução 90.
 */
export const FORMER_ACCOUNT_RETENTION_MS = 100 * 24 * 60 * 60_000;

/** The secrets of the connection, stored encrypted. */
export interface PixApiSecrets {
  clientSecret: string;
  /** The last part of the callback path, which authenticates a callback. */
  callbackToken: string;
}

/**
 * The encryption context of the secrets: company, purpose and settings (canonical JSON). An attacker who
 * changes the URLs in the database cannot make the gateway send the secrets there.
 */
export function pixApiSecretContext(providerCompanyId: string, settings: string): string {
  return `pix-api:${providerCompanyId}:${settings}`;
}

/** The encryption context of the secrets of an account of another kind, likewise; its name keeps two apart. */
export function accountSecretContext(
  provider: string,
  { providerCompanyId, account }: { providerCompanyId: string; account: string },
  settings: string,
): string {
  return `provider:${provider}:${providerCompanyId}:${account}:${settings}`;
}

/** The encryption context of the secrets of a proposed account, likewise. */
export function accountProposalContext(providerCompanyId: string, fields: string): string {
  return `provider-proposal:${providerCompanyId}:${fields}`;
}

/** The encryption context of the client secret of a proposed connection, likewise. */
export function pixApiProposalContext(providerCompanyId: string, connection: string): string {
  return `pix-api-proposal:${providerCompanyId}:${connection}`;
}
