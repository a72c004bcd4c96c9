import { FoldedQrCode } from "../checkout/pix.tsx";
import type { CheckoutContext } from "../checkout/context.ts";
import { textsOf, useLocale, useTexts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { Code, CopyButton, StatusMark } from "../checkout/ui/parts.tsx";
import { fill } from "../shared/language.ts";
import { Agreed } from "./agreed.tsx";
import type { PayerSubscription, SubscriptionState } from "./view.ts";

type Look = Parameters<typeof StatusMark>[0]["look"];

/** Those of a subscription that nobody has to approve now. */
const LOOKS: Record<SubscriptionState, Look> = {
  preparing: "wait",
  open: "wait",
  asked: "wait",
  paid: "wait",
  paid_unapproved: "wait",
  active: "good",
  past_due: "wait",
  needs_approval: "bad",
  paused: "wait",
  cancelled: "bad",
  rejected: "bad",
  expired: "bad",
  paid_rejected: "bad",
  paid_expired: "bad",
  completed: "good",
};

/** The page on which a payer approves. The script reads the attributes of `main`, and replaces it when the state changes. */
export function approvalPage(c: CheckoutContext, subscription: PayerSubscription) {
  const texts = textsOf(c);
  const { state, secureId, payee, isTest, isPending } = subscription;
  return page(
    c,
    { title: texts.subscription.states[state].title, brand: payee, isTest },
    <main
      tabindex={-1}
      data-poll={`/a/${secureId}/status`}
      data-state={state}
      data-status={state}
      data-after={String(subscription.polled.pollAfterMs)}
      data-now={String(subscription.nowMs)}
    >
      <News of={subscription} />
      <p class="bought">{subscription.description}</p>
      <HowToApprove of={subscription} />
      {isPending ? null : (
        <a class="button primary" href={`/s/${secureId}`}>
          {texts.subscription.see}
        </a>
      )}
      <Agreed of={subscription} />
      {isPending ? (
        <noscript>
          <p>{texts.subscription.noScript}</p>
          <a class="button" href={`/a/${secureId}`}>
            {texts.shell.reload}
          </a>
        </noscript>
      ) : null}
    </main>,
  );
}

/** What happened, in a sentence. */
export function News({ of }: { of: PayerSubscription }) {
  const { title, text } = useTexts().subscription.states[of.state];
  return (
    <>
      {of.isPending ? null : <StatusMark look={LOOKS[of.state]} />}
      <div data-news>
        <h1>{title}</h1>
        <p>{fill(text, { payee: of.payee.name })}</p>
      </div>
    </>
  );
}

function HowToApprove({ of }: { of: PayerSubscription }) {
  const { dateTime, date, money } = useLocale();
  const { approve } = useTexts().subscription;
  const { terms, code, isPending, amount, isApprovalPaid } = of;
  // What is paid has its own sentence, until there is a code that approves alone.
  if (!isPending || (isApprovalPaid && code === null)) return null;
  const values = {
    amount: money(terms.firstPayment ?? amount),
    date: date(terms.firstDueDate, "medium"),
  };
  return (
    <>
      {code === null ? null : <CopyButton of="pix-code" button={approve.copy} />}
      <p>{approve.waiting}</p>
      <ol>
        {approve.how[isApprovalPaid ? "QR" : terms.journey].map((step) => (
          <li>{fill(step, values)}</li>
        ))}
      </ol>
      {code === null ? null : (
        <>
          <FoldedQrCode code={code} label={approve.qr} />
          <Code id="pix-code" label={approve.code} value={code} />
        </>
      )}
      <p class="quiet">
        {fill(approve.until, {
          time: dateTime(new Date(of.approvalExpiresAt).toISOString(), "medium"),
        })}
      </p>
    </>
  );
}
