import { z } from "@hono/zod-openapi";
import { PERSON_ROLES } from "../../domain/access/person-role.ts";
import { EMAIL_MAX, isoTimeText, text } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const ID_MAX = 64;
const EXAMPLE_ID = "Zk3vX9r2TfWm0sZbY1hUeAq7LpNc4DgB";
const EXAMPLE_INVITATION_ID = "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42";
const EXAMPLE_TIME = "2026-11-21T12:00:00.000Z";
const EXAMPLE_END = "2026-11-28T12:00:00.000Z";

const role = z
  .enum(PERSON_ROLES, { error: breaks("oneOf", { values: PERSON_ROLES.join(", ") }) })
  .openapi("PersonRole", { example: "finance" });

/** In lower case, as people's e-mails are stored and compared. */
const email = text(EMAIL_MAX)
  .trim()
  .toLowerCase()
  .regex(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/, breaks("email"))
  .openapi({ example: "maria@example.com" });

const Member = z
  .object({
    id: z.string().openapi({ example: EXAMPLE_ID }),
    name: z.string().openapi({ example: "Maria da Silva" }),
    email: z.string().openapi({ example: "maria@example.com" }),
    role,
    createdAt: isoTimeText.openapi({ description: "When the person joined the company." }),
    hasSecondFactor: z.boolean().openapi({ description: "An authenticator app or a passkey." }),
  })
  .openapi("Member");

const INVITATION_FIELDS = {
  id: z.string(),
  email: z.string(),
  role,
  createdAt: isoTimeText,
  expiresAt: isoTimeText,
};

const EXAMPLE_INVITATION = {
  id: EXAMPLE_INVITATION_ID,
  email: "maria@example.com",
  role: "finance" as const,
  createdAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_END,
};

const Invitation = z
  .object(INVITATION_FIELDS)
  .openapi("Invitation", { example: EXAMPLE_INVITATION });

export const People = z
  .object({ items: z.array(Member), invitations: z.array(Invitation) })
  .openapi("People");

export const OneMember = z.object({ data: Member }).openapi("OneMember");
export const OneInvitation = z.object({ data: Invitation }).openapi("OneInvitation");

export const MadeInvitation = z
  .object({
    data: z.object({
      ...INVITATION_FIELDS,
      url: z.string().openapi({ description: "The link, shown once. It works once." }),
    }),
  })
  .openapi("MadeInvitation", {
    example: {
      data: {
        ...EXAMPLE_INVITATION,
        url: "https://pay.example.com/console/invitation/mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
      },
    },
  });

export const InvitePerson = z.object({ email, role }).openapi("InvitePersonInput");
export const InviteOwner = z.object({ email }).openapi("InviteOwner");
export const ChangePerson = z.object({ role }).openapi("ChangePersonInput");

export const PersonParam = z.object({
  id: z.string().max(ID_MAX).openapi({ example: EXAMPLE_ID }),
});
export const InvitationParam = z.object({
  id: z.string().max(ID_MAX).openapi({ example: EXAMPLE_INVITATION_ID }),
});
