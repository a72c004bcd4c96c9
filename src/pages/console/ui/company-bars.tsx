import { RESTORE_FREEZE_REASON, type ShownFreeze } from "../../../domain/access/freeze.ts";
import { Icon } from "../../shared/look/icon.tsx";
import { whatIsFrozen } from "../format.ts";
import type { CompanyHead } from "../../../db/companies/companies.ts";
import { fill, useLocale, useTexts } from "../texts.ts";

/** Above every page: that no money is real, or that some is stopped; why, since when and what to do. */
export function CompanyBars({
  of,
  clock,
}: {
  of: CompanyHead;
  /** The time of a company whose clock was moved. */
  clock: string | null;
}) {
  const { bars } = useTexts();
  const { date, dateTime } = useLocale();
  const since = date(new Date(of.createdAt).toISOString());
  return (
    <>
      {of.freeze === null ? null : <FrozenBar freeze={of.freeze} />}
      {of.mode === "live" ? null : (
        <aside class="company-bar test" aria-label={bars.test}>
          <Icon name="test" />
          <p>
            <strong>{bars.test}</strong> {fill(bars.testMeans, { since })}
            {clock === null ? null : <> {fill(bars.clock, { now: dateTime(clock) })}</>}
          </p>
        </aside>
      )}
    </>
  );
}

function FrozenBar({ freeze }: { freeze: ShownFreeze }) {
  const { bars, settings } = useTexts();
  const { dateTime } = useLocale();
  const what = whatIsFrozen(freeze, settings.terms);
  const since = dateTime(new Date(freeze.since).toISOString());
  return (
    <aside class="company-bar frozen" aria-label={bars.frozen}>
      <Icon name="frozen" />
      <p>
        <strong>{bars.frozen}</strong> {fill(bars.frozenSince, { what, since })}{" "}
        <FreezeReason freeze={freeze} />{" "}
        {freeze.by.kind === "person" ? bars.endItYourself : bars.askOperator}
      </p>
    </aside>
  );
}

/** What a person wrote, or what the service found, in the reader's language. */
function FreezeReason({ freeze: { reason, by } }: { freeze: ShownFreeze }) {
  const { bars } = useTexts();
  if (reason === RESTORE_FREEZE_REASON) return <>{bars.restore}</>;
  if (by.kind === "rule") return <>{bars.ledgerCheck}</>;
  return <>{fill(bars.reason, { reason })}</>;
}
