CREATE TABLE `settlement_differences` (
	`company_id` integer NOT NULL,
	`day` text NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`transaction_id` text NOT NULL,
	`line` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`company_id`, `day`, `account`, `kind`, `transaction_id`, `line`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `settlement_passes` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`day` text NOT NULL,
	`overdue_day` text NOT NULL,
	`cursor` text,
	`next_run_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `settlements` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`line` text NOT NULL,
	`transaction_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`payment_method` text NOT NULL,
	`type` text NOT NULL,
	`installment` integer NOT NULL,
	`gross` integer NOT NULL,
	`fee` integer NOT NULL,
	`anticipation_fee` integer NOT NULL,
	`agreed` integer NOT NULL,
	`fee_difference` integer NOT NULL,
	`amount_difference` integer NOT NULL,
	`days_late` integer NOT NULL,
	`paid_on` text NOT NULL,
	`due_on` text NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`company_id`, `account`, `line`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `settlements_transaction` ON `settlements` (`company_id`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `settlements_paid` ON `settlements` (`company_id`,`paid_on`,`account`,`payment_method`) WHERE state = 'paid';--> statement-breakpoint
CREATE INDEX `settlements_waiting` ON `settlements` (`company_id`,`paid_on`) WHERE state = 'waiting';