import { resolve4, resolve6 } from "node:dns/promises";
import { isIpAddress, isPublicAddress } from "../../domain/shared/public-address.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** After this the check gives up, so that it does not delay the attempt: `fetch` resolves the name itself. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** Resolves a host name to its addresses; empty if it cannot. Never rejects. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * The A and AAAA records of a host, from Cloudflare's DNS over HTTPS, which Workers' `node:dns` uses. If
 * one record type fails or takes over 2 s, the other is still returned.
 */
export async function resolveHost(host: string): Promise<string[]> {
  const lookups = [resolve4(host), resolve6(host)].map((lookup) =>
    withTimeout(lookup, LOOKUP_TIMEOUT_MS),
  );
  const answers = await Promise.allSettled(lookups);
  // The answers also contain the names of a CNAME chain.
  return answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.filter(isIpAddress) : [],
  );
}

/**
 * Whether all known addresses of a URL's host are public. True for a name without an answer: `fetch`
 * resolves it again and fails by itself.
 */
export async function resolvesToPublicHost(url: string, resolve: ResolveHost): Promise<boolean> {
  const addresses = await resolve(new URL(url).hostname);
  return addresses.every(isPublicAddress);
}
