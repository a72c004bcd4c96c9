ALTER TABLE `provider_accounts` ADD `day_refusals` integer;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `day_durations` text;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `day_quotas` text;--> statement-breakpoint
ALTER TABLE `provider_accounts` ADD `quota_share` integer;--> statement-breakpoint
CREATE INDEX `provider_accounts_quota` ON `provider_accounts` (`calls_day`,`quota_share`) WHERE quota_share >= 80;