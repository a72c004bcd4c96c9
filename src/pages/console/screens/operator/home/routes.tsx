import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-person.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { OPERATOR_MENU } from "../../../ui/menu.ts";

/** The first page of an operator: what he may open. */
export function operatorHomeScreen(app: ConsoleApp): void {
  app.get("/operator", requireOperatorPerson, (c) => showHome(c));
}

function showHome(c: ConsoleContext) {
  const texts = textsOf(c);
  const operator = c.get("operator")!;
  const entries = OPERATOR_MENU.filter(
    ({ path, isFor }) => path !== "/console/operator" && isFor(operator),
  );
  const { name, role } = operator;
  return page(
    c,
    { title: texts.operatorHome.title, active: "/console/operator" },
    <>
      <p>{fill(texts.operatorHome.signedInAs, { name, role: texts.operatorRoles[role] })}</p>
      <ul>
        {entries.map(({ name: entry, path }) => (
          <li>
            <a href={path}>{texts.menu[entry]}</a>
          </li>
        ))}
      </ul>
    </>,
  );
}
