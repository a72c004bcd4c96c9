import { date, money } from "../format.ts";
import type { Language } from "../texts.ts";

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
export function BarChart(props: { days: DayAmount[]; label: string; language: Language }) {
  const { days, label, language } = props;
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
              <title>{`${date(day, language)}: ${money(amount, language)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="chart-ends">
        <span>{date(days[0]?.day, language)}</span>
        <span>{date(days.at(-1)?.day, language)}</span>
      </p>
    </>
  );
}
