import { readFileSync } from "node:fs";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

/** What `tools/site/build.ts` found: the pages in the order of the guide. */
const { sidebar } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

export default defineConfig({
  base: "/docs",
  trailingSlash: "always",
  telemetry: false,
  // The Worker answers each page at its own address; nothing is fetched before a reader asks for it.
  prefetch: false,
  // Scripts and styles in files of their own need no hash in the policy.
  build: { inlineStylesheets: "never" },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: "Centavo",
      favicon: "/favicon.svg",
      customCss: ["./src/style.css"],
      defaultLocale: "root",
      locales: {
        root: { label: "English", lang: "en" },
        "pt-br": { label: "Português", lang: "pt-BR" },
      },
      sidebar,
      pagination: true,
      credits: false,
      disable404Route: true,
    }),
  ],
});
