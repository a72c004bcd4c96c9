import {
  commit,
  commitAndDrain,
  commitIfCurrentAndDrain,
  fromClient,
} from "../runtime/declare-call.ts";
import type {
  RenewReservation,
  TakeReservation,
  UseCardSession,
  WritePaymentLink,
} from "./command-types.ts";
import type { LinkCommands } from "./link-commands.ts";
import type { Reservations } from "./reservations.ts";

interface Services {
  links: LinkCommands;
  reservations: Reservations;
}

/** The calls about payment links and their reservations. */
export const linkCalls = {
  /** Makes or changes a link. */
  writePaymentLink: fromClient(
    commitIfCurrentAndDrain(({ links }: Services, command: WritePaymentLink, now) =>
      links.write(command, now),
    ),
  ),

  /** Holds a reservation of a link for a charge, or keeps it for one that was claimed in D1. */
  takeReservation: commitAndDrain(({ reservations }: Services, command: TakeReservation, now) =>
    reservations.take(command, now),
  ),

  /** Begins the time of a limited link's unpaid PIX anew, as often as it may. */
  renewReservation: fromClient(
    commit(({ reservations }: Services, command: RenewReservation, now) =>
      reservations.renew(command, now),
    ),
  ),

  /** Uses a checkout session for a card's token, once, and counts the token's bytes. */
  useCardSession: fromClient(
    commit(({ links }: Services, command: UseCardSession, now) =>
      links.useCardSession(command, now),
    ),
  ),
};
