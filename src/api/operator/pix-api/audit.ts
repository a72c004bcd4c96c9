import { maskPixKey, maskText } from "../../../domain/access/masks.ts";
import type {
  DisputeDeskAccess,
  PixApiAccess,
  PixApiSettings,
  PixReceiver,
} from "../../../domain/psp/psp-settings.ts";
import { parsePixKey } from "../../../domain/shared/pix-key.ts";

/** `callbackOrigin`: left out for the service's own. */
type AuditedSettings = PixApiAccess &
  Pick<PixApiSettings, "requireClientCertificate"> & { callbackOrigin?: string | undefined };

/** A PSP's settings for the audit trail, without secrets: a URL's query may be a key of the PSP. */
export function auditedSettings({
  baseUrl,
  tokenUrl,
  clientId,
  pixKey,
  payouts,
  receiver,
  disputeDesk,
  certificate,
  callbackOrigin,
  requireClientCertificate,
}: AuditedSettings) {
  return {
    baseUrl: withoutQuery(baseUrl),
    tokenUrl: withoutQuery(tokenUrl),
    clientId,
    pixKey: maskedPspKey(pixKey),
    payoutsUrl: payouts === null ? null : withoutQuery(payouts.url),
    ...(receiver === undefined ? {} : { receiver: maskedReceiver(receiver) }),
    ...(disputeDesk === undefined ? {} : { disputeDesk: maskedDesk(disputeDesk) }),
    certificate,
    callbackOrigin: callbackOrigin ?? null,
    requireClientCertificate,
  };
}

/** The account that debits are paid to, without its number. */
export function maskedReceiver(receiver: PixReceiver): PixReceiver {
  return { ...receiver, account: maskText(receiver.account) };
}

/** A desk for answers to disputes, without its URL's query. */
export function maskedDesk(desk: DisputeDeskAccess): DisputeDeskAccess {
  return "kind" in desk ? desk : { ...desk, url: withoutQuery(desk.url) };
}

/** A key of a PSP's settings, which do not say its type. */
export function maskedPspKey(pixKey: string): string {
  const parsed = parsePixKey(pixKey);
  return parsed.kind === "valid" ? maskPixKey(parsed.key) : maskText(pixKey);
}

export function withoutQuery(url: string): string {
  return url.split("?")[0] ?? "";
}
