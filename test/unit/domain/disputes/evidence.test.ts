import { expect, it } from "vitest";
import {
  evidenceBytes,
  mergeEvidence,
  type Evidence,
  type EvidenceChange,
} from "../../../../src/domain/disputes/evidence.ts";

const KNOWN: Evidence = {
  text: "It came.",
  links: ["https://a.com"],
  delivery: { carrier: "Correios" },
  submittedAt: 1,
};

it.each<[string, EvidenceChange, Partial<Evidence>]>([
  ["a text replaces the text only", { text: "It went." }, { text: "It went." }],
  ["links replace all links", { links: ["https://b.com"] }, { links: ["https://b.com"] }],
  ["a delivery replaces the whole delivery", { delivery: { at: 1 } }, { delivery: { at: 1 } }],
  ["an empty text removes it", { text: "" }, { text: null }],
  ["empty links remove them", { links: [] }, { links: [] }],
  ["an empty delivery removes it", { delivery: {} }, { delivery: null }],
])("%s", (_name, change, expected) => {
  expect(mergeEvidence(KNOWN, change, 2)).toEqual({ ...KNOWN, ...expected, submittedAt: 2 });
});

it("the first evidence has only what was sent", () => {
  expect(mergeEvidence(null, { text: "It came." }, 2)).toEqual({
    text: "It came.",
    links: [],
    delivery: null,
    submittedAt: 2,
  });
});

it("bytes are counted in UTF-8, without the time", () => {
  const evidence = { text: "ç", links: [], delivery: null, submittedAt: 1 };
  expect(evidenceBytes(evidence)).toBe('{"text":"ç","links":[],"delivery":null}'.length + 1);
});
