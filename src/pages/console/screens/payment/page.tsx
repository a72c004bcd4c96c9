import type { ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { money } from "../../format.ts";
import { fill, languageOf, textsOf, type Texts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { has } from "../../ui/menu.ts";
import { DoneNotice, ProblemNotice, Section } from "../../ui/parts.tsx";
import { ACTION, ACTIONS } from "./actions.ts";
import { Details, Items, Payer, Refunds } from "./details.tsx";
import { HowToPay } from "./how-to-pay.tsx";
import { isSandbox, maskedPayment, pagePath, readTimeline, type Payment } from "./payment.ts";
import { CardFacts, DisputeBox, Failure, Status } from "./status.tsx";
import { TimelineSection } from "./timeline.tsx";

interface Extras {
  /** Shows personal data, to those who may read them. */
  isPayerShown?: boolean;
  problem?: { status: number; body: ApiProblem };
}

/** The page of a payment. */
export async function paymentPage(c: ConsoleContext, payment: Payment, extras: Extras = {}) {
  const [texts, language, person] = [textsOf(c), languageOf(c), c.get("person")];
  const { payment: words } = texts;
  const { isPayerShown = false, problem } = extras;
  const canWrite = has("transactions:write")(person);
  const [timeline, isTest] = await Promise.all([
    readTimeline(c, payment.id),
    canWrite ? isSandbox(c, payment.id) : false,
  ]);
  const visible = isPayerShown ? payment : asMaskedFor(c, payment);
  const shown = { payment: visible, texts, language };
  return page(
    c,
    {
      title: fill(words.title, { amount: money(payment.amount, language) }),
      active: "/console/payments",
      actions: payment.paidAt === undefined ? undefined : <ReceiptLink {...shown} />,
      ...(problem === undefined ? {} : { status: problem.status as 403 }),
    },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem.body} texts={texts} />}
      <Done texts={texts} word={c.req.query("done")} />
      <Status {...shown} timeline={timeline.items} />
      <Failure {...shown} />
      <DisputeBox {...shown} />
      {canWrite ? <Actions payment={payment} texts={texts} isTest={isTest} /> : null}
      <HowToPay {...shown} />
      <CardFacts {...shown} />
      <Payer {...shown} person={person} isShown={isPayerShown} />
      <Refunds {...shown} />
      <Items {...shown} />
      <Details {...shown} />
      <TimelineSection
        id={payment.id}
        items={timeline.items}
        hasMore={timeline.hasMore}
        texts={texts}
        language={language}
        canResend={has("webhooks:write")(person)}
      />
    </>,
  );
}

/** Masked for those who may read personal data; the API has masked it for the others. */
export function asMaskedFor(c: ConsoleContext, payment: Payment): Payment {
  return has("pii:read")(c.get("person")) ? maskedPayment(payment) : payment;
}

function Done(props: { texts: Texts; word: string | undefined }) {
  const done: Record<string, string> = props.texts.payment.done;
  const text =
    props.word !== undefined && Object.hasOwn(done, props.word) ? done[props.word] : null;
  return text === null ? null : <DoneNotice>{text}</DoneNotice>;
}

function ReceiptLink(props: { payment: Payment; texts: Texts }) {
  return (
    <a class="button" href={`${pagePath(props.payment.id)}/receipt.pdf`}>
      {props.texts.payment.receipt}
    </a>
  );
}

function Actions(props: { payment: Payment; texts: Texts; isTest: boolean }) {
  const { payment, texts, isTest } = props;
  const { payment: words } = texts;
  const possible = ACTIONS.filter((name) => ACTION[name].isPossible(payment));
  const groups = [
    { title: words.actions, names: possible.filter((name) => !ACTION[name].isSimulated) },
    {
      title: words.sandbox,
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
                  {words.action[name]}
                </a>
              ))}
            </p>
          </Section>
        ),
      )}
    </>
  );
}
