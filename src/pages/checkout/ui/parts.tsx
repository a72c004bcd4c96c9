import type { Child } from "hono/jsx";
import { useTexts } from "../texts.ts";

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

/** A code with the button that copies it. Without script the button is not there, and one click selects all. */
export function Copyable(props: {
  id: string;
  label: string;
  button: string;
  value: string;
  /** The code as people read it; by default as it is. */
  shown?: string;
}) {
  const { copied } = useTexts().shell;
  const { id, label, button, value, shown } = props;
  return (
    <div class="code-box">
      <button class="primary" type="button" hidden data-copy={id} data-copied={copied}>
        {button}
      </button>
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
