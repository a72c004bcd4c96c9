import type { Services } from "../compose.ts";
import type { DueReleases } from "../releases/due-releases.ts";
import type { VersionConflict, VersionedCommand } from "../rpc-types.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { GroupCommit } from "./group-commit.ts";

/** A command's reads and writes. Runs inside one `transactionSync`; nothing in it awaits. */
type Change<Answer> = (services: Services, nowMs: number) => Answer;

interface CompanyCommand {
  companyId: number;
}

/** Runs commands on a company's object: due credits are released first, then one commit. */
export class CommandRunner {
  readonly #services: Services;
  readonly #backgroundWork: BackgroundWork;
  readonly #dueReleases: DueReleases;
  readonly #groupCommit: GroupCommit;

  constructor(deps: {
    services: Services;
    backgroundWork: BackgroundWork;
    dueReleases: DueReleases;
    groupCommit: GroupCommit;
  }) {
    this.#services = deps.services;
    this.#backgroundWork = deps.backgroundWork;
    this.#dueReleases = deps.dueReleases;
    this.#groupCommit = deps.groupCommit;
  }

  commit<Answer>(command: CompanyCommand, change: Change<Answer>): Answer {
    this.#dueReleases.run();
    return this.commitWithoutReleases(command, change);
  }

  /** For the audit, which must see what blocks a release, and for a check that no work is open. */
  commitWithoutReleases<Answer>({ companyId }: CompanyCommand, change: Change<Answer>): Answer {
    return this.#backgroundWork.commit((nowMs) => {
      this.#services.stores.meta.bindCompany(companyId);
      return change(this.#services, nowMs);
    });
  }

  /** Commits unless the caller's credentials are outdated. */
  commitIfCurrent<Answer>(
    command: VersionedCommand,
    change: Change<Answer>,
  ): Answer | VersionConflict {
    return this.commit(
      command,
      (services, nowMs) => services.versionGate.check(command) ?? change(services, nowMs),
    );
  }

  /** As `commitIfCurrent`, then waits a few seconds for D1. */
  async commitIfCurrentAndDrain<Answer>(
    command: VersionedCommand,
    change: Change<Answer>,
  ): Promise<Answer | VersionConflict> {
    const answer = this.commitIfCurrent(command, change);
    await this.#backgroundWork.drainWithTimeout();
    return answer;
  }

  /** As `commitIfCurrent`, sharing one sync to the disk with commands that arrive together. */
  commitInGroup<Answer>(
    command: VersionedCommand,
    change: Change<Answer>,
  ): Promise<Answer | VersionConflict> {
    return this.#groupCommit.run(() => this.commitIfCurrent(command, change));
  }

  /** Commits, then waits a few seconds for D1, so that the caller can read its own write there. */
  async commitAndDrain<Answer>(command: CompanyCommand, change: Change<Answer>): Promise<Answer> {
    const answer = this.commit(command, change);
    await this.#backgroundWork.drainWithTimeout();
    return answer;
  }

  /** Releases due credits, then reads. */
  read<Answer>(query: (services: Services) => Answer): Answer {
    this.#dueReleases.run();
    return query(this.#services);
  }
}
