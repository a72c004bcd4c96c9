import { needsCard } from "../../api/payment-links/pay.ts";
import type { LinkTerms } from "../../domain/links/payment-link.ts";
import { releaseSchedule } from "../../domain/ledger/release.ts";
import { useLocale, useTexts } from "../checkout/texts.ts";
import { fill } from "../shared/language.ts";
import type { Typed } from "./form.ts";

/** What the page knows of the payer's card. */
export interface CardState {
  /** Under which the page's script makes the card's token. */
  session: string;
  /** The card whose token the form holds; null before there is one. */
  chosen: { brand: string; lastDigits: string } | null;
}

interface CardProps {
  terms: LinkTerms;
  card: CardState;
  typed: Typed;
  /** Who may charge the card again. */
  payee: string;
  isWrong: boolean;
}

/** The card's inputs have no name, so that no form ever sends what is typed in them. */
const INPUTS = {
  number: { autocomplete: "cc-number", inputmode: "numeric", maxlength: 30 },
  holderName: { autocomplete: "cc-name" },
  expiry: { autocomplete: "cc-exp", inputmode: "numeric", maxlength: 7 },
  cvv: { autocomplete: "cc-csc", inputmode: "numeric", maxlength: 4 },
} as const;

/**
 * The fields of a card. Hidden until the script shows them: it sends them straight to `POST /api/v1/cards/tokens`
 * under the session, and the form sends only the token that came back.
 */
export function CardPart({ terms, card, typed, payee, isWrong }: CardProps) {
  const texts = useTexts().link.card;
  const { chosen } = card;
  return (
    <>
      <fieldset
        id="card"
        hidden
        data-card={terms.paymentMethods.filter(needsCard).join(" ")}
        data-session={card.session}
        data-busy={texts.busy}
        data-offline={texts.offline}
        data-ended={texts.ended}
        data-pay={texts.pay}
      >
        <legend class="hidden">{texts.legend}</legend>
        <div role="alert" class="wrong" data-card-alert>
          {isWrong ? texts.missing : null}
        </div>
        <input type="hidden" name="cardToken" value={chosen === null ? "" : typed.cardToken} />
        {chosen === null ? null : (
          <div class="chosen" data-card-chosen>
            <p>{fill(texts.chosen, { ...chosen })}</p>
            <button type="button">{texts.other}</button>
          </div>
        )}
        <div class="fields" data-card-fields hidden={chosen !== null}>
          <CardFields secure={texts.secure} />
        </div>
        <Installments
          most={terms.maxInstallments}
          each={terms.amount}
          total={terms.maxQuantity === 1 ? terms.amount : null}
          chosen={typed.installments}
        />
        {terms.saveCard === true ? <SaveCard typed={typed} payee={payee} /> : null}
      </fieldset>
      <noscript>
        <p>{texts.noScript}</p>
      </noscript>
    </>
  );
}

/** What is typed of a card; `data-card-field` names each to the scripts. */
export function CardFields({ secure }: { secure: string }) {
  return (
    <>
      <CardField name="number" />
      <CardField name="holderName" />
      <div class="pair">
        <CardField name="expiry" />
        <CardField name="cvv" />
      </div>
      <p class="quiet">{secure}</p>
    </>
  );
}

function CardField({ name }: { name: keyof typeof INPUTS }) {
  const texts = useTexts().link.card;
  const id = `card-${name}-wrong`;
  return (
    <label>
      {texts.fields[name]}
      <input
        {...INPUTS[name]}
        {...(name === "expiry" ? { placeholder: texts.expiryForm } : {})}
        data-card-field={name}
        spellcheck={false}
        aria-describedby={id}
      />
      {name === "number" ? <span class="quiet" data-card-brand></span> : null}
      <span class="wrong" id={id} hidden>
        {texts.errors[name]}
      </span>
    </label>
  );
}

/** Nobody's card is kept unasked. What it says is what version 1 of the consent's words says (`CONSENT_TEXT_VERSION`). */
export function SaveCard({ typed, payee }: Pick<CardProps, "typed" | "payee">) {
  const { save } = useTexts().link.card;
  return (
    <label class="choice">
      <input type="checkbox" name="saveCard" checked={typed.saveCard === "on"} />
      <span>{fill(save, { payee })}</span>
    </label>
  );
}

interface InstallmentsProps {
  /** The most that are offered. */
  most: number;
  /** Centavos of one piece, and of all; null where the payer has not chosen them. */
  each: number | null;
  total: number | null;
  chosen: string;
}

/** With their amounts where these are known; the form's script writes them anew as the payer chooses an amount. */
export function Installments({ most, each, total, chosen }: InstallmentsProps) {
  const texts = useTexts().link.card;
  if (most === 1) return <input type="hidden" name="installments" value="1" />;
  return (
    <label>
      {texts.installments}
      <select
        name="installments"
        data-once={texts.once}
        data-parts={texts.parts}
        data-parts-first={texts.partsFirst}
        data-amount={each === null ? "" : String(each)}
      >
        {Array.from({ length: most }, (_, index) => index + 1).map((count) => (
          <option value={String(count)} selected={chosen === String(count)}>
            {total === null ? `${count}x` : <Parts total={total} count={count} />}
          </option>
        ))}
      </select>
    </label>
  );
}

/** As the ledger divides it: the first part takes the remainder. Centavos. */
function Parts({ total, count }: { total: number; count: number }) {
  const { money } = useLocale();
  const { once, parts, partsFirst } = useTexts().link.card;
  if (count === 1) return <>{fill(once, { value: money(total) })}</>;
  const schedule = releaseSchedule({ amount: total, parts: count, releaseDays: 0, paidAt: 0 });
  const [first = 0, ...others] = schedule.map((part) => part.amount);
  const share = others.at(-1) ?? 0;
  const text = fill(parts, { count, value: money(share), total: money(total) });
  return <>{first === share ? text : `${text} ${fill(partsFirst, { first: money(first) })}`}</>;
}
