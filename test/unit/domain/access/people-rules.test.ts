import { expect, it } from "vitest";
import { refusalOf } from "../../../../src/domain/access/people-rules.ts";
import { PERSON_ROLES } from "../../../../src/domain/access/person-role.ts";

it("only an owner and an admin manage people", () => {
  const managers = PERSON_ROLES.filter(
    (by) => refusalOf({ by, from: "viewer", to: "support", isSelf: false }) === null,
  );
  expect(managers).toEqual(["owner", "admin"]);
});

it("only an owner makes, changes or removes an owner", () => {
  for (const [from, to] of [
    [null, "owner"],
    ["owner", "viewer"],
    ["owner", null],
  ] as const) {
    expect(refusalOf({ by: "admin", from, to, isSelf: false })).toContain("Only an owner");
    expect(refusalOf({ by: "owner", from, to, isSelf: false })).toBeNull();
  }
});

it("nobody raises his own role, and everybody who manages people may lower or end it", () => {
  expect(refusalOf({ by: "admin", from: "viewer", to: "finance", isSelf: true })).toContain(
    "raises",
  );
  expect(refusalOf({ by: "admin", from: "admin", to: "viewer", isSelf: true })).toBeNull();
  expect(refusalOf({ by: "admin", from: "admin", to: null, isSelf: true })).toBeNull();
});
