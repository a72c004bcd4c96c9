ALTER TABLE `provider_accounts` ADD `day_refusals` integer;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `day_durations` text;