import type { verifyCompany } from "../../../../../api/operator/audit/routes.ts";
import type { JsonOf, RouteBody } from "../../../../../http/openapi/route-types.ts";
import { fill, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Check, Facts } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";

type StepAnswer = RouteBody<typeof verifyCompany>;

/** How far a check has come. Its form carries it, so that nothing is stored. */
export interface Progress {
  step: StepAnswer;
  repair: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/** Violations that the form carries on. */
const VIOLATIONS_MAX = 100;
const CURSORS = [
  "afterTransaction",
  "afterWithdraw",
  "afterDay",
  "afterSeq",
  "afterEvent",
] as const;

/** Whether all was checked. */
export function isDone({ step }: Progress): boolean {
  return step.ledgerDone && step.copiesDone;
}

/** The progress with one more step. */
export function progressed(before: Progress | null, step: StepAnswer, repair: boolean): Progress {
  const violations = [...(before?.violations ?? []), ...step.violations];
  return {
    step,
    repair,
    compared: (before?.compared ?? 0) + step.compared,
    repaired: (before?.repaired ?? 0) + step.repaired,
    violations: [...new Set(violations)].slice(0, VIOLATIONS_MAX),
  };
}

/** The body of the next step. */
export function nextStep(progress: Progress | null, repair: boolean): JsonOf<typeof verifyCompany> {
  if (progress === null) return { fromStart: true, repair };
  const cursors = CURSORS.map((name) => [name, progress.step[name]]);
  return { fromStart: false, repair, ...Object.fromEntries(cursors) };
}

/** The progress that a form carries; null for a new check, or for a form that is not one of ours. */
export function carried(form: Form): Progress | null {
  try {
    return form.progress === undefined ? null : (JSON.parse(form.progress) as Progress);
  } catch {
    return null;
  }
}

/** The form that begins a check. */
export function BeginForm(props: { action: string; idempotencyKey: string }) {
  const labels = useTexts().operatorCompanies;
  return (
    <ActionForm
      action={props.action}
      idempotencyKey={props.idempotencyKey}
      submit={labels.beginCheck}
    >
      <p>{labels.checkHint}</p>
      <Check name="repair" label={labels.repair} isOn={false} />
      <p class="hint">{labels.repairHint}</p>
    </ActionForm>
  );
}

/** What a check has found so far, and the form that goes on with it. */
export function CheckResult(props: { progress: Progress; action: string; idempotencyKey: string }) {
  const { progress, action, idempotencyKey } = props;
  const labels = useTexts().operatorCompanies;
  const { step, compared, repaired, violations } = progress;
  const ended = isDone(progress);
  const count = violations.length;
  return (
    <>
      <div class={`notice ${count > 0 ? "bad" : ended ? "good" : "open"}`} role="status">
        <p>{ended ? (count === 0 ? labels.checkGood : labels.checkBad) : labels.checkRuns}</p>
      </div>
      <Facts
        of={[
          [labels.ledger, <Part isDone={step.ledgerDone} />],
          [labels.audited, fill(labels.upTo, { movement: step.movement })],
          [labels.copy, <Part isDone={step.copiesDone} />],
          [labels.compared, String(compared)],
          [labels.repaired, progress.repair ? String(repaired) : null],
        ]}
      />
      {count === 0 ? null : (
        <ul>
          {violations.map((violation) => (
            <li>{violation}</li>
          ))}
        </ul>
      )}
      {ended ? null : (
        <ActionForm action={action} idempotencyKey={idempotencyKey} submit={labels.goOn}>
          <input type="hidden" name="progress" value={JSON.stringify(progress)} />
          {progress.repair ? <input type="hidden" name="repair" value="on" /> : null}
        </ActionForm>
      )}
    </>
  );
}

function Part(props: { isDone: boolean }) {
  const labels = useTexts().operatorCompanies;
  return props.isDone ? (
    <Badge tone="good">{labels.doneSoFar}</Badge>
  ) : (
    <Badge tone="open">{labels.running}</Badge>
  );
}
