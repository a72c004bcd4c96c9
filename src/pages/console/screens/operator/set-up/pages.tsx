import type { OperatorRecord } from "../../../../../db/operator/operators.ts";
import type { ConsoleContext } from "../../../context.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../../people/password-length.ts";
import type { Session } from "../../../context.ts";
import { fill, textsOf, useTexts } from "../../../texts.ts";
import { plainPage } from "../../../ui/layout.tsx";
import { Facts, Field } from "../../../ui/parts.tsx";

type FieldProblem = "emailInvalid" | "emailTaken" | "passwordLength";

interface SetUpPage {
  /** Of the person who has signed in; null for nobody. */
  session: Session | null;
  email?: string;
  problem?: FieldProblem | "otherOperator";
}

/** For a link that is used, replaced, over or wrong: all the same. */
export function endedPage(c: ConsoleContext) {
  const texts = textsOf(c).operatorSetUp;
  return plainPage(c, { title: texts.ended, status: 404 }, <p>{texts.endedWhy}</p>);
}

/** Who the link makes, and how: with a new account, or with that of the one who has signed in. */
export function setUpPage(
  c: ConsoleContext,
  { name, role }: Pick<OperatorRecord, "name" | "role">,
  { session, email = "", problem }: SetUpPage,
) {
  const texts = textsOf(c);
  const labels = texts.operatorSetUp;
  const isConflict = problem === "emailTaken" || problem === "otherOperator";
  return plainPage(
    c,
    {
      title: labels.title,
      status: problem === undefined ? 200 : isConflict ? 409 : 400,
    },
    <>
      <Facts
        of={[
          [labels.name, name],
          [labels.role, texts.operatorRoles[role]],
        ]}
      />
      {isConflict ? (
        <div class="notice bad" role="alert">
          <p>{labels[problem]}</p>
        </div>
      ) : null}
      {session === null ? (
        <p>
          {labels.haveAccount}{" "}
          <a href={`/console/sign-in?next=${encodeURIComponent(c.req.path)}`}>{labels.signIn}</a>
        </p>
      ) : (
        <form method="post" data-once="">
          <p>{fill(labels.signedInAs, { email: session.email })}</p>
          <button type="submit" name="account" value="mine" class="primary">
            {labels.useMine}
          </button>
        </form>
      )}
      <NewAccount email={email} problem={problem} />
    </>,
  );
}

function NewAccount({ email, problem }: { email: string; problem: SetUpPage["problem"] }) {
  const labels = useTexts().operatorSetUp;
  const lengths = { min: PASSWORD_MIN, max: PASSWORD_MAX };
  const error = (of: FieldProblem) => (problem === of ? [fill(labels[of], lengths)] : []);
  return (
    <form method="post" data-once="">
      <h2>{labels.newAccount}</h2>
      <Field
        label={labels.email}
        name="email"
        type="email"
        inputmode="email"
        value={email}
        autocomplete="username"
        errors={[...error("emailInvalid"), ...error("emailTaken")]}
        required
      />
      <Field
        label={labels.password}
        name="password"
        type="password"
        autocomplete="new-password"
        hint={fill(labels.passwordHint, lengths)}
        errors={error("passwordLength")}
        required
      />
      <button type="submit" class="primary">
        {labels.make}
      </button>
    </form>
  );
}
