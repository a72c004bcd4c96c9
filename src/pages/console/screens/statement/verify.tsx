import type { verifyStatement } from "../../../../api/balance/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";

/** Balances in centavos. */
export type Verdict = RouteBody<typeof verifyStatement>;

/** How a proof is got, and the form that checks one. */
export function VerifyForm() {
  const words = useTexts().statement;
  return (
    <>
      <Section title={words.getProof}>
        <p>{words.getProofText}</p>
        <p class="actions">
          <a class="button" href="/console/statement/proof.csv">
            {words.proofCsv}
          </a>
          <a class="button" href="/console/statement/balance.json">
            {words.balanceJson}
          </a>
        </p>
        <p class="hint">{words.proofHint}</p>
        <p class="hint">
          <code>npm run verify-ledger -- proof.csv balance.json --public-key …</code>
        </p>
      </Section>
      <Section title={words.check}>
        <form
          class="action"
          method="post"
          action="/console/statement/verify"
          enctype="multipart/form-data"
        >
          <div class="field">
            <label for="file">{words.file}</label>
            <input id="file" name="file" type="file" accept=".csv,text/csv" />
          </div>
          <div class="field">
            <label for="csv">{words.paste}</label>
            <textarea id="csv" name="csv" rows={6} spellcheck={false}></textarea>
          </div>
          <p class="hint">{words.limit}</p>
          <button type="submit" class="primary">
            {words.verify}
          </button>
        </form>
      </Section>
    </>
  );
}

/** What no anchor vouches for. */
function anchoringText({ anchored, notAnchored }: Verdict, words: Texts["statement"]): string {
  if (anchored === null) return words.notAnchored;
  const { day, movement } = anchored;
  return fill(words.anchoredUpTo, { day, movement, later: notAnchored });
}

/** Whether the statement is genuine, and if not, why. */
export function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { money } = useLocale();
  const texts = useTexts();
  const { valid, error, lines, movements, balances } = verdict;
  const words = texts.statement;
  if (!valid) {
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>{words.notGenuine}</strong> {fill(words.why, { error: error ?? "" })}
        </p>
      </div>
    );
  }
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{words.genuine}</strong> {fill(words.genuineText, { lines, movements })}
        </p>
        <p>{anchoringText(verdict, words)}</p>
      </div>
      <Section title={words.balances}>
        <List
          caption={words.balances}
          rows={balances.filter(({ balance }) => balance !== 0)}
          empty={<p>{words.none}</p>}
          columns={[
            { heading: words.account, cell: ({ account }) => texts.payment.account[account] },
            {
              heading: words.balance,
              isNumber: true,
              cell: ({ balance }) => money(balance),
            },
          ]}
        />
      </Section>
    </>
  );
}
