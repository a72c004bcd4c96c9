import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import en from "../../../src/pages/console/texts/en.json";
import ptBr from "../../../src/pages/console/texts/pt-br.json";
import { ENGLISH } from "../probes/english.ts";

/** What a task takes. A key that sends a form counts as a click; the page where somebody begins is one of the pages. */
interface Cost {
  clicks: number;
  fields: number;
  pages: number;
}

/** What a person reads or hears on a page, but for what is marked as English, typed or code. */
const TEXTS_OF_PAGE = `(() => {
  const left = "script, style, code, pre, textarea, option, .code, [lang=en]";
  const texts = [document.title];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { parentElement, data } = nodes.currentNode;
    if (parentElement.closest(left) === null) texts.push(data);
  }
  for (const name of ["aria-label", "alt", "placeholder", "title"]) {
    for (const element of document.querySelectorAll("[" + name + "]")) {
      if (element.closest(left) === null) texts.push(element.getAttribute(name));
    }
  }
  return texts.map((text) => text.trim()).filter((text) => text !== "");
})()`;

const PORTUGUESE_TEXTS = new Set(leavesOf(ptBr));
/** Texts of the English console that the Portuguese one does not have. */
const ENGLISH_TEXTS = new Set(leavesOf(en).filter((text) => !PORTUGUESE_TEXTS.has(text)));

/** A task as people do it, one or several in turn. It counts what it costs them, and each page must be in Portuguese. */
export class Walk {
  readonly #cost: Cost = { clicks: 0, fields: 0, pages: 0 };

  /** A person is on a page and begins. */
  async begin(page: Page): Promise<void> {
    await this.#see(page);
  }

  /** A click that opens another page. */
  async go(target: Locator): Promise<void> {
    await this.#leave(target.page(), () => target.click());
  }

  /** The Enter key, which sends the field's form and opens another page. */
  async enter(field: Locator): Promise<void> {
    await this.#leave(field.page(), () => field.press("Enter"));
  }

  /** A click that leaves the page where it is. */
  async click(target: Locator): Promise<void> {
    this.#cost.clicks += 1;
    await target.click();
  }

  async fill(field: Locator, value: string): Promise<void> {
    this.#cost.fields += 1;
    await field.fill(value);
  }

  /** Chooses an option by its text. */
  async choose(list: Locator, option: string): Promise<void> {
    this.#cost.fields += 1;
    await list.selectOption({ label: option });
  }

  async attach(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
    this.#cost.fields += 1;
    await field.setInputFiles(file);
  }

  /** The task is done; it must not have cost more. */
  end(most: Cost): void {
    for (const what of ["clicks", "fields", "pages"] as const) {
      expect.soft(this.#cost[what], what).toBeLessThanOrEqual(most[what]);
    }
  }

  async #leave(page: Page, act: () => Promise<void>): Promise<void> {
    this.#cost.clicks += 1;
    await Promise.all([page.waitForEvent("domcontentloaded"), act()]);
    await this.#see(page);
  }

  async #see(page: Page): Promise<void> {
    this.#cost.pages += 1;
    expect.soft(await page.getAttribute("html", "lang"), page.url()).toBe("pt-BR");
    const texts = await page.evaluate<string[]>(TEXTS_OF_PAGE);
    const english = texts.filter((text) => ENGLISH.test(text) || ENGLISH_TEXTS.has(text));
    expect.soft(english, page.url()).toEqual([]);
  }
}

function leavesOf(texts: object): string[] {
  return Object.values(texts).flatMap((value: unknown) =>
    typeof value === "string" ? [value] : leavesOf(value as object),
  );
}
