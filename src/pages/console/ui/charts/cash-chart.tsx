import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { BASE, DateAxis, HEIGHT, MARGIN, round, VALUE_TICKS, ValueAxis, WIDTH } from "./axes.tsx";

/** Balances at the end of a day, centavos. */
export interface DayCases {
  /** `YYYY-MM-DD`. */
  day: string;
  certain: number;
  worst: number;
  expected: number;
  best: number;
}

/**
 * Balances of days: a band from the worst to the best case, a line of what is expected, a dashed one of what is
 * certain. A table beside it says the same to those who do not see it; `label` says the last day.
 */
export function CashChart({ days, label }: { days: DayCases[]; label: string }) {
  const all = days.flatMap(({ certain, worst, expected, best }) => [
    certain,
    worst,
    expected,
    best,
  ]);
  const least = Math.min(...all);
  const x = scaleLinear()
    .domain([0, Math.max(1, days.length - 1)])
    .range([MARGIN.left + 12, WIDTH - MARGIN.right - 12]);
  const y = scaleLinear()
    .domain([least, Math.max(least + 1, ...all)])
    .nice(VALUE_TICKS)
    .range([BASE, MARGIN.top]);
  const middleOf = (index: number) => round(x(index));
  const heightOf = (amount: number) => round(y(amount));
  const xOf = (_: DayCases, index: number) => middleOf(index);
  const band = area<DayCases>(
    xOf,
    ({ worst }) => heightOf(worst),
    ({ best }) => heightOf(best),
  )(days);
  const expected = line<DayCases>(xOf, (each) => heightOf(each.expected))(days);
  const certain = line<DayCases>(xOf, (each) => heightOf(each.certain))(days);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path class="chart-band" d={band ?? ""} />
      <ValueAxis ticks={y.ticks(VALUE_TICKS)} heightOf={heightOf} />
      <path class="chart-before" d={certain ?? ""} />
      <path class="chart-line" d={expected ?? ""} />
      <DateAxis days={days.map(({ day }) => day)} xOf={middleOf} />
    </svg>
  );
}
