CREATE TABLE `archive_progress` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`after_number` integer NOT NULL,
	`oldest_late_at` integer,
	PRIMARY KEY(`company_id`, `kind`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_progress_late` ON `archive_progress` (`kind`,`oldest_late_at`) WHERE oldest_late_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `archive_waiting` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`late_at` integer,
	PRIMARY KEY(`company_id`, `kind`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_waiting_due` ON `archive_waiting` (`company_id`,`kind`,`next_run_at`);--> statement-breakpoint
CREATE INDEX `archive_waiting_late` ON `archive_waiting` (`kind`,`late_at`) WHERE late_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `archive_file` text;--> statement-breakpoint
ALTER TABLE `events` ADD `archive_file` text;