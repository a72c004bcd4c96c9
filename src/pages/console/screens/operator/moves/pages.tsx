import type {
  getCompanyMove,
  listCompanyMoves,
} from "../../../../../api/operator/company-moves/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import { fill, useTexts } from "../../../texts.ts";
import { Empty } from "../../../ui/empty.tsx";
import { ActionForm, Badge, Choice, Facts, Field, List } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";

export const MOVES_PATH = "/console/operator/moves";

/** A company's database and running move. */
type Move = RouteBody<typeof getCompanyMove>;

/** The stages in their order: how far a move has come. */
const STAGES = [
  "preparing",
  "copying",
  "comparing",
  "catching_up",
  "closing",
  "opening",
  "clearing",
] as const;
/** In these the company already lives in its new database. */
const AFTER_CUTOVER = new Set<Move["stage"]>(["opening", "clearing"]);

/** The moves that run. */
export function MoveList({ items }: { items: RouteBody<typeof listCompanyMoves>["items"] }) {
  const labels = useTexts().moves;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="move">{labels.none}</Empty>}
      columns={[
        {
          heading: labels.company,
          cell: ({ companyId }) => <a href={`${MOVES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: labels.from, cell: ({ database }) => database },
        { heading: labels.to, cell: ({ target }) => target },
        {
          heading: labels.stage,
          cell: ({ stage }) => (stage === null ? "–" : labels.stages[stage]),
        },
        { heading: labels.atTable, cell: ({ atTable }) => atTable },
      ]}
    />
  );
}

/** The form that begins a move. */
export function BeginMove(props: { databases: string[]; form: Form; idempotencyKey: string }) {
  const { databases, form, idempotencyKey } = props;
  const labels = useTexts().moves;
  if (databases.length < 2) return <p>{labels.oneDatabase}</p>;
  return (
    <ActionForm action={MOVES_PATH} idempotencyKey={idempotencyKey} submit={labels.begin}>
      <Field
        label={labels.companyNumber}
        name="company"
        inputmode="numeric"
        value={form.company ?? ""}
        required
      />
      <Choice
        label={labels.to}
        name="to"
        value={form.to ?? ""}
        options={databases.map((name): [string, string] => [name, name])}
      />
      <p class="hint">{labels.beginHint}</p>
    </ActionForm>
  );
}

/** How far one company's move has come, with the forms that go on and roll back. */
export function MoveProgress(props: {
  companyId: string;
  move: Move;
  mayChange: boolean;
  newKey: () => string;
}) {
  const { companyId, move, mayChange, newKey } = props;
  const labels = useTexts().moves;
  const { stage, target } = move;
  const reached = STAGES.findIndex((each) => each === stage);
  return (
    <>
      <Facts
        of={[
          [labels.company, <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>],
          [labels.database, move.database],
          [labels.to, target],
          [labels.stage, stage === null ? labels.notMoving : labels.stages[stage]],
          [labels.atTable, move.atTable],
        ]}
      />
      {reached < 0 ? null : (
        <>
          <label for="progress">
            {fill(labels.step, { step: reached + 1, of: STAGES.length })}
          </label>{" "}
          <progress id="progress" value={reached + 1} max={STAGES.length} />
        </>
      )}
      {move.busy ? <p class="notice open">{labels.busy}</p> : null}
      {target === null || !mayChange ? null : (
        <>
          <ActionForm
            action={`${MOVES_PATH}/${companyId}/step`}
            idempotencyKey={newKey()}
            submit={labels.goOn}
          >
            <input type="hidden" name="to" value={stage === "aborting" ? "" : target} />
          </ActionForm>
          {stage === null || AFTER_CUTOVER.has(stage) || stage === "aborting" ? (
            <p>
              {stage === "aborting" ? (
                <Badge tone="open">{labels.aborting}</Badge>
              ) : (
                labels.noWayBack
              )}
            </p>
          ) : (
            <ActionForm
              action={`${MOVES_PATH}/${companyId}/step`}
              idempotencyKey={newKey()}
              submit={labels.abort}
              isDangerous
            >
              <input type="hidden" name="to" value="" />
            </ActionForm>
          )}
        </>
      )}
    </>
  );
}
