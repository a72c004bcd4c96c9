CREATE TABLE `reminder_stops` (
	`company_id` integer NOT NULL,
	`email_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `email_hash`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `reminders` text;--> statement-breakpoint
CREATE INDEX `emails_ended` ON `emails` (`updated_at`) WHERE status <> 'due';