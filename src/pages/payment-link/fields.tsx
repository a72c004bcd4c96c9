import type { Child } from "hono/jsx";
import { needsCard, type WrongField } from "../../api/payment-links/pay.ts";
import type { AskedField } from "../../api/payment-links/payer.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { PayerField as FieldName } from "../../domain/charges/payer-fields.ts";
import type { LinkTerms } from "../../domain/links/payment-link.ts";
import { decimalReais } from "../../domain/shared/money.ts";
import { useLocale, useTexts } from "../checkout/texts.ts";
import { fill } from "../shared/language.ts";
import type { Typed } from "./form.ts";

/** What the payer typed, and which of it is wrong. */
interface Entry {
  typed: Typed;
  wrong: ReadonlySet<WrongField>;
}

/** What is paid for one piece: the link's amount, one of several, or one that the payer types. */
export function Amount({ terms, ...entry }: Entry & { terms: LinkTerms }) {
  const { money } = useLocale();
  const { amount: label, range } = useTexts().link;
  const { amount, amounts, minimum, maximum } = terms;
  if (amount !== null) return <p class="amount">{money(amount)}</p>;
  if (amounts === null) {
    return (
      <Field
        {...entry}
        name="amount"
        label={label}
        hint={fill(range, { minimum: money(minimum ?? 1), maximum: money(maximum ?? 1) })}
        input={{ inputmode: "decimal", autocomplete: "transaction-amount", placeholder: "0,00" }}
      />
    );
  }
  return (
    <fieldset>
      <legend>{label}</legend>
      {amounts.map((each) => (
        <Choice name="amount" value={decimalReais(each)} chosen={entry.typed.amount}>
          {money(each)}
        </Choice>
      ))}
      <Fault name="amount" wrong={entry.wrong} />
    </fieldset>
  );
}

/** How many pieces; nothing where the link sells one. */
export function Quantity({ terms, ...entry }: Entry & { terms: LinkTerms }) {
  const { quantity } = useTexts().link;
  const most = terms.maxQuantity;
  if (most === 1) return null;
  return (
    <Field
      {...entry}
      name="quantity"
      label={fill(quantity, { most })}
      input={{ type: "number", min: "1", max: String(most) }}
    />
  );
}

/** The attributes by which a browser fills the field in. */
const AUTOFILL: Record<FieldName, InputAttributes> = {
  name: { autocomplete: "name" },
  document: { autocomplete: "off" },
  email: { autocomplete: "email", type: "email" },
  phone: { autocomplete: "tel-national", type: "tel", placeholder: "(11) 98765-4321" },
  zipCode: { autocomplete: "postal-code", inputmode: "numeric", placeholder: "00000-000" },
  street: { autocomplete: "address-line1" },
  streetNumber: { autocomplete: "off" },
  city: { autocomplete: "address-level2" },
  state: { autocomplete: "address-level1", maxlength: 2, placeholder: "SP" },
};

/** What is asked of the payer. The script requires it, or shows it at all, where the chosen method does. */
export function PayerField(props: Entry & AskedField) {
  const { name, required, requiredBy, isOfMethod, ...entry } = props;
  const { fields, optional } = useTexts().link;
  const label = (
    <span>
      {fields[name]}
      {required ? null : <span data-optional> {optional}</span>}
    </span>
  );
  const byMethod = {
    ...(required ? {} : { "data-required-by": requiredBy.join(" ") }),
    ...(isOfMethod ? { "data-of-method": "" } : {}),
  };
  const input = { ...AUTOFILL[name], ...byMethod };
  return <Field {...entry} name={name} label={label} required={required} input={input} />;
}

/** How the payer pays; nothing to choose where the link takes one method. */
export function Methods({ of: methods, typed, wrong }: Entry & { of: PaymentMethod[] }) {
  const texts = useTexts().link;
  const [first = ""] = methods;
  if (methods.length === 1) return <input type="hidden" name="method" value={first} />;
  return (
    <fieldset class="methods">
      <legend>{texts.method}</legend>
      {methods.map((method) => (
        <Choice name="method" value={method} chosen={typed.method === "" ? first : typed.method}>
          {texts.methods[method]}
          {needsCard(method) ? <noscript> {texts.card.needsScript}</noscript> : null}
        </Choice>
      ))}
      <Fault name="paymentMethod" wrong={wrong} />
    </fieldset>
  );
}

interface InputAttributes {
  type?: string;
  autocomplete?: string;
  inputmode?: "decimal" | "numeric";
  placeholder?: string;
  min?: string;
  max?: string;
  maxlength?: number;
  "data-required-by"?: string;
  "data-of-method"?: string;
}

/** An input under its label, with what is wrong with it. */
function Field(
  props: Entry & {
    name: "amount" | "quantity" | FieldName;
    label: Child;
    hint?: string;
    required?: boolean;
    input: InputAttributes;
  },
) {
  const { name, label, hint, required = true, input, typed, wrong } = props;
  const fault = wrong.has(name)
    ? ({ "aria-invalid": "true", "aria-describedby": `${name}-wrong` } as const)
    : {};
  return (
    <label>
      {label}
      <input name={name} {...input} required={required} value={typed[name]} {...fault} />
      {hint === undefined ? null : <span class="quiet">{hint}</span>}
      <Fault name={name} wrong={wrong} />
    </label>
  );
}

/** What is wrong with a field; nothing where it is right. */
function Fault(
  props: Pick<Entry, "wrong"> & { name: Exclude<WrongField, "card" | "installments"> },
) {
  const { name, wrong } = props;
  const { errors } = useTexts().link;
  if (!wrong.has(name)) return null;
  return (
    <span class="wrong" id={`${name}-wrong`}>
      {errors[name]}
    </span>
  );
}

/** One of several values of a field. */
function Choice(props: { name: string; value: string; chosen: string; children?: Child }) {
  const { name, value, chosen, children } = props;
  return (
    <label class="choice">
      <input
        id={`${name}-${value}`}
        type="radio"
        name={name}
        value={value}
        checked={value === chosen}
        required
      />
      <span>{children}</span>
    </label>
  );
}
