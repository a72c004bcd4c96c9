import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";

/** Loading the Worker's code takes seconds, and longer on a busy machine. */
const START_MS = 120_000;

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Decisions and the list of changes say what was true on their day. */
const HISTORY = ["docs/decisions/", "CHANGELOG.md"];
const OF_GATEWAY: string[] = globSync(["*.md", "docs/**/*.md"], { cwd: ROOT });
/** The clients' and the plugin's own pages. */
const OF_CLIENTS: string[] = globSync("{clients,examples}/**/*.md", {
  cwd: ROOT,
  exclude: ["**/{node_modules,vendor,dist}/**"],
});
const ALL_PAGES = [...OF_GATEWAY, ...OF_CLIENTS].toSorted();
const PAGES = ALL_PAGES.filter((page) => !HISTORY.some((start) => page.startsWith(start)));

/** What stands between backticks, outside of blocks. */
function spansOf(page: string): string[] {
  const text = read(page).replaceAll(/```[^]*?```/g, "");
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, span = ""]) => span.replaceAll(/\s+/g, " "));
}

/** The lines of a page's blocks of shell commands, each whole, also where a backslash breaks it. */
function shellOf(page: string): string[] {
  return Array.from(read(page).matchAll(/```sh\n([^]*?)```/g), ([, block = ""]) =>
    block.replaceAll(/\\\n\s*/g, " ").split("\n"),
  ).flat();
}

describe.each(ALL_PAGES)("%s", (page) => {
  it("links only to files and headings that exist", () => {
    const links = Array.from(
      // What begins with a slash is on the service: test/e2e/site follows it.
      read(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s#]*)(?:#([^)\s]+))?\)/g),
      ([, file = "", heading]) => ({ file, heading }),
    );
    const dead = links.filter(({ file, heading }) => {
      const target = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(ROOT, target))) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });
    expect(dead).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return Array.from(read(page).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

describe.each(PAGES)("%s", (page) => {
  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = Array.from(
      read(page).matchAll(/\bnpm\s+run\s+([\w:-]*\w)/g),
      ([, name = ""]) => name,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("names only files and folders that exist", () => {
    expect(spansOf(page).filter(isPath).filter(isMissing)).toEqual([]);
  });

  it("has only commands whose files and projects exist", () => {
    const commands = [...shellOf(page), ...spansOf(page).filter((span) => COMMAND.test(span))];
    const words = commands.flatMap((command) => command.replace(/\s#\s.*/, "").split(/\s+/));
    const paths = words.flatMap((word) => braced(word)).filter((word) => OF_COMMAND.test(word));
    expect(paths.filter(isMissing)).toEqual([]);
    const projects = commands.flatMap((command) =>
      Array.from(command.matchAll(/\bvitest run --project (\w+)/g), ([, name = ""]) => name),
    );
    expect(projects.filter((name) => !PROJECTS.includes(`name: "${name}"`))).toEqual([]);
  });

  it("gives npm scripts only options that they read", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const given = [...shellOf(page), ...spansOf(page)].flatMap((text) =>
      Array.from(text.matchAll(/\bnpm run (?:-s )?([\w:-]+) -- ([^;|#&]*)/g)).flatMap(
        ([, script = "", rest = ""]) =>
          Array.from(rest.matchAll(/(?:^|\s)--([a-z][a-z-]*)/g), ([, option = ""]) => ({
            script,
            option,
          })),
      ),
    );
    const unread = given.filter(({ script, option }) => {
      const [, tool] = /^node (\S+\.ts)/.exec(scripts[script] ?? "") ?? [];
      return tool !== undefined && !sourceOf(tool).includes(option);
    });
    expect(unread).toEqual([]);
  });
});

const COMMAND = /^(?:npx|npm|node|python3) /;
const OF_COMMAND = /^(?:src|test|tools|docs|bench|bin|migrations|clients|examples)\/[\w./*-]+$/;
const PROJECTS = read("vitest.config.ts");

/** A word of a command; `a/{b,c}` is two. */
function braced(word: string): string[] {
  const [, before = "", inside, after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(word) ?? [];
  return inside === undefined ? [word] : inside.split(",").map((one) => before + one + after);
}

/** The text of a tool and of our files that it imports, as far as they go. */
function sourceOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !existsSync(join(ROOT, file))) return "";
  seen.add(file);
  const text = read(file);
  const imported = Array.from(text.matchAll(/from "(\.[^"]+\.ts)"/g), ([, path = ""]) =>
    join(dirname(file), path),
  ).filter((path) => !path.startsWith("src/"));
  return [text, ...imported.map((path) => sourceOf(path, seen))].join("\n");
}

const FOLDER = /^(?:src|test|tools|docs|bench|bin|migrations)\/[\w./*{},-]*$/;
const FILE = /^[\w.-]+\.(?:test\.ts|tsx?|md|py|sql)$/;
/** A generated client's, and a folder that is there from the first migration that contracts. */
const NOT_HERE = new Set(["centavo.d.ts", "migrations/contract"]);

function isPath(span: string): boolean {
  return (FOLDER.test(span) || FILE.test(span)) && !NOT_HERE.has(span);
}

let names: Set<string> | undefined;

/** A file without a folder is somewhere in the repository. */
function isMissing(path: string): boolean {
  if (path.includes("/")) return globSync(path, { cwd: ROOT }).length === 0;
  names ??= new Set(
    globSync("{*,{src,test,tools,docs,bench,migrations}/**/*}", { cwd: ROOT }).map((file) =>
      basename(file),
    ),
  );
  return !names.has(path);
}

describe("routes", () => {
  /** `METHOD /path`, with `{}` for each parameter. */
  let routes: Set<string>;

  beforeAll(async () => {
    // By its path, because its types need the Workers platform, which these tests lack.
    const { createApp } = (await import(join(ROOT, "src/app.ts"))) as {
      createApp: () => { routes: { method: string; path: string }[] };
    };
    routes = new Set(
      createApp().routes.map(({ method, path }) => `${method} ${withoutNames(path)}`),
    );
  }, START_MS);

  it.each(PAGES)("of %s exist", (page) => {
    const unknown = spansOf(page)
      .flatMap(routesIn)
      .filter((route) => !isRoute(route));
    expect(unknown).toEqual([]);
  });

  /** Whether the route exists; `...` stands for the beginning of a path that the page has named. */
  function isRoute(route: string): boolean {
    if (routes.has(route)) return true;
    const [method = "", path = ""] = route.split(" ");
    return (
      path.startsWith(".../") &&
      [...routes].some((one) => one.startsWith(`${method} `) && one.endsWith(path.slice(3)))
    );
  }
});

const METHODS = "GET|POST|PUT|PATCH|DELETE";
const ROUTE = new RegExp(
  `\\b((?:${METHODS})(?:\\|(?:${METHODS}))*) ((?:\\.\\.\\.)?/[^\\s?]*)`,
  "g",
);
/** The first segments of our own addresses; others are a PSP's. */
const OURS =
  /^(?:\.\.\.|\/(?:api|boletos|callbacks|checkout|console|docs|health|l|metrics|openapi\.json|r|ready|receipts|\.well-known)\b|\/$)/;

/** The routes that a text names, one for each method. */
function routesIn(span: string): string[] {
  return Array.from(span.matchAll(ROUTE), ([, methods = "", path = ""]) => ({ methods, path }))
    .filter(({ path }) => OURS.test(path))
    .flatMap(({ methods, path }) =>
      methods.split("|").map((method) => `${method} ${withoutNames(path)}`),
    );
}

/** A path with `{}` for each parameter, whichever way it is written. */
function withoutNames(path: string): string {
  return path.replaceAll(/:\w+(?:\{[^}]*\})?/g, "{}").replaceAll(/\{\w*\}/g, "{}");
}

/**
 * The pages that people write have at most so many words: what has more is read by nobody. The guide's Portuguese says the
 * same as its English, so its words do not count.
 */
const WORDS_MAX = 40_000;
const NOT_COUNTED = ["docs/generated/", "docs/guide/pt-br/"];

it("the pages that people write stay short", () => {
  const words = OF_GATEWAY.filter((page) => !NOT_COUNTED.some((start) => page.startsWith(start)))
    .flatMap((page) => read(page).split(/\s+/u))
    .filter((word) => /[\p{Letter}\p{Number}]/u.test(word));
  expect(words.length).toBeLessThanOrEqual(WORDS_MAX);
});

describe("counts", () => {
  it("the heading of each recipe counts its steps", () => {
    const recipes = read("docs/recipes.md").split(/^## /m).slice(1);
    const counted = recipes.flatMap((recipe) => {
      const [, title = "", count] = /^(.*): (\d+) files?$/m.exec(recipe) ?? [];
      return count === undefined
        ? []
        : [{ title, said: Number(count), steps: recipe.match(/^\d+\. /gm)?.length }];
    });
    expect(counted.length).toBeGreaterThan(5);
    for (const { title, said, steps } of counted) expect(said, title).toBe(steps);
  });

  it("the page of the architecture has each task of the cron, and no other", () => {
    const [, tasks = ""] = /const TASKS: Tasks = \{([^}]*)\}/.exec(read("src/scheduled.ts")) ?? [];
    const [, section = ""] = /^## Cron\n([^]*?)^## /m.exec(read("docs/architecture.md")) ?? [];
    const named = section.matchAll(/^\| `(\w+)` /gm);
    expect(Array.from(named, ([, name]) => name).toSorted()).toEqual(
      Array.from(tasks.matchAll(/^ {2}(\w+):/gm), ([, name]) => name).toSorted(),
    );
  });

  it("the page of performance has each goal that the bench missed, and no other", () => {
    const missed = Array.from(
      read("docs/generated/bench.md").matchAll(/^\| ([^|]+?) +\|[^|]*\|[^|]*\| \*\*no\*\*/gm),
      ([, goal = ""]) => goal,
    );
    const [, section = ""] = read("docs/performance.md").split("## Goals that are missed\n");
    const named = Array.from(section.matchAll(/^\| ([a-z][^|]*?) +\|/gm), ([, goal = ""]) => goal)
      // The table's head.
      .filter((goal) => goal !== "goal");
    expect(missed.length).toBeGreaterThan(0);
    expect(missed.filter((goal) => !named.some((start) => goal.startsWith(start)))).toEqual([]);
    expect(named.filter((start) => !missed.some((goal) => goal.startsWith(start)))).toEqual([]);
  });

  it("the page of tests has the sizes of the suite", () => {
    const config = read("vitest.config.ts");
    const page = read("docs/testing.md");
    const sizeOf = (name: string) => {
      const [, size = ""] = new RegExp(`const ${name} = ([\\d_]+);`).exec(config) ?? [];
      return Number(size.replaceAll("_", "")).toLocaleString("en");
    };
    expect(page).toContain(`${sizeOf("MODEL_SUITE_RUNS")} lives`);
    expect(page).toContain(`one with banks for each ${sizeOf("RUNS_FOR_ONE_WITH_BANKS")}`);
    expect(page).toContain(`${sizeOf("CHAOS_SUITE_EVENTS")} events`);
    expect(page).toContain(`${sizeOf("FUZZ_SUITE_REQUESTS")} requests`);
  });
});
