import { describe, expect, it } from "vitest";
import { areNetworksWithin, canonicalNetwork } from "../../../../src/domain/access/networks.ts";

describe("a canonical network", () => {
  it.each([
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["203.0.113.77/24", "203.0.113.0/24"],
    ["198.51.100.7/32", "198.51.100.7/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1/32", "2001:db8::/32"],
    ["2001:db8::5/128", "2001:db8::5/128"],
    ["::/0", "::/0"],
  ])("of %s is %s", (text, canonical) => {
    expect(canonicalNetwork(text)).toBe(canonical);
  });

  it.each([
    "",
    "203.0.113.7",
    "203.0.113.0/33",
    "203.0.113.0/",
    "203.0.113.0/-1",
    "203.0.113.0/24 ",
    "010.0.0.0/8",
    "10/8",
    "0x0a.0.0.0/8",
    "2001:db8::/129",
    "fe80::1%eth0/64",
    "::ffff:203.0.113.0/120",
    "example.com/24",
  ])("does not exist for %j", (text) => {
    expect(canonicalNetwork(text)).toBeNull();
  });
});

describe("networks", () => {
  it.each([
    [["203.0.113.0/24"], ["203.0.113.0/24"]],
    [
      ["203.0.113.128/25", "2001:db8:1::/48"],
      ["203.0.112.0/22", "2001:db8::/32"],
    ],
    [["203.0.113.0/24"], ["0.0.0.0/0"]],
  ])("%j lie within %j", (networks, outer) => {
    expect(areNetworksWithin(networks, outer)).toBe(true);
  });

  it.each([
    [["203.0.112.0/23"], ["203.0.113.0/24"]],
    [["203.0.114.0/24"], ["203.0.113.0/24"]],
    [["203.0.113.0/24", "198.51.100.0/24"], ["203.0.113.0/24"]],
    [["203.0.113.0/24"], ["::/0"]],
    [["2001:db8::/32"], ["0.0.0.0/0"]],
    [["0.0.0.0/0"], ["0.0.0.0/1", "128.0.0.0/1"]],
  ])("%j do not lie within %j", (networks, outer) => {
    expect(areNetworksWithin(networks, outer)).toBe(false);
  });
});
