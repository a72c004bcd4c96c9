import { isBankHoliday } from "../../../../domain/shared/bank-holidays.ts";
import { addDays, weekday } from "../../../../domain/shared/calendar-day.ts";
import { useLocale, useTexts } from "../../texts.ts";
import type { DayAmount } from "./bar-chart.tsx";

const WEEK_DAYS = 7;
const WEEKS = 4;
/** A Sunday: weekdays are named from it. */
const SOME_SUNDAY = "2026-11-01";

/** Four weeks from this one on: what becomes available on each day, which opens, and the days without banks. */
export function ReleaseCalendar({ releases, today }: { releases: DayAmount[]; today: string }) {
  const { weekdayName } = useLocale();
  const labels = useTexts().forecast;
  const first = addDays(today, -weekday(today));
  return (
    <table class="calendar">
      <caption class="hidden">{labels.calendar}</caption>
      <thead>
        <tr>
          {daysOf(WEEK_DAYS, SOME_SUNDAY).map((day) => (
            <th scope="col">{weekdayName(day)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {daysOf(WEEKS, first).map((_, week) => (
          <tr>
            {daysOf(WEEK_DAYS, addDays(first, week * WEEK_DAYS)).map((day) => (
              <CalendarDay
                day={day}
                today={today}
                amount={releases.find((each) => each.day === day)?.amount ?? 0}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The page of what becomes available on a day. */
export function releasesPath(day: string): string {
  return `/console/calendar/${day}`;
}

function daysOf(count: number, from: string): string[] {
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

function CalendarDay({ day, amount, today }: DayAmount & { today: string }) {
  const { dayOfMonth, money, shortMoney } = useLocale();
  const labels = useTexts().forecast;
  const classes = [day < today ? "past" : "", day === today ? "today" : ""].join(" ").trim();
  return (
    <td class={classes} {...(day === today ? { "aria-current": "date" as const } : {})}>
      <time dateTime={day}>{dayOfMonth(day)}</time>
      {isBankHoliday(day) ? (
        <span class="holiday" title={labels.holiday}>
          <span aria-hidden="true">●</span>
          <span class="hidden">{labels.holiday}</span>
        </span>
      ) : null}
      {amount === 0 ? null : (
        <a class="release" href={releasesPath(day)} title={money(amount)}>
          <span aria-hidden="true">{shortMoney(amount)}</span>
          <span class="hidden">{money(amount)}</span>
        </a>
      )}
    </td>
  );
}
