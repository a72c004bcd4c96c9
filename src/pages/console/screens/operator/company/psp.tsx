import type { getPixApi } from "../../../../../api/operator/pix-api/routes.ts";
import type { getCompanyStatus } from "../../../../../api/operator/status/routes.ts";
import type { RouteBody } from "../../../route-types.ts";
import { useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Facts, List, Section } from "../../../ui/parts.tsx";
import { COMPANIES_PATH, type OneCompany } from "../companies/company.ts";
import { PassesList, type Pass } from "./health.tsx";

/** A PSP's settings without the client secret. */
type PixApiSettings = RouteBody<typeof getPixApi>;
/** A company's balances at its banks beside its ledger. Centavos. */
type BankStatus = RouteBody<typeof getCompanyStatus>;

/** The settings of the company's PSP with their secrets masked, its lag, and the checks of it. */
export function PspSection(props: {
  company: OneCompany;
  psp: PixApiSettings | null;
  bank: BankStatus | null;
  passes: Pass[];
  mayChange: boolean;
  idempotencyKey: string;
}) {
  const { dateTime } = useLocale();
  const { company, psp, bank, passes, mayChange } = props;
  const words = useTexts().operatorCompanies;
  const path = `${COMPANIES_PATH}/${company.id}`;
  return (
    <Section title={words.psp}>
      {psp === null ? (
        <p>{company.mode === "live" ? words.noPspLive : words.noPspSandbox}</p>
      ) : (
        <Facts
          of={[
            [words.account, psp.account],
            ["URL", withoutQuery(psp.baseUrl)],
            [words.tokenUrl, withoutQuery(psp.tokenUrl)],
            ["Client ID", psp.clientId],
            [words.clientSecret, words.neverShown],
            [words.pixKey, masked(psp.pixKey)],
            [words.certificate, psp.certificate ?? words.notSet],
            [words.payoutUrl, psp.payouts === null ? words.notSet : withoutQuery(psp.payouts.url)],
            [words.callbackUrl, withoutLastPart(psp.callbackUrl)],
            [words.readUntil, dateTime(psp.reconciledUntil)],
            [words.updatedAt, dateTime(psp.updatedAt)],
          ]}
        />
      )}
      {passes.length === 0 ? null : <PassesList passes={passes} />}
      {bank === null ? (
        <p>
          <a class="button" href={`${path}?banks=1`}>
            {words.askBanks}
          </a>
        </p>
      ) : (
        <Banks bank={bank} />
      )}
      {psp !== null && mayChange ? (
        <ActionForm
          action={`${path}/callback`}
          idempotencyKey={props.idempotencyKey}
          submit={words.registerCallback}
        />
      ) : null}
    </Section>
  );
}

function Banks({ bank }: { bank: BankStatus }) {
  const { money } = useLocale();
  const words = useTexts().operatorCompanies;
  const shown = (cents: number | null) => (cents === null ? words.unknown : money(cents));
  const answers: Record<string, string> = words.answers;
  return (
    <>
      <Facts
        of={[
          [words.expected, shown(bank.expected)],
          [words.difference, shown(bank.difference)],
          [
            words.unexplained,
            <>
              {shown(bank.unexplained)}{" "}
              {bank.unexplained === null || bank.unexplained === 0 ? null : (
                <Badge tone="bad">{words.look}</Badge>
              )}
            </>,
          ],
          [words.held, shown(bank.held)],
        ]}
      />
      <List
        caption={words.banks}
        rows={bank.accounts}
        empty={<p>{words.noBanks}</p>}
        columns={[
          { heading: words.account, cell: ({ account }) => account },
          { heading: words.answer, cell: ({ answer }) => answers[answer] ?? answer },
          { heading: words.balance, isNumber: true, cell: ({ balance }) => shown(balance) },
        ]}
      />
    </>
  );
}

/** A query string may be a key of the PSP. */
function withoutQuery(url: string): string {
  return url.split("?")[0] ?? "";
}

/** The last part of a callback URL is a secret between the gateway and the PSP. */
function withoutLastPart(url: string): string {
  return `${url.slice(0, url.lastIndexOf("/"))}/…`;
}

/** A PIX key may be a person's document: its ends only. */
function masked(key: string): string {
  return key.length <= 6 ? "…" : `${key.slice(0, 3)}…${key.slice(-3)}`;
}
