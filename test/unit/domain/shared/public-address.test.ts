import { describe, expect, test } from "vitest";
import { isIpAddress, isPublicAddress } from "../../../../src/domain/shared/public-address.ts";
import {
  PUBLIC_ADDRESSES,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../../support/builders/webhooks/special-addresses.ts";

test.each(PUBLIC_ADDRESSES)("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe("an address of a special range is not public", () => {
  test.each([...SPECIAL_IPV4, ...SPECIAL_IPV6])("%s: %s", (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(SPECIAL_IPV4)("mapped, %s: ::ffff:%s", (_name, address) => {
    expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
  });

  test.each(SPECIAL_IPV4)("by NAT64, %s: 64:ff9b::%s", (_name, address) => {
    expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
  });
});

test.each(["", "example.com.", "1.1.1.1.", "1.1.1.1/8", "[2606:4700:4700::1111]", "1.1.1.256"])(
  "a text that is not an address is not public: %j",
  (text) => {
    expect(isIpAddress(text)).toBe(false);
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each(["127.1", "0x7f.1", "2130706433", "fe80::1%eth0"])(
  "an unusual notation is an address and is judged by its target: %s",
  (text) => {
    expect(isIpAddress(text)).toBe(true);
    expect(isPublicAddress(text)).toBe(false);
  },
);
