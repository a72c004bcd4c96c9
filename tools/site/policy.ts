/** What the Content-Security-Policy of the site's pages allows, found in the pages as they were built. */
import { createHash } from "node:crypto";

const CLASS = "style-";

/** Styles of elements that only set variables, such as the colours of code: each becomes a class of one file. */
export class ElementStyles {
  readonly #classes = new Map<string, string>();

  /** The page with classes in the place of such styles. */
  moveOut(html: string): string {
    return html.replaceAll(
      /<[a-z][\w-]*(?: [^<>]*)? style="(--[^"]*)"[^<>]*>/g,
      (tag, style: string) => {
        const name = this.#classOf(style);
        const bare = tag.replace(` style="${style}"`, "");
        return bare.includes(' class="')
          ? bare.replace(' class="', ` class="${name} `)
          : bare.replace(/^<[a-z][\w-]*/, (start) => `${start} class="${name}"`);
      },
    );
  }

  /** A style sheet in which such elements are found by their class. */
  follow(css: string): string {
    return css.replaceAll("span[style^='--']:not([class])", `span[class^='${CLASS}']`);
  }

  /** The style sheet of all classes. */
  text(): string {
    return [...this.#classes].map(([style, name]) => `.${name}{${style}}`).join("\n");
  }

  #classOf(style: string): string {
    const name = this.#classes.get(style) ?? `${CLASS}${this.#classes.size}`;
    this.#classes.set(style, name);
    return name;
  }
}

/** The policy under which all pages run: files of this service, and what stands in the pages by its hash. */
export function policyOf(pages: string[]): string {
  const found = {
    scripts: new Set<string>(),
    styles: new Set<string>(),
    attributes: new Set<string>(),
  };
  for (const html of pages) {
    for (const [, text = ""] of html.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g)) {
      found.scripts.add(hashOf(text));
    }
    for (const [, text = ""] of html.matchAll(/<style[^>]*>([^]*?)<\/style>/g)) {
      found.styles.add(hashOf(text));
    }
    for (const [, text = ""] of html.matchAll(/<[a-z][^<>]* style="([^"]*)"/g)) {
      found.attributes.add(hashOf(text));
    }
  }
  const attributes = found.attributes.size === 0 ? [] : ["'unsafe-hashes'", ...found.attributes];
  return [
    "default-src 'none'",
    // The search is compiled to WebAssembly.
    ["script-src 'self' 'wasm-unsafe-eval'", ...found.scripts].join(" "),
    ["style-src 'self'", ...found.styles, ...attributes].join(" "),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
