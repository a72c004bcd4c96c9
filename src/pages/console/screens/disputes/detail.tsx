import type { Person } from "../../../../domain/access/person.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import {
  ActionForm,
  Badge,
  DoneNotice,
  Facts,
  Field,
  ProblemNotice,
  Section,
} from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import type { Form } from "../answers.tsx";
import type { ChargeCashier } from "../cashier/charge-cashier.ts";
import { Order, Payer } from "../payment/details.tsx";
import { pagePath, type Payment, type TimelineItem } from "../payment/payment.ts";
import { Story } from "../payment/story.tsx";
import { AtTheBank } from "./bank.tsx";
import { timeLeft } from "./deadline.ts";
import { disputePath, type Dispute } from "./dispute.ts";
import { DELIVERY_FIELDS } from "./evidence.ts";
import { EvidenceFiles } from "./files.tsx";

interface DetailProps {
  dispute: Dispute;
  /** What it is about, masked; null where nobody expected the payment. */
  payment: Payment | null;
  /** Who made that at the counter; null for any other. */
  cashier: ChargeCashier | null;
  timeline: readonly TimelineItem[];
  person: Person;
  /** Null where evidence is not taken, or not from this role. */
  form: Form | null;
  /** Whether the service has a place for files. */
  keepsFiles: boolean;
  isFileMissing: boolean;
  seesPersonalData: boolean;
  /** Whether this role may refund. */
  mayRefund: boolean;
  idempotencyKey: string;
  problem: ApiProblem | null;
  /** What has just been done; a word of the texts. */
  done: string | undefined;
  now: number;
}

/** A dispute: how long is left, what is asked back of whom, what was said to it, and what may still be said. */
export function DisputeDetail(props: DetailProps) {
  const { dispute, payment, timeline, person, problem } = props;
  const labels = useTexts().disputes;
  const path = disputePath(dispute.id);
  return (
    <>
      <Done word={props.done} />
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Asked {...props} />
      <div class="beside">
        <div>
          <Section title={labels.evidence.title}>
            <p class="hint">{labels.helps[dispute.reason]}</p>
            <Sent {...props} />
            {props.form === null ? <p>{labels.evidence.closed}</p> : <EvidenceForm {...props} />}
          </Section>
          <EvidenceFiles {...props} isOpen={props.form !== null} />
          <AtTheBank {...props} maySend={props.form !== null} />
          <Section title={labels.dossier.title}>
            <p>{labels.dossier.about}</p>
            <p class="actions">
              <a class="button" href={`${path}/dossier.pdf`}>
                {labels.dossier.pdf}
              </a>
              <a class="button" href={`${path}/dossier.json`}>
                {labels.dossier.json}
              </a>
            </p>
          </Section>
        </div>
        <div>
          <Section title={labels.about}>
            <DisputeFacts {...props} />
          </Section>
          {payment === null ? null : (
            <>
              <Payer payment={payment} person={person} isShown={false} />
              <Order payment={payment} cashier={props.cashier} />
              <Story payment={payment} items={timeline} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Done({ word }: { word: string | undefined }) {
  const done: Record<string, string> = useTexts().disputes.done;
  if (word === undefined || !Object.hasOwn(done, word)) return null;
  return <DoneNotice>{done[word]}</DoneNotice>;
}

/** What the bank says and until when to answer, in a sentence each. */
function Asked({ dispute, now }: DetailProps) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const { disputes: labels } = texts;
  const { status, reason, deadline, amount } = dispute;
  return (
    <div class={`notice ${status === "open" ? "open" : ""}`}>
      <p>
        <strong>{fill(labels.asked[status], { amount: money(amount) })}</strong>{" "}
        {status === "open" && deadline !== null
          ? fill(labels.answerBy, {
              deadline: dateTime(deadline),
              left: timeLeft(deadline, now, texts),
            })
          : null}
      </p>
      <p>{labels.says[reason]}</p>
    </div>
  );
}

function DisputeFacts({ dispute }: DetailProps) {
  const { money, dateTime } = useLocale();
  const texts = useTexts();
  const { columns, reasons, state } = texts.disputes;
  const { status, deadline, transactionId } = dispute;
  return (
    <Facts
      of={[
        [columns.status, <Badge tone={TONES.dispute[status]}>{state[status]}</Badge>],
        [columns.reason, reasons[dispute.reason]],
        [columns.amount, money(dispute.amount)],
        [columns.held, money(dispute.held)],
        [columns.opened, dateTime(dispute.openedAt)],
        [columns.deadline, dateTime(deadline)],
        [
          columns.payment,
          transactionId === null ? (
            dispute.paymentId
          ) : (
            <a href={pagePath(transactionId)}>{texts.disputes.openPayment}</a>
          ),
        ],
        [columns.id, <span class="code">{dispute.id}</span>],
      ]}
    />
  );
}

/** What was sent. Links are text: what others wrote is not followed from here by a click. */
function Sent({ dispute: { evidence }, seesPersonalData }: DetailProps) {
  const { dateTime } = useLocale();
  const texts = useTexts();
  const { evidence: labels } = texts.disputes;
  if (evidence === null) return <p>{labels.none}</p>;
  return (
    <>
      <p>{fill(labels.sentAt, { at: dateTime(evidence.submittedAt) })}</p>
      {seesPersonalData ? null : <p class="hint">{labels.masked}</p>}
      <Facts
        of={[
          [labels.text, evidence.text],
          [labels.links, evidence.links.join(" ")],
          ...Object.entries(evidence.delivery ?? {}).map(([name, value]): [string, string] => [
            deliveryLabel(name, texts),
            typeof value === "string" ? value : JSON.stringify(value),
          ]),
        ]}
      />
    </>
  );
}

function EvidenceForm({ dispute, form, seesPersonalData, idempotencyKey, problem }: DetailProps) {
  const texts = useTexts();
  const { evidence: labels } = texts.disputes;
  const typed = form ?? {};
  const errors = problem?.errors ?? {};
  return (
    <ActionForm
      action={`${disputePath(dispute.id)}/evidence`}
      idempotencyKey={idempotencyKey}
      submit={labels.submit}
    >
      {dispute.evidence === null ? null : (
        <p class="hint">{seesPersonalData ? labels.replaces : labels.keeps}</p>
      )}
      <Field rows={5} label={labels.text} name="text" value={typed.text} errors={errors.text} />
      <Field
        rows={5}
        label={labels.links}
        name="links"
        value={typed.links}
        hint={labels.linksHint}
        errors={Object.entries(errors)
          .filter(([field]) => field.startsWith("links"))
          .flatMap(([, found]) => found)}
      />
      <fieldset>
        <legend>{labels.delivery}</legend>
        {DELIVERY_FIELDS.map((field) => (
          <Field
            label={labels.fields[field]}
            name={field}
            value={typed[field] ?? ""}
            type={field === "deliveredAt" ? "date" : "text"}
          />
        ))}
      </fieldset>
    </ActionForm>
  );
}

function deliveryLabel(name: string, texts: Texts): string {
  const field = DELIVERY_FIELDS.find((each) => each === name);
  return field === undefined ? name : texts.disputes.evidence.fields[field];
}
