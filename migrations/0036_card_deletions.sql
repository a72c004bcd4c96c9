CREATE TABLE `card_deletions` (
	`company_id` integer NOT NULL,
	`id` text NOT NULL,
	`account` text NOT NULL,
	`customer` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `card_deletions_due` ON `card_deletions` (`next_run_at`);