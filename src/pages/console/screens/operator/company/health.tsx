import type { getCompanyHealth } from "../../../../../api/operator/status/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import { whatIsFrozen } from "../../../format.ts";
import { fill, type Locale, type Texts, useLocale, useTexts } from "../../../texts.ts";
import { Badge, Facts, List, Section } from "../../../ui/parts.tsx";
import { COMPANIES_PATH, type OneCompany } from "../companies/company.ts";

/** A company's health. */
export type Health = RouteBody<typeof getCompanyHealth>;
/** A payout, refund, cancel, capture or return without a last answer. Centavos. */
export type UndecidedItem = Health["undecided"]["payouts"][number];
/** A pass over a provider's records. */
export type Pass = Health["passes"][number];
/** A company's round over all its copies. */
type Comparison = NonNullable<Health["comparison"]>;

interface Props {
  company: OneCompany;
  health: Health;
}

/** What is wrong first: the freeze and the violations; then the facts of the company. */
export function HealthFacts({ company, health }: Props) {
  const locale = useLocale();
  const { dateTime } = locale;
  const texts = useTexts();
  const labels = texts.operatorCompanies;
  const { freeze, check, copy, comparison, mended } = health;
  const violations = check?.violations ?? [];
  return (
    <>
      {health.frozen ? (
        <div class="notice bad">
          <p>
            {freeze === null
              ? labels.frozenByAudit
              : fill(labels.frozenBy, { by: freeze.by, since: dateTime(freeze.since) })}
          </p>
          {freeze === null ? null : (
            <p>{fill(labels.frozenWhat, { what: whatIsFrozen(freeze, texts.settings.terms) })}</p>
          )}
          {freeze?.reason ? <p>{fill(labels.frozenReason, { reason: freeze.reason })}</p> : null}
        </div>
      ) : null}
      {violations.length === 0 ? null : (
        <div class="notice bad">
          <p>{labels.violationsFound}</p>
          <ul>
            {violations.map((violation) => (
              <li>{violation}</li>
            ))}
          </ul>
        </div>
      )}
      {mended === null ? null : (
        <div class="notice">
          <p>{fill(labels.mendedAt, { at: dateTime(mended.at) })}</p>
          <ul>
            {mended.copies.map((each) => (
              <li>{each}</li>
            ))}
          </ul>
        </div>
      )}
      <CompanyFigures health={health} />
      <Facts
        of={[
          [labels.number, company.id],
          [labels.mode, labels.modes[company.mode]],
          [labels.status, <States company={company} health={health} />],
          [labels.database, health.database],
          [labels.document, company.document],
          [labels.createdAt, dateTime(company.createdAt)],
          [labels.closedAt, company.closedAt && dateTime(company.closedAt)],
          [labels.lastCheck, check === null ? labels.neverChecked : <Check check={check} />],
          [labels.copyLag, copyText(copy, labels)],
          [
            labels.comparison,
            comparison === null ? labels.neverChecked : comparisonText(comparison, labels, locale),
          ],
          [
            labels.oldestDelivery,
            health.oldestDueDelivery === null
              ? labels.nothingWaits
              : dateTime(health.oldestDueDelivery),
          ],
        ]}
      />
    </>
  );
}

/** The company in figures: what it has, what is on its way, what it received. */
function CompanyFigures({ health: { ledger, held, volume } }: Pick<Props, "health">) {
  const { money } = useLocale();
  const labels = useTexts().operatorCompanies.figures;
  const figures: { name: string; value: string; note?: string }[] = [
    { name: labels.available, value: money(ledger.available) },
    { name: labels.awaiting, value: money(ledger.awaiting) },
    { name: labels.payout, value: money(ledger.payout) },
    { name: labels.held, value: money(held) },
    { name: labels.suspense, value: money(ledger.suspense) },
    {
      name: labels.volume,
      value: money(volume.amount),
      note: fill(labels.payments, { count: volume.count }),
    },
  ];
  return (
    <div class="cards">
      {figures.map(({ name, value, note }) => (
        <div class="card">
          <h2>{name}</h2>
          <p class="amount">{value}</p>
          {note === undefined ? null : <p class="hint">{note}</p>}
        </div>
      ))}
    </div>
  );
}

function States({ company, health }: Pick<Props, "company" | "health">) {
  const { statuses } = useTexts().operatorCompanies;
  if (company.closedAt !== null) return <Badge tone="quiet">{statuses.closed}</Badge>;
  return health.frozen ? (
    <Badge tone="bad">{statuses.frozen}</Badge>
  ) : (
    <Badge tone="good">{statuses.open}</Badge>
  );
}

function Check({ check }: { check: NonNullable<Health["check"]> }) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorCompanies;
  const count = check.violations.length;
  return (
    <>
      <Badge tone={count === 0 ? "good" : "bad"}>
        {count === 0 ? labels.allGood : fill(labels.violations, { count })}
      </Badge>{" "}
      {dateTime(check.checkedAt)} ({fill(labels.upTo, { movement: check.movement })})
    </>
  );
}

function copyText(copy: Health["copy"], labels: Texts["operatorCompanies"]): string {
  const { events, copied, waiting, rejected, attempts } = copy;
  const behind = fill(labels.copyState, { events, copied, waiting });
  if (rejected === 0 && attempts === 0) return behind;
  return `${behind} ${fill(labels.copyTrouble, { rejected, attempts })}`;
}

/** Which row a round is at, its share, and when the last one ended. */
function comparisonText(
  comparison: Comparison,
  labels: Texts["operatorCompanies"],
  { dateTime }: Locale,
): string {
  const { share, after, comparedRows, mendedCopies, lastEndedAt } = comparison;
  return fill(labels.comparisonState, {
    percent: Math.floor(share * 100),
    transaction: after.afterSeq,
    event: after.afterEvent,
    rows: comparedRows,
    mended: mendedCopies,
    ended: lastEndedAt === null ? labels.neverEnded : dateTime(lastEndedAt),
  });
}

/** What no provider has answered for good, each with the way to its decision. */
export function UndecidedSection({ company, health, mayDecide }: Props & { mayDecide: boolean }) {
  const { money, dateTime } = useLocale();
  const labels = useTexts().operatorCompanies;
  const { payouts, operations } = health.undecided;
  const rows = [
    ...payouts.map((item) => ({ item, path: `withdraws/${item.id}` })),
    ...operations.map((item) => ({ item, path: `operations/${encodeURIComponent(item.id)}` })),
  ];
  const kinds: Record<string, string> = labels.kinds;
  return (
    <Section title={labels.undecided}>
      <p class="hint">{labels.undecidedHint}</p>
      <List
        caption={labels.undecided}
        rows={rows}
        empty={<p>{labels.nothingUndecided}</p>}
        columns={[
          { heading: labels.kind, cell: ({ item }) => kinds[item.kind] ?? item.kind },
          { heading: labels.id, cell: ({ item }) => item.id },
          {
            heading: labels.amount,
            isNumber: true,
            cell: ({ item }) => money(item.amount),
          },
          { heading: labels.since, cell: ({ item }) => dateTime(item.since) },
          { heading: labels.asked, isNumber: true, cell: ({ item }) => item.checks },
          { heading: labels.nextCheck, cell: ({ item }) => dateTime(item.nextCheckAt) },
          ...(mayDecide
            ? [
                {
                  heading: labels.decide,
                  cell: ({ path }: { path: string }) => (
                    <a href={`${COMPANIES_PATH}/${company.id}/${path}/decide`}>{labels.decide}</a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

/** How far the records of the provider are read, by list. */
export function PassesList(props: {
  passes: Pass[];
  empty?: string;
  /** For a list of several companies. */
  showsCompany?: boolean;
}) {
  const { dateTime } = useLocale();
  const { passes, showsCompany = false } = props;
  const labels = useTexts().operatorCompanies;
  return (
    <List
      caption={labels.passes}
      rows={passes}
      empty={<p>{props.empty ?? labels.noPasses}</p>}
      columns={[
        ...(showsCompany
          ? [
              {
                heading: labels.number,
                cell: ({ companyId }: Pass) => (
                  <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>
                ),
              },
            ]
          : []),
        { heading: labels.account, cell: ({ account }) => account },
        { heading: labels.records, cell: ({ list, pass }) => `${list} (${pass})` },
        { heading: labels.readUntil, cell: ({ readUntil }) => dateTime(readUntil) },
        { heading: labels.lastSuccess, cell: ({ finishedAt }) => dateTime(finishedAt) },
        { heading: labels.nextRun, cell: ({ nextRunAt }) => dateTime(nextRunAt) },
      ]}
    />
  );
}
