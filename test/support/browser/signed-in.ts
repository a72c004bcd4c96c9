import type { BrowserContext, Page } from "playwright-core";
import type { PersonRole } from "../../../src/domain/access/person.ts";
import { openPage } from "./browser.ts";
import { signIn } from "./sign-in.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;
type Options = Parameters<typeof openPage>[1];

/** The local people of a file's service. A code works once, so each signs in once and goes on in other browsers. */
export class SignedIn {
  readonly #sessions = new Map<PersonRole | "operator", StorageState>();

  /** A browser in which the person is signed in, at a path of the console. */
  async open(
    base: string,
    { role, path }: { role: PersonRole | "operator"; path: string },
    options: Options = {},
  ): Promise<Page> {
    const session = this.#sessions.get(role);
    if (session !== undefined) {
      const page = await openPage(base, { ...options, storageState: session });
      await page.goto(path);
      return page;
    }
    const page = await openPage(base, options);
    await signIn(page, role, path);
    this.#sessions.set(role, await page.context().storageState());
    return page;
  }
}
