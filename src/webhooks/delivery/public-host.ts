import { resolve4, resolve6 } from "node:dns/promises";
import { isIpAddress, isPublicAddress } from "../../domain/shared/public-address.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** After this a name counts as without an address, so that no resolver delays the attempt. */
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
 * Why a URL's host must not be fetched; null if all its addresses are public. A name without an answer is
 * refused too: the one that answers late decides what `fetch` gets, and nobody has seen it.
 */
export async function hostFault(
  url: string,
  resolve: ResolveHost,
): Promise<"no_address" | "private_address" | null> {
  const addresses = await resolve(new URL(url).hostname);
  if (addresses.length === 0) return "no_address";
  return addresses.every(isPublicAddress) ? null : "private_address";
}
