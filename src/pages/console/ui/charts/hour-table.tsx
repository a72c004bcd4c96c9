import { useLocale, useTexts } from "../../texts.ts";

/** Shades of a cell, the darkest for the hour with most payments. */
const SHADES = 4;

export interface HourlyDay {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Payments by the hour, 0 to 23; hours without one are left out. */
  hours: Record<string, number>;
}

/**
 * Payments of each day by the hour, as a table whose cells are the darker the more they have. Hours before the first
 * payment of all days and after the last are left out. `pathOf` is what a figure opens.
 */
export function HourTable(props: {
  days: HourlyDay[];
  label: string;
  pathOf: (day: string, hour: number) => string;
}) {
  const { dayOfMonth, weekdayName } = useLocale();
  const labels = useTexts().home;
  const { days, label, pathOf } = props;
  const counted = days.flatMap(({ hours }) => Object.keys(hours).map(Number));
  if (counted.length === 0) return null;
  const [first, last] = [Math.min(...counted), Math.max(...counted)];
  const most = Math.max(...days.flatMap(({ hours }) => Object.values(hours)));
  return (
    <table class="hours">
      <caption class="hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.hour}</th>
          {days.map(({ day }) => (
            <th scope="col">
              {weekdayName(day)} <span>{dayOfMonth(day)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: last - first + 1 }, (_, index) => first + index).map((hour) => (
          <tr>
            <th scope="row">{hour} h</th>
            {days.map(({ day, hours }) => {
              const count = hours[hour] ?? 0;
              if (count === 0) return <td />;
              return (
                <td class={`heat-${Math.ceil((SHADES * count) / most)}`}>
                  <a href={pathOf(day, hour)}>{count}</a>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
