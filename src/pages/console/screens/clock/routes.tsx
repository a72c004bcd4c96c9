import { getSandboxClock, moveSandboxClock } from "../../../../api/sandbox/clock/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf, ifTyped } from "../../form.ts";
import { clockIsNowAt } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { ProblemNotice } from "../../ui/parts.tsx";
import { pageStatus, refusalPage } from "../answers.tsx";
import { CLOCK_PATH, ClockForms, WhatRan } from "./pages.tsx";

const UNTYPED = { advance: "P1D", set: "" };

const mayMove = requirePermission("webhooks:write");

/** The clock of a sandbox company: its time, and moving it forward. */
export function clockScreen(app: ConsoleApp): void {
  app.get("/clock", requireMember, mayMove, async (c) => {
    const clock = await callRoute(c, getSandboxClock);
    if (!clock.ok) return refusalPage(c, headOf(c), clock);
    return page(
      c,
      headOf(c),
      <ClockForms clock={clock.body.data} typed={UNTYPED} problem={null} />,
    );
  });
  app.post("/clock", requireMember, mayMove, (c) => move(c));
}

async function move(c: ConsoleContext) {
  const field = await formOf(c);
  const [advance, set] = [field("advance"), field("set")];
  const moved = await callRoute(c, moveSandboxClock, {
    json: { advance: ifTyped(advance), set: ifTyped(set) },
  });
  if (moved.ok) clockIsNowAt(c, Date.parse(moved.body.data.now));
  const typed = moved.ok ? UNTYPED : { advance: advance || UNTYPED.advance, set };
  return page(
    c,
    { ...headOf(c), status: pageStatus(moved) },
    <>
      {moved.ok ? <WhatRan moved={moved.body.data} /> : <ProblemNotice problem={moved.body} />}
      <ClockForms clock={null} typed={typed} problem={moved.ok ? null : moved.body} />
    </>,
  );
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).menu.clock, active: CLOCK_PATH };
}
