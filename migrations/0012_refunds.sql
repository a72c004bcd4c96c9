ALTER TABLE `unexpected_payments` ADD `requested_by` text;--> statement-breakpoint
ALTER TABLE `unexpected_payments` ADD `approval` text DEFAULT 'none' NOT NULL;