CREATE TABLE `saved_views` (
	`company_id` integer NOT NULL,
	`owner` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `owner`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`company_id`,`owner`,`name`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `trace_id` text;