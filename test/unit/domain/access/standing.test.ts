import { expect, it } from "vitest";
import {
  bothStandings,
  chainFrom,
  FROM_THE_START,
  refusalOfApprover,
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
  expect(refusal(["thief"], ["puppet", { since: 1, givenBy: ["thief"] }])).toBe(
    "given_by_requester",
  );
  expect(refusal(["thief"], ["puppet", { since: 1, givenBy: ["middle", "thief"] }])).toBe(
    "given_by_requester",
  );
});

it("a tie by a third is refused while the younger right is within the cool-down", () => {
  const young = { since: NOW - DAY_MS + 1, givenBy: ["thief"] };
  const old = { since: NOW - DAY_MS, givenBy: ["thief"] };
  expect(refusal(["puppet_1", young], ["puppet_2", old])).toBe("tie_too_young");
  expect(refusal(["puppet_1", old], ["puppet_2", young])).toBe("tie_too_young");
  expect(refusal(["puppet_1", old], ["puppet_2", old])).toBeNull();
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
