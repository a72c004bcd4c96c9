import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allPages } from "../../../tools/site/pages.ts";
import { ElementStyles, policyOf } from "../../../tools/site/policy.ts";
import { regionOf, samplesOf } from "../../../tools/site/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-samples-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe("a sample", () => {
  it("is what stands between its marks, without their indent", () => {
    const text = "a\n  // docs:begin qr\n  one(\n    two);\n  // docs:end qr\nb";
    expect(regionOf(text, "qr")).toBe("one(\n  two);");
    expect(regionOf(text, "q")).toBeNull();
    expect(regionOf("# docs:begin qr-code\nx\n# docs:end qr-code", "qr")).toBeNull();
  });

  it("comes from each language that has samples, and must be in each", () => {
    write("curl/a.sh", "# docs:begin refund\ncurl\n# docs:end refund");
    write("python/a.py", "# docs:begin refund\npython\n# docs:end refund");
    expect(samplesOf("refund", undefined, folder).map(({ label, code }) => [label, code])).toEqual([
      ["curl", "curl"],
      ["Python", "python"],
    ]);
    write("python/a.py", "# docs:begin link\npython\n# docs:end link");
    expect(() => samplesOf("refund", undefined, folder)).toThrow(
      'examples/python has no sample "refund"',
    );
    expect(samplesOf("refund", "python", folder).map(({ label }) => label)).toEqual(["curl"]);
  });
});

it("every page of the guide is written in both languages", () => {
  const fallbacks = allPages().filter(({ isFallback }) => isFallback);
  expect(fallbacks.map(({ slug }) => slug)).toEqual(["rules", "links", "checkout", "disputes"]);
});

function descriptionOf(slug: string): string | undefined {
  return allPages().find((page) => page.slug === slug)?.description;
}

it("a page's description keeps the names in its code", () => {
  expect(descriptionOf("errors")).toContain("after 409 IDEMPOTENCY_IN_PROGRESS, 429");
  expect(descriptionOf("sandbox")).toContain("keys begin with sk_test_;");
  expect(descriptionOf("webhooks")).toContain("is one event.");
});

it("a policy allows what stands in the pages by its hash, and styles that set variables become classes", () => {
  const styles = new ElementStyles();
  const html = styles.moveOut(
    '<p class="a" style="--x:1">b</p><i style="--x:1"></i><b style="color:red"></b><script>f()</script>',
  );
  expect(html).toContain('<p class="style-0 a">b</p><i class="style-0"></i><b style="color:red">');
  expect(styles.text()).toBe(".style-0{--x:1}");
  const policy = policyOf([html]);
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/=]+';/);
  expect(policy).toMatch(/style-src 'self' 'unsafe-hashes' 'sha256-[\w+/=]+';/);
});
