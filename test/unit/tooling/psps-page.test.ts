import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PSP_PROFILES } from "../../../src/domain/psp/profiles/psp-profiles.ts";
import { pspUrlError } from "../../../src/providers/pix-api/config.ts";
import { pspsPage } from "../../../tools/lib/psps-page.ts";
import { ROOT } from "../../../tools/lib/root.ts";

/** Without what the formatter makes of a table. */
const words = (page: string) => page.replaceAll(/-{2,}/g, "-").replaceAll(/\s+/g, " ");

it("docs/generated/psps.md is what the profiles say: `npm run docs:psps` writes it", () => {
  const page = readFileSync(join(ROOT, "docs/generated/psps.md"), "utf8");
  expect(words(page)).toBe(words(pspsPage()));
});

it.each(Object.entries(PSP_PROFILES))(
  "%s can be configured, and names its sources",
  (_, profile) => {
    const { test, production, calledForReal } = profile;
    const urls = [test, production].flatMap((each) => Object.values(each?.value ?? {}));
    expect(urls.map((url) => pspUrlError(url, false))).toEqual(urls.map(() => null));
    const facts = JSON.stringify(profile).match(
      /"source":\{"name":"[^"]+","date":"\d{4}-\d\d-\d\d"\}/g,
    );
    expect(facts?.length).toBeGreaterThan(5);
    expect(calledForReal).toBe(false);
  },
);
