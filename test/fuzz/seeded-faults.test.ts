import { afterAll, beforeAll, expect, it } from "vitest";
import { env } from "../support/builders/companies/company.ts";
import { silenceLogs } from "../model/silence-logs.ts";
import { Fuzz, type Between } from "./fuzz.ts";

const SEED = 7;
const REQUESTS = 60;

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

/** A fault in the answers whose status is below 300. */
function inSuccess(change: (response: Response, text: string) => Response): Between {
  return async (answer) => {
    const response = await answer;
    if (response.status >= 300 || response.status === 204) return response;
    return change(response, await response.text());
  };
}

const FAULTS: Record<string, { fault: RegExp; between: Between }> = {
  "a member that the document does not have": {
    fault: /breaks its schema: .*additionalProperties/,
    between: inSuccess(
      (response, text) => new Response(text.replace("{", '{"debug":true,'), response),
    ),
  },
  "an undocumented status": {
    fault: /206 is not documented/,
    between: inSuccess(
      (response, text) => new Response(text, { status: 206, headers: response.headers }),
    ),
  },
  "an undocumented code of a documented status": {
    fault: /4\d\d MADE_UP is not documented/,
    between: async (answer) => {
      const response = await answer;
      if (response.status < 400) return response;
      const text = await response.text();
      return new Response(text.replace(/"code":"\w+"/, '"code":"MADE_UP"'), response);
    },
  },
  "another media type": {
    fault: /text\/html is not documented/,
    between: inSuccess((response, text) => {
      const headers = new Headers(response.headers);
      headers.set("Content-Type", "text/html");
      return new Response(text, { status: response.status, headers });
    }),
  },
  "a missing trace id": {
    fault: /has no trace id/,
    between: inSuccess((response, text) => {
      const headers = new Headers(response.headers);
      headers.delete("X-Trace-Id");
      return new Response(text, { status: response.status, headers });
    }),
  },
  "an exception": {
    fault: /is a 5xx/,
    between: inSuccess(
      (response) => new Response('{"status":500}', { status: 500, headers: response.headers }),
    ),
  },
  "the other company's data": {
    fault: /shows the other company's data/,
    between: inSuccess(
      (response, text) => new Response(`${text.slice(0, -1)},"of":["mark-1","mark-2"]}`, response),
    ),
  },
  "a change of another company": {
    fault: /company \d changed in D1 companies/,
    between: async (answer) => {
      await env.DB.prepare("UPDATE companies SET name = name || '.'").run();
      return answer;
    },
  },
};

it.each(Object.entries(FAULTS))("the fuzz finds %s", async (_name, { fault, between }) => {
  const { faults } = await new Fuzz(SEED, between).run(REQUESTS);
  expect(faults.join("\n")).toMatch(fault);
});

it("the fuzz finds nothing in the same requests without a fault", async () => {
  expect((await new Fuzz(SEED).run(REQUESTS)).faults).toEqual([]);
});
