import { scaleBand, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useLocale } from "../../texts.ts";
import { BASE, DateAxis, HEIGHT, MARGIN, round, VALUE_TICKS, ValueAxis, WIDTH } from "./axes.tsx";

/** Bars that have room for their value; of more only the tallest says it. */
const LABELLED_BARS_MAX = 8;
const SPARKLINE = { width: 160, height: 36 };

export interface DayAmount {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Centavos. */
  amount: number;
}

/**
 * A bar for each day's amount, and a line for the days of the period before, in their order. A table beside it says
 * the same to those who do not see it.
 */
export function BarChart(props: { days: DayAmount[]; before?: number[]; label: string }) {
  const { date, money } = useLocale();
  const { days, before = [], label } = props;
  const most = Math.max(1, ...days.map(({ amount }) => amount), ...before);
  const x = scaleBand<number>()
    .domain(days.map((_, index) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .padding(0.2);
  const y = scaleLinear().domain([0, most]).nice(VALUE_TICKS).range([BASE, MARGIN.top]);
  const leftOf = (index: number) => round(x(index) ?? 0);
  const middleOf = (index: number) => round(leftOf(index) + x.bandwidth() / 2);
  const path = line<number>(
    (_, index) => middleOf(index),
    (amount) => round(y(amount)),
  )(before);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <ValueAxis ticks={y.ticks(VALUE_TICKS)} heightOf={(value) => round(y(value))} />
      {days.map(({ day, amount }, index) => (
        <rect
          x={leftOf(index)}
          y={round(y(amount))}
          width={round(x.bandwidth())}
          height={round(BASE - y(amount))}
        >
          <title>{`${date(day)}: ${money(amount)}`}</title>
        </rect>
      ))}
      {before.length === 0 ? null : <path class="chart-before" d={path ?? ""} />}
      <BarValues days={days} xOf={middleOf} yOf={(amount) => round(y(amount))} />
      <DateAxis days={days.map(({ day }) => day)} xOf={middleOf} />
    </svg>
  );
}

/** The shape of a period without axes, beside the sentence that says its figures. */
export function Sparkline({ days, label }: { days: DayAmount[]; label: string }) {
  const { width, height } = SPARKLINE;
  const most = Math.max(1, ...days.map(({ amount }) => amount));
  const x = scaleLinear()
    .domain([0, Math.max(1, days.length - 1)])
    .range([0, width]);
  const y = scaleLinear()
    .domain([0, most])
    .range([height - 1, 2]);
  const xOf = (_: DayAmount, index: number) => round(x(index));
  const yOf = ({ amount }: DayAmount) => round(y(amount));
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path class="sparkline-area" d={area<DayAmount>(xOf, height, yOf)(days) ?? ""} />
      <path class="sparkline-line" d={line<DayAmount>(xOf, yOf)(days) ?? ""} />
    </svg>
  );
}

function BarValues(props: {
  days: DayAmount[];
  xOf: (index: number) => number;
  yOf: (amount: number) => number;
}) {
  const { shortMoney } = useLocale();
  const { days, xOf, yOf } = props;
  const most = Math.max(...days.map(({ amount }) => amount));
  const isLabelled = ({ amount }: DayAmount) =>
    amount > 0 && (days.length <= LABELLED_BARS_MAX || amount === most);
  return (
    <>
      {days.map((each, index) =>
        isLabelled(each) ? (
          <text class="chart-day" x={xOf(index)} y={yOf(each.amount) - 3}>
            {shortMoney(each.amount)}
          </text>
        ) : null,
      )}
    </>
  );
}
