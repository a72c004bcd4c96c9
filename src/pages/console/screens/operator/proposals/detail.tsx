import { type Locale, type Texts, useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Facts, Section } from "../../../ui/parts.tsx";
import { TONES } from "../../../ui/tones.ts";
import type { Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { ReasonField } from "../companies/new.tsx";
import { CONTRADICTIONS_PATH } from "../contradictions/contradiction.ts";
import { PROPOSALS_PATH, type Proposal } from "./proposal.ts";

interface Found {
  found: Proposal;
}

/** What is proposed, by whom and why, and what the provider says. */
export function ProposalFacts({ found }: Found) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const labels = texts.proposals;
  const { companyId, decidedBy, decidedAt, provider } = found;
  return (
    <>
      <p>
        <Badge tone={TONES.proposal[found.status]}>{labels.statuses[found.status]}</Badge>{" "}
        {labels.means[found.action]}
      </p>
      <Facts
        of={[
          [labels.company, <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>],
          [labels.target, <Target found={found} />],
          ...requested(found, texts, money),
          [labels.reason, found.reason],
          [labels.evidence, found.evidence],
          [labels.proposedBy, found.proposedBy.name],
          [labels.proposedAt, dateTime(found.proposedAt)],
          [labels.expiresAt, dateTime(found.expiresAt)],
          [labels.provider, provider === null ? null : labels.providers[provider]],
          [labels.decidedBy, decidedBy?.name ?? null],
          [labels.decidedAt, decidedAt === null ? null : dateTime(decidedAt)],
          [labels.decisionReason, found.decisionReason],
          [labels.outcome, found.outcome === null ? null : JSON.stringify(found.outcome)],
        ]}
      />
      {found.withoutProvider ? <p class="notice open">{labels.withoutProvider}</p> : null}
    </>
  );
}

/** Centavos, also of an account's conditions. */
const AMOUNT = /(?:^|\.)(?:amount|amountFrom|amountTo|returnedAmount|cost\.fixed)$/;

/** The fields of a request; those of an object in it by their path, such as `settings.clientId`. */
function fieldsOf(of: object, path = ""): [field: string, value: unknown][] {
  return Object.entries(of).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? fieldsOf(value, `${path}${name}.`) : [[path + name, value]];
  });
}

/** What is proposed, in the reader's words. Fields of a connection to a PSP keep the names that its form shows. */
function requested(
  { request }: Proposal,
  texts: Texts,
  money: Locale["money"],
): [string, string][] {
  const { requested: names, outcomes } = texts.proposals;
  const { actions } = texts.contradictions;
  return fieldsOf(request).map(([field, value]) => {
    const name = field in names ? names[field as keyof typeof names] : field;
    if (value === null) return [name, "–"];
    if (AMOUNT.test(field)) return [name, money(Number(value))];
    if (Array.isArray(value)) return [name, value.join(", ")];
    if (typeof value !== "string") return [name, JSON.stringify(value)];
    if (field === "outcome") return [name, outcomes[value as keyof typeof outcomes]];
    if (field === "action") return [name, actions[value as keyof typeof actions]];
    return [name, value];
  });
}

/** A contradiction leads to its page, a withdraw to its rows. */
function Target({ found }: { found: Proposal }) {
  const { target, companyId } = found;
  const [kind = "", id = ""] = target.split(":");
  if (kind === "contradiction") return <a href={`${CONTRADICTIONS_PATH}/${id}`}>{target}</a>;
  if (kind !== "withdraw") return <>{target}</>;
  return <a href={`${COMPANIES_PATH}/${companyId}/inspect?of=${id}`}>{target}</a>;
}

/** The two answers to a proposal. Its proposer can only take it back. */
export function DecideForms(
  props: Found & {
    isOwn: boolean;
    mayDecide: boolean;
    form: Form;
    errors: Record<string, string[]>;
    newKey: () => string;
  },
) {
  const { found, isOwn, mayDecide, form, errors, newKey } = props;
  const labels = useTexts().proposals;
  if (found.status !== "pending") return null;
  if (!mayDecide) return <p>{labels.mayNot}</p>;
  const path = `${PROPOSALS_PATH}/${found.id}`;
  const of = (answer: string) =>
    form.answer === answer ? { form, errors } : { form: {}, errors: {} };
  return (
    <>
      {isOwn ? (
        <p class="notice open">{labels.anotherApproves}</p>
      ) : (
        <Section title={labels.approve}>
          <p>{labels.approveHint}</p>
          <ActionForm
            action={`${path}/approve`}
            idempotencyKey={newKey()}
            submit={labels.approve}
            isDangerous
          >
            <input type="hidden" name="answer" value="approve" />
            <ReasonField {...of("approve")} id="approve-reason" />
          </ActionForm>
        </Section>
      )}
      <Section title={labels.refuse}>
        <ActionForm action={`${path}/refuse`} idempotencyKey={newKey()} submit={labels.refuse}>
          <input type="hidden" name="answer" value="refuse" />
          <ReasonField {...of("refuse")} id="refuse-reason" />
        </ActionForm>
      </Section>
    </>
  );
}
