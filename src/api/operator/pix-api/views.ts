import { maskText } from "../../../domain/access/masks.ts";
import type { AppContext } from "../../../http/context.ts";
import { seesPayers } from "../payer-views.ts";
import { maskedDesk, maskedPspKey, maskedReceiver, withoutQuery } from "./audit.ts";
import type { PixApiView } from "./service.ts";

/**
 * A PSP's configuration as an operator sees it: the role `read` sees PIX keys masked, a URL without its query, which
 * may be a key of the PSP, and the callback's without its token.
 */
export function visiblePixApi(c: AppContext, shown: PixApiView): PixApiView {
  if (seesPayers(c)) return shown;
  const { baseUrl, tokenUrl, pixKey, payouts, receiver, disputeDesk, callbackUrl, formerAccounts } =
    shown;
  return {
    ...shown,
    baseUrl: withoutQuery(baseUrl),
    tokenUrl: withoutQuery(tokenUrl),
    pixKey: maskedPspKey(pixKey),
    payouts: payouts === null ? null : { url: withoutQuery(payouts.url) },
    ...(receiver === undefined ? {} : { receiver: maskedReceiver(receiver) }),
    ...(disputeDesk === undefined ? {} : { disputeDesk: maskedDesk(disputeDesk) }),
    callbackUrl: callbackUrl.replace(/[^/]*$/, maskText),
    formerAccounts: formerAccounts.map(({ account, connected, leftAt, ...former }) => ({
      account,
      baseUrl: withoutQuery(former.baseUrl),
      pixKey: maskedPspKey(former.pixKey),
      connected,
      leftAt,
    })),
  };
}
