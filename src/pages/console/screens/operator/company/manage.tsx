import type { Child } from "hono/jsx";
import type { getCompanyQuotas } from "../../../../../api/operator/quotas/routes.ts";
import { PAYMENT_METHODS } from "../../../../../domain/charges/charge-status.ts";
import { FEE_KINDS } from "../../../../../domain/ledger/fees.ts";
import { QUOTA_NAMES } from "../../../../../domain/storage/quotas.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../../texts.ts";
import {
  ActionForm,
  Check,
  CheckGroup,
  DoneNotice,
  Facts,
  Field,
  Section,
} from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { COMPANIES_PATH, type OneCompany } from "../companies/company.ts";
import { CompanyFields, ReasonField, Secret } from "../companies/new.tsx";
import { mebibytes } from "../status/view.ts";

/** The forms of a company's page, by the last part of their path. */
export const MANAGE_FORMS = [
  "change",
  "terms",
  "quotas",
  "freeze",
  "fork",
  "close",
  "owner-invitation",
] as const;
export type ManageForm = (typeof MANAGE_FORMS)[number];

/** What a freeze stops: the ways out of the money, and charges. */
export interface Frozen {
  withdraws: boolean;
  charges: boolean;
}

interface Props {
  company: OneCompany;
  /** The fields of each form: as stored, or as typed in the one that was refused. */
  forms: Record<ManageForm, Form>;
  /** The API's errors of the form that was refused. */
  errorsOf: (form: ManageForm) => Record<string, string[]>;
  /** What is frozen; null if nothing is. */
  frozen: Frozen | null;
  quotas: RouteBody<typeof getCompanyQuotas>;
  newKey: () => string;
}

/** The link of an owner's invitation, shown this once. */
export function OwnerLink({ url, email }: { url: string; email: string }) {
  const texts = useTexts();
  return (
    <DoneNotice>
      <p>{fill(texts.operatorCompanies.ownerInvited, { email })}</p>
      <p>
        <Secret value={url} />
      </p>
      <p>{texts.operatorCompanies.ownerWaits}</p>
    </DoneNotice>
  );
}

/** All that an operator changes of a company. */
export function ManageSections(props: Props) {
  const { company, forms, errorsOf, newKey } = props;
  const labels = useTexts().operatorCompanies;
  const path = `${COMPANIES_PATH}/${company.id}`;
  const isClosed = company.closedAt !== null;
  const reason = (form: ManageForm) => (
    <ReasonField form={forms[form]} errors={errorsOf(form)} id={`reason-${form}`} />
  );
  return (
    <>
      <Section title={labels.inviteOwner}>
        <p>{labels.inviteOwnerHint}</p>
        <ActionForm
          action={`${path}/owner-invitation`}
          idempotencyKey={newKey()}
          submit={labels.invite}
        >
          <Field
            label={labels.ownerEmail}
            name="email"
            type="email"
            inputmode="email"
            value={forms["owner-invitation"].email ?? ""}
            errors={errorsOf("owner-invitation")["email"]}
            required
          />
        </ActionForm>
      </Section>
      <FreezeSections {...props} />
      <Section title={labels.data}>
        <p>{labels.modeHint}</p>
        <ActionForm action={`${path}/change`} idempotencyKey={newKey()} submit={labels.save}>
          <CompanyFields form={forms.change} errors={errorsOf("change")} />
          {reason("change")}
        </ActionForm>
      </Section>
      <TermsSection {...props} reason={reason("terms")} />
      <QuotasSection {...props} />
      <Section title={labels.fork}>
        <p>{labels.forkHint}</p>
        <ActionForm action={`${path}/fork`} idempotencyKey={newKey()} submit={labels.forkNow}>
          {reason("fork")}
        </ActionForm>
      </Section>
      <Section title={isClosed ? labels.reopen : labels.close}>
        <p>{isClosed ? labels.reopenHint : labels.closeHint}</p>
        <ActionForm
          action={`${path}/close`}
          idempotencyKey={newKey()}
          submit={isClosed ? labels.reopen : labels.close}
          isDangerous={!isClosed}
        >
          <input type="hidden" name="action" value={isClosed ? "reopen" : "close"} />
          {reason("close")}
        </ActionForm>
      </Section>
    </>
  );
}

/** To freeze what is not frozen yet, and to end a freeze. */
function FreezeSections({ company, forms, errorsOf, frozen, newKey }: Props) {
  const texts = useTexts();
  const labels = texts.operatorCompanies;
  const action = `${COMPANIES_PATH}/${company.id}/freeze`;
  const { withdraws, charges } = frozen ?? { withdraws: false, charges: false };
  const errors = errorsOf("freeze")["charges"];
  const typed = forms.freeze["frozen"];
  const reason = (form: "true" | "false") => (
    <ReasonField
      form={typed === form ? forms.freeze : {}}
      errors={typed === form ? errorsOf("freeze") : {}}
      id={`reason-freeze-${form}`}
    />
  );
  const box = (name: keyof Frozen, byDefault: boolean) => (
    <Check
      name={name}
      label={texts.settings.terms[name]}
      isOn={typed === "true" ? forms.freeze[name] === "on" : byDefault}
    />
  );
  return (
    <>
      {withdraws && charges ? null : (
        <Section title={labels.freeze}>
          <p>{labels.freezeHint}</p>
          <ActionForm
            action={action}
            idempotencyKey={newKey()}
            submit={labels.freeze}
            isDangerous={true}
          >
            <input type="hidden" name="frozen" value="true" />
            <CheckGroup
              legend={labels.freezeWhat}
              name="freeze"
              errors={errors === undefined ? undefined : [labels.freezeNothing]}
            >
              {withdraws ? null : box("withdraws", true)}
              {charges ? null : box("charges", withdraws)}
            </CheckGroup>
            {reason("true")}
          </ActionForm>
        </Section>
      )}
      {frozen === null ? null : (
        <Section title={labels.unfreeze}>
          <p>{labels.unfreezeHint}</p>
          <ActionForm action={action} idempotencyKey={newKey()} submit={labels.unfreeze}>
            <input type="hidden" name="frozen" value="false" />
            {reason("false")}
          </ActionForm>
        </Section>
      )}
    </>
  );
}

function TermsSection({ company, forms, errorsOf, newKey, reason }: Props & { reason: Child }) {
  const texts = useTexts();
  const labels = texts.operatorCompanies;
  const terms = texts.settings.terms;
  const errors = errorsOf("terms");
  const field = (name: string, label: string) => (
    <Field
      label={label}
      name={name}
      value={forms.terms[name] ?? ""}
      errors={errors[name]}
      inputmode="decimal"
    />
  );
  return (
    <Section title={labels.terms}>
      <p>{labels.termsHint}</p>
      <ActionForm
        action={`${COMPANIES_PATH}/${company.id}/terms`}
        idempotencyKey={newKey()}
        submit={terms.save}
      >
        {FEE_KINDS.map((kind) => (
          <fieldset>
            <legend>{terms.kinds[kind]}</legend>
            {field(`percent-${kind}`, terms.percent)}
            {field(`fixed-${kind}`, terms.fixed)}
            {PAYMENT_METHODS.some((method) => method === kind)
              ? field(`days-${kind}`, terms.days)
              : null}
          </fieldset>
        ))}
        {field("minimumWithdraw", labels.minimumWithdraw)}
        {reason}
      </ActionForm>
    </Section>
  );
}

function QuotasSection({ company, forms, errorsOf, quotas, newKey }: Props) {
  const { language } = useLocale();
  const labels = useTexts().operatorCompanies;
  const count = new Intl.NumberFormat(language);
  return (
    <Section title={labels.quotas}>
      <p>{labels.quotasHint}</p>
      <Facts
        of={QUOTA_NAMES.map((name) => [
          labels.quotaNames[name],
          name.includes("Bytes")
            ? mebibytes(quotas.limits[name], language)
            : count.format(quotas.limits[name]),
        ])}
      />
      <ActionForm
        action={`${COMPANIES_PATH}/${company.id}/quotas`}
        idempotencyKey={newKey()}
        submit={labels.saveQuotas}
      >
        <Field
          label={labels.percent}
          name="percent"
          inputmode="numeric"
          value={forms.quotas.percent ?? ""}
          errors={errorsOf("quotas")["percent"]}
          required
        />
      </ActionForm>
    </Section>
  );
}
