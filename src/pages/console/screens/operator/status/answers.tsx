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

function Payments({ status }: StatusProps) {
  const { money } = useLocale();
  const texts = useTexts();
  const words = texts.operatorAnswers;
  const { since, methods } = status.payments;
  const shown = (count: number | null, amount: number | null) =>
    count === null || amount === null ? "–" : `${count} · ${money(amount)}`;
  return (
    <Section title={words.payments}>
      <List
        caption={words.payments}
        rows={methods}
        empty={null}
        columns={[
          {
            heading: texts.payments.method,
            cell: ({ paymentMethod }) => texts.payments.methods[paymentMethod],
          },
          {
            heading: words.lastHour,
            isNumber: true,
            cell: ({ count, amount }) => shown(count, amount),
          },
          {
            heading: words.weekBefore,
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
  const words = useTexts().operatorAnswers;
  return (
    <Section title={words.stuck}>
      <List
        caption={words.stuck}
        rows={status.moneyStuck.filter(({ count }) => count > 0)}
        empty={<p>{words.noneStuck}</p>}
        columns={[
          { heading: words.place, cell: ({ place }) => words.places[place] },
          { heading: words.items, isNumber: true, cell: ({ count }) => count },
          { heading: words.amount, isNumber: true, cell: ({ amount }) => money(amount) },
          { heading: words.since, cell: ({ since }) => dateTime(since) },
        ]}
      />
    </Section>
  );
}

function Psps({ status }: StatusProps) {
  const { language } = useLocale();
  const words = useTexts().operatorAnswers;
  const seconds = (value: number | null | undefined) =>
    value == null
      ? "–"
      : new Intl.NumberFormat(language, { style: "unit", unit: "second" }).format(value);
  return (
    <Section title={words.psps}>
      <List
        caption={words.psps}
        rows={status.providers}
        empty={<p>{words.noPsps}</p>}
        columns={[
          { heading: words.psp, cell: ({ host }) => host },
          { heading: words.calls, isNumber: true, cell: ({ lastHour }) => lastHour?.calls ?? "–" },
          { heading: "p50", isNumber: true, cell: ({ lastHour }) => seconds(lastHour?.p50Seconds) },
          { heading: "p95", isNumber: true, cell: ({ lastHour }) => seconds(lastHour?.p95Seconds) },
        ]}
      />
    </Section>
  );
}

function Webhooks({ status }: StatusProps) {
  const { language, percent } = useLocale();
  const words = useTexts().operatorAnswers;
  const { since, share, firstAttempts, oldestOpen } = status.webhooks;
  return (
    <Section title={words.webhooks}>
      <Facts
        of={[
          [words.share, percent(share)],
          [words.firstAttempts, firstAttempts === null ? "–" : String(firstAttempts)],
          [
            words.oldestOpen,
            oldestOpen === null ? words.noneOpen : waited(oldestOpen, status.at, language),
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
  const words = useTexts().operatorAnswers;
  const { since, databases, objects, openWork } = status.growth;
  const size = (bytes: number | null) => (bytes === null ? "–" : mebibytes(bytes, language));
  const rows: Grown[] = [
    ...databases.map(({ name, bytes, before }) => {
      return { what: fill(words.database, { name }), now: size(bytes), before: size(before) };
    }),
    ...openWork.map(({ work, count, before }) => {
      return { what: words.work[work], now: String(count), before: String(before ?? "–") };
    }),
    ...objects.slice(0, OBJECTS_SHOWN).map(({ companyId, bytes, before }) => {
      return {
        what: <CompanyLink id={companyId} name={words.object} />,
        now: size(bytes),
        before: size(before),
      };
    }),
  ];
  return (
    <Section title={words.growth}>
      <List
        caption={words.growth}
        rows={rows}
        empty={<p>{words.notSampled}</p>}
        columns={[
          { heading: words.what, cell: ({ what }) => what },
          { heading: words.now, isNumber: true, cell: ({ now }) => now },
          { heading: words.before, isNumber: true, cell: ({ before }) => before },
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
  const words = useTexts().operatorAnswers;
  return (
    <p class="hint">{at === null ? words.notSampled : fill(words.counted, { at: dateTime(at) })}</p>
  );
}
