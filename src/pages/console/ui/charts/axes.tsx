import { useLocale } from "../../texts.ts";

/** Small enough for a phone, where the texts keep nearly this size. */
export const WIDTH = 400;
export const HEIGHT = 180;
export const MARGIN = { top: 14, right: 4, bottom: 20, left: 44 };
export const BASE = HEIGHT - MARGIN.bottom;
export const VALUE_TICKS = 4;
/** Days that have room for their date. */
const DATES_MAX = 7;

/** Amounts (centavos) at the left of a chart, each with its line. */
export function ValueAxis(props: { ticks: number[]; heightOf: (value: number) => number }) {
  const { shortMoney } = useLocale();
  return (
    <>
      {props.ticks.map((tick) => (
        <>
          <line
            class="chart-grid"
            x1={MARGIN.left}
            x2={WIDTH - MARGIN.right}
            y1={props.heightOf(tick)}
            y2={props.heightOf(tick)}
          />
          <text class="chart-value" x={MARGIN.left - 4} y={props.heightOf(tick) + 4}>
            {shortMoney(tick)}
          </text>
        </>
      ))}
    </>
  );
}

/** Days (`YYYY-MM-DD`) at the foot of a chart, as many as have room. */
export function DateAxis({ days, xOf }: { days: string[]; xOf: (index: number) => number }) {
  const { dayOfMonth } = useLocale();
  const step = Math.ceil(days.length / DATES_MAX);
  return (
    <>
      {days.map((day, index) =>
        index % step === 0 ? (
          <text class="chart-day" x={xOf(index)} y={HEIGHT - 6}>
            {dayOfMonth(day)}
          </text>
        ) : null,
      )}
    </>
  );
}

/** A tenth of a unit is finer than any screen; more digits are only weight. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
