import type { Child } from "hono/jsx";
import type {
  connectProviderAccount,
  listProviderAccounts,
} from "../../../../../api/operator/provider-accounts/routes.ts";
import { ACCOUNT_METHODS } from "../../../../../domain/psp/psp-account.ts";
import { typedReais } from "../../../../../domain/shared/money.ts";
import type { JsonOf, RouteBody } from "../../../../../http/openapi/route-types.ts";
import { asTyped } from "../../../form.ts";
import { useTexts, type Language } from "../../../texts.ts";
import { Check, CheckGroup, Field } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { amountOf, wholeOf } from "../../settings/fields.ts";

export type Account = RouteBody<typeof listProviderAccounts>["data"][number];
export type Kind = Account["provider"];
export const KINDS = ["pix-api", "efi-cobrancas", "pagarme"] as const satisfies readonly Kind[];

/** The methods that a form of a kind offers. */
const METHODS: Record<Kind, readonly (typeof ACCOUNT_METHODS)[number][]> = {
  "pix-api": ["PIX", "PAYOUT", "AUTOMATIC_PIX"],
  "efi-cobrancas": ["BOLETO", "CREDIT_CARD"],
  pagarme: ["BOLETO", "CREDIT_CARD"],
};

/** What an account carries, its place, when it takes charges, and their cost. */
type Terms = Pick<JsonOf<typeof connectProviderAccount>, "methods" | "priority" | "conditions">;

export interface FieldsProps {
  form: Form;
  errors: Record<string, string[]>;
}

/** A field named by its path in the API's request. */
export function Typed(
  props: FieldsProps & {
    name: string;
    label: string;
    hint?: string;
    required?: boolean;
    isSecret?: boolean;
  },
): Child {
  const { name, label, hint, form, errors, isSecret = false, required = false } = props;
  return (
    <Field
      name={name}
      label={label}
      value={form[name] ?? ""}
      errors={errors[name]}
      {...(hint === undefined ? {} : { hint })}
      {...(isSecret ? { type: "password", autocomplete: "off" } : {})}
      {...(required ? { required } : {})}
    />
  );
}

/** The fields of an account's terms; `isOn` tells which methods are ticked. */
export function TermsFields(
  props: FieldsProps & { kind: Kind; isOn: (method: string) => boolean },
): Child {
  const { kind, errors, isOn } = props;
  const labels = useTexts().providerAccounts;
  return (
    <>
      <CheckGroup legend={labels.methods} name="methods" errors={errors["methods"]}>
        {METHODS[kind].map((method) => (
          <Check name={`method-${method}`} label={labels.methodNames[method]} isOn={isOn(method)} />
        ))}
      </CheckGroup>
      <Typed
        name="priority"
        label={labels.priority}
        hint={labels.priorityHint}
        {...props}
        required
      />
      <Typed name="conditions.amountFrom" label={labels.amountFrom} {...props} />
      <Typed name="conditions.amountTo" label={labels.amountTo} {...props} />
      <Typed name="conditions.hours" label={labels.hours} hint={labels.hoursHint} {...props} />
      <Typed
        name="conditions.cost.basisPoints"
        label={labels.costPercent}
        hint={labels.costHint}
        {...props}
      />
      <Typed name="conditions.cost.fixed" label={labels.costFixed} {...props} />
    </>
  );
}

/** The terms of a connected account as their form shows them. A percentage has two decimals, as an amount of reais. */
export function termsForm({ methods, priority, conditions }: Account, language: Language): Form {
  const { amountFrom = null, amountTo = null, hours = "", cost } = conditions;
  const reais = (cents: number | null) => typedReais(cents, language);
  return {
    ...Object.fromEntries(methods.map((method) => [`method-${method}`, "on"])),
    priority: String(priority),
    "conditions.amountFrom": reais(amountFrom),
    "conditions.amountTo": reais(amountTo),
    "conditions.hours": hours,
    "conditions.cost.basisPoints": reais(cost?.basisPoints ?? null),
    "conditions.cost.fixed": reais(cost?.fixed ?? null),
  };
}

/** The terms that a form asks for, as typed where they cannot be read. */
export function termsOf(form: Form): Terms {
  const text = (name: string) => asTyped(form[name] ?? "");
  const amount = (name: string) => {
    const cents = amountOf(form[name]);
    return cents === null ? {} : { [name.slice("conditions.".length)]: cents ?? text(name) };
  };
  const hours = (form["conditions.hours"] ?? "").trim();
  return {
    methods: ACCOUNT_METHODS.filter((method) => form[`method-${method}`] === "on"),
    priority: wholeOf(form.priority) ?? text("priority"),
    conditions: {
      ...amount("conditions.amountFrom"),
      ...amount("conditions.amountTo"),
      ...(hours === "" ? {} : { hours }),
      ...costOf(form),
    },
  };
}

/** What the provider takes of a charge; none where both of its fields are left out. A percentage has two decimals. */
function costOf(form: Form) {
  const read = (name: string) => {
    const cents = amountOf(form[name]);
    return cents === null
      ? {}
      : { [name.slice("conditions.cost.".length)]: cents ?? asTyped(form[name] ?? "") };
  };
  const cost = { ...read("conditions.cost.basisPoints"), ...read("conditions.cost.fixed") };
  return Object.keys(cost).length === 0 ? {} : { cost };
}
