import { fill, useLocale, useTexts } from "../../../texts.ts";
import { Facts, List, Section } from "../../../ui/parts.tsx";
import { CompanyLink } from "./lists.tsx";
import { mebibytes, waited, type GatewayStatus } from "./view.ts";

interface StatusProps {
  status: GatewayStatus;
}

/** What operators ask: payments, PSPs, webhooks, stuck money, growth. */
export function Answers(props: StatusProps) {
  return (
    <>
      <Payments {...props} />
      <StuckMoney {...props} />
      <Psps {...props} />
      <Webhooks {...props} />
      <Growth {...props} />
    </>
  );
}

/** The payments of the last hour beside the same hour a week ago. */
export function Payments({ status }: StatusProps) {
  const { money } = useLocale();
  const texts = useTexts();
  const labels = texts.operatorAnswers;
  const { since, methods } = status.payments;
  const shown = (count: number | null, amount: number | null) =>
    count === null || amount === null ? "–" : `${count} · ${money(amount)}`;
  return (
    <Section title={labels.payments}>
      <List
        caption={labels.payments}
        rows={methods}
        empty={null}
        columns={[
          {
            heading: texts.payments.method,
            cell: ({ paymentMethod }) => texts.payments.methods[paymentMethod],
          },
          {
            heading: labels.lastHour,
            isNumber: true,
            cell: ({ count, amount }) => shown(count, amount),
          },
          {
            heading: labels.weekBefore,
            isNumber: true,
            cell: ({ weekBefore }) => shown(weekBefore?.count ?? null, weekBefore?.amount ?? null),
          },
        ]}
      />
      <Since at={since} />
    </Section>
  );
}

function StuckMoney({ status }: StatusProps) {
  const { money, dateTime } = useLocale();
  const labels = useTexts().operatorAnswers;
  return (
    <Section title={labels.stuck}>
      <List
        caption={labels.stuck}
        rows={status.moneyStuck.filter(({ count }) => count > 0)}
        empty={<p>{labels.noneStuck}</p>}
        columns={[
          { heading: labels.place, cell: ({ place }) => labels.places[place] },
          { heading: labels.items, isNumber: true, cell: ({ count }) => count },
          { heading: labels.amount, isNumber: true, cell: ({ amount }) => money(amount) },
          { heading: labels.since, cell: ({ since }) => dateTime(since) },
        ]}
      />
    </Section>
  );
}

/** How fast each PSP answered, and how many of its answers could not be read. */
export function Psps({ status }: StatusProps) {
  const { language, percent } = useLocale();
  const labels = useTexts().operatorAnswers;
  const seconds = (value: number | null | undefined) =>
    value == null
      ? "–"
      : new Intl.NumberFormat(language, { style: "unit", unit: "second" }).format(value);
  return (
    <Section title={labels.psps}>
      <List
        caption={labels.psps}
        rows={status.providers}
        empty={<p>{labels.noPsps}</p>}
        columns={[
          { heading: labels.psp, cell: ({ host }) => host },
          { heading: labels.calls, isNumber: true, cell: ({ lastHour }) => lastHour?.calls ?? "–" },
          {
            heading: labels.faults,
            isNumber: true,
            cell: ({ calls, faults }) => (calls === 0 ? "–" : percent(faults / calls)),
          },
          { heading: "p50", isNumber: true, cell: ({ lastHour }) => seconds(lastHour?.p50Seconds) },
          { heading: "p95", isNumber: true, cell: ({ lastHour }) => seconds(lastHour?.p95Seconds) },
        ]}
      />
    </Section>
  );
}

function Webhooks({ status }: StatusProps) {
  const { language, percent } = useLocale();
  const labels = useTexts().operatorAnswers;
  const { since, share, firstAttempts, oldestOpen } = status.webhooks;
  return (
    <Section title={labels.webhooks}>
      <Facts
        of={[
          [labels.share, percent(share)],
          [labels.firstAttempts, firstAttempts === null ? "–" : String(firstAttempts)],
          [
            labels.oldestOpen,
            oldestOpen === null ? labels.noneOpen : waited(oldestOpen, status.at, language),
          ],
        ]}
      />
      <Since at={since} />
    </Section>
  );
}

interface Grown {
  what: string | ReturnType<typeof CompanyLink>;
  now: string;
  before: string;
}

function Growth({ status }: StatusProps) {
  const { language } = useLocale();
  const labels = useTexts().operatorAnswers;
  const { since, databases, objects, openWork } = status.growth;
  const size = (bytes: number | null) => (bytes === null ? "–" : mebibytes(bytes, language));
  const rows: Grown[] = [
    ...databases.map(({ name, bytes, before }) => {
      return { what: fill(labels.database, { name }), now: size(bytes), before: size(before) };
    }),
    ...openWork.map(({ work, count, before }) => {
      return { what: labels.work[work], now: String(count), before: String(before ?? "–") };
    }),
    ...objects.slice(0, OBJECTS_SHOWN).map(({ companyId, bytes, before }) => {
      return {
        what: <CompanyLink id={companyId} name={labels.object} />,
        now: size(bytes),
        before: size(before),
      };
    }),
  ];
  return (
    <Section title={labels.growth}>
      <List
        caption={labels.growth}
        rows={rows}
        empty={<p>{labels.notSampled}</p>}
        columns={[
          { heading: labels.what, cell: ({ what }) => what },
          { heading: labels.now, isNumber: true, cell: ({ now }) => now },
          { heading: labels.before, isNumber: true, cell: ({ before }) => before },
        ]}
      />
      <Since at={since} />
    </Section>
  );
}

/** The fastest growing objects that are shown. */
const OBJECTS_SHOWN = 5;

/** Since when a section's figures count. */
function Since({ at }: { at: string | null }) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorAnswers;
  return (
    <p class="hint">
      {at === null ? labels.notSampled : fill(labels.counted, { at: dateTime(at) })}
    </p>
  );
}
