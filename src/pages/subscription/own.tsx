import type { CheckoutContext } from "../checkout/context.ts";
import { textsOf, useLocale, useTexts, type Texts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { fill } from "../shared/language.ts";
import { Agreed } from "./agreed.tsx";
import { News } from "./approval.tsx";
import type { PayerSubscription } from "./view.ts";

type Cycle = PayerSubscription["cycles"][number];

/** The payer's own page: the state, the next debit and why it is on this day, past debits, and the way out. */
export function ownPage(c: CheckoutContext, subscription: PayerSubscription) {
  const texts = textsOf(c).subscription;
  const { secureId, payee, isTest, state, polled, nowMs, isPending, mayCancel } = subscription;
  return page(
    c,
    { title: texts.title, brand: payee, isTest },
    <main
      tabindex={-1}
      data-poll={`/a/${secureId}/status`}
      data-state={state}
      data-status={polled.status}
      data-after={String(polled.pollAfterMs)}
      data-now={String(nowMs)}
    >
      <News of={subscription} />
      <p class="bought">{subscription.description}</p>
      {isPending ? (
        <a class="button primary" href={`/a/${secureId}`}>
          {texts.toApprove}
        </a>
      ) : null}
      <NextDebit of={subscription} />
      <PastDebits of={subscription} />
      <Agreed of={subscription} />
      {mayCancel ? (
        <a class="button" href={`/s/${secureId}/cancel`}>
          {texts.cancel}
        </a>
      ) : null}
    </main>,
  );
}

/** The question before a subscription is cancelled. `isRefused`: it was over already. */
export function cancelPage(
  c: CheckoutContext,
  subscription: PayerSubscription,
  isRefused: boolean,
) {
  const texts = textsOf(c).subscription;
  const { secureId, payee, isTest } = subscription;
  return page(
    c,
    {
      title: texts.cancelTitle,
      brand: payee,
      isTest,
      hasForm: true,
      status: isRefused ? 409 : 200,
    },
    <main>
      <h1>{texts.cancelTitle}</h1>
      {isRefused ? (
        <p class="notice bad" role="alert">
          {texts.notCancelled}
        </p>
      ) : (
        <form method="post">
          <p class="bought">{subscription.description}</p>
          <p>{fill(texts.cancelText, { payee: payee.name })}</p>
          <LateDebit of={subscription} text={texts.cancelStays} />
          <button class="primary" type="submit">
            {texts.confirm}
          </button>
        </form>
      )}
      <a class="button" href={`/s/${secureId}`}>
        {texts.keep}
      </a>
    </main>,
  );
}

/** A debit that can no longer be stopped here; nothing before 22:00 of its eve. */
function LateDebit({ of, text }: { of: PayerSubscription; text: string }) {
  const { date } = useLocale();
  const { next, nowMs } = of;
  if (next === null || nowMs < next.cancelUntil) return null;
  return <p class="notice">{fill(text, { date: date(next.day, "medium") })}</p>;
}

function NextDebit({ of }: { of: PayerSubscription }) {
  const { date, dateTime, money } = useLocale();
  const texts = useTexts().subscription;
  const { next, nowMs, isPending } = of;
  if (isPending) return null;
  if (next === null) return of.isOver ? null : <p>{texts.noneLeft}</p>;
  const { day, dueDate, amount, sentOn, cancelUntil, isRetry } = next;
  const due = date(dueDate, "medium");
  const isMoved = !isRetry && day !== dueDate;
  const isShort = Number(dueDate.slice(8)) !== Number(of.terms.firstDueDate.slice(8));
  return (
    <>
      <h2>{texts.next}</h2>
      <p class="amount">{money(amount)}</p>
      <p>{date(day, "medium")}</p>
      <details>
        <summary>{texts.why}</summary>
        <p>
          {isRetry
            ? retryReason(of, texts)
            : fill(isMoved ? texts.whyMoved : texts.whySame, { due })}
        </p>
        {isShort && of.terms.period !== "WEEKLY" ? <p>{texts.whyShort}</p> : null}
        {isRetry ? null : <p>{fill(texts.whyEarly, { sent: date(sentOn, "medium") })}</p>}
      </details>
      {nowMs < cancelUntil ? (
        <p class="quiet">
          {fill(texts.whyCancel, {
            time: dateTime(new Date(cancelUntil).toISOString(), "medium"),
          })}
        </p>
      ) : (
        <LateDebit of={of} text={texts.tooLate} />
      )}
    </>
  );
}

/** Why the last attempt of the next debit's cycle came to nothing. */
function retryReason({ cycles, next }: PayerSubscription, texts: Texts["subscription"]): string {
  const cycle = cycles.find(({ dueDate }) => dueDate === next?.dueDate);
  const failed = cycle?.attempts.findLast(({ status }) => status === "failed");
  return capitalised(reasonOf(failed?.reason?.code, texts));
}

function PastDebits({ of }: { of: PayerSubscription }) {
  const { date, money } = useLocale();
  const texts = useTexts().subscription;
  if (of.isPending && of.cycles.length === 0) return null;
  return (
    <>
      <h2>{texts.past}</h2>
      {of.cycles.length === 0 ? <p>{texts.none}</p> : null}
      <dl>
        {of.cycles.map((cycle) => (
          <>
            <dt>{date(cycle.dueDate, "medium")}</dt>
            <dd>
              {money(cycle.amount)} · {wordOf(cycle, texts)}
              {cycle.receipt === null ? null : (
                <>
                  {" "}
                  <a href={cycle.receipt}>{texts.receipt}</a>
                </>
              )}
              <Failures of={cycle} />
              <WayOut of={cycle} payee={of.payee.name} />
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

function Failures({ of }: { of: Cycle }) {
  const { date } = useLocale();
  const texts = useTexts().subscription;
  const { debit, unpaid } = of;
  const failed = of.attempts.filter(({ status }) => status === "failed");
  const isSaid = failed.some(({ reason }) => reason?.code === debit.end?.code);
  return (
    <>
      {failed.map(({ day, reason }) => (
        <p class="quiet">
          {fill(texts.attempt, { date: date(day), reason: reasonOf(reason?.code, texts) })}
        </p>
      ))}
      {unpaid === null || debit.end === undefined || isSaid ? null : (
        <p class="quiet">{capitalised(reasonOf(debit.end.code, texts))}</p>
      )}
    </>
  );
}

/** What the payer can do about a cycle that is unpaid, and the page on which he pays it now. */
function WayOut({ of: { todo, payPath }, payee }: { of: Cycle; payee: string }) {
  const { todo: texts, payNow } = useTexts().subscription;
  return (
    <>
      {todo === null ? null : <p class="quiet">{fill(texts[todo], { payee })}</p>}
      {payPath === null ? null : (
        <a class="button primary" href={payPath}>
          {payNow}
        </a>
      )}
    </>
  );
}

function wordOf({ status, isInvited }: Cycle, texts: Texts["subscription"]): string {
  return isInvited && status === "open" ? texts.invited : texts.cycles[status];
}

/** What the payer is told of a reason. What only the shop can mend has one sentence. */
function reasonOf(code: string | undefined, { reasons }: Texts["subscription"]): string {
  const known: Record<string, string> = reasons;
  return (code === undefined ? undefined : known[code]) ?? reasons.OTHER;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
