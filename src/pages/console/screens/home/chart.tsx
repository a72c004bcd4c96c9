import { money } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
import { date } from "../../format.ts";

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 3;

export interface DayVolume {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Centavos. */
  gross: number;
}

/** Bars of what each day received. The table beside it says the same to those who do not see it. */
export function VolumeChart(props: { days: DayVolume[]; texts: Texts; language: Language }) {
  const { days, texts, language } = props;
  const most = Math.max(1, ...days.map(({ gross }) => gross));
  const step = WIDTH / Math.max(1, days.length);
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.home.chart}
      >
        {days.map(({ day, gross }, index) => {
          const height = Math.round((gross / most) * HEIGHT);
          return (
            <rect x={index * step} y={HEIGHT - height} width={step - GAP} height={height}>
              <title>{`${date(day, language)}: ${money(gross, language)}`}</title>
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
