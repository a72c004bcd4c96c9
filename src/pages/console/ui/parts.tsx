import type { Child } from "hono/jsx";
import type { IconName } from "../../shared/look/icons.ts";
import { Icon } from "../../shared/look/icon.tsx";
import type { ApiProblem } from "../api.ts";
import { fill, useTexts } from "../texts.ts";
import { useFirstError } from "./first-error.ts";

export interface Column<Row> {
  heading: string;
  /** Right-aligned, in figures of equal width. */
  isNumber?: boolean;
  /** Its place in a row of two lines. */
  place?: "title" | "note" | "amount" | "about" | "time" | "state" | "acts";
  cell: (row: Row) => Child;
}

/**
 * A list. On a narrow screen each row is a card whose cells carry their heading, or has two lines where every column
 * has a place. `refresh` is the path of this
 * fragment: the script fetches it again with its ETag while the page is seen.
 */
export function List<Row>(props: {
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  empty: Child;
  refresh?: string;
}) {
  const { caption, columns, rows, empty, refresh } = props;
  const isOfTwoLines = columns.every(({ place }) => place !== undefined);
  return (
    <div
      class={isOfTwoLines ? "list two-lines" : "list"}
      {...(refresh === undefined ? {} : { "data-refresh": refresh })}
    >
      {rows.length === 0 ? (
        <div class="empty">{empty}</div>
      ) : (
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ heading, isNumber }) => (
                <th scope="col" class={isNumber === true ? "number" : ""}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {columns.map(({ heading, isNumber, place = "", cell }) => (
                  <td
                    class={`${isNumber === true ? "number " : ""}${place}`.trim()}
                    data-heading={heading}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** A page of a list. Without `hasMore` the last one's `after` is null. */
interface ListPage {
  after: string | number | null;
  hasMore?: boolean;
}

/** A link to the next page of a list; nothing on the last. */
export function NextPage(props: { url: string; list: ListPage; text?: string }) {
  const { next } = useTexts().shell;
  const { text = next } = props;
  const { after, hasMore = after !== null } = props.list;
  if (!hasMore) return null;
  const url = new URL(props.url);
  url.searchParams.set("after", String(after));
  return (
    <p class="next">
      <a class="button" href={`${url.pathname}${url.search}`} rel="next">
        {text}
      </a>
    </p>
  );
}

/** What a state means: `good`, `open` waits for somebody else, `bad` needs you, `quiet` is lost or over. */
export type Tone = "good" | "bad" | "open" | "quiet";

const ICON_OF_TONE: Record<Tone, IconName> = {
  good: "good",
  open: "waiting",
  bad: "needs-you",
  quiet: "cancelled",
};

/** A state as a word, a colour and an icon, by default that of its tone. */
export function Badge(props: { tone: Tone; icon?: IconName; children?: Child }) {
  const { tone, icon = ICON_OF_TONE[tone], children } = props;
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}

/** Facts as a list of names and values; values that are null are left out. */
export function Facts(props: { of: [name: string, value: Child][] }) {
  return (
    <dl class="facts">
      {props.of
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A part of a page under a heading of its own. */
export function Section(props: { title: string; children?: Child }) {
  return (
    <section class="section">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

/**
 * A labelled input, of several lines with `rows`. `errors` are shown at the field; the first wrong field of a page has
 * the focus.
 */
export function Field(props: {
  label: string;
  name: string;
  /** By default the name; for a second field of the same name on a page. */
  id?: string;
  value?: string | undefined;
  type?: string;
  hint?: string;
  errors?: string[] | undefined;
  rows?: number;
  required?: boolean;
  /** The first day of one of type `date`. */
  min?: string | undefined;
  autocomplete?: string;
  maxlength?: number;
  inputmode?: "text" | "decimal" | "numeric" | "email";
}) {
  const {
    label,
    name,
    id = name,
    value = "",
    type = "text",
    hint,
    errors = [],
    ...attributes
  } = props;
  const rest = { ...attributes, ...useWrongAttributes(id, errors, hint) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {props.rows === undefined ? (
        <input id={id} name={name} type={type} value={value} {...rest} />
      ) : (
        <textarea id={id} name={name} {...rest}>
          {value}
        </textarea>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} errors={errors} />
    </div>
  );
}

/** What a wrong field tells of itself: its hint and its error describe it, and the first of a page has the focus. */
function useWrongAttributes(id: string, errors: string[], hint?: string) {
  const isWrong = errors.length > 0;
  const isFirstWrong = useFirstError(isWrong);
  const described = [hint === undefined ? "" : `${id}-hint`, isWrong ? `${id}-error` : ""]
    .filter((each) => each !== "")
    .join(" ");
  return {
    ...(described === "" ? {} : { "aria-describedby": described }),
    ...(isWrong ? { "aria-invalid": "true" as const } : {}),
    ...(isFirstWrong ? { autofocus: true } : {}),
  };
}

function FieldError(props: { id: string; errors: string[] }) {
  if (props.errors.length === 0) return null;
  return (
    <p class="error" id={`${props.id}-error`}>
      {props.errors.join(" ")}
    </p>
  );
}

/** A labelled choice of one of several values, with its errors as `Field` has them. */
export function Choice(props: {
  label: string;
  name: string;
  /** Where a page has the field more than once; its name otherwise. */
  id?: string;
  value: string;
  /** One that cannot be chosen says why in its label. */
  options: [value: string, label: string, isRefused?: boolean][];
  errors?: string[] | undefined;
}) {
  const { id = props.name, errors = [] } = props;
  const wrong = useWrongAttributes(id, errors);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name} {...wrong}>
        {props.options.map(([value, label, isRefused = false]) => (
          <option value={value} selected={value === props.value} disabled={isRefused}>
            {label}
          </option>
        ))}
      </select>
      <FieldError id={id} errors={errors} />
    </div>
  );
}

/** Boxes of one question. Its errors stand below them; the first wrong question of a page has the focus. */
export function CheckGroup(props: {
  legend: string;
  name: string;
  errors?: string[] | undefined;
  children?: Child;
}) {
  const { legend, name, errors = [], children } = props;
  // A group takes no `aria-invalid`: its description says what is wrong.
  const { "aria-invalid": isWrong, ...wrong } = useWrongAttributes(name, errors);
  return (
    <fieldset id={name} {...wrong} {...(isWrong === undefined ? {} : { tabindex: -1 })}>
      <legend>{legend}</legend>
      {children}
      <FieldError id={name} errors={errors} />
    </fieldset>
  );
}

/** A box to tick, which sends `on`. */
export function Check(props: { name: string; label: string; isOn: boolean }) {
  return (
    <div class="check">
      <input type="checkbox" id={props.name} name={props.name} value="on" checked={props.isOn} />
      <label for={props.name}>{props.label}</label>
    </div>
  );
}

/**
 * Around the filters of a list. On a narrow screen they are folded while none is set, because they are long; the
 * style sheet shows them always where there is room.
 */
export function FilterFold(props: { title: string; isSet: boolean; children?: Child }) {
  return (
    <details class="filter-fold" open={props.isSet}>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  );
}

/**
 * A form that moves or makes something. It carries an idempotency key made with the page: sent twice, it acts
 * once.
 */
export function ActionForm(props: {
  action: string;
  idempotencyKey: string;
  submit: string;
  isDangerous?: boolean;
  children?: Child;
}) {
  return (
    <form class="action" method="post" action={props.action} data-once="">
      <input type="hidden" name="idempotencyKey" value={props.idempotencyKey} />
      {props.children}
      <button type="submit" class={props.isDangerous === true ? "danger" : "primary"}>
        {props.submit}
      </button>
    </form>
  );
}

/** What happened and what was not done: a refusal of the API above the form that caused it. */
export function ProblemNotice({ problem }: { problem: ApiProblem }) {
  const texts = useTexts();
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{problem.title}</strong> {problem.detail}
      </p>
      <p class="hint">
        {fill(texts.shell.problemCode, { code: problem.code, traceId: problem.traceId })}
      </p>
    </div>
  );
}

/** What has just been done. */
export function DoneNotice(props: { children?: Child }) {
  return (
    <div class="notice good" role="status">
      {props.children}
    </div>
  );
}
