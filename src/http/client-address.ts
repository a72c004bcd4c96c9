import ipaddr from "ipaddr.js";
import type { AppContext } from "./context.ts";

/**
 * The network address of the request's sender, as Cloudflare saw it; null if it is absent or malformed. No
 * other header is read, because the sender writes those.
 */
export function clientAddress(c: AppContext): string | null {
  const address = c.req.header("CF-Connecting-IP") ?? "";
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** The bits of an IPv6 address that name a subscriber's network; the rest is the sender's own choice. */
const SUBSCRIBER_BITS = 64;

/** The key under which a sender is limited: its IPv4 address, or the network of its IPv6 address. */
export function senderOf(c: AppContext): string {
  const address = clientAddress(c);
  if (address === null) return "unknown";
  return ipaddr.IPv6.isValid(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${SUBSCRIBER_BITS}`).toString()
    : address;
}

/** Whether an address lies in one of the CIDR networks. An unknown address lies in none. */
export function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  if (address === null) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match([base, bits]);
  });
}
