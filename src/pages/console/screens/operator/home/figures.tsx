import { fill, useLocale, useTexts } from "../../../texts.ts";
import { Facts, List, Section } from "../../../ui/parts.tsx";
import { CompanyLink } from "../status/lists.tsx";
import { PAYOUT_KINDS, waited, type GatewayStatus } from "../status/view.ts";

interface StatusProps {
  status: GatewayStatus;
}

/** What a bank contradicts: it waits for an operator. */
export function Contradicted({ status: { contradictions, at } }: StatusProps) {
  const { language, money } = useLocale();
  const labels = useTexts().operatorHome;
  const { open, held, oldestSince, byKind } = contradictions;
  const payouts = PAYOUT_KINDS.reduce((sum, kind) => sum + (byKind[kind] ?? 0), 0);
  return (
    <Section title={labels.contradicted}>
      {open === 0 ? (
        <p>{labels.nothing}</p>
      ) : (
        <>
          <Facts
            of={[
              [labels.contradictions, String(open)],
              [labels.held, money(held)],
              [labels.payouts, String(payouts)],
              [labels.since, oldestSince === null ? null : waited(oldestSince, at, language)],
            ]}
          />
          <p>
            <a class="button primary" href="/console/operator/contradictions">
              {labels.decide}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}

/** Payments that merchants keep until they credit or return them: theirs to decide, not an operator's. */
export function Kept({ status: { moneyStuck, at } }: StatusProps) {
  const { language, money } = useLocale();
  const labels = useTexts().operatorHome;
  const kept = moneyStuck.find(({ place }) => place === "unexpected_payments");
  return (
    <Section title={labels.kept}>
      <p class="hint">{labels.keptHint}</p>
      {kept === undefined || kept.count === 0 ? (
        <p>{labels.noneKept}</p>
      ) : (
        <p>
          {fill(labels.keptSum, {
            count: kept.count,
            amount: money(kept.amount),
            time: kept.since === null ? "–" : waited(kept.since, at, language),
          })}
        </p>
      )}
    </Section>
  );
}

/** How long the oldest of each kind of work has waited. */
export function Waiting({ status: { oldest, latePasses, emails, at } }: StatusProps) {
  const { language } = useLocale();
  const labels = useTexts().operatorHome;
  const since = (time: string | null) =>
    time === null ? labels.nothingWaits : waited(time, at, language);
  return (
    <Section title={labels.waiting}>
      <Facts
        of={[
          [labels.backlog, since(oldest.delivery)],
          [labels.oldestCallback, since(oldest.callback)],
          [labels.oldestPayout, since(oldest.payout)],
          [labels.latePasses, String(latePasses.length)],
          [labels.emailsFailed, String(emails.failed)],
        ]}
      />
      <p>
        <a href="/console/operator/status">{labels.allFigures}</a>
      </p>
    </Section>
  );
}

/** The companies by what they received in a week, beside the week before. */
export function VolumeList({ status: { volumes } }: StatusProps) {
  const { money, date } = useLocale();
  const labels = useTexts().operatorHome;
  const upTo = volumes.upTo;
  return (
    <Section title={labels.volumes}>
      <List
        caption={labels.volumes}
        rows={volumes.companies}
        empty={<p>{labels.noVolumes}</p>}
        columns={[
          {
            heading: labels.company,
            cell: ({ companyId, name }) => <CompanyLink id={companyId} name={name} />,
          },
          { heading: labels.week, isNumber: true, cell: ({ week }) => money(week) },
          {
            heading: labels.weekBefore,
            isNumber: true,
            cell: ({ weekBefore }) => money(weekBefore),
          },
          {
            heading: labels.growth,
            isNumber: true,
            cell: ({ week, weekBefore }) => <Growth now={week} before={weekBefore} />,
          },
        ]}
      />
      {upTo === null ? null : <p class="hint">{fill(labels.volumesUpTo, { day: date(upTo) })}</p>}
    </Section>
  );
}

/** The change against before as a signed share; a word where there was nothing before. */
function Growth({ now, before }: { now: number; before: number }) {
  const { language } = useLocale();
  const labels = useTexts().operatorHome;
  if (before === 0) return <>{labels.isNew}</>;
  const share = new Intl.NumberFormat(language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 0,
  });
  return <>{share.format((now - before) / before)}</>;
}
