import { getEvent, listEvents } from "../../../../api/events/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage } from "../../ui/parts.tsx";
import { refusalPage } from "../answers.tsx";
import { EventFilter, EventList, EventPage, EVENTS_PATH } from "./pages.tsx";

const mayRead = requirePermission("webhooks:read");

/** The log of the company's events, newest first, in their order without gaps. */
export function eventsScreen(app: ConsoleApp): void {
  app.get("/events", requireMember, mayRead, (c) => showEvents(c));
  app.get("/events/:id", requireMember, mayRead, (c) => showEvent(c, c.req.param("id")));
}

async function showEvents(c: ConsoleContext) {
  const { type = "", after: from = "" } = c.req.query();
  const answer = await callRoute(c, listEvents, {
    query: { type: ifTyped(type), after: ifTyped(from), order: "newest" },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const { events } = textsOf(c);
  const { items, hasMore } = answer.body;
  return page(
    c,
    headOf(c),
    <>
      <p>{events.about}</p>
      <EventFilter type={type} />
      <EventList items={items} hasMore={hasMore} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function showEvent(c: ConsoleContext, id: string) {
  const answer = await callRoute(c, getEvent, { params: { id } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(c, { ...headOf(c), title: id }, <EventPage event={answer.body} />);
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).events.title, active: EVENTS_PATH };
}
