import { expect, it } from "vitest";
import { scopesOf, SCOPES_VERSION } from "../../../../src/domain/shared/company.ts";

it("scopes that were stored before refunds and approvals had their own include these", () => {
  const stored = "transactions:write withdraws:write";
  expect([...scopesOf(stored, 0)]).toEqual([
    "transactions:write",
    "refunds:write",
    "withdraws:write",
    "withdraws:approve",
  ]);
  expect([...scopesOf("balance:read", 0)]).toEqual(["balance:read"]);
});

it("scopes that are stored now are what they say", () => {
  expect([...scopesOf("transactions:write withdraws:write", SCOPES_VERSION)]).toEqual([
    "transactions:write",
    "withdraws:write",
  ]);
});

it("words that are no scope are left out", () => {
  expect([...scopesOf("balance:read all", SCOPES_VERSION)]).toEqual(["balance:read"]);
});
