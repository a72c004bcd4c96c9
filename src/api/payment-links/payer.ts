import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import {
  parsePhone,
  PAYER_FIELD_NAMES,
  PAYER_FIELDS,
  type PayerField,
} from "../../domain/charges/payer-fields.ts";
import { LINK_FIELDS, type PaymentLink } from "../../domain/links/payment-link.ts";
import { isEmail } from "../../http/fields/fields.ts";
import { methodOf } from "../../methods/registry.ts";
import type { ProviderOwner, ProviderRegistry } from "../../providers/registry.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import type { CreateTransactionRequest } from "../transactions/schemas.ts";

const ZIP_CODE = /^\d{5}-?\d{3}$/;

/** What must be known of a payer, by the method that he chooses. */
export type Requirements = ReadonlyMap<PaymentMethod, ReadonlySet<PayerField>>;

/** A field that the page asks for. `requiredBy`: the methods that require it where not all do. */
export interface AskedField {
  name: PayerField;
  required: boolean;
  requiredBy: PaymentMethod[];
  /** Nobody but these methods asks it. */
  isOfMethod: boolean;
}

/** What the methods of a link require, and the company's accounts: all of them, for each may take the charge. */
export function requirementsOf(
  providers: Pick<ProviderRegistry, "accountsFor">,
  company: ProviderOwner,
  { terms }: Pick<PaymentLink, "terms">,
): Requirements {
  return new Map(
    terms.paymentMethods.map((method) => {
      const paths = new Set(methodOf(method).requiredFields.map((path) => path.join(".")));
      const ofMethod = PAYER_FIELD_NAMES.filter((name) => paths.has(PAYER_FIELDS[name]));
      const accounts = providers.accountsFor(company, method);
      return [
        method,
        new Set([...ofMethod, ...accounts.flatMap((account) => account.requirements(method))]),
      ];
    }),
  );
}

/** The fields that a payer is asked for, and whether all of the offered methods or the link itself require them. */
export function askedFields({ terms }: PaymentLink, requirements: Requirements): AskedField[] {
  return PAYER_FIELD_NAMES.flatMap((name) => {
    const own = terms.fields.find((field) => field.name === name);
    const requiredBy = terms.paymentMethods.filter((method) => requirements.get(method)?.has(name));
    if (own === undefined && requiredBy.length === 0) return [];
    const required = own?.required === true || requiredBy.length === terms.paymentMethods.length;
    const isOfMethod = !required && !LINK_FIELDS.some((field) => field === name);
    return [{ name, required, requiredBy, isOfMethod }];
  });
}

/** What a payer sent of the asked fields for the method that he chose, and which of it is missing or cannot be right. */
export function sentFields(
  asked: AskedField[],
  { fields }: { fields: Record<PayerField, string> },
  method: PaymentMethod | null,
): { sent: Partial<Record<PayerField, string>>; wrong: PayerField[] } {
  const sent: Partial<Record<PayerField, string>> = {};
  const wrong: PayerField[] = [];
  for (const { name, required, requiredBy, isOfMethod } of asked) {
    const isRequired = required || requiredBy.some((each) => each === method);
    const value = isRequired || !isOfMethod ? fields[name] : "";
    if (value === "" ? isRequired : !isRight(name, value)) wrong.push(name);
    if (value !== "") sent[name] = value;
  }
  return { sent, wrong };
}

/** Of a merchant's request anything goes; a payer who mistypes would wait for mail, or be refused by a bank, in vain. */
function isRight(name: PayerField, value: string): boolean {
  if (name === "email") return isEmail(value);
  if (name === "phone") return parsePhone(value) !== null;
  return name !== "zipCode" || ZIP_CODE.test(value);
}

/** The payer of a create request. */
export function payerOf(
  sent: Partial<Record<PayerField, string>>,
): Pick<CreateTransactionRequest, "customer" | "shipping"> {
  const { name, document, email, phone, ...address } = sent;
  return {
    customer: {
      ...withoutUndefined({ name, email, phone }),
      ...(document === undefined ? {} : { document: { number: document } }),
    },
    ...(Object.keys(address).length === 0 ? {} : { shipping: { address } }),
  };
}
