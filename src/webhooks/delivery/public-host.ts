import { resolve4, resolve6 } from "node:dns/promises";
import { isIpAddress, isPublicAddress } from "../../domain/shared/public-address.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** A name that takes longer is left to the fetch; an attempt is not to be held up by its check. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** The addresses behind a host's name; none where they could not be found out. Never rejects. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * The A and AAAA answers for a host, from Cloudflare's resolver over HTTPS, which is what Workers'
 * `node:dns` asks. A family that fails or takes longer than 2 s does not hide the other's answer.
 */
export async function resolveHost(host: string): Promise<string[]> {
  const lookups = [resolve4(host), resolve6(host)].map((lookup) =>
    withTimeout(lookup, LOOKUP_TIMEOUT_MS),
  );
  const answers = await Promise.allSettled(lookups);
  // The names of a CNAME's chain stand among the addresses.
  return answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.filter(isIpAddress) : [],
  );
}

/**
 * Whether nothing but public addresses is known of a URL's host; one other among them is enough to
 * say no. A name without an answer is not judged here: `fetch` resolves by itself, and fails or not.
 */
export async function resolvesToPublicHost(url: string, resolve: ResolveHost): Promise<boolean> {
  const addresses = await resolve(new URL(url).hostname);
  return addresses.every(isPublicAddress);
}
