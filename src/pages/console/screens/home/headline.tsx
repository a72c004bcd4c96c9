import type { getBalance, getForecast } from "../../../../api/balance/routes.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Sparkline, type DayAmount } from "../../ui/charts/bar-chart.tsx";

/**
 * The first line: what there is now, and what comes when. The balance carries the ledger's sequence, so that the
 * script of the page never puts an older figure in the place of a newer one.
 */
export function Headline(props: {
  balance: RouteBody<typeof getBalance>;
  forecast: RouteBody<typeof getForecast>;
  received: DayAmount[];
  tomorrow: string;
}) {
  const { money } = useLocale();
  const labels = useTexts().home;
  const { balance, forecast, received, tomorrow } = props;
  const next = forecast.items.find(({ date }) => date === tomorrow)?.amount ?? 0;
  const blocked = reaisToCents(balance.accBalanceBlocked);
  const debt = reaisToCents(balance.accBalanceDebt);
  return (
    <section class="headline" aria-label={labels.balance}>
      <p class="headline-figures">
        <a href="/console/statement">
          {labels.available}{" "}
          <strong data-balance={String(balance.ledgerSequence)}>
            {money(reaisToCents(balance.accBalance))}
          </strong>
        </a>
        <a href="/console/calendar">
          {labels.awaiting} <strong>{money(forecast.total)}</strong>
          {next === 0 ? null : ` (${fill(labels.tomorrow, { amount: money(next) })})`}
        </a>
        {blocked === 0 ? null : (
          <a href="/console/disputes">
            {labels.blocked} <strong>{money(blocked)}</strong>
          </a>
        )}
        {debt === 0 ? null : (
          <a href="/console/disputes?status=lost">
            {labels.debt} <strong>{money(debt)}</strong>
          </a>
        )}
      </p>
      {received.every(({ amount }) => amount === 0) ? null : (
        <figure class="sparkline-figure">
          <Sparkline days={received} label={labels.sparkline} />
          <figcaption class="hint">{labels.sparkline}</figcaption>
        </figure>
      )}
      <p class="hint">
        {labels.sequence} <span data-sequence="">{balance.ledgerSequence}</span>.
      </p>
    </section>
  );
}
