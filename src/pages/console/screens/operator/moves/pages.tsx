import type {
  getCompanyMove,
  listCompanyMoves,
} from "../../../../../api/operator/company-moves/routes.ts";
import type { RouteBody } from "../../../route-types.ts";
import { fill, useTexts } from "../../../texts.ts";
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
  const words = useTexts().moves;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{words.none}</p>}
      columns={[
        {
          heading: words.company,
          cell: ({ companyId }) => <a href={`${MOVES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: words.from, cell: ({ database }) => database },
        { heading: words.to, cell: ({ target }) => target },
        { heading: words.stage, cell: ({ stage }) => (stage === null ? "–" : words.stages[stage]) },
        { heading: words.atTable, cell: ({ atTable }) => atTable },
      ]}
    />
  );
}

/** The form that begins a move. */
export function BeginMove(props: { databases: string[]; form: Form; idempotencyKey: string }) {
  const { databases, form, idempotencyKey } = props;
  const words = useTexts().moves;
  if (databases.length < 2) return <p>{words.oneDatabase}</p>;
  return (
    <ActionForm action={MOVES_PATH} idempotencyKey={idempotencyKey} submit={words.begin}>
      <Field
        label={words.companyNumber}
        name="company"
        inputmode="numeric"
        value={form.company ?? ""}
        required
      />
      <Choice
        label={words.to}
        name="to"
        value={form.to ?? ""}
        options={databases.map((name): [string, string] => [name, name])}
      />
      <p class="hint">{words.beginHint}</p>
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
  const words = useTexts().moves;
  const { stage, target } = move;
  const reached = STAGES.findIndex((each) => each === stage);
  return (
    <>
      <Facts
        of={[
          [words.company, <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>],
          [words.database, move.database],
          [words.to, target],
          [words.stage, stage === null ? words.notMoving : words.stages[stage]],
          [words.atTable, move.atTable],
        ]}
      />
      {reached < 0 ? null : (
        <>
          <label for="progress">{fill(words.step, { step: reached + 1, of: STAGES.length })}</label>{" "}
          <progress id="progress" value={reached + 1} max={STAGES.length} />
        </>
      )}
      {move.busy ? <p class="notice open">{words.busy}</p> : null}
      {target === null || !mayChange ? null : (
        <>
          <ActionForm
            action={`${MOVES_PATH}/${companyId}/step`}
            idempotencyKey={newKey()}
            submit={words.goOn}
          >
            <input type="hidden" name="to" value={stage === "aborting" ? "" : target} />
          </ActionForm>
          {stage === null || AFTER_CUTOVER.has(stage) || stage === "aborting" ? (
            <p>
              {stage === "aborting" ? <Badge tone="open">{words.aborting}</Badge> : words.noWayBack}
            </p>
          ) : (
            <ActionForm
              action={`${MOVES_PATH}/${companyId}/step`}
              idempotencyKey={newKey()}
              submit={words.abort}
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
