import { expect, test } from "vitest";
import { LOCALES } from "../../../../src/pages/shared/locale.ts";

const NBSP = "\u00A0";
const { "pt-BR": portuguese, en: english } = LOCALES;

test("an amount is written as the language does", () => {
  expect(portuguese.money(123_456)).toBe(`R$${NBSP}1.234,56`);
  expect(english.money(-5)).toBe("-R$0.05");
});

test("a time is that of America/Sao_Paulo", () => {
  const time = "2026-11-29T02:30:15Z";
  expect(portuguese.date(time)).toBe("28/11/2026");
  expect(portuguese.dateTime(time)).toBe("28/11/2026, 23:30");
  expect(portuguese.exactTime(time)).toBe("28/11/2026, 23:30:15");
  expect(english.date(time, "medium")).toBe("Nov 28, 2026");
  expect(english.dateTime(time, "medium")).toMatch(/^Nov 28, 2026, 11:30\sPM$/);
});

test("a day alone is that day", () => {
  expect(portuguese.date("2026-11-29")).toBe("29/11/2026");
});

test.each([null, undefined, ""])("no time (%s) is a dash", (none) => {
  expect([portuguese.date(none), english.dateTime(none)]).toEqual(["–", "–"]);
});

test("a part of a whole has as many decimals as asked", () => {
  expect([portuguese.percent(0.4286), portuguese.percent(0.0349, 2)]).toEqual(["42,9%", "3,49%"]);
  expect(english.percent(null)).toBe("–");
});
