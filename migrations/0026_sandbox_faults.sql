ALTER TABLE `companies` ADD `faults` text;--> statement-breakpoint
ALTER TABLE `sandbox_payouts` ADD `ordered_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sandbox_refunds` ADD `ordered_at` integer DEFAULT 0 NOT NULL;