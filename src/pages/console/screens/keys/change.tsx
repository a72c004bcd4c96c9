import { changeApplication } from "../../../../api/applications/routes.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { localeOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { ActionForm, ProblemNotice } from "../../ui/parts.tsx";
import { pageStatus } from "../answers.tsx";
import { findApplication } from "./find-application.ts";
import { changeRequest, typedApplication, typedOf, type TypedApplication } from "./form.ts";
import { ApplicationFields } from "./pages.tsx";

const ACTIVE = "/console/keys";

/** The change of an application: what its keys may do, from where and until when. */
export function changeApplicationRoutes(app: ConsoleApp): void {
  app.get(
    "/keys/:id/change",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => showForm(c, c.req.param("id")),
  );
  app.post(
    "/keys/:id/change",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => change(c, c.req.param("id")),
  );
}

async function showForm(c: ConsoleContext, id: string) {
  const application = await findApplication(c, id);
  // Its page says that it is not there.
  if (application === null) return c.redirect(`${ACTIVE}/${encodeURIComponent(id)}`);
  const typed = typedOf(application, localeOf(c).language);
  return formPage(c, { id, typed, shown: JSON.stringify(typed), refusal: null });
}

async function change(c: ConsoleContext, id: string) {
  const { typed, shown } = await typedApplication(c);
  const json = changeRequest(typed, shownIn(shown));
  const answer = await callRoute(c, changeApplication, { params: { id }, json });
  if (!answer.ok) return formPage(c, { id, typed, shown, refusal: answer });
  return c.redirect(`${ACTIVE}/${encodeURIComponent(id)}?done=1`, 303);
}

/** What the form showed; without it every field counts as changed. */
function shownIn(text: string): Partial<TypedApplication> {
  try {
    return JSON.parse(text) as Partial<TypedApplication>;
  } catch {
    return {};
  }
}

function formPage(
  c: ConsoleContext,
  form: {
    id: string;
    typed: TypedApplication;
    shown: string;
    refusal: { status: number; body: ApiProblem } | null;
  },
) {
  const { id, typed, shown, refusal } = form;
  const texts = textsOf(c);
  const labels = texts.keys;
  const problem = refusal?.body ?? null;
  return page(
    c,
    {
      title: labels.change,
      active: ACTIVE,
      status: pageStatus({ status: refusal?.status ?? 200 }),
    },
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{labels.changeHint}</p>
      <ActionForm
        action={`${ACTIVE}/${encodeURIComponent(id)}/change`}
        idempotencyKey={crypto.randomUUID()}
        submit={labels.save}
      >
        <input type="hidden" name="shown" value={shown} />
        <ApplicationFields typed={typed} problem={problem} />
      </ActionForm>
      <p>
        <a href={`${ACTIVE}/${encodeURIComponent(id)}`}>{labels.cancel}</a>
      </p>
    </>,
  );
}
