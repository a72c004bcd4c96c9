import type { Context } from "hono";
import type { OperatorPermission } from "../../../../domain/operators/operator.ts";
import type { ConsoleApp, ConsoleContext, ConsoleEnv } from "../../context.ts";
import { requireOperatorPerson } from "../../people/require-member.ts";
import { requireOperatorPermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { formOf, type Form } from "../answers.tsx";

type Answer = Response | Promise<Response>;

type Guard<Run> = (path: string, permission: OperatorPermission, run: Run) => void;

interface OperatorGuards {
  /** A page that changes nothing. */
  show: Guard<(c: ConsoleContext) => Answer>;
  /** A page with a form: asks for the second factor before anything is typed. */
  showForm: Guard<(c: ConsoleContext) => Answer>;
  /** What a form does. */
  act: Guard<(c: ConsoleContext, form: Form) => Answer>;
}

/** The three kinds of an operator's routes, each behind its guards. */
export function operatorGuards(app: ConsoleApp): OperatorGuards {
  return {
    show: (path, permission, run) => {
      app.get(
        path,
        requireOperatorPerson,
        requireOperatorPermission(permission),
        (c: Context<ConsoleEnv>) => run(c),
      );
    },
    showForm: (path, permission, run) => {
      app.get(
        path,
        requireOperatorPerson,
        requireOperatorPermission(permission),
        requireFreshSecondFactor,
        (c: Context<ConsoleEnv>) => run(c),
      );
    },
    act: (path, permission, run) => {
      app.post(
        path,
        requireOperatorPerson,
        requireOperatorPermission(permission),
        requireFreshSecondFactor,
        async (c: Context<ConsoleEnv>) => run(c, await formOf(c)),
      );
    },
  };
}

/** What was just done, from the URL's `done`: a word of the screen's texts. */
export function doneOf(c: ConsoleContext, labels: Record<string, string>): string | undefined {
  const asked = c.req.query("done") ?? "";
  return Object.hasOwn(labels, asked) ? labels[asked] : undefined;
}
