import { listPeople } from "../../../../api/people/routes.ts";
import { listWebhookEndpoints } from "../../../../api/webhooks/endpoints/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { useTexts, type Texts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import { may } from "../answers.tsx";

/** Outlines of lucide (ISC), in a square of 24. */
const TICK = "M20 6 9 17l-5-5";
const RING = "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z";

/** A step to the first payment. */
interface Step {
  name: keyof Texts["home"]["steps"];
  path: string;
  isDone: boolean;
}

/** The five steps of a new company, for a person who may do them all; null for others. */
export async function firstStepsOf(
  c: ConsoleContext,
  { hasCharge, hasPayment }: { hasCharge: boolean; hasPayment: boolean },
): Promise<Step[] | null> {
  if (hasPayment || !may(c, "people:write") || !may(c, "webhooks:write")) return null;
  const [people, endpoints] = await Promise.all([
    callRoute(c, listPeople),
    callRoute(c, listWebhookEndpoints, { query: {} }),
  ]);
  const hasTeam = people.ok && people.body.items.length > 1;
  const hasEndpoint = endpoints.ok && endpoints.body.items.length > 0;
  return [
    { name: "protect", path: "/console/account", isDone: c.get("session").hasSecondFactor },
    { name: "team", path: "/console/team", isDone: hasTeam },
    { name: "webhook", path: "/console/webhooks", isDone: hasEndpoint },
    { name: "charge", path: "/console/charges/new", isDone: hasCharge },
    { name: "receive", path: "/console/payments", isDone: hasPayment },
  ];
}

/** The steps, with those that are done ticked. */
export function FirstSteps({ steps }: { steps: Step[] }) {
  const labels = useTexts().home;
  return (
    <Section title={labels.firstSteps}>
      <ol class="steps">
        {steps.map(({ name, path, isDone }) => (
          <li class={isDone ? "done" : ""}>
            <svg class="step-mark" viewBox="0 0 24 24" aria-hidden="true">
              <path d={isDone ? TICK : RING} />
            </svg>
            {isDone ? labels.steps[name] : <a href={path}>{labels.steps[name]}</a>}
            {isDone ? <span class="hidden"> ({labels.stepDone})</span> : null}
          </li>
        ))}
      </ol>
    </Section>
  );
}
