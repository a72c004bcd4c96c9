ALTER TABLE `daily_reports` ADD `hours` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_failed` ON `emails` (`updated_at`) WHERE status = 'failed';