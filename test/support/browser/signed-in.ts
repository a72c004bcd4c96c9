import type { BrowserContext, Page } from "playwright-core";
import type { PersonRole } from "../../../src/domain/access/person-role.ts";
import { openPage } from "./browser.ts";
import { signIn } from "./sign-in.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;
type Options = Parameters<typeof openPage>[1];

/** Less than the five minutes after which pages ask for a code again, and long enough for a code to be a new one. */
const FRESH_MS = 120_000;

/**
 * The local people of a file's service. A code works once, so each signs in once and goes on in other browsers; anew
 * where that was long ago.
 */
export class SignedIn {
  readonly #sessions = new Map<PersonRole | "operator", { state: StorageState; at: number }>();

  /** A browser in which the person is signed in, at a path of the console. */
  async open(
    base: string,
    { role, path }: { role: PersonRole | "operator"; path: string },
    options: Options = {},
  ): Promise<Page> {
    const session = this.#sessions.get(role);
    if (session !== undefined && Date.now() - session.at < FRESH_MS) {
      const page = await openPage(base, { ...options, storageState: session.state });
      await page.goto(path);
      return page;
    }
    const page = await openPage(base, options);
    await signIn(page, role, path);
    this.#sessions.set(role, { state: await page.context().storageState(), at: Date.now() });
    return page;
  }
}
