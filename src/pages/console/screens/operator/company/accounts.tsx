import type { Child } from "hono/jsx";
import { MAX_BASIS_POINTS } from "../../../../../domain/ledger/fees.ts";
import {
  ACCOUNT_TYPES,
  PSP_HEADERS,
  TOKEN_CLIENTS,
} from "../../../../../domain/psp/psp-settings.ts";
import { fill, useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Check, Choice, Facts, Section } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { ReasonField } from "../companies/new.tsx";
import {
  KINDS,
  TermsFields,
  Typed,
  type Account,
  type FieldsProps,
  type Kind,
} from "./account-terms.tsx";

/** Where the forms about a company's accounts go. */
export function accountsPath(companyId: string | number): string {
  return `${COMPANIES_PATH}/${companyId}/providers`;
}

/** What a provider takes of each charge. */
function Cost({ of: cost }: { of: Account["conditions"]["cost"] }): Child {
  const { money, percent } = useLocale();
  const { notKnown } = useTexts().providerAccounts;
  if (cost === undefined) return <>{notKnown}</>;
  return <>{`${percent(cost.basisPoints / MAX_BASIS_POINTS, 2)} + ${money(cost.fixed)}`}</>;
}

/** One account: what it carries, how it answers, and what may be done with it. */
export function AccountSection(props: {
  companyId: string;
  account: Account;
  mayChange: boolean;
  newKey: () => string;
}) {
  const { companyId, account: one, mayChange, newKey } = props;
  const { date, dateTime, money } = useLocale();
  const texts = useTexts();
  const labels = texts.providerAccounts;
  const { amountFrom, amountTo, hours } = one.conditions;
  const amount = (cents: number | undefined) => (cents === undefined ? "" : money(cents));
  const conditions = [
    amountFrom === undefined ? "" : `≥ ${amount(amountFrom)}`,
    amountTo === undefined ? "" : `≤ ${amount(amountTo)}`,
    hours ?? "",
  ].filter((each) => each !== "");
  const { lastSuccessAt, failingSince, day, calls, endpoints, refusals, latencyMs } = one.health;
  const isConnected = one.leftAt === null;
  return (
    <Section title={one.account}>
      <Facts
        of={[
          [labels.kind, labels.kinds[one.provider]],
          [
            labels.state,
            <Badge tone={one.state === "active" ? "good" : "open"}>
              {labels.states[one.state]}
            </Badge>,
          ],
          [labels.methods, one.methods.map((method) => labels.methodNames[method]).join(", ")],
          [labels.priority, one.priority],
          [labels.conditions, conditions.length === 0 ? labels.always : conditions.join(", ")],
          [labels.cost, <Cost of={one.conditions.cost} />],
          [
            labels.health,
            failingSince === null ? (
              labels.answers
            ) : (
              <Badge tone="bad">
                {labels.silentSince} {dateTime(failingSince)}
              </Badge>
            ),
          ],
          [labels.lastSuccess, lastSuccessAt === null ? labels.never : dateTime(lastSuccessAt)],
          [labels.day, date(day)],
          [labels.calls, calls],
          [labels.quotas, <Quotas of={endpoints} />],
          [labels.refusals, refusals],
          [labels.latency, latencyMs === null ? labels.never : `${latencyMs} ms`],
          [labels.certificate, one.certificateDaysLeft ?? labels.notKnown],
        ]}
      />
      {isConnected && one.provider === "pix-api" ? (
        <p>
          <a href={`${accountsPath(companyId)}/${one.account}/certificate`}>
            {labels.certificatePage}
          </a>
        </p>
      ) : null}
      {mayChange && isConnected ? (
        <AccountActs companyId={companyId} account={one} newKey={newKey} />
      ) : null}
    </Section>
  );
}

/** The calls of a day that have a limit, each with it. */
function Quotas({ of }: { of: Account["health"]["endpoints"] }) {
  const labels = useTexts().providerAccounts;
  const limited = of.filter(({ limit, isUsedUp }) => limit !== null || isUsedUp);
  if (limited.length === 0) return <>{labels.noQuota}</>;
  return (
    <ul>
      {limited.map(({ call, calls, limit, isUsedUp }) => (
        <li>
          {call}: {limit === null ? calls : `${calls} / ${limit}`}{" "}
          {isUsedUp ? <Badge tone="bad">{labels.usedUp}</Badge> : null}
        </li>
      ))}
    </ul>
  );
}

function AccountActs(props: { companyId: string; account: Account; newKey: () => string }) {
  const { companyId, account: one, newKey } = props;
  const labels = useTexts().providerAccounts;
  const path = `${accountsPath(companyId)}/${one.account}`;
  const isActive = one.state === "active";
  return (
    <>
      <p>
        <a href={`${path}/terms`}>{labels.termsPage}</a>
      </p>
      <ActionForm
        action={`${path}/state`}
        idempotencyKey={newKey()}
        submit={isActive ? labels.drain : labels.activate}
      >
        <input type="hidden" name="state" value={isActive ? "draining" : "active"} />
      </ActionForm>
      <ActionForm
        action={`${path}/disconnect`}
        idempotencyKey={newKey()}
        submit={labels.disconnect}
        isDangerous={true}
      />
    </>
  );
}

/** The form that connects an account of a kind, with the ways to those of the others. */
export function ConnectSection(
  props: FieldsProps & { companyId: string; kind: Kind; newKey: string },
) {
  const { companyId, kind, form, errors, newKey } = props;
  const labels = useTexts().providerAccounts;
  const path = accountsPath(companyId);
  const isOn = (method: string) =>
    (form.provider === undefined && method !== "CREDIT_CARD") || form[`method-${method}`] === "on";
  return (
    <Section title={labels.connect}>
      <p>{labels.connectHint}</p>
      <nav class="tabs" aria-label={labels.kind}>
        {KINDS.map((each) => (
          <a
            href={`${path}?kind=${each}`}
            {...(each === kind ? { "aria-current": "page" as const } : {})}
          >
            {labels.kinds[each]}
          </a>
        ))}
      </nav>
      <ActionForm action={path} idempotencyKey={newKey} submit={labels.connectNow}>
        <input type="hidden" name="provider" value={kind} />
        <Typed
          name="account"
          label={labels.account}
          hint={labels.accountHint}
          {...props}
          required
        />
        <TermsFields {...props} isOn={isOn} />
        <KindFields {...props} />
        <ReasonField form={form} errors={errors} />
      </ActionForm>
    </Section>
  );
}

function KindFields(props: FieldsProps & { kind: Kind }) {
  switch (props.kind) {
    case "pix-api":
      return <PixApiFields {...props} />;
    case "efi-cobrancas":
      return <EfiFields {...props} />;
    case "pagarme":
      return <PagarMeFields {...props} />;
  }
}

function PixApiFields(props: FieldsProps) {
  const labels = useTexts().providerAccounts;
  return (
    <>
      <Typed name="settings.baseUrl" label={labels.baseUrl} {...props} required />
      <Typed name="settings.tokenUrl" label={labels.tokenUrl} {...props} required />
      <Choice
        name="settings.tokenBody"
        label={labels.tokenBody}
        value={props.form["settings.tokenBody"] ?? "form"}
        options={[
          ["form", labels.tokenForm],
          ["json", "JSON"],
        ]}
      />
      <ClientFields {...props} />
      <Typed name="settings.pixKey" label={labels.pixKey} {...props} required />
      <Typed name="settings.certificate" label={labels.certificateName} {...props} />
      <Typed name="settings.payouts.url" label={labels.payoutsUrl} {...props} />
      <Typed name="settings.receiver.account" label={labels.receiverAccount} {...props} />
      <Typed name="settings.receiver.branch" label={labels.receiverBranch} {...props} />
      <Choice
        name="settings.receiver.accountType"
        label={labels.receiverType}
        value={props.form["settings.receiver.accountType"] ?? "CHECKING"}
        options={ACCOUNT_TYPES.map((type) => [type, labels.accountTypes[type]])}
      />
      <PspFields {...props} />
    </>
  );
}

/** What single PSPs want otherwise than the usual one (docs/generated/psps.md). */
function PspFields(props: FieldsProps) {
  const labels = useTexts().providerAccounts;
  const { form, errors } = props;
  return (
    <details
      class="more-fields"
      open={form.provider !== undefined || Object.keys(errors).length > 0}
    >
      <summary>{labels.pspFields}</summary>
      <Choice
        name="settings.tokenClient"
        label={labels.tokenClient}
        value={form["settings.tokenClient"] ?? "basic"}
        options={TOKEN_CLIENTS.map((client) => [client, labels.tokenClients[client]])}
      />
      <Typed name="settings.scope" label={labels.scope} hint={labels.scopeHint} {...props} />
      <Check name="noScope" label={labels.noScope} isOn={form["noScope"] === "on"} />
      {PSP_HEADERS.map((name) => (
        <Typed name={`settings.headers.${name}`} label={fill(labels.header, { name })} {...props} />
      ))}
      <Choice
        name="settings.charge"
        label={labels.chargeKind}
        value={form["settings.charge"] ?? "cob"}
        options={[
          ["cob", labels.charges.cob],
          ["cobv", labels.charges.cobv],
        ]}
      />
      <Check
        name="settings.requireClientCertificate"
        label={labels.requireClientCertificate}
        isOn={form["settings.requireClientCertificate"] === "on"}
      />
    </details>
  );
}

function EfiFields(props: FieldsProps) {
  const labels = useTexts().providerAccounts;
  return (
    <>
      <Typed name="settings.baseUrl" label={labels.baseUrl} {...props} required />
      <ClientFields {...props} />
      <Typed name="settings.payeeCode" label={labels.payeeCode} {...props} />
      <TermsProven {...props} />
    </>
  );
}

function PagarMeFields(props: FieldsProps) {
  const labels = useTexts().providerAccounts;
  return (
    <>
      <Typed name="settings.baseUrl" label={labels.baseUrl} {...props} required />
      <Typed name="settings.publicKey" label={labels.publicKey} {...props} required />
      <Typed
        name="settings.accountId"
        label={labels.houseAccount}
        hint={labels.houseAccountHint}
        {...props}
      />
      <Typed
        name="secrets.secretKey"
        label={labels.secretKey}
        {...props}
        isSecret={true}
        required
      />
      <Choice
        name="settings.kind"
        label={labels.contract}
        value={props.form["settings.kind"] ?? "psp"}
        options={[
          ["psp", labels.contracts.psp],
          ["gateway", labels.contracts.gateway],
        ]}
      />
      <TermsProven {...props} />
    </>
  );
}

function ClientFields(props: FieldsProps) {
  const labels = useTexts().providerAccounts;
  const secret = { name: "secrets.clientSecret", label: labels.clientSecret, isSecret: true };
  return (
    <>
      <Typed name="settings.clientId" label="Client ID" {...props} required />
      <Typed {...secret} {...props} required />
    </>
  );
}

function TermsProven({ form }: FieldsProps) {
  const labels = useTexts().providerAccounts;
  const name = "settings.termsProven";
  return <Check name={name} label={labels.termsProven} isOn={form[name] === "on"} />;
}
