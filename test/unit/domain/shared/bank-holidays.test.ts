import { getHolidays } from "@brazilian-utils/brazilian-utils";
import { expect, it } from "vitest";
import { isBankHoliday } from "../../../../src/domain/shared/bank-holidays.ts";
import { businessDayFrom } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";

it.each([
  ["Carnival's Monday", "2027-02-08"],
  ["Carnival's Tuesday", "2027-02-09"],
  ["Good Friday", "2027-03-26"],
  ["Corpus Christi", "2027-05-27"],
  ["New Year", "2027-01-01"],
  ["Tiradentes", "2027-04-21"],
  ["Labour Day", "2027-05-01"],
  ["Independence", "2027-09-07"],
  ["Our Lady of Aparecida", "2027-10-12"],
  ["All Souls", "2027-11-02"],
  ["the Republic", "2027-11-15"],
  ["Black Awareness", "2027-11-20"],
  ["Christmas", "2027-12-25"],
])("%s is without banks, and not the days beside it", (_name, day) => {
  expect(isBankHoliday(day)).toBe(true);
  // Carnival's two days are beside each other.
  const beside = day.startsWith("2027-02") ? [] : [addDays(day, -1), addDays(day, 1)];
  expect(beside.map(isBankHoliday)).toEqual(beside.map(() => false));
});

it("20 November is a holiday from 2024 on, and Ash Wednesday and Easter Monday are none", () => {
  expect(["2023-11-20", "2024-11-20"].map(isBankHoliday)).toEqual([false, true]);
  expect(["2027-02-10", "2027-03-29"].map(isBankHoliday)).toEqual([false, false]);
});

it("a business day follows weekends and holidays in a row", () => {
  expect(businessDayFrom("2027-02-06")).toBe("2027-02-10");
  expect(businessDayFrom("2027-01-01")).toBe("2027-01-04");
  expect(businessDayFrom("2026-12-25")).toBe("2026-12-28");
  expect(businessDayFrom("2027-04-20")).toBe("2027-04-20");
});

it("the same days are holidays as in an independent library, from 2003 to 2099", () => {
  const differences: string[] = [];
  for (let year = 2003; year <= 2099; year++) {
    const known = getHolidays({ year })
      .filter(({ type, name }) => type !== "optional" || /Carnaval|Corpus Christi/.test(name))
      .filter(({ name }) => !/Páscoa|Cinzas/.test(name))
      .map(({ date }) => {
        const [month, day] = [date.getMonth() + 1, date.getDate()];
        return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
      });
    // Banks close on Carnival's Monday too.
    const carnival = new Set(
      known.filter((day) => /-0[23]-/.test(day)).map((day) => addDays(day, -1)),
    );
    for (let day = `${year}-01-01`; day <= `${year}-12-31`; day = addDays(day, 1)) {
      const isKnown = known.includes(day);
      const isMonday = carnival.has(day);
      if (isBankHoliday(day) !== isKnown && !isMonday) differences.push(day);
    }
  }
  expect(differences).toEqual([]);
});
