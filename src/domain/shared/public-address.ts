import ipaddr from "ipaddr.js";

/** The IPv6 range for the public internet (RFC 4291). The library accepts more than this. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Whether a text is an IP address, not a DNS name. */
export function isIpAddress(text: string): boolean {
  return ipaddr.isValid(text);
}

/**
 * Whether a text is an address of the public internet: in no range of IANA's special-purpose registries and
 * not multicast. IPv6 addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) do not
 * count: no public host needs them.
 */
export function isPublicAddress(text: string): boolean {
  if (!isIpAddress(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_UNICAST);
}
