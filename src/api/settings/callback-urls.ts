import type { Env } from "../../config.ts";
import type { Company } from "../../domain/shared/company.ts";
import { errorFields, log } from "../../lib/log.ts";
import { callbackUrlOf, isTypedByHand } from "../../providers/callback-url.ts";
import { openSecrets } from "../../providers/registry.ts";

/** The callback URLs of a company's accounts that a person types into the provider's dashboard. */
export async function typedCallbackUrls(env: Env, company: Company) {
  const urls = [];
  for (const stored of company.accounts.filter(isTypedByHand)) {
    const { account, provider } = stored;
    try {
      const url = callbackUrlOf(stored, await openSecrets(env, company, stored));
      urls.push({ account, provider, url });
    } catch (error) {
      // The alarm says so too, and the other accounts are shown.
      log("warn", "callback_url_unreadable", { ...errorFields(error), companyId: company.id });
    }
  }
  return urls;
}
