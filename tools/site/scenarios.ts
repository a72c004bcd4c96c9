import { readFileSync } from "node:fs";
import { join } from "node:path";
import { READY_NAMES, readyScenario, type ReadyName } from "../../src/domain/scenarios/ready.ts";
import { wordsIn } from "../../src/domain/scenarios/scenario.ts";
import { ROOT } from "../lib/root.ts";
import type { Language } from "./pages.ts";

const LANGUAGE_OF_WORDS = { en: "en", "pt-br": "pt-BR" } as const;
/** The story whose whole file the page shows. */
const SHOWN: ReadyName = "payout-returned";

/** Each ready scenario: its name, what it teaches, and the command that plays it. One has its file too. */
export function scenariosPart(language: Language): string {
  const inWords = LANGUAGE_OF_WORDS[language];
  return READY_NAMES.map((name) => {
    const scenario = readyScenario(name);
    if (scenario === null) throw new Error(`${name} is no scenario`);
    const parts = [
      `## ${wordsIn(scenario.name, inWords)}`,
      wordsIn(scenario.description, inWords),
      `\`\`\`bash\nnpx centavo scenario run ${name}\n\`\`\``,
    ];
    if (name === SHOWN) parts.push(`\`\`\`json\n${fileOf(name)}\`\`\``);
    return parts.join("\n\n");
  }).join("\n\n");
}

function fileOf(name: ReadyName): string {
  return readFileSync(join(ROOT, "src/domain/scenarios/ready", `${name}.json`), "utf8");
}
