import { expect, it } from "vitest";
import { resolveHost } from "../../../src/webhooks/delivery/public-host.ts";

it.each(["https://loja.example.com/postback", new URL("https://psp.example.com/oauth/token")])(
  "a test that reaches for %s is refused before the name is looked up",
  async (target) => {
    await expect(fetch(target)).rejects.toThrow("tests reach loopback only");
    await expect(fetch(new Request(target))).rejects.toThrow("tests reach loopback only");
  },
);

it("a name that no test has answered for has no addresses", async () => {
  expect(await resolveHost("loja.example.com")).toEqual([]);
});
