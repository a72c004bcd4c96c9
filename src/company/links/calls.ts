import {
  commit,
  commitAndDrain,
  commitIfCurrentAndDrain,
  fromClient,
} from "../runtime/declare-call.ts";
import type { RenewPlace, TakePlace, UseCardSession, WritePaymentLink } from "./command-types.ts";
import type { LinkCommands } from "./link-commands.ts";
import type { Places } from "./places.ts";

interface Services {
  links: LinkCommands;
  places: Places;
}

/** The calls about payment links and their places. */
export const linkCalls = {
  /** Makes or changes a link. */
  writePaymentLink: fromClient(
    commitIfCurrentAndDrain(({ links }: Services, command: WritePaymentLink, now) =>
      links.write(command, now),
    ),
  ),

  /** Holds a place of a link for a charge, or keeps it for one that was claimed in D1. */
  takePlace: commitAndDrain(({ places }: Services, command: TakePlace, now) =>
    places.take(command, now),
  ),

  /** Begins the time of a limited link's unpaid PIX anew, as often as it may. */
  renewPlace: fromClient(
    commit(({ places }: Services, command: RenewPlace, now) => places.renew(command, now)),
  ),

  /** Uses a checkout session for a card's token, once, and counts the token's bytes. */
  useCardSession: fromClient(
    commit(({ links }: Services, command: UseCardSession, now) =>
      links.useCardSession(command, now),
    ),
  ),
};
