import ipaddr from "ipaddr.js";

/** All that IANA gives out for the public internet (RFC 4291); the library lets the rest pass. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Whether a text is an IP address and not, say, the name of a CNAME. */
export function isIpAddress(text: string): boolean {
  return ipaddr.isValid(text);
}

/**
 * Whether an address belongs to the public internet: it is of no range in IANA's special-purpose
 * registries and not multicast. What carries an IPv4 address inside (mapped, compatible, NAT64,
 * 6to4, Teredo) is refused as a class: no public host needs it. What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!isIpAddress(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_UNICAST);
}
