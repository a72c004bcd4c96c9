import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import { ROOT } from "../../../tools/lib/root.ts";

/** The commands of the runbook that a drill runs, each as its page has it. */
export const COMMANDS = {
  verify: {
    page: "runbook/copy_mended.md",
    text: "npm run verify -- --env $E --company <id>",
  },
  unfreeze: {
    page: "runbook/ledger_violated.md",
    text: `op -X DELETE "$URL/api/v1/operator/companies/<id>/freeze" -d '{"reason":"..."}'`,
  },
  approve: {
    page: "runbook/README.md",
    text: `op "$URL/api/v1/operator/proposals/<proposal>/approve" -d '{"reason":"..."}'`,
  },
  status: { page: "runbook/README.md", text: `op "$URL/api/v1/operator/status"` },
  deadLetters: {
    page: "runbook/dead_letters.md",
    text: `op "$URL/api/v1/operator/dead-letters"`,
  },
  replay: {
    page: "runbook/dead_letters.md",
    text: `op -X POST "$URL/api/v1/operator/dead-letters/<letter>/replay"`,
  },
  rotateSecrets: {
    page: "runbook/psp_unreadable.md",
    text: "npm run rotate-secrets -- --env $E",
  },
  pause: { page: "restore.md", text: `npm run service -- pause --env $E --reason "..."` },
  restore: {
    page: "restore.md",
    text: "npm run restore -- --env $E --since <time>",
  },
  restoreCompany: { page: "restore.md", text: "npm run restore -- --env $E --company <id>" },
  resume: { page: "restore.md", text: `npm run service -- resume --env $E --reason "..."` },
  ready: { page: "runbook/cron_task_silent.md", text: `curl -s "$URL/ready"` },
} satisfies Record<string, { page: string; text: string }>;

export type CommandName = keyof typeof COMMANDS;

/** Who runs a command: the operator on call, or the one who approves what he proposes. */
export type Operator = "operator" | "approver";

const KEYS: Record<Operator, string> = {
  operator: LOCAL_OPERATOR_KEY,
  approver: LOCAL_APPROVER_KEY,
};

export interface CommandResult {
  /** The exit code. */
  status: number;
  output: string;
}

const run = promisify(execFile);

/**
 * Runs a command of the runbook in a shell, as an operator would on his own machine: `PORT` stands in place of `--env`,
 * and what the page leaves open is filled in.
 */
export async function runCommand(
  base: string,
  name: CommandName,
  blanks: Record<string, string | number> = {},
  by: Operator = "operator",
): Promise<CommandResult> {
  const env = {
    ...process.env,
    URL: base,
    PORT: new URL(base).port,
    CENTAVO_OPERATOR_ID: by,
    CENTAVO_OPERATOR_KEY: KEYS[by],
  };
  const script = `${operatorFunction()}\n${filledIn(COMMANDS[name].text, blanks)}`;
  try {
    const { stdout, stderr } = await run("sh", ["-c", script], { cwd: ROOT, env });
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { status: code, output: `${stdout ?? ""}${stderr ?? ""}` };
  }
}

/** A command of the page with its blanks filled in. */
function filledIn(text: string, blanks: Record<string, string | number>): string {
  const filled = text
    .replace(" --env $E", "")
    .replaceAll(/<(\w+)>/g, (blank, key: string) => String(blanks[key] ?? blank));
  return filled.replace(`"..."`, `"drill"`);
}

/** The shell function with which the pages ask the API, from the runbook's first page. */
function operatorFunction(): string {
  const [found] = /^op\(\) \{.*\}$/m.exec(readPage("runbook/README.md")) ?? [];
  if (found === undefined) throw new Error("the runbook's first page has no op()");
  return found;
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, "docs", page), "utf8");
}
