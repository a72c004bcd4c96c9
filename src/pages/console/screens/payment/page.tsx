import type { ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { companyNameOf, companyNow } from "../../people/company-head.ts";
import { fill, localeOf, textsOf, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { has } from "../../ui/menu.ts";
import { DoneNotice, ProblemNotice, Section } from "../../ui/parts.tsx";
import { cashierOfCharge } from "../cashier/cashier-of-charge.ts";
import { ACTION, ACTIONS } from "./actions.ts";
import { Items, Order, Payer, Refunds, TechnicalDetails } from "./details.tsx";
import { HowToPay } from "./how-to-pay.tsx";
import { isSandbox, maskedPayment, pagePath, readTimeline, type Payment } from "./payment.ts";
import { SendCharge } from "./send.tsx";
import { CardFacts, DisputeBox, Failure, Status } from "./status.tsx";
import { Story } from "./story.tsx";
import { timelineRights, TimelineSection } from "./timeline.tsx";

interface Extras {
  /** Shows personal data, to those who may read them. */
  isPayerShown?: boolean;
  problem?: { status: number; body: ApiProblem };
}

/** The page of a payment. */
export async function paymentPage(c: ConsoleContext, payment: Payment, extras: Extras = {}) {
  const { payment: labels } = textsOf(c);
  const person = c.get("person");
  const { isPayerShown = false, problem } = extras;
  const canWrite = has("transactions:write")(person);
  const [timeline, isTest, cashier] = await Promise.all([
    readTimeline(c, payment.id),
    canWrite ? isSandbox(c, payment.id) : false,
    cashierOfCharge(c, payment),
  ]);
  const visible = isPayerShown ? payment : asMaskedFor(c, payment);
  const amount = localeOf(c).money(payment.amount);
  const nowMs = companyNow(c);
  return page(
    c,
    {
      title: fill(labels.title, { amount }),
      active: "/console/payments",
      actions: payment.paidAt === undefined ? undefined : <ReceiptLink payment={visible} />,
      ...(problem === undefined ? {} : { status: problem.status as 403 }),
    },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem.body} />}
      <Done word={c.req.query("done")} />
      <Status payment={visible} timeline={timeline.items} />
      <Failure payment={visible} />
      <DisputeBox payment={visible} />
      <div class="beside">
        <div>
          <HowToPay payment={visible} />
          <Story payment={visible} items={timeline.items} />
          <Refunds payment={visible} />
          {canWrite ? <Actions payment={payment} isTest={isTest} /> : null}
        </div>
        <div>
          <SendCharge payment={visible} company={companyNameOf(c)} nowMs={nowMs} />
          <Payer payment={visible} person={person} isShown={isPayerShown} />
          <Order payment={visible} cashier={cashier} />
          <CardFacts payment={visible} />
          <Items payment={visible} />
        </div>
      </div>
      <TechnicalDetails payment={visible}>
        <TimelineSection
          id={payment.id}
          items={timeline.items}
          hasMore={timeline.hasMore}
          rights={timelineRights(person)}
        />
      </TechnicalDetails>
    </>,
  );
}

/** Masked for those who may read personal data; the API has masked it for the others. */
export function asMaskedFor(c: ConsoleContext, payment: Payment): Payment {
  return has("pii:read")(c.get("person")) ? maskedPayment(payment) : payment;
}

function Done(props: { word: string | undefined }) {
  const texts = useTexts();
  const done: Record<string, string> = texts.payment.done;
  const text =
    props.word !== undefined && Object.hasOwn(done, props.word) ? done[props.word] : null;
  return text === null ? null : <DoneNotice>{text}</DoneNotice>;
}

function ReceiptLink(props: { payment: Payment }) {
  const texts = useTexts();
  return (
    <a class="button" href={`${pagePath(props.payment.id)}/receipt.pdf`}>
      {texts.payment.receipt}
    </a>
  );
}

function Actions({ payment, isTest }: { payment: Payment; isTest: boolean }) {
  const { payment: labels } = useTexts();
  const possible = ACTIONS.filter((name) => ACTION[name].isPossible(payment));
  const groups = [
    { title: labels.actions, names: possible.filter((name) => !ACTION[name].isSimulated) },
    {
      title: labels.sandbox,
      names: isTest ? possible.filter((name) => ACTION[name].isSimulated) : [],
    },
  ];
  return (
    <>
      {groups.map(({ title, names }) =>
        names.length === 0 ? null : (
          <Section title={title}>
            <p class="actions">
              {names.map((name) => (
                <a class="button" href={`${pagePath(payment.id)}/${name}`}>
                  {labels.action[name]}
                </a>
              ))}
            </p>
          </Section>
        ),
      )}
    </>
  );
}
