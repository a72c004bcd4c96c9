import type { Child } from "hono/jsx";
import { fill } from "../../shared/language.ts";
import type { PayerCharge } from "../charge.ts";
import { useTexts } from "../texts.ts";

/** So many things of a purchase are named, so that the way to pay stays on the first screen. */
const NAMED_MAX = 3;

/** What the payer buys, in one paragraph; nothing for a charge that does not say. */
export function Bought({ charge: { bought } }: { charge: Pick<PayerCharge, "bought"> }) {
  const { more } = useTexts().shell;
  if (bought.length === 0) return null;
  const named = bought
    .slice(0, NAMED_MAX)
    .map(({ title, quantity }) => (quantity === 1 ? title : `${quantity} × ${title}`));
  const rest = bought.length - named.length;
  const all = rest === 0 ? named : [...named, fill(more, { count: rest })];
  return <p class="bought">{all.join(", ")}</p>;
}

/** A list of names and values; entries without a value are left out. */
export function Facts(props: { of: [name: string, value: Child | null][] }) {
  const shown = props.of.filter(([, value]) => value !== null);
  if (shown.length === 0) return null;
  return (
    <dl>
      {shown.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** The button that copies the code `of` this id. Without script it is not there. */
export function CopyButton(props: { of: string; button: string }) {
  const { copied } = useTexts().shell;
  return (
    <button
      class="primary"
      type="button"
      id={`copy-${props.of}`}
      hidden
      data-copy={props.of}
      data-copied={copied}
    >
      {props.button}
    </button>
  );
}

/** A code under its label. One click selects all of it. */
export function Code(props: {
  id: string;
  label: string;
  value: string;
  /** The code as people read it; by default as it is. */
  shown?: string;
}) {
  const { id, label, value, shown } = props;
  return (
    <div class="code-box">
      <p class="quiet" id={`${id}-label`}>
        {label}
      </p>
      <code
        id={id}
        class="code"
        tabindex={0}
        role="textbox"
        aria-readonly="true"
        aria-labelledby={`${id}-label`}
        {...(shown === undefined ? {} : { "data-value": value })}
      >
        {shown ?? value}
      </code>
    </div>
  );
}

export type Look = "good" | "bad" | "wait";

/** A check mark, a cross, an exclamation mark: no font need have them. */
const MARKS: Record<Look, string> = {
  good: "M9 17l5 5 9-11",
  bad: "M11 11l10 10M21 11l-10 10",
  wait: "M16 8v10M16 22v1",
};

/** How it stands, as a mark above its words. */
export function StatusMark({ look }: { look: Look }) {
  return (
    <svg class={`mark ${look}`} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="14.5" />
      <path d={MARKS[look]} />
    </svg>
  );
}
