import type { CompanyClock } from "../../domain/shared/clock.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { VersionGate } from "./version-gate.ts";
import type { VersionConflict, VersionedCommand } from "./versioned-command.ts";

/**
 * A call of the object, declared once: beside its rules, in the `calls.ts` of their folder. Each is idempotent. Its
 * parameter and answer are the types of `CompanyRpc`. Refusals are plain unions: an error's own properties do not
 * survive RPC, so a throw means a bug.
 */
export interface Call<Needs, Parameter, Answer> {
  /** Whether an overloaded object sheds it. */
  isShed: boolean;
  run(object: Needs, parameter: Parameter): Answer | Promise<Answer>;
}

/** An object whose tables this code knows. `Services`: what a call uses of it. */
export interface OpenObject<Services> {
  services: Services;
  meta: MetaStore;
  versionGate: VersionGate;
  backgroundWork: BackgroundWork;
  groupCommit: GroupCommit;
  /** What may be withdrawn, in centavos, and the ledger's last line. */
  balance: () => { available: number; sequence: number };
  /** Releases the credits that are due. Never throws. */
  releaseDue: () => void;
  /**
   * Releases due credits, ends withdraws and refunds that nobody approved in time, and frees places that were held
   * in vain, with the end of their charges. Runs before other due work.
   */
  runDue: () => void;
  /** The company's time. */
  clock: CompanyClock;
  /** Lets work go on after the answer. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** What most calls run on. Throws if newer code has migrated the tables. */
export interface Opened<Services> {
  readonly open: OpenObject<Services>;
}

interface CompanyCommand {
  companyId: number;
}

/** A command's reads and writes. Runs inside one `transactionSync`; nothing in it awaits. */
type Change<Services, Command, Answer> = (
  services: Services,
  command: Command,
  nowMs: number,
) => Answer;

/** A call that runs as `run` says, where none of the usual ways below does. */
export function declare<Needs, Parameter, Answer>(
  run: (object: Needs, parameter: Parameter) => Answer | Promise<Answer>,
): Call<Needs, Parameter, Answer> {
  return { isShed: false, run };
}

/**
 * A call that only a client's request makes, and that the client can repeat: an overloaded object sheds it. No other
 * call is shed: payments and payouts must be booked, and a look-up may serve a callback or a running export.
 */
export function fromClient<Needs, Parameter, Answer>(
  call: Call<Needs, Parameter, Answer>,
): Call<Needs, Parameter, Answer> {
  return { ...call, isShed: true };
}

/** Reads rows as they are, and memory. */
export function find<Services, Parameter, Answer>(
  query: (services: Services, parameter: Parameter, nowMs: number) => Answer,
): Call<Opened<Services>, Parameter, Answer> {
  return declare(({ open }, parameter) => query(open.services, parameter, open.clock.now()));
}

/** Releases due credits, then reads. */
export function read<Services, Parameter, Answer>(
  query: (services: Services, parameter: Parameter, nowMs: number) => Answer,
): Call<Opened<Services>, Parameter, Answer> {
  return declare(({ open }, parameter) => {
    open.releaseDue();
    return query(open.services, parameter, open.clock.now());
  });
}

/** Releases due credits, then commits. */
export function commit<Services, Command extends CompanyCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer> {
  return declare(({ open }, command) => {
    open.releaseDue();
    return commitNow(open, command, change);
  });
}

/** For the audit, which must see what blocks a release, and for what concerns no money. */
export function commitWithoutReleases<Services, Command extends CompanyCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer> {
  return declare(({ open }, command) => commitNow(open, command, change));
}

/** As `commit`, unless the caller's credentials are outdated. */
export function commitIfCurrent<Services, Command extends VersionedCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer | VersionConflict> {
  return declare(({ open }, command) => commitCurrent(open, command, change));
}

/** As `commitIfCurrent`, sharing one sync to the disk with commands that arrive together. */
export function commitInGroup<Services, Command extends VersionedCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer | VersionConflict> {
  return declare(({ open }, command) =>
    open.groupCommit.run(() => commitCurrent(open, command, change)),
  );
}

/** As `commit`, then waits a few seconds for D1, so that the caller can read its own write there. */
export function commitAndDrain<Services, Command extends CompanyCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer> {
  return after(commit(change), drain);
}

/** As `commitIfCurrent`, then waits a few seconds for D1. */
export function commitIfCurrentAndDrain<Services, Command extends VersionedCommand, Answer>(
  change: Change<Services, Command, Answer>,
): Call<Opened<Services>, Command, Answer | VersionConflict> {
  return after(commitIfCurrent(change), drain);
}

/** A call with what follows it before it answers. */
export function after<Needs, Parameter, Answer>(
  call: Call<Needs, Parameter, Answer>,
  next: (object: Needs, answer: Answer, parameter: Parameter) => void | Promise<void>,
): Call<Needs, Parameter, Answer> {
  return {
    isShed: call.isShed,
    run: async (object, parameter) => {
      const answer = await call.run(object, parameter);
      await next(object, answer, parameter);
      return answer;
    },
  };
}

/** Waits a few seconds for D1. */
export function drain<Services>({ open }: Opened<Services>): Promise<void> {
  return open.backgroundWork.drainWithTimeout();
}

function commitCurrent<Services, Command extends VersionedCommand, Answer>(
  open: OpenObject<Services>,
  command: Command,
  change: Change<Services, Command, Answer>,
): Answer | VersionConflict {
  open.releaseDue();
  return commitNow(
    open,
    command,
    (services, known, nowMs) => open.versionGate.check(known) ?? change(services, known, nowMs),
  );
}

function commitNow<Services, Command extends CompanyCommand, Answer>(
  { services, meta, backgroundWork }: OpenObject<Services>,
  command: Command,
  change: Change<Services, Command, Answer>,
): Answer {
  return backgroundWork.commit((nowMs) => {
    meta.bindCompany(command.companyId);
    return change(services, command, nowMs);
  });
}
