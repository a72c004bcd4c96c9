import { DEBIT_OUTCOMES } from "../../../../domain/subscriptions/debit-outcome.ts";
import { fill, useLocale, useTexts, type Texts } from "../../texts.ts";
import { ActionForm, Badge, Choice, Facts, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { subscriptionPath, type Charge } from "./subscription.ts";

type Labels = Texts["subscriptions"];

interface ChargeProps {
  charge: Charge;
  /** Its subscription. */
  id: string;
  mayAct: boolean;
  /** Whether the payer's bank can be played. */
  isSandbox: boolean;
}

/** Each cycle with its attempts, why its days are these, and what can be done. */
export function Charges(props: Omit<ChargeProps, "charge"> & { items: Charge[] }) {
  const labels = useTexts().subscriptions;
  const { items, ...rest } = props;
  return (
    <Section title={labels.charges}>
      {items.length === 0 ? <p>{labels.noCharges}</p> : null}
      {items.map((charge) => (
        <OneCharge charge={charge} {...rest} />
      ))}
    </Section>
  );
}

function OneCharge(props: ChargeProps) {
  const { charge, mayAct } = props;
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions;
  return (
    <section>
      <h3>
        {fill(labels.chargeOf, { cycle: charge.cycle, date: date(charge.dueDate, "medium") })}
      </h3>
      <p>
        {money(charge.amount)}{" "}
        <Badge tone={TONES.subscriptionCharge[charge.status]}>
          {labels.chargeStatuses[charge.status]}
        </Badge>{" "}
        {charge.recovered ? <Badge tone="good">{labels.recovered}</Badge> : null}{" "}
        <a href={`/console/payments/${charge.transactionId}`}>{labels.payment}</a>
      </p>
      <ByHand charge={charge} />
      <Attempts charge={charge} />
      <Refusal charge={charge} />
      <End charge={charge} />
      <Days charge={charge} />
      {mayAct && (charge.status === "open" || charge.status === "failed") ? (
        <Acts {...props} />
      ) : null}
    </section>
  );
}

/** The charge of the saved card, or the one by which the customer pays by hand, and its page. */
function ByHand({ charge: { byHand, cardSkipped } }: Pick<ChargeProps, "charge">) {
  const labels = useTexts().subscriptions;
  const skipped = cardSkipped === null ? null : <p>{labels.cardSkips[cardSkipped]}</p>;
  if (byHand === null) return skipped;
  return (
    <>
      {skipped}
      <p>
        <a href={`/console/payments/${byHand.id}`}>
          {byHand.method === "CREDIT_CARD" ? labels.byCardCharge : labels.byHandCharge}
        </a>
        {byHand.url === null ? null : (
          <>
            {" "}
            <a href={byHand.url}>{labels.byHandPage}</a>
          </>
        )}
      </p>
    </>
  );
}

/** Each attempt; of one that failed why, in plain words, and what to do. */
function Attempts({ charge: { attempts, status, end } }: Pick<ChargeProps, "charge">) {
  const { date } = useLocale();
  const labels = useTexts().subscriptions;
  if (attempts.length === 0) return status === "open" ? <p>{labels.noAttempt}</p> : null;
  return (
    <ul>
      {attempts.map(({ at, kind, status: state, code, action, providerCode, providerMessage }) => (
        <li>
          {fill(labels.attempt, {
            kind: labels.attemptKinds[kind],
            date: date(at),
            status: labels.attemptStatuses[state],
          })}
          {code === null ? null : ` ${labels.codes[code]}`}
          {/* What is over is not tried again: its end says what to do. */}
          {action === null || end !== null ? null : ` ${actionOf({ code, action }, labels)}`}
          {providerCode === null ? null : (
            <span class="hint"> {fill(labels.bankCode, { code: providerCode })}</span>
          )}
          <ProviderSaid text={providerMessage} />
        </li>
      ))}
    </ul>
  );
}

/** That the order of a debit was not taken, and is sent again. */
function Refusal({ charge: { refusal } }: Pick<ChargeProps, "charge">) {
  const { dateTime } = useLocale();
  const labels = useTexts().subscriptions;
  if (refusal === null) return null;
  const { at, action, code, providerMessage } = refusal;
  return (
    <p class="notice bad" role="status">
      {fill(labels.orderRefused, { time: dateTime(at, "medium") })}{" "}
      {actionOf({ code, action }, labels)}
      <ProviderSaid text={providerMessage} />
    </p>
  );
}

function ProviderSaid({ text }: { text: string | null }) {
  const { providerSaid } = useTexts().subscriptions;
  if (text === null || text === "") return null;
  return <span class="hint"> {fill(providerSaid, { text })}</span>;
}

/** What to do about a failure: what a provider did not take is no matter of the customer's. */
function actionOf(
  { code, action }: { code: string | null; action: keyof Labels["actions"] },
  { actions, askProvider }: Labels,
): string {
  return code === "PROVIDER_REFUSED" ? askProvider : actions[action];
}

/** That the debit is over unpaid, why, where no attempt says so, and what to do. */
function End({ charge: { end, attempts } }: Pick<ChargeProps, "charge">) {
  const labels = useTexts().subscriptions;
  if (end === null) return null;
  const isSaid = attempts.some(({ code }) => code === end.code);
  return (
    <p>
      {labels.debitEnds[end.kind]} {isSaid ? null : `${labels.codes[end.code]} `}
      {labels.actions[end.action]}
      {end.providerCode === null ? null : (
        <span class="hint"> {fill(labels.bankCode, { code: end.providerCode })}</span>
      )}
    </p>
  );
}

function Days({ charge: { days } }: Pick<ChargeProps, "charge">) {
  const { date, dateTime } = useLocale();
  const labels = useTexts().subscriptions;
  return (
    <details>
      <summary>{labels.days}</summary>
      <Facts
        of={days.map(({ what, at, mark }) => [
          labels.dayNames[what],
          <>
            {at.length === "YYYY-MM-DD".length ? date(at, "medium") : dateTime(at, "medium")}.{" "}
            {labels.dayWhy[what]}{" "}
            <span class="hint">
              {labels.dayMarks[mark]}: {labels.daySources[what]}.
            </span>
          </>,
        ])}
      />
    </details>
  );
}

/** Of a charge in place of which a new one can be made. */
const NOT_PAYABLE: ReadonlySet<string | null> = new Set(["FAILED", "CANCELLED", "REFUSED"]);

function Acts({ charge, id, isSandbox }: ChargeProps) {
  const labels = useTexts().subscriptions;
  const path = `${subscriptionPath(id)}/charges/${charge.transactionId}`;
  return (
    <>
      <Retry charge={charge} path={path} />
      {charge.byHand === null || NOT_PAYABLE.has(charge.byHand.status) ? (
        <ActionForm
          action={`${path}/by-hand`}
          idempotencyKey={crypto.randomUUID()}
          submit={labels.byHand}
        />
      ) : null}
      {charge.cancellable ? (
        <ActionForm
          action={`${path}/cancel`}
          idempotencyKey={crypto.randomUUID()}
          submit={labels.cancelCharge}
          isDangerous
        />
      ) : null}
      {isSandbox && charge.status === "open" ? (
        <ActionForm
          action={`${path}/attempt`}
          idempotencyKey={crypto.randomUUID()}
          submit={labels.setOutcome}
        >
          <Choice
            label={labels.outcome}
            name="outcome"
            id={`outcome-${charge.transactionId}`}
            value="paid"
            options={DEBIT_OUTCOMES.map((each) => [each, labels.outcomes[each]])}
          />
        </ActionForm>
      ) : null}
    </>
  );
}

/** The days after the due date; one that a bank would refuse cannot be chosen, and says why. */
function Retry({ charge, path }: { charge: Charge; path: string }) {
  const { date } = useLocale();
  const labels = useTexts().subscriptions;
  const { retryDays, transactionId } = charge;
  const first = retryDays.find(({ allowed }) => allowed);
  if (first === undefined) return null;
  return (
    <ActionForm action={`${path}/retry`} idempotencyKey={crypto.randomUUID()} submit={labels.retry}>
      <Choice
        label={labels.retryDay}
        name="date"
        id={`day-${transactionId}`}
        value={first.date}
        options={retryDays.map(({ date: day, allowed, rule }) => {
          const name = date(day, "medium");
          const text = fill(labels.retryRefused, { date: name, why: labels.retryRules[rule] });
          return [day, allowed ? name : text, !allowed];
        })}
      />
    </ActionForm>
  );
}
