import { describe, expect, test } from "vitest";
import { webhookTargetError } from "../../../../src/domain/events/webhook-target.ts";

const HTTP_LOOPBACK = [
  "http://localhost/",
  "http://localhost:3000/hook",
  "http://127.0.0.1:9000/",
  "http://[::1]:9000/",
  "HTTP://LOCALHOST:80/",
];

describe("http to loopback", () => {
  test.each(HTTP_LOOPBACK)("%s is allowed with the flag", (url) => {
    expect(webhookTargetError(url, true)).toBeNull();
  });

  test.each(HTTP_LOOPBACK)("%s is rejected without the flag", (url) => {
    expect(webhookTargetError(url, false)).toBe("must be https");
  });
});

describe("the flag allows no other http target", () => {
  test.each([
    "http://example.com/",
    "http://localhost.example.com/",
    "http://foo.localhost/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://127.0.0.2/",
    "http://169.254.169.254/",
    "http://[::ffff:127.0.0.1]/",
    "http://user@localhost/",
    "http://user:password@127.0.0.1/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://example.com:8443/",
    "ftp://localhost/",
    "ws://localhost/",
    `http://localhost/${"a".repeat(2_048)}`,
  ])("%s is rejected", (url) => {
    expect(webhookTargetError(url, true)).not.toBeNull();
  });

  test("a public https address is still allowed", () => {
    expect(webhookTargetError("https://example.com/", true)).toBeNull();
  });
});
