import type { ApiProblem } from "../../api.ts";
import { Facts, Field, ProblemNotice } from "../../ui/parts.tsx";
import { WEBHOOKS_PATH, type Verdict } from "./webhook.ts";
import { useTexts } from "../../texts.ts";

/** What a person pasted; the secret is never shown again. */
export interface Received {
  headers: string;
  body: string;
}

/**
 * Pasted headers as the API takes them: a JSON object, or a line `name: value` each. A line without a colon is
 * ignored, and the API names the header that is missing.
 */
export function headersOf(pasted: string): Record<string, unknown> {
  const json = jsonObject(pasted);
  if (json !== null) return json;
  const lines = pasted.split(/\r?\n/).filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function jsonObject(text: string): Record<string, unknown> | null {
  if (!text.trim().startsWith("{")) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Finds out why a webhook does not verify. */
export function DebuggerPage(props: {
  typed: Received;
  verdict: Verdict | null;
  problem: ApiProblem | null;
}) {
  const { typed, verdict, problem } = props;
  const labels = useTexts().webhooks;
  const errors = (name: string) => problem?.errors?.[name];
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {verdict === null ? null : <VerdictNotice verdict={verdict} />}
      <p>{labels.debuggerHint}</p>
      <form class="action" method="post" action={`${WEBHOOKS_PATH}/verify`}>
        <Field
          rows={6}
          label={labels.headers}
          name="headers"
          value={typed.headers}
          hint={labels.headersHint}
          errors={errors("headers")}
        />
        <Field
          rows={6}
          label={labels.body}
          name="body"
          value={typed.body}
          hint={labels.bodyHint}
          errors={errors("body")}
        />
        <Field
          label={labels.yourSecret}
          name="secret"
          type="password"
          autocomplete="off"
          hint={labels.yourSecretHint}
          errors={errors("secret")}
        />
        <button type="submit" class="primary">
          {labels.verify}
        </button>
      </form>
      <p>
        <a href={WEBHOOKS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { webhooks: labels, shell } = useTexts();
  const { verified, cause, detail, eventId } = verdict;
  return (
    <div class={`notice ${verified ? "good" : "bad"}`} role="status">
      <p>
        <strong>{cause === null ? labels.verified : labels.causes[cause]}</strong>
      </p>
      {verified ? null : (
        <details>
          <summary>{shell.technical}</summary>
          <p lang="en">{detail}</p>
        </details>
      )}
      <Facts
        of={[
          [labels.cause, cause === null ? null : <code>{cause}</code>],
          [labels.event, eventId === null ? null : <code>{eventId}</code>],
        ]}
      />
    </div>
  );
}
