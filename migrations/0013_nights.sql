ALTER TABLE `companies` ADD `freeze` text;--> statement-breakpoint
CREATE INDEX `companies_frozen` ON `companies` (`id`) WHERE freeze IS NOT NULL;--> statement-breakpoint
ALTER TABLE `alarm_notices` ADD `told` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `alarms` ADD `findings` text DEFAULT '[]' NOT NULL;