CREATE TABLE `company_clocks` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`runs_until` integer,
	`reached` integer NOT NULL,
	`lease_until` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `clock_offset_ms` integer DEFAULT 0 NOT NULL;