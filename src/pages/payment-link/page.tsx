import type { Child } from "hono/jsx";
import type { Payee } from "../../api/checkout/repository.ts";
import {
  askedFields,
  needsCard,
  type AskedField,
  type WrongField,
} from "../../api/payment-links/pay.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { LinkField, PaymentLink } from "../../domain/links/payment-link.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import { decimalReais } from "../../domain/shared/money.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { framedPath, frameOf } from "../checkout/frame.ts";
import { refusalText, textsOf, useLocale, useTexts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { Facts } from "../checkout/ui/parts.tsx";
import { fill } from "../shared/language.ts";
import { CardPart, type CardState } from "./card.tsx";
import type { Typed } from "./form.ts";

/** Why nothing can be paid here now; each has its own words and status. */
const STATUSES = {
  notFound: 404,
  foreign: 403,
  inactive: 410,
  expired: 410,
  exhausted: 410,
  full: 409,
  crowded: 429,
  tooMany: 409,
  failed: 422,
  unavailable: 503,
  cardRefused: 422,
  tooLarge: 413,
  busy: 429,
} as const;
export type Notice = keyof typeof STATUSES;

interface LinkForm {
  link: PaymentLink;
  payee: Payee;
  typed: Typed;
  /** Null where the link takes no cards. */
  card: CardState | null;
  wrong?: ReadonlySet<WrongField>;
  notice?: Notice;
  /** Why the card was refused, with the notice of it. */
  refusal?: string;
}

/** A page that says why nothing can be paid, in the payee's look where there is one. */
export function noticePage(c: CheckoutContext, notice: Notice, payee: Payee | null) {
  const { title, text } = textsOf(c).link.notices[notice];
  const name = payee === null ? "" : shownPayee(payee).name;
  return page(
    c,
    { title, ...lookOf(c, payee), status: STATUSES[notice] },
    <main>
      <h1>{title}</h1>
      <p>{fill(text, { payee: name })}</p>
    </main>,
  );
}

/** The form of a link: what is paid, what is asked of the payer, and how it is paid. */
export function formPage(c: CheckoutContext, shown: LinkForm) {
  const { link, payee, typed, card, wrong, notice, refusal = "" } = shown;
  const texts = textsOf(c);
  const methods = link.terms.paymentMethods;
  const isWrong = wrong !== undefined && wrong.size > 0;
  const status = notice === undefined ? (isWrong ? 400 : 200) : STATUSES[notice];
  const field = { typed, wrong: wrong ?? new Set<WrongField>() };
  return page(
    c,
    {
      title: link.name,
      ...lookOf(c, payee),
      isTest: payee.mode === "sandbox",
      hasForm: true,
      status,
    },
    <main>
      <h1>{link.name}</h1>
      {isWrong ? <Alert title={texts.link.wrong} /> : null}
      {notice === undefined ? null : (
        <Alert
          {...texts.link.notices[notice]}
          {...(notice === "cardRefused" ? { text: refusalText(refusal, texts) } : {})}
          payee={shownPayee(payee).name}
        />
      )}
      <form method="post" action={framedPath(`/l/${link.slug}`, frameOf(c, payee))}>
        <input type="hidden" name="key" value={typed.key} />
        <input type="hidden" name="checkout" value={typed.checkout} />
        <Amount link={link} {...field} />
        {link.terms.maxQuantity === 1 ? null : <Quantity link={link} {...field} />}
        {askedFields(link).map((asked) => (
          <PayerField {...asked} {...field} />
        ))}
        <Methods of={methods} {...field} />
        {card === null ? null : (
          <CardPart
            terms={link.terms}
            card={card}
            typed={typed}
            isWrong={field.wrong.has("card")}
          />
        )}
        <button class="primary" type="submit">
          {texts.link.pay}
        </button>
      </form>
      <Facts of={[[texts.labels.payee, shownPayee(payee).name]]} />
    </main>,
  );
}

/** A page without a payee has the gateway's own look and stands in no frame. */
function lookOf(c: CheckoutContext, payee: Payee | null) {
  return payee === null ? { brand: null } : { brand: shownPayee(payee), frame: frameOf(c, payee) };
}

function shownPayee({ name, brand }: Payee) {
  const set = { ...NO_BRAND, ...brand };
  return { ...set, name: set.name ?? name };
}

function Alert(props: { title: string; text?: string; payee?: string }) {
  const { title, text, payee = "" } = props;
  return (
    <div role="alert">
      <p class="wrong">{title}</p>
      {text === undefined ? null : <p>{fill(text, { payee })}</p>}
    </div>
  );
}

interface FieldProps {
  typed: Typed;
  wrong: ReadonlySet<WrongField>;
}

/** The attributes and the message of a field that may be wrong. */
function useFault(name: Exclude<WrongField, "card" | "installments">, { wrong }: FieldProps) {
  const { errors } = useTexts().link;
  const id = `${name}-wrong`;
  if (!wrong.has(name)) return { attributes: {}, message: null };
  return {
    attributes: { "aria-invalid": "true", "aria-describedby": id } as const,
    message: (
      <span class="wrong" id={id}>
        {errors[name]}
      </span>
    ),
  };
}

function Amount(props: FieldProps & { link: PaymentLink }) {
  const { money } = useLocale();
  const texts = useTexts();
  const { link, typed } = props;
  const { amount, amounts, minimum, maximum } = link.terms;
  if (amount !== null) return <p class="amount">{money(amount)}</p>;
  const { attributes, message } = useFault("amount", props);
  if (amounts !== null) {
    return (
      <fieldset>
        <legend>{texts.link.amount}</legend>
        {amounts.map((choice) => {
          const value = decimalReais(choice);
          return (
            <Choice name="amount" value={value} isChosen={typed.amount === value}>
              {money(choice)}
            </Choice>
          );
        })}
        {message}
      </fieldset>
    );
  }
  const range = { minimum: money(minimum ?? 1), maximum: money(maximum ?? 1) };
  return (
    <label>
      {texts.link.amount}
      <input
        name="amount"
        inputmode="decimal"
        autocomplete="transaction-amount"
        required
        value={typed.amount}
        placeholder="0,00"
        {...attributes}
      />
      <span class="quiet">{fill(texts.link.range, range)}</span>
      {message}
    </label>
  );
}

function Quantity(props: FieldProps & { link: PaymentLink }) {
  const { link, typed } = props;
  const { maxQuantity } = link.terms;
  const { attributes, message } = useFault("quantity", props);
  return (
    <label>
      {fill(useTexts().link.quantity, { most: maxQuantity })}
      <input
        name="quantity"
        type="number"
        min="1"
        max={String(maxQuantity)}
        required
        value={typed.quantity}
        {...attributes}
      />
      {message}
    </label>
  );
}

/** The attributes by which a browser fills the field in. */
const AUTOFILL: Record<LinkField, { autocomplete: string; type?: string; inputmode?: "numeric" }> =
  {
    name: { autocomplete: "name" },
    document: { autocomplete: "off" },
    email: { autocomplete: "email", type: "email" },
  };

function PayerField(props: FieldProps & AskedField) {
  const texts = useTexts();
  const { name, required, requiredBy, typed } = props;
  const { attributes, message } = useFault(name, props);
  return (
    <label>
      <span>
        {texts.link.fields[name]}
        {required ? null : <span data-optional> {texts.link.optional}</span>}
      </span>
      <input
        name={name}
        {...(required ? {} : { "data-required-by": requiredBy.join(" ") })}
        {...AUTOFILL[name]}
        required={required}
        value={typed[name]}
        {...attributes}
      />
      {message}
    </label>
  );
}

function Methods(props: FieldProps & { of: PaymentMethod[] }) {
  const texts = useTexts();
  const { of: methods, typed } = props;
  const [only] = methods;
  if (methods.length === 1) return <input type="hidden" name="method" value={only} />;
  return (
    <fieldset>
      <legend>{texts.link.method}</legend>
      {methods.map((method) => (
        <Choice
          name="method"
          value={method}
          isChosen={(typed.method === "" ? only : typed.method) === method}
        >
          {texts.link.methods[method]}
          {needsCard(method) ? <noscript> {texts.link.card.needsScript}</noscript> : null}
        </Choice>
      ))}
      {useFault("paymentMethod", props).message}
    </fieldset>
  );
}

function Choice(props: { name: string; value: string; isChosen: boolean; children?: Child }) {
  const { name, value, isChosen, children } = props;
  return (
    <label class="choice">
      <input type="radio" name={name} value={value} checked={isChosen} required />
      <span>{children}</span>
    </label>
  );
}
