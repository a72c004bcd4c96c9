import { writeFileSync } from "node:fs";
import { isMet, NOT_MEASURED, type Findings, type Goal, type Table } from "./goals.ts";

const HEADING = `# Bench figures

Written by \`npm run bench\`. [performance.md](../performance.md) says what each figure means.`;

export interface Run {
  commit: string;
  /** Day, machine, and whether it was the quick one. */
  about: string;
  command: string;
}

/** Replaces a file's content with the figures of a run. */
export function writeReport(file: string, run: Run, findings: Findings): void {
  writeFileSync(file, `${markdownOf(run, findings)}\n`);
}

export function markdownOf(run: Run, { goals, tables }: Findings): string {
  const held = goals.filter(isMet).length;
  const intro = `${run.about}. ${held} of ${goals.length} goals hold.`;
  return [HEADING, intro, tableOf(goalTable(run, goals)), ...tables.map(section)].join("\n\n");
}

/** The goals as text for a terminal. */
export function goalLines(goals: Goal[]): string {
  return goals
    .map((goal) => {
      const mark = isMet(goal) ? "holds" : "MISSED";
      const spread = goal.spread === undefined ? "" : ` [${goal.spread.map(shown).join(" to ")}]`;
      const note = goal.note === undefined ? "" : ` (${goal.note})`;
      return `${mark.padEnd(6)}  ${goal.name}: ${shown(goal.measured)}${spread}, ${goal.bound} ${shown(goal.goal)}${note}`;
    })
    .join("\n");
}

export function tableLines({ title, prose, head, rows }: Table): string {
  const cells = [head, ...rows.map((row) => row.map(shown))];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? "").length)));
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
  return [`\n${title}`, ...(prose === undefined ? [] : [prose]), ...lines].join("\n");
}

function goalTable(run: Run, goals: Goal[]): Table {
  return {
    title: "",
    head: [
      "measure",
      "goal",
      "measured",
      "holds",
      "baseline",
      "ratio",
      "spread",
      "commit",
      "repeat",
    ],
    rows: goals.map((goal) => [
      goal.note === undefined ? goal.name : `${goal.name} (${goal.note})`,
      `${goal.bound} ${shown(goal.goal)}`,
      goal.measured,
      isMet(goal) ? "yes" : "**no**",
      goal.baseline ?? "",
      ratioOf(goal),
      goal.spread === undefined ? "" : goal.spread.map(shown).join(" to "),
      `\`${run.commit}\``,
      `\`${run.command}\``,
    ]),
  };
}

/** Measured divided by goal. */
function ratioOf({ goal, measured }: Goal): string {
  return measured === NOT_MEASURED || goal === 0 ? "" : shown(measured / goal);
}

function section(table: Table): string {
  const prose = table.prose === undefined ? [] : [table.prose];
  return [`## ${table.title}`, ...prose, tableOf(table)].join("\n\n");
}

/** A table in Markdown. */
export function tableOf({ head, rows }: Pick<Table, "head" | "rows">): string {
  return [line(head), line(head.map(() => "---")), ...rows.map((row) => line(row.map(shown)))].join(
    "\n",
  );
}

function line(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** At most three decimals, fewer for large numbers. */
function shown(value: string | number): string {
  if (typeof value === "string") return value;
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 });
}
