import { ALLOWED_ACTIONS } from "../../../../../domain/reconciliation/contradiction.ts";
import { dateTime, money } from "../../../format.ts";
import { fill, type Language, type Texts } from "../../../texts.ts";
import { ActionForm, Badge, Choice, Facts, Field, List, Section } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { CONTRADICTIONS_PATH, type Contradiction, type TypedDecision } from "./contradiction.ts";
import { TONES } from "./list.tsx";

interface Words {
  found: Contradiction;
  texts: Texts;
  language: Language;
}

/** What the provider said beside what is booked, and what it is about. */
export function ContradictionFacts({ found, texts, language }: Words) {
  const words = texts.contradictions;
  const { said, booked } = found;
  const fields = [...new Set([...Object.keys(said), ...Object.keys(booked)])];
  return (
    <>
      <p>
        <Badge tone={TONES[found.status]}>{words.states[found.status]}</Badge>{" "}
        {words.means[found.kind]}
      </p>
      <Facts
        of={[
          [words.amount, money(found.amount, language)],
          [words.held, money(found.held, language)],
          [words.company, <a href={`${COMPANIES_PATH}/${found.companyId}`}>{found.companyId}</a>],
          [words.object, <ObjectLink found={found} />],
          [words.since, dateTime(found.since, language)],
        ]}
      />
      <Section title={words.compared}>
        <List
          caption={words.compared}
          rows={fields}
          empty={<p>{words.noFields}</p>}
          columns={[
            { heading: words.field, cell: (field) => field },
            { heading: words.said, cell: (field) => shown(field, said[field], language) },
            { heading: words.booked, cell: (field) => shown(field, booked[field], language) },
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
function shown(field: string, value: unknown, language: Language): string {
  if (typeof value === "number" && /amount$/i.test(field)) return money(value, language);
  if (typeof value === "number" && field.endsWith("At")) {
    return dateTime(new Date(value).toISOString(), language);
  }
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Who decided, how, when and why. */
export function DecisionFacts({ found, texts, language }: Words) {
  const words = texts.contradictions;
  const { decision } = found;
  if (decision === null) return null;
  return (
    <Section title={words.decision}>
      <Terms terms={decision} found={found} texts={texts} language={language} />
      <Facts
        of={[
          [words.proposedBy, decision.proposedBy],
          [words.proposedAt, dateTime(decision.proposedAt, language)],
          [words.agreedBy, decision.agreedBy],
          [words.decidedAt, dateTime(decision.decidedAt, language)],
        ]}
      />
    </Section>
  );
}

function Terms(
  props: Words & {
    terms: Pick<
      NonNullable<Contradiction["proposal"]>,
      "action" | "amount" | "transactionId" | "reason"
    >;
  },
) {
  const { terms, texts, language } = props;
  const words = texts.contradictions;
  return (
    <Facts
      of={[
        [words.action, words.actions[terms.action]],
        [words.correction, terms.amount === null ? null : money(terms.amount, language)],
        [words.transaction, terms.transactionId],
        [words.reason, terms.reason],
      ]}
    />
  );
}

/** What an action books, in a sentence with its amount. */
function booksText(
  { found, texts, language }: Words,
  action: keyof Texts["contradictions"]["books"],
  amount: number | null,
): string {
  const { books } = texts.contradictions;
  const cents = action === "correct" && amount !== null ? amount : found.amount;
  const sentence = action === "correct" && cents < 0 ? books.debit : books[action];
  return fill(sentence, {
    amount: money(Math.abs(cents), language),
    company: found.companyId,
    object: found.object,
  });
}

/** The first step of a proposal: which action, why. */
export function ProposeForm(
  props: Words & { typed: TypedDecision; errors: Record<string, string[]> },
) {
  const { found, texts, typed, errors } = props;
  const words = texts.contradictions;
  const actions = ALLOWED_ACTIONS[found.kind];
  return (
    <Section title={found.proposal === null ? words.propose : words.proposeAnother}>
      <p>{words.twoPersons}</p>
      <form class="action" method="post" action={`${CONTRADICTIONS_PATH}/${found.id}/check`}>
        <Choice
          label={words.action}
          name="action"
          value={typed.action}
          options={actions.map((action): [string, string] => [action, words.actions[action]])}
        />
        {actions.includes("correct") ? (
          <Field
            label={words.correction}
            name="amount"
            value={typed.amount}
            hint={words.correctionHint}
            errors={errors["amount"]}
          />
        ) : null}
        {actions.includes("credit") ? (
          <Field
            label={words.transaction}
            name="transactionId"
            value={typed.transactionId}
            hint={words.transactionHint}
            errors={errors["transactionId"]}
          />
        ) : null}
        <Field
          label={words.reason}
          name="reason"
          value={typed.reason}
          hint={words.reasonHint}
          errors={errors["reason"]}
          required
        />
        <button type="submit" class="primary">
          {words.check}
        </button>
      </form>
    </Section>
  );
}

/** The last step of a proposal: what will be booked once another operator approves. */
export function ConfirmProposal(
  props: Words & { typed: TypedDecision; amount: number | null; idempotencyKey: string },
) {
  const { found, texts, language, typed, amount, idempotencyKey } = props;
  const words = texts.contradictions;
  const action = ALLOWED_ACTIONS[found.kind].find((allowed) => allowed === typed.action);
  if (action === undefined) return <p>{words.notAllowed}</p>;
  const transactionId = action === "credit" ? typed.transactionId : null;
  return (
    <>
      <Terms
        {...{ found, texts, language }}
        terms={{ action, amount, transactionId, reason: typed.reason }}
      />
      <div class="notice open">
        <p>{booksText({ found, texts, language }, action, amount)}</p>
        <p>{words.secondPerson}</p>
      </div>
      <ActionForm
        action={`${CONTRADICTIONS_PATH}/${found.id}/decide`}
        idempotencyKey={idempotencyKey}
        submit={words.proposeNow}
      >
        <input type="hidden" name="action" value={action} />
        <input type="hidden" name="amount" value={typed.amount} />
        <input type="hidden" name="transactionId" value={typed.transactionId} />
        <input type="hidden" name="reason" value={typed.reason} />
      </ActionForm>
      <p>
        <a href={`${CONTRADICTIONS_PATH}/${found.id}`}>{words.back}</a>
      </p>
    </>
  );
}
