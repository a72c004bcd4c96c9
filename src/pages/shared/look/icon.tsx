import { type IconName, SPRITE } from "./icons.ts";

const SPRITE_PATH = `/console/assets/${SPRITE.file}`;

/** An icon beside a word; it says nothing to a screen reader. */
export function Icon({ name }: { name: IconName }) {
  return <Symbol name={name} style="icon" />;
}

/** The mark of the gateway, beside its name. */
export function Mark() {
  return <Symbol name="mark" style="icon mark" />;
}

function Symbol({ name, style }: { name: IconName | "mark"; style: string }) {
  return (
    <svg class={style} aria-hidden="true">
      <use href={`${SPRITE_PATH}#${name}`} />
    </svg>
  );
}
