import type { Context } from "hono";
import type { OperatorPermission } from "../../../../domain/access/operator.ts";
import type { ConsoleApp, ConsoleContext, ConsoleEnv } from "../../context.ts";
import { requireOperatorPerson } from "../../people/require-person.ts";
import { requireOperatorPermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { formOf, type Form } from "../answers.tsx";

type Answer = Response | Promise<Response>;

/** The three kinds of an operator's routes, each behind its guards. */
export function operatorWays(app: ConsoleApp) {
  return {
    /** A page that changes nothing. */
    show(path: string, permission: OperatorPermission, run: (c: ConsoleContext) => Answer): void {
      app.get(
        path,
        requireOperatorPerson,
        requireOperatorPermission(permission),
        (c: Context<ConsoleEnv>) => run(c),
      );
    },
    /** A page with a form: asks for the second factor before anything is typed. */
    showForm(
      path: string,
      permission: OperatorPermission,
      run: (c: ConsoleContext) => Answer,
    ): void {
      app.get(
        path,
        requireOperatorPerson,
        requireOperatorPermission(permission),
        requireFreshSecondFactor,
        (c: Context<ConsoleEnv>) => run(c),
      );
    },
    /** What a form does. */
    act(
      path: string,
      permission: OperatorPermission,
      run: (c: ConsoleContext, form: Form) => Answer,
    ): void {
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
export function doneOf(c: ConsoleContext, words: Record<string, string>): string | undefined {
  const asked = c.req.query("done") ?? "";
  return Object.hasOwn(words, asked) ? words[asked] : undefined;
}
