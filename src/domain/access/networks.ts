import ipaddr from "ipaddr.js";

/**
 * A CIDR network (RFC 4632, RFC 4291) in its canonical form: host bits cleared, IPv6 in the short form of
 * RFC 5952. Null for any other text, for an IPv6 zone, and for IPv4 written as IPv6: requests come from
 * plain IPv4 addresses.
 */
export function canonicalNetwork(text: string): string | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    const [, bits] = ipaddr.IPv4.parseCIDR(text);
    return `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${bits}`;
  }
  if (text.includes("%") || !ipaddr.IPv6.isValidCIDR(text)) return null;
  const [address, bits] = ipaddr.IPv6.parseCIDR(text);
  if (address.isIPv4MappedAddress()) return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(text).toString()}/${bits}`;
}

/** Whether each canonical network lies inside one of the `outer` ones. */
export function areNetworksWithin(networks: readonly string[], outer: readonly string[]): boolean {
  return networks.every((network) => outer.some((other) => isInside(network, other)));
}

function isInside(network: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(network);
  const [outerAddress, outerBits] = ipaddr.parseCIDR(outer);
  if (address.kind() !== outerAddress.kind() || bits < outerBits) return false;
  return address.match([outerAddress, outerBits]);
}
