import type { getPixApi } from "../../../../../api/operator/pix-api/routes.ts";
import type { getCompanyStatus } from "../../../../../api/operator/status/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
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
  const labels = useTexts().operatorCompanies;
  const path = `${COMPANIES_PATH}/${company.id}`;
  return (
    <Section title={labels.psp}>
      {psp === null ? (
        <p>{company.mode === "live" ? labels.noPspLive : labels.noPspSandbox}</p>
      ) : (
        <Facts
          of={[
            [labels.account, psp.account],
            ["URL", withoutQuery(psp.baseUrl)],
            [labels.tokenUrl, withoutQuery(psp.tokenUrl)],
            ["Client ID", psp.clientId],
            [labels.clientSecret, labels.neverShown],
            [labels.pixKey, masked(psp.pixKey)],
            [labels.certificate, psp.certificate ?? labels.notSet],
            [
              labels.payoutUrl,
              psp.payouts === null ? labels.notSet : withoutQuery(psp.payouts.url),
            ],
            [labels.callbackUrl, withoutLastPart(psp.callbackUrl)],
            [labels.readUntil, dateTime(psp.reconciledUntil)],
            [labels.updatedAt, dateTime(psp.updatedAt)],
          ]}
        />
      )}
      {passes.length === 0 ? null : <PassesList passes={passes} />}
      {bank === null ? (
        <p>
          <a class="button" href={`${path}?banks=1`}>
            {labels.askBanks}
          </a>
        </p>
      ) : (
        <Banks bank={bank} />
      )}
      {psp !== null && mayChange ? (
        <ActionForm
          action={`${path}/callback`}
          idempotencyKey={props.idempotencyKey}
          submit={labels.registerCallback}
        />
      ) : null}
    </Section>
  );
}

function Banks({ bank }: { bank: BankStatus }) {
  const { money } = useLocale();
  const labels = useTexts().operatorCompanies;
  const shown = (cents: number | null) => (cents === null ? labels.unknown : money(cents));
  const answers: Record<string, string> = labels.answers;
  return (
    <>
      <Facts
        of={[
          [labels.expected, shown(bank.expected)],
          [labels.difference, shown(bank.difference)],
          [
            labels.unexplained,
            <>
              {shown(bank.unexplained)}{" "}
              {bank.unexplained === null || bank.unexplained === 0 ? null : (
                <Badge tone="bad">{labels.look}</Badge>
              )}
            </>,
          ],
          [labels.held, shown(bank.held)],
        ]}
      />
      <List
        caption={labels.banks}
        rows={bank.accounts}
        empty={<p>{labels.noBanks}</p>}
        columns={[
          { heading: labels.account, cell: ({ account }) => account },
          { heading: labels.answer, cell: ({ answer }) => answers[answer] ?? answer },
          { heading: labels.balance, isNumber: true, cell: ({ balance }) => shown(balance) },
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
