import type { Payee } from "../../api/checkout/repository.ts";
import { needsCard, type WrongField } from "../../api/payment-links/pay.ts";
import { askedFields, type Requirements } from "../../api/payment-links/payer.ts";
import type { PaymentLink } from "../../domain/links/payment-link.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { framedPath, frameOf, topOf } from "../checkout/frame.ts";
import { refusalText, textsOf, useTexts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { Facts } from "../checkout/ui/parts.tsx";
import { fill } from "../shared/language.ts";
import { CardPart, type CardState } from "./card.tsx";
import { Amount, Methods, PayerField, Quantity } from "./fields.tsx";
import type { Typed } from "./form.ts";
import { lookOf, nameOf, NOTICES, type Notice } from "./notice.tsx";

interface LinkForm {
  link: PaymentLink;
  payee: Payee;
  typed: Typed;
  requirements: Requirements;
  /** Null where the link takes no cards, or its payee's have a page of their own. */
  card: CardState | null;
  wrong?: ReadonlySet<WrongField>;
  notice?: Notice;
  /** Why the card was refused, with the notice of it. */
  refusal?: string;
}

/** The form of a link: what is paid, what is asked of the payer, and how it is paid. */
export function formPage(c: CheckoutContext, shown: LinkForm) {
  const { link, payee, typed, card, wrong = new Set<WrongField>(), notice, refusal = "" } = shown;
  const { link: texts, labels } = textsOf(c);
  const { terms } = link;
  const entry = { typed, wrong };
  const frame = frameOf(c, payee);
  return page(
    c,
    {
      title: link.name,
      ...lookOf(c, payee),
      isTest: payee.mode === "sandbox",
      hasForm: true,
      status: statusOf(wrong, notice),
    },
    <main>
      <h1>{link.name}</h1>
      {wrong.size === 0 ? null : <Alert title={texts.wrong} />}
      {notice === undefined ? null : (
        <NoticeAlert {...{ notice, refusal, payee, link, top: topOf(frame) }} />
      )}
      <form method="post" action={framedPath(`/l/${link.slug}`, frame)}>
        <input type="hidden" name="key" value={typed.key} />
        <input type="hidden" name="checkout" value={typed.checkout} />
        <Amount terms={terms} {...entry} />
        <Quantity terms={terms} {...entry} />
        <Methods of={terms.paymentMethods} {...entry} />
        {card === null ? null : (
          <CardPart
            terms={terms}
            card={card}
            typed={typed}
            payee={nameOf(payee)}
            isWrong={wrong.has("card")}
          />
        )}
        {askedFields(link, shown.requirements).map((asked) => (
          <PayerField {...asked} {...entry} />
        ))}
        <button class="primary" type="submit">
          {texts.pay}
        </button>
      </form>
      <Facts of={[[labels.payee, nameOf(payee)]]} />
    </main>,
  );
}

function statusOf(wrong: ReadonlySet<WrongField>, notice: Notice | undefined) {
  if (notice !== undefined) return NOTICES[notice];
  return wrong.size === 0 ? 200 : 400;
}

interface NoticeProps {
  notice: Notice;
  refusal: string;
  payee: Payee;
  link: PaymentLink;
  /** How a link leaves the frame that the page stands in. */
  top: ReturnType<typeof topOf>;
}

/** Why the payer's last attempt paid nothing. A refused card has a text by its reason. */
function NoticeAlert(props: NoticeProps) {
  const { notice, refusal, payee } = props;
  const texts = useTexts();
  const { title, text } = texts.link.notices[notice];
  if (notice !== "cardRefused") {
    return <Alert title={title} text={fill(text, { payee: nameOf(payee) })} />;
  }
  return (
    <>
      <Alert title={title} text={refusalText(refusal, texts)} />
      <WaysOn {...props} />
    </>
  );
}

function Alert({ title, text }: { title: string; text?: string }) {
  return (
    <div role="alert">
      <p class="wrong">{title}</p>
      {text === undefined ? null : <p>{text}</p>}
    </div>
  );
}

/** After a refused card: another card or another method, both further down in the form, and the shop. */
function WaysOn({ link, payee, top }: Pick<NoticeProps, "link" | "payee" | "top">) {
  const { link: texts, shell } = useTexts();
  const { paymentMethods, returnUrl } = link.terms;
  const others = paymentMethods.filter((method) => !needsCard(method));
  const name = { payee: nameOf(payee) };
  return (
    <ul class="ways">
      <li>
        <a class="button" href="#card">
          {texts.card.other}
        </a>
      </li>
      {others.map((method) => (
        <li>
          <a class="button" href={`#method-${method}`}>
            {fill(texts.card.instead, { method: texts.methods[method] })}
          </a>
        </li>
      ))}
      <li>
        {returnUrl === null ? (
          fill(shell.talk, name)
        ) : (
          <a class="button" href={returnUrl} {...top} rel="noreferrer">
            {fill(shell.back, name)}
          </a>
        )}
      </li>
    </ul>
  );
}
