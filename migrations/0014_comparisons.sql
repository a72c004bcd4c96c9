ALTER TABLE `self_checks` ADD `round` text;--> statement-breakpoint
ALTER TABLE `self_checks` ADD `round_ended_at` integer;--> statement-breakpoint
ALTER TABLE `self_checks` ADD `mended_at` integer;--> statement-breakpoint
ALTER TABLE `self_checks` ADD `mended` text;--> statement-breakpoint
CREATE INDEX `self_checks_mended` ON `self_checks` (`mended_at`) WHERE mended_at IS NOT NULL;