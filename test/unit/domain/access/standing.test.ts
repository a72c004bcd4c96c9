import { expect, it } from "vitest";
import {
  bothStandings,
  chainFrom,
  FROM_THE_START,
  isFreshFromOperator,
  refusalOfApprover,
  standingAt,
  type Standing,
} from "../../../../src/domain/access/standing.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = 100 * DAY_MS;

function refusal(asked: [string, Standing?], approver: [string, Standing?]) {
  const [askedId, askedStanding = FROM_THE_START] = asked;
  const [approverId, standing = FROM_THE_START] = approver;
  return refusalOfApprover(
    { id: askedId, standing: askedStanding, at: NOW },
    { id: approverId, standing },
    DAY_MS,
  );
}

it("two who owe each other nothing are four eyes", () => {
  expect(refusal(["shop"], ["finance"])).toBeNull();
  const byOwner = { since: NOW - 1, givenBy: ["person_owner"] };
  expect(refusal(["shop"], ["finance", byOwner])).toBeNull();
});

it("nobody approves his own request", () => {
  expect(refusal(["shop"], ["shop"])).toBe("requester");
});

it("a right that is younger than the request, or as old, approves nothing", () => {
  expect(refusal(["shop"], ["finance", { since: NOW, givenBy: [] }])).toBe("younger_than_request");
  expect(refusal(["shop"], ["finance", { since: NOW + 1, givenBy: [] }])).toBe(
    "younger_than_request",
  );
});

it("nobody approves for the one who gave him the right, however long ago and through whom", () => {
  expect(refusal(["app_thief"], ["puppet", { since: 1, givenBy: ["app_thief"] }])).toBe(
    "given_by_requester",
  );
  expect(
    refusal(["app_thief"], ["puppet", { since: 1, givenBy: ["app_middle", "app_thief"] }]),
  ).toBe("given_by_requester");
});

it("a tie by a person is refused while the younger right is within the cool-down", () => {
  const young = { since: NOW - DAY_MS + 1, givenBy: ["person_owner"] };
  const old = { since: NOW - DAY_MS, givenBy: ["person_owner"] };
  expect(refusal(["app_1", young], ["app_2", old])).toBe("tie_too_young");
  expect(refusal(["app_1", old], ["app_2", young])).toBe("tie_too_young");
  expect(refusal(["app_1", old], ["app_2", old])).toBeNull();
});

it("a tie by an application is refused however old it is", () => {
  const old = { since: 1, givenBy: ["app_thief"] };
  expect(refusal(["app_1", old], ["app_2", old])).toBe("tied_by_application");
  expect(refusal(["app_1", old], ["app_thief"])).toBe("tied_by_application");
  const further = { since: 1, givenBy: ["person_puppet", "app_thief"] };
  expect(refusal(["app_1", old], ["app_2", further])).toBe("tied_by_application");
});

it("who made the application that asks approves for it after the cool-down", () => {
  const young = { since: NOW - 1, givenBy: ["person_owner"] };
  const old = { since: NOW - DAY_MS, givenBy: ["person_owner"] };
  expect(refusal(["shop", young], ["person_owner"])).toBe("tie_too_young");
  expect(refusal(["shop", old], ["person_owner"])).toBeNull();
});

it("a chain names everybody through whom a right came, without the one who gets it", () => {
  const giver = { clientId: "b", standing: { since: 5, givenBy: ["a", "c"] } };
  expect(chainFrom(giver, "c")).toEqual(["b", "a"]);
});

it("an application with a key of another's has the younger standing and both chains", () => {
  const application = { since: 5, givenBy: ["a"] };
  expect(bothStandings(application, { since: 9, givenBy: ["a", "b"] })).toEqual({
    since: 9,
    givenBy: ["a", "b"],
  });
});

it("what an operator gave is fresh until it is as old as the cool-down", () => {
  const given = { since: NOW - DAY_MS + 1, givenBy: ["app_shop", "op_1"] };
  expect(isFreshFromOperator(given, NOW, DAY_MS)).toBe(true);
  expect(isFreshFromOperator(given, NOW + 1, DAY_MS)).toBe(false);
  expect(isFreshFromOperator({ ...given, since: NOW + 1 }, NOW, DAY_MS)).toBe(true);
});

it("what no operator gave is never fresh from one", () => {
  const given = { since: NOW, givenBy: ["app_shop", "person_owner"] };
  expect(isFreshFromOperator(given, NOW, DAY_MS)).toBe(false);
  expect(isFreshFromOperator(FROM_THE_START, NOW, DAY_MS)).toBe(false);
});

it("what an old right gives is not fresh from the operator who gave that one", () => {
  const old = { since: NOW - DAY_MS, givenBy: ["person_owner", "op_1"] };
  const standing = standingAt(old, NOW, DAY_MS);
  expect(standing).toEqual({ since: old.since, givenBy: ["person_owner", "aged:op_1"] });
  const child = { since: NOW, givenBy: chainFrom({ clientId: "app_shop", standing }, "app_erp") };
  expect(isFreshFromOperator(child, NOW, DAY_MS)).toBe(false);
  expect(standingAt(standing, NOW, DAY_MS)).toEqual(standing);
});

it("what a fresh right gives is fresh from its operator too", () => {
  const fresh = { since: NOW - DAY_MS + 1, givenBy: ["op_1"] };
  const standing = standingAt(fresh, NOW, DAY_MS);
  expect(standing).toEqual(fresh);
  const child = { since: NOW, givenBy: chainFrom({ clientId: "app_shop", standing }, "app_erp") };
  expect(isFreshFromOperator(child, NOW + DAY_MS - 1, DAY_MS)).toBe(true);
});

it("two operators are one hand, also once one of them gave long ago", () => {
  const young = { since: NOW - 1, givenBy: ["op_1"] };
  const old = { since: NOW - DAY_MS, givenBy: ["app_erp", "aged:op_2"] };
  expect(refusal(["app_1", young], ["app_2", { ...young, givenBy: ["op_2"] }])).toBe(
    "tie_too_young",
  );
  expect(refusal(["app_1", young], ["app_2", old])).toBe("tie_too_young");
  expect(refusal(["app_1", old], ["app_2", { ...old, givenBy: ["op_1"] }])).toBeNull();
});
