ALTER TABLE `operators` ADD `given` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `given_at` integer;--> statement-breakpoint
CREATE INDEX `operators_given` ON `operators` (`given_at`);