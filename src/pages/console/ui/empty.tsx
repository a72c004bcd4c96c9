import type { Child } from "hono/jsx";
import type { IconName } from "../../shared/look/icons.ts";
import { Icon } from "../../shared/look/icon.tsx";

/** What a list shows while it is empty: a picture, one sentence of what will stand here, the way to the first. */
export function Empty(props: {
  icon: IconName;
  /** Where the first one is made; for who may make one. */
  action?: { path: string; label: string };
  children?: Child;
}) {
  const { icon, action, children } = props;
  return (
    <div class="picture">
      <Icon name={icon} />
      <p>{children}</p>
      {action === undefined ? null : (
        <a class="button" href={action.path}>
          {action.label}
        </a>
      )}
    </div>
  );
}
