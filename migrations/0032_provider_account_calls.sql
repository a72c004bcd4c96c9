ALTER TABLE `provider_accounts` ADD `calls_day` text;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `day_calls` text;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `busiest_calls` integer;--> statement-breakpoint
CREATE INDEX `provider_accounts_busy` ON `provider_accounts` (`calls_day`) WHERE busiest_calls >= 10000;