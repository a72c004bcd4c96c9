import type { listAllowedPixKeys } from "../../../../api/allowed-pix-keys/routes.ts";
import { maskPixKey } from "../../../../domain/access/masks.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS } from "../../../../domain/ledger/fees.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
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
  const labels = useTexts().settings.keys;
  return (
    <>
      <p>{labels.about}</p>
      <List
        caption={labels.title}
        rows={keys}
        empty={<p>{labels.empty}</p>}
        columns={[
          {
            heading: labels.columns.key,
            cell: ({ pixKey, pixKeyType: type }) =>
              isRevealed ? pixKey : maskPixKey({ type, value: pixKey }),
          },
          { heading: labels.columns.type, cell: ({ pixKeyType }) => labels.types[pixKeyType] },
          {
            heading: labels.columns.countsFrom,
            cell: ({ countsFrom }) => dateTime(countsFrom),
          },
          {
            heading: labels.columns.remove,
            cell: ({ id }) => (
              <form method="post" action={`${SETTINGS_PATH}/pix-keys/${id}/remove`}>
                <button type="submit">{labels.remove}</button>
              </form>
            ),
          },
        ]}
      />
      {hasMore ? <p>{labels.more}</p> : null}
      {keys.length === 0 || isRevealed ? null : (
        <p>
          <a href={`${SETTINGS_PATH}?reveal=keys`}>{labels.reveal}</a>
        </p>
      )}
      <ActionForm
        action={`${SETTINGS_PATH}/pix-keys`}
        idempotencyKey={idempotencyKey}
        submit={labels.add}
      >
        <Field
          label={labels.new}
          name="pixKey"
          value={form.pixKey ?? ""}
          hint={labels.newHint}
          errors={errors.pixKey}
          required
        />
      </ActionForm>
    </>
  );
}

/** For how long payers' data are kept. */
export function Retention({ form, errors, idempotencyKey }: SectionProps) {
  const labels = useTexts().settings.retention;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/retention`}
      idempotencyKey={idempotencyKey}
      submit={labels.save}
    >
      <Field
        label={labels.days}
        name="retentionDays"
        value={form.retentionDays ?? ""}
        hint={labels.hint}
        errors={errors.retentionDays}
        inputmode="numeric"
      />
    </ActionForm>
  );
}

/** Fees and release days, which a sandbox company sets as its operator would. */
export function TermsForm({ form, errors, idempotencyKey }: SectionProps) {
  const labels = useTexts().settings.terms;
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
      submit={labels.save}
    >
      <p>{labels.sandbox}</p>
      {FEE_KINDS.map((kind) => (
        <fieldset>
          <legend>{labels.kinds[kind]}</legend>
          {field(`percent-${kind}`, labels.percent)}
          {field(`fixed-${kind}`, labels.fixed)}
          {PAYMENT_METHODS.some((method) => method === kind)
            ? field(`days-${kind}`, labels.days)
            : null}
        </fieldset>
      ))}
    </ActionForm>
  );
}
