import {
  deleteSavedView,
  listSavedViews,
  createSavedView,
  renameSavedView,
} from "../../../../api/saved-views/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import type { RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { ProblemNotice } from "../../ui/parts.tsx";
import { formOf, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { queryOf } from "./filters.ts";
import { savedFiltersOf, SaveViewForm, ViewSettings } from "./views.tsx";

const PATH = "/console/payments";

/** Filters of the list under names: save, rename, delete. Each person sees his own. */
export function savedViewRoutes(app: ConsoleApp): void {
  app.get("/payments/views", requireMember, requirePermission("transactions:read"), (c) =>
    showSettings(c),
  );
  app.post("/payments/views", requireMember, requirePermission("transactions:read"), (c) =>
    save(c),
  );
  app.post(
    "/payments/views/:id/rename",
    requireMember,
    requirePermission("transactions:read"),
    async (c) => {
      const { name = "" } = await formOf(c);
      const params = { id: c.req.param("id") };
      return settingsAfter(c, await callRoute(c, renameSavedView, { params, json: { name } }));
    },
  );
  app.post(
    "/payments/views/:id/delete",
    requireMember,
    requirePermission("transactions:read"),
    async (c) => {
      const params = { id: c.req.param("id") };
      return settingsAfter(c, await callRoute(c, deleteSavedView, { params }));
    },
  );
}

/** The person's views, or what the API refused. */
export function readViews(c: ConsoleContext) {
  return callRoute(c, listSavedViews);
}

interface Refused {
  answer: RouteRefusal;
  /** The save form, which keeps what was typed. */
  form?: Form;
}

async function save(c: ConsoleContext) {
  const form = await formOf(c);
  const { name = "" } = form;
  const filters = savedFiltersOf(form);
  const answer = await callRoute(c, createSavedView, { json: { name, filters } });
  if (!answer.ok) return showSettings(c, { answer, form });
  return c.redirect(`${PATH}?${queryOf(filters)}`, 303);
}

async function settingsAfter(c: ConsoleContext, answer: { ok: true } | RouteRefusal) {
  return answer.ok ? c.redirect(`${PATH}/views`, 303) : showSettings(c, { answer });
}

async function showSettings(c: ConsoleContext, refused?: Refused) {
  const texts = textsOf(c);
  const head = { title: texts.savedViews.title, active: PATH };
  const views = await readViews(c);
  if (!views.ok) return refusalPage(c, head, views);
  const { form } = refused ?? {};
  return page(
    c,
    { ...head, status: refused === undefined ? 200 : pageStatus(refused.answer) },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.answer.body} />}
      {form === undefined ? null : (
        <SaveViewForm
          filters={savedFiltersOf(form)}
          name={form["name"] ?? ""}
          errors={refused?.answer.body.errors?.["name"] ?? []}
        />
      )}
      <ViewSettings views={views.body.items} />
    </>,
  );
}
