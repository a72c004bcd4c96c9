import { expect, test } from "vitest";
import { pixApiMethods, pspUrlError, scopesOf } from "../../../../src/providers/pix-api/config.ts";

test.each([
  ["https://pix.example.com/v2", null],
  ["https://pix.example.com:8443/v2?gw-dev-app-key=7", null],
  ["http://pix.example.com/v2", "must be https"],
  ["http://127.0.0.1:9000", "must be https"],
  ["ftp://pix.example.com", "must be https"],
  ["https://user:secret@pix.example.com", "must not contain user-info"],
  ["https://pix.example.com/#v2", "must not have a fragment"],
  ["pix.example.com", "must be an absolute URL"],
  ["", "must be an absolute URL"],
])("validates the PSP URL %j: %s", (url, fault) => {
  expect(pspUrlError(url, false)).toBe(fault);
});

test("local development also accepts http to loopback and no other http", () => {
  for (const host of ["localhost", "127.0.0.1:9000", "[::1]"]) {
    expect(pspUrlError(`http://${host}/v2`, true)).toBeNull();
  }
  expect(pspUrlError("http://pix.example.com", true)).toBe("must be https");
  expect(pspUrlError("http://127.0.0.1.example.com", true)).toBe("must be https");
});

test("requests the scopes of the configured functions, or the configured scopes", () => {
  expect(scopesOf({ scope: null, payouts: { url: "" } })).toContain("pix.send");
  expect(scopesOf({ scope: null, payouts: null })).not.toContain("pix.send");
  const receiver = { account: "1", accountType: "CHECKING" } as const;
  expect(scopesOf({ scope: null, payouts: null, receiver })).toContain("solicrec.read cobr.write");
  expect(scopesOf({ scope: null, payouts: null })).not.toContain("cobr");
  expect(scopesOf({ scope: "cob.read", payouts: { url: "" } })).toBe("cob.read");
  const [efi, other] = [{ kind: "efi" } as const, { url: "", takesFurther: false }];
  const defence = "gn.infractions.read gn.infractions.write";
  expect(scopesOf({ scope: null, payouts: null, disputeDesk: efi })).toContain(defence);
  expect(scopesOf({ scope: null, payouts: null, disputeDesk: other })).not.toContain("gn.");
});

test("an account carries automatic debits where it is known to which account they are paid", () => {
  const receiver = { account: "1", accountType: "CHECKING" } as const;
  expect(pixApiMethods({ payouts: null })).toEqual(["PIX"]);
  expect(pixApiMethods({ payouts: { url: "" }, receiver })).toEqual([
    "PIX",
    "PAYOUT",
    "AUTOMATIC_PIX",
  ]);
});
