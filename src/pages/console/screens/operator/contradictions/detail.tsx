import {
  allowedActions,
  type DecisionAction,
} from "../../../../../domain/reconciliation/contradiction.ts";
import { fill, useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Choice, Facts, Field, List, Section } from "../../../ui/parts.tsx";
import { TONES } from "../../../ui/tones.ts";
import { COMPANIES_PATH } from "../companies/company.ts";
import { CONTRADICTIONS_PATH, type Contradiction, type TypedDecision } from "./contradiction.ts";

interface Found {
  found: Contradiction;
}

/** What the provider said beside what is booked, and what it is about. */
export function ContradictionFacts({ found }: Found) {
  const { money, dateTime } = useLocale();
  const labels = useTexts().contradictions;
  const { said, booked } = found;
  const fields = [...new Set([...Object.keys(said), ...Object.keys(booked)])];
  return (
    <>
      <p>
        <Badge tone={TONES.contradiction[found.status]}>{labels.states[found.status]}</Badge>{" "}
        {labels.means[found.kind]}
      </p>
      <Facts
        of={[
          [labels.amount, money(found.amount)],
          [labels.held, money(found.held)],
          [labels.company, <a href={`${COMPANIES_PATH}/${found.companyId}`}>{found.companyId}</a>],
          [labels.object, <ObjectLink found={found} />],
          [labels.since, dateTime(found.since)],
        ]}
      />
      <Section title={labels.compared}>
        <List
          caption={labels.compared}
          rows={fields}
          empty={<p>{labels.noFields}</p>}
          columns={[
            { heading: labels.field, cell: (field) => field },
            { heading: labels.said, cell: (field) => <Value field={field} of={said} /> },
            { heading: labels.booked, cell: (field) => <Value field={field} of={booked} /> },
          ]}
        />
      </Section>
    </>
  );
}

/** A transaction or a withdraw leads to its rows; another object is only named. */
function ObjectLink({ found }: { found: Contradiction }) {
  const { object, companyId } = found;
  const of = object.startsWith("withdraw:") ? object.slice("withdraw:".length) : object;
  if (!/^(?:\d+|[0-9a-f-]{36})$/.test(of)) return <>{object}</>;
  return <a href={`${COMPANIES_PATH}/${companyId}/inspect?of=${of}`}>{object}</a>;
}

/** A value as people read it: centavos and Unix milliseconds by the name of their field. */
function Value({ field, of }: { field: string; of: Record<string, unknown> }) {
  const { money, dateTime } = useLocale();
  const value = of[field];
  if (typeof value === "number" && /amount$/i.test(field)) return <>{money(value)}</>;
  if (typeof value === "number" && field.endsWith("At")) {
    return <>{dateTime(new Date(value).toISOString())}</>;
  }
  if (value === undefined || value === null) return <>–</>;
  return <>{typeof value === "string" ? value : JSON.stringify(value)}</>;
}

/** Who decided, how, when and why. `names`: of operators, by their ids. */
export function DecisionFacts({ found, names }: Found & { names: ReadonlyMap<string, string> }) {
  const { dateTime } = useLocale();
  const labels = useTexts().contradictions;
  const { decision } = found;
  if (decision === null) return null;
  return (
    <Section title={labels.decision}>
      <Terms terms={decision} found={found} />
      <Facts
        of={[
          [labels.proposedBy, names.get(decision.proposedBy) ?? decision.proposedBy],
          [labels.proposedAt, dateTime(decision.proposedAt)],
          [labels.agreedBy, names.get(decision.agreedBy) ?? decision.agreedBy],
          [labels.decidedAt, dateTime(decision.decidedAt)],
        ]}
      />
    </Section>
  );
}

function Terms(
  props: Found & {
    terms: Pick<
      NonNullable<Contradiction["proposal"]>,
      "action" | "amount" | "transactionId" | "reason"
    >;
  },
) {
  const { money } = useLocale();
  const { terms } = props;
  const labels = useTexts().contradictions;
  return (
    <Facts
      of={[
        [labels.action, labels.actions[terms.action]],
        [labels.correction, terms.amount === null ? null : money(terms.amount)],
        [labels.transaction, terms.transactionId],
        [labels.reason, terms.reason],
      ]}
    />
  );
}

/** What an action books, in a sentence with its amount. */
function WhatIsBooked(props: Found & { action: DecisionAction; amount: number | null }) {
  const { money } = useLocale();
  const { books } = useTexts().contradictions;
  const { found, action, amount } = props;
  const cents = action === "correct" && amount !== null ? amount : found.amount;
  const sentence = action === "correct" && cents < 0 ? books.debit : books[action];
  const { companyId: company, object } = found;
  return <p>{fill(sentence, { amount: money(Math.abs(cents)), company, object })}</p>;
}

/** The first step of a proposal: which action, why. */
export function ProposeForm(
  props: Found & { typed: TypedDecision; errors: Record<string, string[]> },
) {
  const { found, typed, errors } = props;
  const labels = useTexts().contradictions;
  const actions = allowedActions(found);
  return (
    <Section title={found.proposal === null ? labels.propose : labels.proposeAnother}>
      <p>{labels.twoPersons}</p>
      <form class="action" method="post" action={`${CONTRADICTIONS_PATH}/${found.id}/check`}>
        <Choice
          label={labels.action}
          name="action"
          value={typed.action}
          options={actions.map((action): [string, string] => [action, labels.actions[action]])}
          errors={errors["action"]}
        />
        {actions.includes("correct") ? (
          <Field
            label={labels.correction}
            name="amount"
            value={typed.amount}
            hint={labels.correctionHint}
            errors={errors["amount"]}
          />
        ) : null}
        {actions.includes("credit") ? (
          <Field
            label={labels.transaction}
            name="transactionId"
            value={typed.transactionId}
            hint={labels.transactionHint}
            errors={errors["transactionId"]}
          />
        ) : null}
        <Field
          label={labels.reason}
          name="reason"
          value={typed.reason}
          hint={labels.reasonHint}
          errors={errors["reason"]}
          required
        />
        <button type="submit" class="primary">
          {labels.check}
        </button>
      </form>
    </Section>
  );
}

/** The last step of a proposal: what will be booked once another operator approves. */
export function ConfirmProposal(
  props: Found & { typed: TypedDecision; amount: number | null; idempotencyKey: string },
) {
  const labels = useTexts().contradictions;
  const { found, typed, amount, idempotencyKey } = props;
  const action = allowedActions(found).find((allowed) => allowed === typed.action);
  if (action === undefined) return <p>{labels.notAllowed}</p>;
  const transactionId = action === "credit" ? typed.transactionId : null;
  return (
    <>
      <Terms found={found} terms={{ action, amount, transactionId, reason: typed.reason }} />
      <div class="notice open">
        <WhatIsBooked found={found} action={action} amount={amount} />
        <p>{labels.secondPerson}</p>
      </div>
      <ActionForm
        action={`${CONTRADICTIONS_PATH}/${found.id}/decide`}
        idempotencyKey={idempotencyKey}
        submit={labels.proposeNow}
      >
        <input type="hidden" name="action" value={action} />
        <input type="hidden" name="amount" value={typed.amount} />
        <input type="hidden" name="transactionId" value={typed.transactionId} />
        <input type="hidden" name="reason" value={typed.reason} />
      </ActionForm>
      <p>
        <a href={`${CONTRADICTIONS_PATH}/${found.id}`}>{labels.back}</a>
      </p>
    </>
  );
}
