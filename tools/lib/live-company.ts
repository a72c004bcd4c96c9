import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "./local-operators.ts";
import { ApiClient, type MerchantAnswer } from "./merchant.ts";

const REASON = "Sells through fakes on this machine.";

/** A live company's own credentials, and where each of its accounts is notified. */
export interface LiveCompany {
  clientId: string;
  key: string;
  callbackUrls: Record<string, string>;
}

/**
 * Makes a live company in a local service and connects accounts by their names, with both local operators. Null where no
 * service answers. Throws where it refuses, as after an earlier company with the same accounts.
 */
export async function openLiveCompany(
  service: string,
  accounts: Record<string, object>,
): Promise<LiveCompany | null> {
  const clientOf = (clientId: string, apiKey: string) =>
    new ApiClient(service, { clientId, apiKey });
  const first = clientOf("operator", LOCAL_OPERATOR_KEY);
  const second = clientOf("approver", LOCAL_APPROVER_KEY);
  const fields = { name: "Loja de Verdade", mode: "live", reason: REASON };
  const made = await first.call("POST", "/api/v1/operator/companies", fields).catch(() => null);
  if (made === null) return null;
  const { id, application, key } = done(made);
  const path = `/api/v1/operator/companies/${id}/providers`;
  for (const [name, account] of Object.entries(accounts)) {
    const asked = await first.call("PUT", `${path}/${name}`, { ...account, reason: REASON });
    const proposal = done(asked);
    if (asked.status !== 202) continue;
    const approval = `/api/v1/operator/proposals/${proposal.id}/approve`;
    done(await second.call("POST", approval, { reason: REASON }));
  }
  const shown: { account: string; callbackUrl: string }[] = done(await first.call("GET", path));
  const callbackUrls = Object.fromEntries(shown.map((each) => [each.account, each.callbackUrl]));
  return { clientId: application.clientId, key, callbackUrls };
}

// oxlint-disable-next-line typescript/no-explicit-any -- an operator reads whatever JSON comes
function done({ status, body }: MerchantAnswer): any {
  if (status >= 300) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
