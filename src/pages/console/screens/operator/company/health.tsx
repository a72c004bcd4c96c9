import type { getCompanyHealth } from "../../../../../api/operator/status/routes.ts";
import type { RouteBody } from "../../../route-types.ts";
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
  const words = texts.operatorCompanies;
  const { freeze, check, copy, comparison, mended } = health;
  const violations = check?.violations ?? [];
  return (
    <>
      {health.frozen ? (
        <div class="notice bad">
          <p>
            {freeze === null
              ? words.frozenByAudit
              : fill(words.frozenBy, { by: freeze.by, since: dateTime(freeze.since) })}
          </p>
          {freeze === null ? null : (
            <p>{fill(words.frozenWhat, { what: whatIsFrozen(freeze, texts.settings.terms) })}</p>
          )}
          {freeze?.reason ? <p>{fill(words.frozenReason, { reason: freeze.reason })}</p> : null}
        </div>
      ) : null}
      {violations.length === 0 ? null : (
        <div class="notice bad">
          <p>{words.violationsFound}</p>
          <ul>
            {violations.map((violation) => (
              <li>{violation}</li>
            ))}
          </ul>
        </div>
      )}
      {mended === null ? null : (
        <div class="notice">
          <p>{fill(words.mendedAt, { at: dateTime(mended.at) })}</p>
          <ul>
            {mended.copies.map((each) => (
              <li>{each}</li>
            ))}
          </ul>
        </div>
      )}
      <Facts
        of={[
          [words.number, company.id],
          [words.mode, words.modes[company.mode]],
          [words.status, <States company={company} health={health} />],
          [words.database, health.database],
          [words.document, company.document],
          [words.createdAt, dateTime(company.createdAt)],
          [words.closedAt, company.closedAt && dateTime(company.closedAt)],
          [words.lastCheck, check === null ? words.neverChecked : <Check check={check} />],
          [words.copyLag, copyText(copy, words)],
          [
            words.comparison,
            comparison === null ? words.neverChecked : comparisonText(comparison, words, locale),
          ],
          [
            words.oldestDelivery,
            health.oldestDueDelivery === null
              ? words.nothingWaits
              : dateTime(health.oldestDueDelivery),
          ],
        ]}
      />
    </>
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
  const words = useTexts().operatorCompanies;
  const count = check.violations.length;
  return (
    <>
      <Badge tone={count === 0 ? "good" : "bad"}>
        {count === 0 ? words.allGood : fill(words.violations, { count })}
      </Badge>{" "}
      {dateTime(check.checkedAt)} ({fill(words.upTo, { movement: check.movement })})
    </>
  );
}

function copyText(copy: Health["copy"], words: Texts["operatorCompanies"]): string {
  const { events, copied, waiting, rejected, attempts } = copy;
  const behind = fill(words.copyState, { events, copied, waiting });
  if (rejected === 0 && attempts === 0) return behind;
  return `${behind} ${fill(words.copyTrouble, { rejected, attempts })}`;
}

/** Which row a round is at, its share, and when the last one ended. */
function comparisonText(
  comparison: Comparison,
  words: Texts["operatorCompanies"],
  { dateTime }: Locale,
): string {
  const { share, after, comparedRows, mendedCopies, lastEndedAt } = comparison;
  return fill(words.comparisonState, {
    percent: Math.floor(share * 100),
    transaction: after.afterSeq,
    event: after.afterEvent,
    rows: comparedRows,
    mended: mendedCopies,
    ended: lastEndedAt === null ? words.neverEnded : dateTime(lastEndedAt),
  });
}

/** What no provider has answered for good, each with the way to its decision. */
export function UndecidedSection({ company, health, mayDecide }: Props & { mayDecide: boolean }) {
  const { money, dateTime } = useLocale();
  const words = useTexts().operatorCompanies;
  const { payouts, operations } = health.undecided;
  const rows = [
    ...payouts.map((item) => ({ item, path: `withdraws/${item.id}` })),
    ...operations.map((item) => ({ item, path: `operations/${encodeURIComponent(item.id)}` })),
  ];
  const kinds: Record<string, string> = words.kinds;
  return (
    <Section title={words.undecided}>
      <p class="hint">{words.undecidedHint}</p>
      <List
        caption={words.undecided}
        rows={rows}
        empty={<p>{words.nothingUndecided}</p>}
        columns={[
          { heading: words.kind, cell: ({ item }) => kinds[item.kind] ?? item.kind },
          { heading: words.id, cell: ({ item }) => item.id },
          {
            heading: words.amount,
            isNumber: true,
            cell: ({ item }) => money(item.amount),
          },
          { heading: words.since, cell: ({ item }) => dateTime(item.since) },
          { heading: words.asked, isNumber: true, cell: ({ item }) => item.checks },
          { heading: words.nextCheck, cell: ({ item }) => dateTime(item.nextCheckAt) },
          ...(mayDecide
            ? [
                {
                  heading: words.decide,
                  cell: ({ path }: { path: string }) => (
                    <a href={`${COMPANIES_PATH}/${company.id}/${path}/decide`}>{words.decide}</a>
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
  const words = useTexts().operatorCompanies;
  return (
    <List
      caption={words.passes}
      rows={passes}
      empty={<p>{props.empty ?? words.noPasses}</p>}
      columns={[
        ...(showsCompany
          ? [
              {
                heading: words.number,
                cell: ({ companyId }: Pass) => (
                  <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>
                ),
              },
            ]
          : []),
        { heading: words.account, cell: ({ account }) => account },
        { heading: words.records, cell: ({ list, pass }) => `${list} (${pass})` },
        { heading: words.readUntil, cell: ({ readUntil }) => dateTime(readUntil) },
        { heading: words.lastSuccess, cell: ({ finishedAt }) => dateTime(finishedAt) },
        { heading: words.nextRun, cell: ({ nextRunAt }) => dateTime(nextRunAt) },
      ]}
    />
  );
}
