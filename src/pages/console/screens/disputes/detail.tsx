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
import { timeLeft } from "./deadline.ts";
import { disputePath, type Dispute } from "./dispute.ts";
import { DELIVERY_FIELDS } from "./evidence.ts";

interface DetailProps {
  dispute: Dispute;
  /** Null where evidence is not taken, or not from this role. */
  form: Form | null;
  seesPersonalData: boolean;
  idempotencyKey: string;
  problem: ApiProblem | null;
  isDone: boolean;
  now: number;
}

/** A dispute: what is asked back, what was said to it, and what may still be said. */
export function DisputeDetail(props: DetailProps) {
  const { dispute, problem, isDone } = props;
  const labels = useTexts().disputes;
  const path = disputePath(dispute.id);
  return (
    <>
      {isDone ? <DoneNotice>{labels.evidence.done}</DoneNotice> : null}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Section title={labels.about}>
        <DisputeFacts {...props} />
      </Section>
      <Section title={labels.evidence.title}>
        <Sent {...props} />
        {props.form === null ? <p>{labels.evidence.closed}</p> : <EvidenceForm {...props} />}
      </Section>
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
    </>
  );
}

function DisputeFacts({ dispute, now }: DetailProps) {
  const { money, dateTime } = useLocale();
  const texts = useTexts();
  const { columns, reasons, statuses } = texts.disputes;
  const { status, deadline, transactionId } = dispute;
  return (
    <Facts
      of={[
        [columns.status, <Badge tone={TONES.dispute[status]}>{statuses[status]}</Badge>],
        [columns.reason, reasons[dispute.reason]],
        [columns.amount, money(dispute.amount)],
        [columns.held, money(dispute.held)],
        [columns.opened, dateTime(dispute.openedAt)],
        [columns.deadline, dateTime(deadline)],
        [columns.left, status === "open" ? timeLeft(deadline, now, texts) : null],
        [
          columns.payment,
          transactionId === null ? (
            dispute.paymentId
          ) : (
            <a href={`/console/payments/${transactionId}`}>{transactionId}</a>
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
      <p class="hint">{seesPersonalData ? labels.replaces : labels.keeps}</p>
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
