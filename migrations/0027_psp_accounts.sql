CREATE TABLE `psp_accounts` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`provider` text NOT NULL,
	`settings` text NOT NULL,
	`sealed` text NOT NULL,
	`callback_token_hash` text NOT NULL,
	`previous_callback_token_hash` text,
	`previous_callback_token_until` integer,
	`methods` text NOT NULL,
	`priority` integer NOT NULL,
	`conditions` text NOT NULL,
	`state` text NOT NULL,
	`listed_until` integer NOT NULL,
	`list_at` integer NOT NULL,
	`list_window` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`left_at` integer,
	PRIMARY KEY(`company_id`, `account`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `psp_accounts_due` ON `psp_accounts` (`list_at`);--> statement-breakpoint
CREATE INDEX `psp_accounts_key` ON `psp_accounts` (json_extract(settings, '$.pixKey'));--> statement-breakpoint
CREATE INDEX `psp_accounts_client` ON `psp_accounts` (json_extract(settings, '$.clientId'));--> statement-breakpoint
CREATE TRIGGER `psp_accounts_made` AFTER INSERT ON `psp_accounts`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = NEW.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `psp_accounts_changed` AFTER UPDATE OF `company_id`, `account`, `provider`, `settings`, `sealed`, `methods`, `priority`, `conditions`, `state` ON `psp_accounts`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` IN (OLD.`company_id`, NEW.`company_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `psp_accounts_gone` AFTER DELETE ON `psp_accounts`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = OLD.`company_id`;
END;
--> statement-breakpoint
CREATE VIEW `company_accounts` AS select "company_id", "account", "provider", "settings", "sealed", "callback_token_hash", "previous_callback_token_hash", "previous_callback_token_until", "methods", "priority", "conditions", "state", "listed_until", "list_at", "list_window", "created_at", "updated_at", "left_at" from "psp_accounts" union all select "company_id", "account", "provider", "settings", "sealed", "callback_token_hash", "previous_callback_token_hash", "previous_callback_token_until", CASE WHEN settings ->> 'payouts' IS NULL THEN '["PIX"]' ELSE '["PIX","PAYOUT"]' END as "methods", 1 as "priority", '{}' as "conditions", 'active' as "state", "listed_until", "list_at", "list_window", "created_at", "updated_at", NULL as "left_at" from "company_providers" where not exists (select "account" from "psp_accounts" "carried" where ("carried"."company_id" = "company_providers"."company_id" and "carried"."account" = "company_providers"."account")) union all select "company_id", "account", "provider", "settings", "sealed", "callback_token_hash", NULL as "previous_callback_token_hash", NULL as "previous_callback_token_until", CASE WHEN settings ->> 'payouts' IS NULL THEN '["PIX"]' ELSE '["PIX","PAYOUT"]' END as "methods", 1 as "priority", '{}' as "conditions", CASE sealed WHEN '' THEN 'disconnected' ELSE 'left' END as "state", "created_at", 9007199254740991 as "list_at", 0 as "list_window", "created_at", "left_at", "left_at" from "former_accounts" where not exists (select "account" from "psp_accounts" "carried" where ("carried"."company_id" = "former_accounts"."company_id" and "carried"."account" = "former_accounts"."account"));
