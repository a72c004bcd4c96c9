import type { verifyStatement } from "../../../../api/balance/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";

/** Balances in centavos. */
export type Verdict = RouteBody<typeof verifyStatement>;

/** How a proof is got, and the form that checks one. */
export function VerifyForm() {
  const labels = useTexts().statement;
  return (
    <>
      <Section title={labels.getProof}>
        <p>{labels.getProofText}</p>
        <p class="actions">
          <a class="button" href="/console/statement/proof.csv">
            {labels.proofCsv}
          </a>
          <a class="button" href="/console/statement/balance.json">
            {labels.balanceJson}
          </a>
        </p>
        <p class="hint">{labels.proofHint}</p>
        <p class="hint">
          <code>npm run verify-ledger -- proof.csv balance.json --public-key …</code>
        </p>
      </Section>
      <Section title={labels.check}>
        <form
          class="action"
          method="post"
          action="/console/statement/verify"
          enctype="multipart/form-data"
        >
          <div class="field">
            <label for="file">{labels.file}</label>
            <input id="file" name="file" type="file" accept=".csv,text/csv" />
          </div>
          <div class="field">
            <label for="csv">{labels.paste}</label>
            <textarea id="csv" name="csv" rows={6} spellcheck={false}></textarea>
          </div>
          <p class="hint">{labels.limit}</p>
          <button type="submit" class="primary">
            {labels.verify}
          </button>
        </form>
      </Section>
    </>
  );
}

/** What no anchor vouches for. */
function anchoringText({ anchored, notAnchored }: Verdict, labels: Texts["statement"]): string {
  if (anchored === null) return labels.notAnchored;
  const { day, movement } = anchored;
  return fill(labels.anchoredUpTo, { day, movement, later: notAnchored });
}

/** Whether the statement is genuine, and if not, why. */
export function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { money } = useLocale();
  const texts = useTexts();
  const { valid, error, lines, movements, balances } = verdict;
  const labels = texts.statement;
  if (!valid) {
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>{labels.notGenuine}</strong> {fill(labels.why, { error: error ?? "" })}
        </p>
      </div>
    );
  }
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{labels.genuine}</strong> {fill(labels.genuineText, { lines, movements })}
        </p>
        <p>{anchoringText(verdict, labels)}</p>
      </div>
      <Section title={labels.balances}>
        <List
          caption={labels.balances}
          rows={balances.filter(({ balance }) => balance !== 0)}
          empty={<p>{labels.none}</p>}
          columns={[
            { heading: labels.account, cell: ({ account }) => texts.payment.account[account] },
            {
              heading: labels.balance,
              isNumber: true,
              cell: ({ balance }) => money(balance),
            },
          ]}
        />
      </Section>
    </>
  );
}
