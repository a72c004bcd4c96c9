import { expect, it } from "vitest";
import { resolveHost } from "../../../src/webhooks/delivery/public-host.ts";

it.each(["https://loja.example.com/postback", new URL("https://psp.example.com/oauth/token")])(
  "a test's request to %s is rejected before the host name is resolved",
  async (target) => {
    await expect(fetch(target)).rejects.toThrow("tests reach loopback only");
    await expect(fetch(new Request(target))).rejects.toThrow("tests reach loopback only");
  },
);

it("a host name without a fake resolver has no addresses", async () => {
  expect(await resolveHost("loja.example.com")).toEqual([]);
});
