import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { ROOT } from "./wrangler.ts";

/** Next to the caches of other tools; all of it can be recreated. */
const CACHE = join(ROOT, "node_modules/.cache/centavo");
const PACKAGE = join(ROOT, "node_modules/@sparticuz/chromium/package.json");
/** The package unpacks the libraries that a bare machine lacks only where it believes to be on Lambda. */
const LAMBDA = "AWS_Lambda_nodejs24.x";
const UNPACK = `const { default: chromium } = await import("@sparticuz/chromium");
await chromium.executablePath();`;
/** No sandbox, because CI runs as root; the browser opens only the local service. */
const ARGS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--no-zygote",
  "--font-render-hinting=none",
];

/**
 * Starts the Chromium of the npm package, with its own fonts and libraries. `language`, such as `pt_BR.UTF-8`, is the one of
 * its own parts, a date's field among them.
 */
export async function launchChromium(language?: string): Promise<Browser> {
  const folder = await unpackedChromium();
  const libraries = [join(folder, "al2023/lib"), process.env["LD_LIBRARY_PATH"]];
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args: ARGS,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries.filter((path) => path !== undefined).join(":"),
      FONTCONFIG_PATH: join(folder, "fonts"),
      ...(language === undefined ? {} : { LANG: language }),
    },
  });
}

/** The folder with the unpacked browser; unpacking takes seconds, so it is done once for each version. */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
  const unpacked = join(CACHE, `chromium-${version}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(CACHE, { recursive: true });
  const making = mkdtempSync(join(CACHE, "making-"));
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", UNPACK], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: LAMBDA },
  });
  // The package's own file names fonts in /tmp. Only these fonts, so that pages look the same everywhere.
  writeFileSync(
    join(making, "fonts/fonts.conf"),
    `<fontconfig><dir>${join(unpacked, "fonts")}</dir><cachedir>${join(unpacked, "fonts-cache")}</cachedir></fontconfig>`,
  );
  try {
    renameSync(making, unpacked);
  } catch (error) {
    // Another process was faster.
    rmSync(making, { recursive: true });
    if (!existsSync(unpacked)) throw error;
  }
  return unpacked;
}
