import type { Child } from "hono/jsx";

/** A named figure, which opens to what it is made of; `note` says what it was before. */
export function Card(props: { name: string; path?: string; note?: string; children?: Child }) {
  const { name, path, note, children } = props;
  return (
    <div class="card">
      <p class="hint">{name}</p>
      <p class="amount">{path === undefined ? children : <a href={path}>{children}</a>}</p>
      {note === undefined ? null : <p class="hint">{note}</p>}
    </div>
  );
}
