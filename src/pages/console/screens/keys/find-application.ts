import { listApplications } from "../../../../api/applications/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { Application } from "./form.ts";

/** An application of the company; null if there is none. The API shows one only in its list, of at most 50. */
export async function findApplication(c: ConsoleContext, id: string): Promise<Application | null> {
  const answer = await callRoute(c, listApplications, { query: { limit: 100 } });
  if (!answer.ok) return null;
  return answer.body.items.find((each) => each.id === id) ?? null;
}
