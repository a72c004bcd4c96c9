CREATE TABLE `clients` (
	`client_id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `fences` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`move` integer NOT NULL,
	`turn` integer NOT NULL,
	`passed` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "fence_holds" CHECK(passed = 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `fences_closing` ON `fences` (`company_id`) WHERE state = 'closing';--> statement-breakpoint
CREATE TABLE `move_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`table_name` text NOT NULL,
	`row_key` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `pix_keys` (
	`pix_key` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `pix_keys_company` ON `pix_keys` (`company_id`);--> statement-breakpoint
CREATE TABLE `placements` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`database` text NOT NULL,
	`move` integer NOT NULL,
	`source` text,
	`target` text,
	`stage` text,
	`at_table` text NOT NULL,
	`after_key` text NOT NULL,
	`turn` integer NOT NULL,
	`lease_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `placements_moving` ON `placements` (`lease_until`) WHERE target IS NOT NULL;--> statement-breakpoint
CREATE INDEX `applications_company` ON `applications` (`company_id`);