import { fill, useLocale, useTexts, type Texts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import type { Need } from "./needs.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** As many as a person takes in at once; each has a digit as its key. */
const NEEDS_SHOWN = 5;

/** Outlines of lucide (ISC), in a square of 24. */
const ICONS: Record<Need["kind"], string> = {
  withdraw: "M12 19V5M5 12l7-7 7 7",
  refund: "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11",
  dispute:
    "M12 9v4M12 17h.01M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z",
  unexpected:
    "M12 17h.01M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
  access:
    "M21 2l-2 2m-7.6 7.6a5.5 5.5 0 1 1-7.8 7.8 5.5 5.5 0 0 1 7.8-7.8zm0 0L15.5 7.5m0 0 3 3L22 7l-3-3m-3.5 3.5L19 4",
  webhook: "M12 22v-5M9 8V2M15 8V2M18 8v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V8zM3 3l18 18",
};

/** The first of what needs a person, or all: what, how much, how long, and the button that ends it. */
export function Needs(props: {
  needs: Need[];
  areAllShown: boolean;
  /** Centavos that may be withdrawn now; null where the role does not see it. */
  available: number | null;
  nowMs: number;
}) {
  const { needs, areAllShown, available, nowMs } = props;
  const labels = useTexts().home;
  const shown = areAllShown ? needs : needs.slice(0, NEEDS_SHOWN);
  return (
    <Section title={labels.needsYou}>
      {needs.length === 0 ? <p>{labels.nobody}</p> : null}
      <ol class="needs">
        {shown.map((need, index) => (
          <li>
            <NeedRow need={need} available={available} nowMs={nowMs} place={index + 1} />
          </li>
        ))}
      </ol>
      {shown.length === needs.length ? null : (
        <p>
          <a href="/console?needs=all">{fill(labels.seeAll, { count: needs.length })}</a>
        </p>
      )}
    </Section>
  );
}

function NeedRow(props: { need: Need; available: number | null; nowMs: number; place: number }) {
  const { money } = useLocale();
  const labels = useTexts().home;
  const { need, available, nowMs, place } = props;
  const { kind, subject, amount, riskPerHour } = need;
  const key = place <= NEEDS_SHOWN ? { accesskey: String(place) } : {};
  return (
    <>
      <svg class="need-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[kind]} />
      </svg>
      <div class="need-what">
        <strong>{labels.needs[kind]}</strong>
        {subject === null ? null : <span class="need-subject">{subject}</span>}
        <span class="hint">{effectOf(need, available, money, labels)}</span>
      </div>
      <p class="need-amount">
        {amount === null ? fill(labels.perHour, { amount: money(riskPerHour) }) : money(amount)}
        <span class="hint">{leftOf(need, nowMs, labels)}</span>
      </p>
      <a class="button" href={need.path} {...key}>
        {labels.acts[kind]}
        {place <= NEEDS_SHOWN ? <kbd title={fill(labels.key, { key: place })}>{place}</kbd> : null}
        <span class="hidden">
          {" "}
          ({[subject, amount === null ? null : money(amount)].filter(Boolean).join(", ")})
        </span>
      </a>
    </>
  );
}

/** What the act does to the balance, said before it is done. */
function effectOf(
  { kind, amount }: Need,
  available: number | null,
  money: (cents: number) => string,
  labels: Texts["home"],
): string {
  if (kind === "webhook" || kind === "access" || amount === null || available === null) {
    return labels.effectsUnknown[kind];
  }
  return fill(labels.effects[kind], {
    amount: money(amount),
    now: money(available),
    after: money(available + amount),
  });
}

/** The time that is left, in hours on the last day. */
function leftOf({ endsAt }: Need, nowMs: number, labels: Texts["home"]): string {
  if (endsAt === null) return labels.noEnd;
  const hours = Math.floor((endsAt - nowMs) / HOUR_MS);
  if (hours < 1) return labels.leftMinutes;
  return hours < DAY_HOURS
    ? fill(labels.leftHours, { hours })
    : fill(labels.leftDays, { days: Math.floor(hours / DAY_HOURS) });
}
