import type { AccountMethod } from "../../domain/psp/psp-account.ts";
import type { PixApiAccess } from "../../domain/psp/psp-settings.ts";

/** How a company reaches its PSP. Holds a secret: kept encrypted, never logged or shown. */
export interface PixApiConfig extends PixApiAccess {
  /** As it is, or sealed where the client's parts say how it is opened. */
  clientSecret: string;
}

/**
 * What an account over the Pix API carries: PIX, payouts where the PSP has a way for them, and automatic debits where it
 * is known to which account they are paid.
 */
export function pixApiMethods({
  payouts,
  receiver,
}: Pick<PixApiAccess, "payouts" | "receiver">): AccountMethod[] {
  return [
    "PIX",
    ...(payouts === null ? [] : ["PAYOUT" as const]),
    ...(receiver === undefined ? [] : ["AUTOMATIC_PIX" as const]),
  ];
}

/** The headers of the PSP's own that each call to its API carries. */
export function ownHeaders({
  headers = {},
}: Pick<PixApiAccess, "headers">): Record<string, string> {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(sent);
}

const CHARGE_SCOPES = ["cob.write", "cob.read", "cobv.write", "cobv.read"];
const PIX_SCOPES = ["pix.write", "pix.read", "webhook.write", "webhook.read"];
/** Efí's own scopes: to pay out, to query payouts, and to read the balance. */
const PAYOUT_SCOPES = ["pix.send", "gn.pix.send.read", "gn.balance.read"];

/** Efí's own: to list the cases of the MED, and to answer them. */
const DEFENCE_SCOPES = ["gn.infractions.read", "gn.infractions.write"];

/** To ask for mandates, to order automatic debits, and to hear of both. */
const AUTOMATIC_SCOPES = [
  "payloadlocationrec",
  "rec",
  "solicrec",
  "cobr",
  "webhookrec",
  "webhookcobr",
].flatMap((scope) => [`${scope}.write`, `${scope}.read`]);

/** The scopes of a token (BACEN Pix API 2.9.0, securitySchemes; Efí for payouts). */
export function scopesOf(
  config: Pick<PixApiConfig, "scope" | "payouts" | "receiver" | "disputeDesk">,
): string {
  const { disputeDesk } = config;
  const hasEfiDesk = disputeDesk !== undefined && "kind" in disputeDesk;
  const scopes = [
    ...CHARGE_SCOPES,
    ...PIX_SCOPES,
    ...(config.payouts === null ? [] : PAYOUT_SCOPES),
    ...(config.receiver === undefined ? [] : AUTOMATIC_SCOPES),
    ...(hasEfiDesk ? DEFENCE_SCOPES : []),
  ];
  return config.scope ?? scopes.join(" ");
}

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Why a PSP may not be called at `url`; null where it may. Credentials and money go there: https
 * only. Only tests and local development also allow http to loopback.
 */
export function pspUrlError(url: string, allowHttpLoopback: boolean): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return "must be an absolute URL";
  if (parsed.username !== "" || parsed.password !== "") return "must not contain user-info";
  if (parsed.hash !== "") return "must not have a fragment";
  const loopback = parsed.protocol === "http:" && LOOPBACK_HOSTS.has(parsed.hostname);
  if (allowHttpLoopback && loopback) return null;
  return parsed.protocol === "https:" ? null : "must be https";
}
