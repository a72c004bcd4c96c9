import { useLocale } from "../texts.ts";

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 3;

export interface DayAmount {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Centavos. */
  amount: number;
}

/** A bar for each day's amount. A table beside it says the same to those who do not see it. */
export function BarChart({ days, label }: { days: DayAmount[]; label: string }) {
  const { date, money } = useLocale();
  const most = Math.max(1, ...days.map(({ amount }) => amount));
  const step = WIDTH / Math.max(1, days.length);
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {days.map(({ day, amount }, index) => {
          const height = Math.round((amount / most) * HEIGHT);
          return (
            <rect x={index * step} y={HEIGHT - height} width={step - GAP} height={height}>
              <title>{`${date(day)}: ${money(amount)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="chart-ends">
        <span>{date(days[0]?.day)}</span>
        <span>{date(days.at(-1)?.day)}</span>
      </p>
    </>
  );
}
