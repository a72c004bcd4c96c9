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

/** Whether an address lies in one of the CIDR networks. An unknown address lies in none. */
export function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  if (address === null) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match([base, bits]);
  });
}
