/**
 * `npm run docs:site`: builds what the service serves as files, the docs site above all, into `dist/assets`. Where nothing
 * changed since the last time it does nothing.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { scenarioSchema } from "../../src/domain/scenarios/scenario.ts";
import { MARK_SVG } from "../../src/pages/shared/look/mark.ts";
import { ROOT } from "../lib/root.ts";
import { ASSETS, digestOfInputs, isBuilt } from "../lib/site.ts";
import { llmsText, markdownOf, sectionsOf } from "./machines.ts";
import { allPages, GROUPS, markdownAddressOf, type Page } from "./pages.ts";
import { ElementStyles, policyOf } from "./policy.ts";
import { writeReferences } from "./swagger.ts";

const PROJECT = join(import.meta.dirname, "project");
const ASTRO = join(ROOT, "node_modules/astro/bin/astro.mjs");
const DIST = dirname(ASSETS);
const DIGEST_DIGITS = 12;
/** A service that runs may serve an earlier build. */
const EARLIER_KEPT = 2;
const STYLES = "element-styles.css";

if (!isBuilt()) build();

function build(): void {
  const digest = digestOfInputs();
  const work = join(DIST, `site-${process.pid}`);
  try {
    const pages = allPages();
    writeProject(join(work, "project"), pages);
    const assets = join(work, "assets");
    runAstro(join(work, "project"), join(assets, "docs"));
    finishPages(assets);
    writeForMachines(assets, pages);
    writeReferences(join(assets, "docs"));
    writeFileSync(join(assets, "digest.txt"), digest);
    keep(assets, digest);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Puts what was built in its place. Each build has a folder of its own, because a service that runs fails when files
 * vanish below it.
 */
function keep(assets: string, digest: string): void {
  const own = `assets-${digest.slice(0, DIGEST_DIGITS)}`;
  // Another process may have built the same.
  if (!existsSync(join(DIST, own))) renameSync(assets, join(DIST, own));
  const link = `${assets}-link`;
  symlinkSync(own, link);
  renameSync(link, ASSETS);
  const earlier = globSync("assets-*", { cwd: DIST })
    .filter((name) => name !== own)
    .map((name) => ({ path: join(DIST, name), at: statSync(join(DIST, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { path } of earlier.slice(EARLIER_KEPT)) rmSync(path, { recursive: true });
}

/** Writes the project that Astro builds: its settings, its menu and the text of each page. */
function writeProject(folder: string, pages: Page[]): void {
  cpSync(PROJECT, folder, { recursive: true });
  writeFileSync(join(folder, "site.json"), JSON.stringify({ sidebar: sidebar() }));
  write(join(folder, "public/favicon.svg"), MARK_SVG);
  for (const page of pages.filter(({ isFallback }) => !isFallback)) {
    const path = page.language === "en" ? page.slug : `${page.language}/${page.slug}`;
    const hasSamples = page.body.some((part) => "samples" in part && part.samples.length > 0);
    write(join(folder, "src/content/docs", `${path}.${hasSamples ? "mdx" : "md"}`), content(page));
  }
}

function sidebar() {
  const groups = GROUPS.map(({ label, pages }) => ({
    label: label.en,
    translations: { "pt-BR": label["pt-br"] },
    items: pages.map(({ slug, portuguese }) =>
      portuguese === undefined ? { slug } : { slug, translations: { "pt-BR": portuguese } },
    ),
  }));
  const reference = {
    label: "Reference",
    translations: { "pt-BR": "Referência" },
    items: [
      { label: "API", link: "/api/" },
      {
        label: "API for operators",
        translations: { "pt-BR": "API do operador" },
        link: "/operator/",
      },
    ],
  };
  return [...groups, reference];
}

function content(page: Page): string {
  const { title, description } = page;
  const tabs = page.body.map((part) => {
    if ("text" in part || part.samples.length === 0) return "text" in part ? part.text : "";
    const items = part.samples.map(
      ({ label, fence, code }) =>
        `<TabItem label="${label}">\n\n\`\`\`${fence}\n${code}\n\`\`\`\n\n</TabItem>`,
    );
    return `<Tabs syncKey="language">\n${items.join("\n")}\n</Tabs>`;
  });
  const text = tabs.join("");
  const imports = text.includes("<Tabs ")
    ? 'import { Tabs, TabItem } from "@astrojs/starlight/components";\n\n'
    : "";
  return `---\n${JSON.stringify({ title, description })}\n---\n\n${imports}${text.trim()}\n`;
}

function runAstro(project: string, outDir: string): void {
  try {
    execFileSync(process.execPath, [ASTRO, "build", "--root", project, "--outDir", outDir], {
      cwd: ROOT,
      // Of a test's variables (DEV, MODE) it would make a site for development, which has no search.
      env: {
        PATH: process.env["PATH"],
        TMPDIR: process.env["TMPDIR"],
        NODE_ENV: "production",
        ASTRO_TELEMETRY_DISABLED: "1",
      },
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`The docs site was not built:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Moves styles out of the pages, and writes the policy under which they run. */
function finishPages(assets: string): void {
  const styles = new ElementStyles();
  const paths = globSync("docs/**/*.html", { cwd: assets }).map((path) => join(assets, path));
  const pages = paths.map((path) => {
    const html = styles
      .moveOut(readFileSync(path, "utf8"))
      // The references are in one language; the menu's links are of the page's own.
      .replaceAll(/href="\/docs\/(?:pt-br\/)?(api|operator)\/"/g, 'href="/docs/$1"')
      .replace("</head>", `<link rel="stylesheet" href="/docs/${STYLES}"></head>`);
    writeFileSync(path, html);
    return html;
  });
  for (const sheet of globSync("docs/_astro/*.css", { cwd: assets })) {
    const path = join(assets, sheet);
    writeFileSync(path, styles.follow(readFileSync(path, "utf8")));
  }
  writeFileSync(join(assets, "docs", STYLES), styles.text());
  writeFileSync(join(assets, "policy.txt"), policyOf(pages));
}

function writeForMachines(assets: string, pages: Page[]): void {
  for (const page of pages) {
    write(join(assets, markdownAddressOf(page.slug, page.language)), markdownOf(page));
  }
  write(join(assets, "docs/scenario.schema.json"), JSON.stringify(scenarioSchema()));
  writeFileSync(join(assets, "llms.txt"), llmsText(pages));
  writeFileSync(join(assets, "sections.json"), JSON.stringify(sectionsOf(pages)));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
