ALTER TABLE `companies` ADD `duplicate_withdraw_guard` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `withdraw_daily_limit` integer;