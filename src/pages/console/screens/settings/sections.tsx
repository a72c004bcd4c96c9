import type { listAllowedPixKeys } from "../../../../api/company-pix-keys/routes.ts";
import { maskPixKey } from "../../../../domain/access/masks.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS } from "../../../../domain/ledger/fees.ts";
import { dateTime } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import type { Language, Texts } from "../../texts.ts";
import { ActionForm, Field, List } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { SETTINGS_PATH, type FieldErrors } from "./policy.tsx";

interface SectionProps {
  form: Form;
  errors: FieldErrors;
  idempotencyKey: string;
  texts: Texts;
}

/** The keys that withdraws may go to; whole only where the person asked. */
export function PixKeys(
  props: SectionProps & {
    keys: RouteBody<typeof listAllowedPixKeys>["items"];
    hasMore: boolean;
    isRevealed: boolean;
    language: Language;
  },
) {
  const { form, errors, idempotencyKey, texts, keys, hasMore, isRevealed, language } = props;
  const words = texts.settings.keys;
  return (
    <>
      <p>{words.about}</p>
      <List
        caption={words.title}
        rows={keys}
        empty={<p>{words.empty}</p>}
        columns={[
          {
            heading: words.columns.key,
            cell: ({ pixKey, pixKeyType: type }) =>
              isRevealed ? pixKey : maskPixKey({ type, value: pixKey }),
          },
          { heading: words.columns.type, cell: ({ pixKeyType }) => words.types[pixKeyType] },
          {
            heading: words.columns.countsFrom,
            cell: ({ countsFrom }) => dateTime(countsFrom, language),
          },
          {
            heading: words.columns.remove,
            cell: ({ id }) => (
              <form method="post" action={`${SETTINGS_PATH}/pix-keys/${id}/remove`}>
                <button type="submit">{words.remove}</button>
              </form>
            ),
          },
        ]}
      />
      {hasMore ? <p>{words.more}</p> : null}
      {keys.length === 0 || isRevealed ? null : (
        <p>
          <a href={`${SETTINGS_PATH}?reveal=keys`}>{words.reveal}</a>
        </p>
      )}
      <ActionForm
        action={`${SETTINGS_PATH}/pix-keys`}
        idempotencyKey={idempotencyKey}
        submit={words.add}
      >
        <Field
          label={words.new}
          name="pixKey"
          value={form.pixKey ?? ""}
          hint={words.newHint}
          errors={errors.pixKey}
          required
        />
      </ActionForm>
    </>
  );
}

/** For how long payers' data are kept. */
export function Retention({ form, errors, idempotencyKey, texts }: SectionProps) {
  const words = texts.settings.retention;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/retention`}
      idempotencyKey={idempotencyKey}
      submit={words.save}
    >
      <Field
        label={words.days}
        name="retentionDays"
        value={form.retentionDays ?? ""}
        hint={words.hint}
        errors={errors.retentionDays}
        inputmode="numeric"
      />
    </ActionForm>
  );
}

/** Fees and release days, which a sandbox company sets as its operator would. */
export function TermsForm({ form, errors, idempotencyKey, texts }: SectionProps) {
  const words = texts.settings.terms;
  const field = (name: string, label: string) => (
    <Field
      label={label}
      name={name}
      value={form[name] ?? ""}
      errors={errors[name]}
      inputmode="decimal"
    />
  );
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/terms`}
      idempotencyKey={idempotencyKey}
      submit={words.save}
    >
      <p>{words.sandbox}</p>
      {FEE_KINDS.map((kind) => (
        <fieldset>
          <legend>{words.kinds[kind]}</legend>
          {field(`percent-${kind}`, words.percent)}
          {field(`fixed-${kind}`, words.fixed)}
          {PAYMENT_METHODS.some((method) => method === kind)
            ? field(`days-${kind}`, words.days)
            : null}
        </fieldset>
      ))}
    </ActionForm>
  );
}
