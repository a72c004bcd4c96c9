import type { Child } from "hono/jsx";
import { maskDocument, maskEmail } from "../../../../domain/access/masks.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { ActionForm, Badge, Field, List, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import type { ListedPayment } from "../payments/list.tsx";

export const PAYERS_PATH = "/console/payers";

/** Asks for a document. A posted form, so that no address and no log of addresses has it. */
export function LookUp({ document, problem }: { document: string; problem: ApiProblem | null }) {
  const labels = useTexts().payers;
  return (
    <form class="action" method="post" action={PAYERS_PATH}>
      <Field
        label={labels.document}
        name="document"
        value={document}
        hint={labels.documentHint}
        errors={problem?.errors?.document}
        inputmode="numeric"
        autocomplete="off"
        required
      />
      <button type="submit" class="primary">
        {labels.lookUp}
      </button>
    </form>
  );
}

/** How a form names a payer: by the document that was typed, or by one of the charges, whose document no page shows. */
type FoundBy = { document: string } | { charge: string };

/** A payer in a form of one button, which posts it on. */
function DocumentForm(props: {
  action: string;
  found: FoundBy;
  submit: string;
  isDangerous?: boolean;
  children?: Child;
}) {
  return (
    <form method="post" action={props.action}>
      {Object.entries(props.found).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {props.children}
      <button type="submit" class={props.isDangerous === true ? "danger" : ""}>
        {props.submit}
      </button>
    </form>
  );
}

/** What was found of a payer, masked, and what may be done with it. */
export function Found(props: {
  document: string;
  charges: ListedPayment[];
  after: string | null;
  mayErase: boolean;
}) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const { document, charges, after, mayErase } = props;
  const labels = texts.payers;
  return (
    <>
      <Section title={fill(labels.chargesOf, { document: masked(document) })}>
        <List
          caption={fill(labels.chargesOf, { document: masked(document) })}
          rows={charges}
          empty={<Empty icon="people">{labels.empty}</Empty>}
          columns={[
            {
              heading: labels.columns.made,
              cell: ({ providerTxId, createdAt }) => (
                <a href={`/console/payments/${providerTxId}`}>{dateTime(createdAt)}</a>
              ),
            },
            { heading: labels.columns.name, cell: ({ lead }) => lead.name },
            { heading: labels.columns.email, cell: ({ lead }) => maskEmail(lead.email) },
            {
              heading: labels.columns.method,
              cell: ({ paymentMethod }) => labels.methods[paymentMethod],
            },
            {
              heading: labels.columns.status,
              cell: ({ status }) => (
                <Badge tone={TONES.payment[status]}>{labels.statuses[status]}</Badge>
              ),
            },
            {
              heading: labels.columns.amount,
              isNumber: true,
              cell: ({ amount }) => money(amount),
            },
          ]}
        />
        {after === null ? null : (
          <DocumentForm action={PAYERS_PATH} found={{ document }} submit={texts.shell.next}>
            <input type="hidden" name="after" value={after} />
          </DocumentForm>
        )}
      </Section>
      <PayerTools found={{ document }} mayErase={mayErase} />
    </>
  );
}

/** What LGPD asks for: a copy of a payer's data, and their erasure. */
export function PayerTools(props: { found: FoundBy; mayErase: boolean }) {
  const labels = useTexts().payers;
  const { found, mayErase } = props;
  return (
    <>
      <Section title={labels.export.title}>
        <p>{labels.export.about}</p>
        <DocumentForm
          action={`${PAYERS_PATH}/export`}
          found={found}
          submit={labels.export.submit}
        />
      </Section>
      {mayErase ? (
        <Section title={labels.erase.title}>
          <p>{labels.erase.about}</p>
          <DocumentForm
            action={`${PAYERS_PATH}/erase/confirm`}
            found={found}
            submit={labels.erase.next}
            isDangerous
          />
        </Section>
      ) : null}
    </>
  );
}

/** The page before an erasure: what goes, what stays and why. */
export function ConfirmErase(props: { document: string; idempotencyKey: string }) {
  const texts = useTexts();
  const { erase: labels, back } = texts.payers;
  return (
    <>
      <p>{fill(labels.effect, { document: masked(props.document) })}</p>
      <ul>
        <li>{labels.goes}</li>
        <li>{labels.stays}</li>
        <li>{labels.open}</li>
        <li>{labels.final}</li>
      </ul>
      <ActionForm
        action={`${PAYERS_PATH}/erase`}
        idempotencyKey={props.idempotencyKey}
        submit={labels.submit}
        isDangerous
      >
        <input type="hidden" name="document" value={props.document} />
      </ActionForm>
      <p>
        <a href={PAYERS_PATH}>{back}</a>
      </p>
    </>
  );
}

function masked(document: string): string {
  return maskDocument(document.replaceAll(/\D/g, ""));
}
