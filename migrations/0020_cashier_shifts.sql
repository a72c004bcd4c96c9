CREATE TABLE `cashier_charges` (
	`company_id` integer NOT NULL,
	`charge_id` text NOT NULL,
	`shift_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `charge_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cashier_charges_shift` ON `cashier_charges` (`company_id`,`shift_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `cashier_shifts` (
	`company_id` integer NOT NULL,
	`id` text NOT NULL,
	`cashier` text NOT NULL,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	PRIMARY KEY(`company_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `cashier_shifts_open` ON `cashier_shifts` (`company_id`,`cashier`) WHERE closed_at IS NULL;