import { expect, it } from "vitest";
import { afterWord, responseView } from "../../../../src/domain/disputes/dispute-response.ts";

const SENT = {
  id: "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
  version: 1,
  status: "sending",
  answer: null,
  sentAt: Date.UTC(2026, 10, 22, 12),
  answeredAt: null,
} as const;

it("a bank's words move a response on, and a word that lags behind changes nothing", () => {
  const analysed = afterWord(SENT, { status: "under_analysis", answer: null }, 5);
  expect(analysed).toEqual({ ...SENT, status: "under_analysis", answeredAt: 5 });
  expect(afterWord(analysed, { status: "received", answer: "Recebida." }, 6)).toBe(analysed);
  expect(afterWord(analysed, { status: "under_analysis", answer: null }, 6)).toBe(analysed);
  expect(afterWord(analysed, { status: "under_analysis", answer: "Falta." }, 7)).toMatchObject({
    answer: "Falta.",
    answeredAt: 7,
  });
});

it.each(["accepted", "refused", "not_sent"] as const)("nothing follows %s", (status) => {
  const ended = { ...SENT, status, answer: "Fim.", answeredAt: 5 };
  expect(afterWord(ended, { status: "refused", answer: "Outra." }, 6)).toBe(ended);
});

it("a long answer is cut, and times are shown in ISO 8601", () => {
  const said = afterWord(SENT, { status: "refused", answer: "x".repeat(2_000) }, 1_000);
  expect(said.answer).toHaveLength(1_000);
  expect(responseView(said)).toMatchObject({
    sentAt: "2026-11-22T12:00:00.000Z",
    answeredAt: "1970-01-01T00:00:01.000Z",
  });
});
