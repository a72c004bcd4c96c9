import { backtestRoute, recoveryRoute } from "../../../../api/subscriptions/reports/recovery.ts";
import { addDays } from "../../../../domain/shared/calendar-day.ts";
import { TRIED_MIN } from "../../../../domain/subscriptions/reports/recovery-backtest.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { asTyped } from "../../form.ts";
import { fill, textsOf, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { page } from "../../ui/layout.tsx";
import { Field, List, Section } from "../../ui/parts.tsx";
import { pageStatus, refusalPage } from "../answers.tsx";
import { retryDaysOf } from "./request.ts";
import { RECOVERY_PATH, SUBSCRIPTIONS_PATH } from "./subscription.ts";

type Month = RouteBody<typeof recoveryRoute>["items"][number];
type Backtest = RouteBody<typeof backtestRoute>["data"];

const USUAL_POLICY = "1, 3, 5";
/** Of a day that was tried too seldom. */
const NOT_KNOWN = "–";
/** A Sunday: weekdays are named from it. */
const SUNDAY = "2026-11-01";

/** What was recovered of debits that had failed, by month, and what other retry days would have recovered. */
export async function showRecovery(c: ConsoleContext) {
  const head = { title: textsOf(c).subscriptions.recovery.title, active: SUBSCRIPTIONS_PATH };
  const typed = c.req.query("retry") ?? USUAL_POLICY;
  const [months, tested] = await Promise.all([
    callRoute(c, recoveryRoute, { query: {} }),
    callRoute(c, backtestRoute, { query: { retry: asTyped(retryDaysOf(typed).join(",")) } }),
  ]);
  if (!months.ok) return refusalPage(c, head, months);
  return page(
    c,
    { ...head, status: pageStatus(tested.ok ? months : tested) },
    <>
      <Months items={months.body.items} />
      <Policy
        typed={typed}
        tested={tested.ok ? tested.body.data : null}
        problem={tested.ok ? null : tested.body}
      />
    </>,
  );
}

function Months({ items }: { items: Month[] }) {
  const { money, month } = useLocale();
  const labels = useTexts().subscriptions.recovery;
  const sum = (heading: string, of: (row: Month) => { count: number; amount: number }) => ({
    heading,
    isNumber: true,
    cell: (row: Month) => {
      const { count, amount } = of(row);
      return `${money(amount)} (${count})`;
    },
  });
  return (
    <Section title={labels.byMonth}>
      <p class="hint">{labels.byMonthAbout}</p>
      <List
        caption={labels.byMonth}
        rows={items.toReversed()}
        empty={<Empty icon="calendar">{labels.none}</Empty>}
        columns={[
          { heading: labels.month, cell: (row) => month(row.month) },
          sum(labels.failed, ({ failed }) => failed),
          sum(labels.byRetry, ({ recovered }) => recovered.retry),
          sum(labels.byCard, ({ recovered }) => recovered.card),
          sum(labels.byHand, ({ recovered }) => recovered.hand),
        ]}
      />
    </Section>
  );
}

/** A retry policy, and what it would have done. `tested`: null where it was refused. */
function Policy(props: { typed: string; tested: Backtest | null; problem: ApiProblem | null }) {
  const { typed, tested, problem } = props;
  const texts = useTexts();
  const labels = texts.subscriptions.recovery;
  return (
    <Section title={labels.backtest}>
      <p class="hint">{labels.backtestAbout}</p>
      <form class="filters" method="get" action={RECOVERY_PATH}>
        <Field
          label={labels.policy}
          name="retry"
          value={typed}
          hint={labels.policyHint}
          errors={problem?.errors?.["retry"]}
        />
        <button type="submit">{labels.test}</button>
      </form>
      {tested === null ? null : <Outcome of={tested} />}
    </Section>
  );
}

function Outcome({ of: { failed, insufficient, days, weekdays } }: { of: Backtest }) {
  const { weekdayName } = useLocale();
  const labels = useTexts().subscriptions.recovery;
  const recovered = days.at(-1)?.recovered ?? 0;
  return (
    <>
      <p>
        <strong>
          {insufficient
            ? fill(labels.insufficient, { min: TRIED_MIN })
            : fill(labels.sum, { failed, recovered })}
        </strong>
      </p>
      <List
        caption={labels.backtest}
        rows={days}
        empty={null}
        columns={[
          { heading: labels.daysAfter, cell: ({ daysAfter }) => daysAfter },
          { heading: labels.tried, isNumber: true, cell: ({ tried }) => tried },
          { heading: labels.paid, isNumber: true, cell: ({ paid }) => paid },
          {
            heading: labels.recovered,
            isNumber: true,
            cell: (row) => row.recovered ?? NOT_KNOWN,
          },
        ]}
      />
      {weekdays.length === 0 ? null : (
        <List
          caption={labels.weekday}
          rows={weekdays}
          empty={null}
          columns={[
            {
              heading: labels.weekday,
              cell: ({ weekday }) => weekdayName(addDays(SUNDAY, weekday)),
            },
            { heading: labels.tried, isNumber: true, cell: ({ tried }) => tried },
            { heading: labels.paid, isNumber: true, cell: ({ paid }) => paid },
          ]}
        />
      )}
    </>
  );
}
