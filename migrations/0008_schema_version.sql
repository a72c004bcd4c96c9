CREATE TABLE `schema_version` (
	`only` integer PRIMARY KEY NOT NULL,
	`contracts` integer NOT NULL,
	CONSTRAINT "schema_version_only" CHECK("schema_version"."only" = 1)
) STRICT;
--> statement-breakpoint
INSERT INTO `schema_version` (`only`, `contracts`) VALUES (1, 0);
