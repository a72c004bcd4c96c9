import type { listAllowedPixKeys } from "../../../../api/allowed-pix-keys/routes.ts";
import { maskPixKey } from "../../../../domain/access/masks.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS } from "../../../../domain/ledger/fees.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Field, List } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { SETTINGS_PATH, type FieldErrors } from "./policy.tsx";

interface SectionProps {
  form: Form;
  errors: FieldErrors;
  idempotencyKey: string;
}

/** The keys that withdraws may go to; whole only where the person asked. */
export function PixKeys(
  props: SectionProps & {
    keys: RouteBody<typeof listAllowedPixKeys>["items"];
    hasMore: boolean;
    isRevealed: boolean;
  },
) {
  const { dateTime } = useLocale();
  const { form, errors, idempotencyKey, keys, hasMore, isRevealed } = props;
  const words = useTexts().settings.keys;
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
            cell: ({ countsFrom }) => dateTime(countsFrom),
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
export function Retention({ form, errors, idempotencyKey }: SectionProps) {
  const words = useTexts().settings.retention;
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
export function TermsForm({ form, errors, idempotencyKey }: SectionProps) {
  const words = useTexts().settings.terms;
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
