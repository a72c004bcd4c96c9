import { playScenario } from "../../../../domain/scenarios/play.ts";
import { readyScenario } from "../../../../domain/scenarios/ready.ts";
import { ScenarioRefused, type ScenarioService } from "../../../../domain/scenarios/service.ts";
import { newUuid } from "../../../../domain/shared/ids.ts";
import { callPath } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { clockIsNowAt, companyModeOf } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { forbiddenPage, notFoundPage } from "../../ui/error-pages.tsx";
import { page } from "../../ui/layout.tsx";
import { pageStatus } from "../answers.tsx";
import { NotGood, PlayedScenario, SCENARIOS_PATH, ScenarioList } from "./pages.tsx";

/** The service writes an event down within this. */
const PAUSE_MS = 100;

/** A scenario may set terms, as an owner may. */
const mayPlay = requirePermission("settings:write");

/** The ready scenarios of a sandbox company, and playing one. */
export function scenariosScreen(app: ConsoleApp): void {
  app.get("/scenarios", requireMember, mayPlay, (c) =>
    companyModeOf(c) === "live" ? forbiddenPage(c) : page(c, headOf(c), <ScenarioList />),
  );
  app.post("/scenarios", requireMember, mayPlay, (c) => play(c));
}

async function play(c: ConsoleContext) {
  const name = (await formOf(c))("scenario");
  const scenario = readyScenario(name);
  if (companyModeOf(c) === "live") return forbiddenPage(c);
  if (scenario === null) return notFoundPage(c);
  try {
    const key = `scenario_${newUuid(c.env.outer.get("deps").random)}`;
    const played = await playScenario(serviceOf(c), scenario, key);
    clockIsNowAt(c, Date.parse(played.now));
    return page(c, headOf(c), <PlayedScenario scenario={scenario} played={played} />);
  } catch (error) {
    if (!(error instanceof ScenarioRefused)) throw error;
    return page(
      c,
      { ...headOf(c), status: pageStatus(error) },
      <>
        <NotGood text={error.message} />
        <ScenarioList />
      </>,
    );
  }
}

/** The API as the signed-in person calls it, in this process. */
function serviceOf(c: ConsoleContext): ScenarioService {
  return {
    send: (request) => callPath(c, request),
    pause: () => scheduler.wait(PAUSE_MS),
  };
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).menu.scenarios, active: SCENARIOS_PATH };
}
