import type { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS, type PaymentMethod } from "../domain/charges/charge-status.ts";
import type { TransactionRecord } from "../domain/charges/transaction.ts";
import type { CompanyTerms } from "../domain/ledger/fees.ts";
import { boletoMethod } from "./boleto/method.ts";
import { cardMethod } from "./card/method.ts";
import type { PullMethod, PushMethod } from "./method.ts";
import { pixMethod } from "./pix/method.ts";

const REGISTRY = {
  PIX: pixMethod,
  BOLETO: boletoMethod,
  CREDIT_CARD: cardMethod,
} satisfies Record<PaymentMethod, object>;

type Registered = (typeof REGISTRY)[PaymentMethod];
type RegisteredPush = Extract<Registered, { initiation: "push" }>;
/** `A | B` as `A & B`: the fields of all methods together. */
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer Intersection,
) => void
  ? Intersection
  : never;

/** The methods' fields of the create request, and of the creation answer. */
export const requestFields = merged(({ requestFields: fields }) => fields) as All<
  Registered["requestFields"]
>;
export const responseFields = merged(({ responseFields: fields }) => fields) as All<
  Registered["responseFields"]
>;

type RequestFields = z.output<z.ZodObject<typeof requestFields>>;
type ResponseFields = z.output<z.ZodObject<typeof responseFields>>;

/** A provider's order, by method. */
export type MethodOrder = ReturnType<Registered["order"]>;
/** A provider's answer to an order of a push method. */
export type Registration = Required<Parameters<RegisteredPush["register"]>[1]>;

export type Method =
  | PullMethod<RequestFields, MethodOrder>
  | PushMethod<RequestFields, MethodOrder, All<Parameters<RegisteredPush["register"]>[1]>>;

/** Every payment method, in the contract's order. */
export const METHODS: readonly Method[] = PAYMENT_METHODS.map(methodOf);

export function methodOf(name: PaymentMethod): Method {
  return REGISTRY[name];
}

/** Days from payment to release, where the operator agreed nothing else with a company. */
export const DEFAULT_RELEASE_DAYS = Object.fromEntries(
  METHODS.map(({ name, defaultReleaseDays }) => [name, defaultReleaseDays]),
) as CompanyTerms["releaseDays"];

/** The methods' fields of a transaction's answer, as far as its columns are filled. */
export function methodFields(record: TransactionRecord) {
  return Object.assign({}, ...METHODS.map((method) => method.view(record))) as ResponseFields;
}

/** The parts of every method in one object. */
function merged(part: (method: Registered) => object): object {
  return Object.assign({}, ...PAYMENT_METHODS.map((name) => part(REGISTRY[name])));
}
