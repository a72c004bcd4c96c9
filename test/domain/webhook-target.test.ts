import { describe, expect, test } from "vitest";
import { MAX_URL_LENGTH, webhookTargetFault } from "../../src/domain/webhook-target.ts";

const NOT_A_NAME = "must name a host by a public DNS name, not an IP address";
const NOT_PUBLIC = "must name a public host";

describe("a public https address is allowed", () => {
  test.each([
    "https://example.com",
    "https://example.com/hooks/pix?loja=7#a",
    "https://hooks.loja.example.com.br/",
    "https://example.com:443/",
    "HTTPS://EXAMPLE.COM/Hook",
    "https://xn--caf-dma.com.br/",
    "https://café.com.br/",
    "https://例え.テスト/",
    "https://1.example.com/",
    "https://10-0-0-1.example.com/",
    "https://a--b.example.com/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://mylocal.com/",
    "https://example.com/?next=http://127.0.0.1/",
    `https://${"a".repeat(63)}.example.com/`,
  ])("%s", (url) => {
    expect(webhookTargetFault(url, false)).toBeNull();
  });
});

describe("an address of IPv4 is refused, however it is written", () => {
  test.each([
    ["this network", "https://0.0.0.0/"],
    ["private 10/8", "https://10.0.0.1/"],
    ["shared 100.64/10", "https://100.64.0.1/"],
    ["loopback", "https://127.0.0.1/"],
    ["the end of loopback", "https://127.255.255.254/"],
    ["link-local, the metadata service", "https://169.254.169.254/latest/meta-data/"],
    ["private 172.16/12", "https://172.16.0.1/"],
    ["protocol assignments", "https://192.0.0.1/"],
    ["documentation", "https://192.0.2.1/"],
    ["private 192.168/16", "https://192.168.0.1/"],
    ["benchmarking", "https://198.18.0.1/"],
    ["multicast", "https://224.0.0.1/"],
    ["reserved", "https://240.0.0.1/"],
    ["broadcast", "https://255.255.255.255/"],
    ["a public one", "https://8.8.8.8/"],
    ["decimal", "https://2130706433/"],
    ["octal", "https://0177.0.0.1/"],
    ["octal in one number", "https://017700000001/"],
    ["hex", "https://0x7f.0.0.1/"],
    ["hex in one number", "https://0x7f000001/"],
    ["two parts", "https://127.1/"],
    ["three parts", "https://127.0.1/"],
    ["one zero", "https://0/"],
    ["a trailing dot", "https://127.0.0.1./"],
    ["full-width digits", "https://１２７.０.０.１/"],
    ["ideographic full stops", "https://127。0。0。1/"],
    ["circled digits", "https://①②⑦.⓪.⓪.①/"],
    ["percent-encoded", "https://%31%32%37.0.0.1/"],
    ["a soft hyphen inside", "https://127.0.0.\u00ad1/"],
    ["a tab inside", "https://127.0.\t0.1/"],
  ])("%s: %s", (_how, url) => {
    expect(webhookTargetFault(url, false)).toBe(NOT_A_NAME);
  });
});

describe("an address of IPv6 is refused, however it is written", () => {
  test.each([
    ["unspecified", "https://[::]/"],
    ["loopback", "https://[::1]/"],
    ["loopback in full", "https://[0000:0000:0000:0000:0000:0000:0000:0001]/"],
    ["mapped IPv4", "https://[::ffff:127.0.0.1]/"],
    ["mapped IPv4 in hex", "https://[::ffff:7f00:1]/"],
    ["compatible IPv4", "https://[::127.0.0.1]/"],
    ["NAT64", "https://[64:ff9b::7f00:1]/"],
    ["local NAT64", "https://[64:ff9b:1::a00:1]/"],
    ["6to4", "https://[2002:7f00:1::]/"],
    ["Teredo", "https://[2001:0:7f00:1::]/"],
    ["documentation", "https://[2001:db8::1]/"],
    ["unique local", "https://[fd00::1]/"],
    ["the metadata service", "https://[fd00:ec2::254]/"],
    ["link-local", "https://[fe80::1]/"],
    ["site-local", "https://[fec0::1]/"],
    ["multicast", "https://[ff02::1]/"],
    ["discard", "https://[100::1]/"],
    ["a public one", "https://[2606:4700:4700::1111]/"],
  ])("%s: %s", (_how, url) => {
    expect(webhookTargetFault(url, false)).toBe(NOT_A_NAME);
  });
});

describe("a name that leads nowhere public is refused", () => {
  test.each([
    "https://foo.localhost/",
    "https://FOO.LOCALHOST/",
    "https://ｌｏｃａｌｈｏｓｔ.localdomain/",
    "https://printer.local/",
    "https://localhost.localdomain/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://wiki.intranet/",
    "https://router.lan/",
    "https://nas.home/",
    "https://nas.home.arpa/",
    "https://mail.corp/",
    "https://db.private/",
    "https://db.default.svc.cluster.local/",
    "https://1.0.0.127.in-addr.arpa/",
    "https://1.0.0.0.ip6.arpa/",
    "https://foo.test/",
    "https://foo.invalid/",
    "https://foo.onion/",
  ])("%s", (url) => {
    expect(webhookTargetFault(url, false)).toBe(NOT_PUBLIC);
  });

  test.each([
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://foo.localhost./",
    "https://metadata/",
    "https://intranet/",
    "https://example.com./",
    "https://example..com/",
    "https://-example.com/",
    "https://example-.com/",
    "https://exa_mple.com/",
    "https://example.c0m/",
    `https://${"a".repeat(64)}.example.com/`,
    `https://${"a.".repeat(125)}example.com/`,
  ])("%s is no public name", (url) => {
    expect(webhookTargetFault(url, false)).toBe(NOT_A_NAME);
  });
});

describe("user-info is refused", () => {
  test.each([
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com%00@127.0.0.1/",
    "https://127.0.0.1@example.com/",
  ])("%s", (url) => {
    expect(webhookTargetFault(url, false)).toBe("must not carry user-info");
  });
});

describe("another port is refused", () => {
  test.each([
    "https://example.com:80/",
    "https://example.com:8443/",
    "https://example.com:22/",
    "https://example.com:0/",
    "https://example.com:65535/",
  ])("%s", (url) => {
    expect(webhookTargetFault(url, false)).toBe("must use port 443");
  });
});

describe("another scheme is refused", () => {
  test.each([
    "http://example.com/",
    "http://example.com:443/",
    "ftp://example.com/",
    "ws://example.com/",
    "wss://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "blob:https://example.com/1",
  ])("%s", (url) => {
    expect(webhookTargetFault(url, false)).toBe("must be https");
  });
});

describe("what is no absolute URL is refused", () => {
  test.each([
    "",
    "example.com",
    "/hooks",
    "//example.com/",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://example.com:99999/",
    "https://[::1/",
    "https://256.256.256.256/",
    "https://example.1/",
    "https://example.com\u0000.evil.com/",
    "https://[fe80::1%25eth0]/",
  ])("%j", (url) => {
    expect(webhookTargetFault(url, false)).toBe("must be an absolute URL");
  });
});

describe("the length", () => {
  test("2,048 characters are allowed", () => {
    expect(webhookTargetFault(urlOf(MAX_URL_LENGTH), false)).toBeNull();
  });

  test("2,049 characters are refused", () => {
    expect(MAX_URL_LENGTH).toBe(2_048);
    expect(webhookTargetFault(urlOf(2_049), false)).toBe("must be at most 2048 characters");
  });
});

function urlOf(length: number): string {
  return "https://example.com/".padEnd(length, "a");
}
