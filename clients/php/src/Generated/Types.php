<?php

// `npm run clients` writes this file from the API's document.

declare(strict_types=1);

namespace Centavo\Generated;

/**
 * The shapes of the API, by the names of its document. Amounts are centavos where nothing else is said.
 *
 * @phpstan-type Webhook TransactionWebhookBody|WithdrawWebhookBody|DisputeWebhookBody|PaymentWebhookBody|PaymentLinkWebhookBody|SubscriptionWebhookBody|FreezeWebhookBody|SettingsWebhookBody|BalanceWebhookBody|AnchorWebhookBody|TestWebhookBody
 * @phpstan-type TransactionWebhookBody array{type: 'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed', timestamp: string, sequence: int, data: TransactionEventData}
 * @phpstan-type TransactionEventData array{id: string, externalRef: string, amount: int, amountText: string, warnings?: list<string>, paidAmount: int|null, underpaid: bool, refundedAmount: int, providerCompanyId: string, companyId: int|null, installments: int, paymentMethod: PaymentMethod, status: TransactionStatus, postbackUrl: string, metadata: string|null, traceable: bool, secureId: string|null, secureUrl: string|null, currency: string, createdAt: string, updatedAt: string, paidAt?: string, cancelReason?: 'REQUESTED'|'EXPIRED', refundReason?: 'REQUESTED'|'MED'|'CHARGEBACK', failureReason?: FailureReason, refunds?: list<Refund>, dispute?: TransactionDispute, ip?: string, endToEndId: string|null, externalNsu: string|null, payer?: PaidBy, payerMatch?: 'matches'|'differs'|'unknown', staticCodeId?: string, subscriptionId?: string, attempts?: list<SubscriptionAttempt>, paymentLinkId?: string, fiscalKey?: string, pix?: TransactionPix, boleto?: TransactionBoleto, card?: TransactionCard, refusedReason?: TransactionRefusedReason, archived?: true, textsMissing?: true, previousStatus: TransactionStatus}
 * @phpstan-type PaymentMethod 'PIX'|'BOLETO'|'CREDIT_CARD'
 * @phpstan-type TransactionStatus 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'
 * @phpstan-type FailureReason array{code: 'KEY_NOT_FOUND'|'KEY_OWNER_MISMATCH'|'ACCOUNT_INVALID'|'ACCOUNT_CLOSED'|'ACCOUNT_BLOCKED'|'REFUSED_BY_BANK'|'FRAUD_SUSPECTED'|'BANK_UNAVAILABLE'|'LIMIT_EXCEEDED'|'INSUFFICIENT_FUNDS_AT_PROVIDER'|'TIMED_OUT'|'PROVIDER_REFUSED'|'REMOVED_BY_PROVIDER'|'NOT_RECEIVED_BY_PROVIDER'|'AUTHORIZATION_ENDED'|'DECIDED_BY_OPERATOR'|'LINK_UNAVAILABLE'|'DEBIT_FAILED'|'CARD_TOKEN_EXPIRED'|'CARD_DECLINED'|'INSUFFICIENT_FUNDS'|'EXPIRED_CARD'|'INCORRECT_CVV'|'UNKNOWN', message: string, retryable: bool}
 * @phpstan-type Refund array{id: string, amount: int, status: RefundStatus, createdAt: string, requestedBy: Requester|null, approval: 'none'|'pending'|'approved'|'refused', decidedBy: Requester|null, insteadOf?: string}
 * @phpstan-type RefundStatus 'PENDING'|'DONE'|'FAILED'
 * @phpstan-type Requester array{kind: 'application'|'person'|'operator'|'rule'|'provider', id: string, name: string}
 * @phpstan-type TransactionDispute array{id: string, amount: int, status: DisputeStatus, createdAt: string}
 * @phpstan-type DisputeStatus 'OPEN'|'WON'|'LOST'
 * @phpstan-type PaidBy array{name: string|null, documentMasked: string|null, ispb: string|null}
 * @phpstan-type SubscriptionAttempt array{at: string, kind: 'due'|'retry'|'resend', status: 'requested'|'scheduled'|'paid'|'failed'|'cancelled', code: 'NO_BALANCE'|'PAYER_BANK_UNAVAILABLE'|'NO_ANSWER'|'PAYER_ACCOUNT_BLOCKED'|'REFUSED_BY_PAYER_BANK'|'PAYER_LIMIT'|'SAME_PARTICIPANT'|'PAYER_ACCOUNT_CLOSED'|'DOCUMENT_MISMATCH'|'PAYER_BANK_UNKNOWN'|'MANDATE_UNKNOWN'|'ALREADY_PAID'|'AMOUNT_NOT_AGREED'|'DUE_DATE_NOT_AGREED'|'OUTSIDE_WINDOW'|'RETRY_NOT_ALLOWED'|'PAYER_CANCELLED'|'APPROVAL_ENDED'|'RECEIVER_CANCELLED'|'DEBIT_FAILED'|'CANCELLED_BY_BANK'|'PROVIDER_REFUSED'|'UNKNOWN'|null, message: string|null, action: 'retry'|'tell_payer_offer_link'|'offer_link'|'new_approval'|'a_person'|'our_fault'|'nothing'|null, providerCode: string|null}
 * @phpstan-type TransactionPixFine array{type: 'FIXED'|'PERCENTAGE', value: int}
 * @phpstan-type TransactionPixInterest array{value: int}
 * @phpstan-type TransactionPixDiscount array{type: 'FIXED'|'PERCENTAGE', value: int, untilDate: string}
 * @phpstan-type TransactionPix array{kind?: 'AUTOMATIC', qrcode: string, url: string|null, expirationDate: string, dueDate?: string, validityAfterDue?: int, fine?: TransactionPixFine|null, interest?: TransactionPixInterest|null, discount?: TransactionPixDiscount|null, amountDue?: int, amountDueOn?: string}
 * @phpstan-type TransactionBoleto array{barcode: string, digitableLine: string, formattedLine: string, ourNumber: string, dueDate: string, expirationDate: string, url: string, pdfUrl: string, qrcode: string|null}
 * @phpstan-type TransactionCard array{brand: string, firstDigits: string, lastDigits: string, holderName: string, expirationMonth: int, expirationYear: int, authorizationCode: string|null, savedCardId?: string}
 * @phpstan-type TransactionRefusedReason array{code: string, message: string, retryable: bool, attemptsLeft?: int, retryNotBefore?: string}
 * @phpstan-type WithdrawWebhookBody array{type: 'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned', timestamp: string, sequence: int, data: WithdrawEventData}
 * @phpstan-type WithdrawEventData array{id: int, companyId: int, idempotencyKey: string, value: float, fee: float, returnedValue: float, pixKey: string, pixKeyType: PixKeyType, creditorDocument: string, description: string, currency: string, enTransaction: 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned', failureReason: FailureReason|null, metadata: string|null, endToEndId: string|null, approval: 'none'|'pending'|'approved'|'refused', approvalExpiresAt: string|null, requestedBy: Requester|null, decidedBy: Requester|null, decisionReason: string|null, paidAt: string|null, createdAt: string, updatedAt: string, previousStatus: 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned'}
 * @phpstan-type PixKeyType 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP'
 * @phpstan-type DisputeWebhookBody array{type: 'dispute.opened'|'dispute.won'|'dispute.lost', timestamp: string, sequence: int, data: DisputeEventData}
 * @phpstan-type DisputeEventData array{companyId: int, id: string, transactionId: string|null, paymentId: string|null, reason: 'MED_FRAUD'|'MED_OPERATIONAL_FAILURE'|'MED_AUTOMATIC_PIX'|'CHARGEBACK'|'OTHER', amount: int, held: int, status: 'open'|'won'|'lost', deadline: string|null, openedAt: string, updatedAt: string, previousStatus: 'open'|'won'|'lost'|null}
 * @phpstan-type PaymentWebhookBody array{type: 'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed', timestamp: string, sequence: int, data: PaymentEventData}
 * @phpstan-type PaymentEventData array{companyId: int, id: string, reason: 'SECOND_PAYMENT'|'LATE'|'NO_CHARGE'|'WRONG_AMOUNT', amount: int, transactionId: string|null, endToEndId: string|null, payer: PaidBy|null, receivedAt: string, status: 'kept'|'crediting'|'credited'|'returning'|'returned', rule: 'keep'|'credit'|'return', requestedBy: Requester|null, approval: 'none'|'pending'|'approved'|'refused', previousStatus: 'kept'|'crediting'|'credited'|'returning'|'returned'|null}
 * @phpstan-type PaymentLinkWebhookBody array{type: 'payment_link.paid'|'payment_link.exhausted', timestamp: string, sequence: int, data: PaymentLinkEventData}
 * @phpstan-type PaymentLinkEventData array{id: string, companyId: int, slug: string, name: string, status: PaymentLinkStatus, previousStatus: PaymentLinkStatus, maxPayments: int|null, paidCount: int, metadata: string|null, transactionId: string|null, amount: int|null}
 * @phpstan-type PaymentLinkStatus 'active'|'inactive'|'expired'|'exhausted'
 * @phpstan-type SubscriptionWebhookBody array{type: 'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed', timestamp: string, sequence: int, data: SubscriptionEventData}
 * @phpstan-type SubscriptionEventDataChargeByHand array{id: string, method: 'PIX'|'BOLETO'|'CREDIT_CARD', url: string|null, digitableLine: string|null}
 * @phpstan-type SubscriptionEventDataCharge array{id: string, transactionId: string, cycle: int, dueDate: string, amount: int, status: SubscriptionChargeStatus, attempts: list<SubscriptionAttempt>, end: SubscriptionDebitEnd, byHand: SubscriptionEventDataChargeByHand|null, cardSkipped: 'deleted'|'no_account'|'brand_rules'|null, recovered: bool, createdAt: string, updatedAt: string}
 * @phpstan-type SubscriptionEventData array{id: string, companyId: int, externalRef: string, status: SubscriptionStatus, previousStatus: 'pending_approval'|'active'|'past_due'|'paused'|'cancelled'|'rejected'|'expired'|'completed'|null, description: string, amount: int, minimumAmount: int|null, period: SubscriptionPeriod, journey: 'REQUEST'|'QR'|'QR_AND_PAY'|'QR_ON_DUE', mandate: SubscriptionEventMandate, metadata: string|null, charge: SubscriptionEventDataCharge|null}
 * @phpstan-type SubscriptionStatus 'pending_approval'|'active'|'past_due'|'paused'|'cancelled'|'rejected'|'expired'|'completed'
 * @phpstan-type SubscriptionPeriod 'WEEKLY'|'MONTHLY'|'QUARTERLY'|'SEMIANNUAL'|'ANNUAL'
 * @phpstan-type SubscriptionEventMandate array{id: string|null, status: 'none'|'created'|'approved'|'rejected'|'cancelled'|'expired', payerIspb: string|null, reason: 'PAYER_REFUSED'|'PAYER_CANCELLED'|'PAYER_ACCOUNT_CLOSED'|'PAYER_DECEASED'|'FRAUD_SUSPECTED'|'RECEIVER_CANCELLED'|'RECEIVER_CLOSED'|'CONFIRMATION_FAILED'|'APPROVED_OTHERWISE'|'PROVIDER_REFUSED'|'OTHER'|null, message: string|null, action: 'new_approval'|'a_person'|'nothing'|null, endedBy: 'payer'|'payer_bank'|'receiver'|'receiver_bank'|null, providerCode: string|null, needsApproval: bool}
 * @phpstan-type SubscriptionChargeStatus 'open'|'paid'|'failed'|'cancelled'|'skipped'
 * @phpstan-type SubscriptionDebitEndValue array{kind: 'rejected'|'cancelled', by: 'payer'|'payer_bank'|'receiver'|'receiver_bank'|null, code: 'NO_BALANCE'|'PAYER_BANK_UNAVAILABLE'|'NO_ANSWER'|'PAYER_ACCOUNT_BLOCKED'|'REFUSED_BY_PAYER_BANK'|'PAYER_LIMIT'|'SAME_PARTICIPANT'|'PAYER_ACCOUNT_CLOSED'|'DOCUMENT_MISMATCH'|'PAYER_BANK_UNKNOWN'|'MANDATE_UNKNOWN'|'ALREADY_PAID'|'AMOUNT_NOT_AGREED'|'DUE_DATE_NOT_AGREED'|'OUTSIDE_WINDOW'|'RETRY_NOT_ALLOWED'|'PAYER_CANCELLED'|'APPROVAL_ENDED'|'RECEIVER_CANCELLED'|'DEBIT_FAILED'|'CANCELLED_BY_BANK'|'PROVIDER_REFUSED'|'UNKNOWN', message: string, action: 'retry'|'tell_payer_offer_link'|'offer_link'|'new_approval'|'a_person'|'our_fault'|'nothing', providerCode: string|null}
 * @phpstan-type SubscriptionDebitEnd SubscriptionDebitEndValue|null
 * @phpstan-type FreezeWebhookBody array{type: 'company.frozen'|'company.unfrozen', timestamp: string, sequence: int, data: FreezeEventData}
 * @phpstan-type FreezeEventDataFrozen array{withdraws: bool, charges: bool}
 * @phpstan-type FreezeEventData array{companyId: int, reason: string, by: Requester, frozen: FreezeEventDataFrozen, previousStatus: 'active'|'frozen'}
 * @phpstan-type SettingsWebhookBody array{type: 'company.settings_changing', timestamp: string, sequence: int, data: SettingsEventData}
 * @phpstan-type SettingsEventDataChange array{field: string, from?: mixed, to?: mixed, effectiveAt: string}
 * @phpstan-type SettingsEventData array{companyId: int, applicationId: string|null, changes: list<SettingsEventDataChange>, requestedBy: Requester, previousStatus: null}
 * @phpstan-type BalanceWebhookBody array{type: 'balance.released', timestamp: string, sequence: int, data: BalanceEventData}
 * @phpstan-type BalanceEventDataRelease array{transactionId: string, installment: int, amountCents: int}
 * @phpstan-type BalanceEventData array{id: int, companyId: int, currency: string, enBalanceStatus: 'Released'|'Pending'|'Blocked', accBalance: float, accBalanceHeld: float, accBalanceCredit: float, accBalanceCreditAwaiting: float, accBalanceBlocked: float, accBalanceDebt: float, releasedCents: int, releases: list<BalanceEventDataRelease>, previousStatus: 'Released'|'Pending'|'Blocked'}
 * @phpstan-type AnchorWebhookBody array{type: 'ledger.anchored', timestamp: string, sequence: int, data: AnchorEventData}
 * @phpstan-type AnchorEventData array{companyId: int, day: string, sequence: int, hash: string, digest: string, signature: string, publicKey: string, previousStatus: null}
 * @phpstan-type TestWebhookBody array{type: 'webhook.test', timestamp: string, sequence: int, data: TestEventData}
 * @phpstan-type TestEventData array{id: int, companyId: int, url: string, previousStatus: null}
 * @phpstan-type TransactionEnvelope array{data: Transaction, status: int, message: string}
 * @phpstan-type Transaction array{id: string, externalRef: string, amount: int, amountText: string, warnings?: list<string>, paidAmount: int|null, underpaid: bool, refundedAmount: int, providerCompanyId: string, companyId: int|null, installments: int, paymentMethod: PaymentMethod, status: TransactionStatus, postbackUrl: string, metadata: string|null, traceable: bool, secureId: string|null, secureUrl: string|null, currency: string, createdAt: string, updatedAt: string, paidAt?: string, cancelReason?: 'REQUESTED'|'EXPIRED', refundReason?: 'REQUESTED'|'MED'|'CHARGEBACK', failureReason?: FailureReason, refunds?: list<Refund>, dispute?: TransactionDispute, ip?: string, endToEndId: string|null, externalNsu: string|null, payer?: PaidBy, payerMatch?: 'matches'|'differs'|'unknown', staticCodeId?: string, subscriptionId?: string, attempts?: list<SubscriptionAttempt>, paymentLinkId?: string, fiscalKey?: string, pix?: TransactionPix, boleto?: TransactionBoleto, card?: TransactionCard, refusedReason?: TransactionRefusedReason, archived?: true, textsMissing?: true}
 * @phpstan-type Problem array{type: string, title: string, status: int, detail: string, instance: string, code: 'VALIDATION_FAILED'|'MALFORMED_JSON'|'IDEMPOTENCY_KEY_INVALID'|'IDEMPOTENCY_KEY_REQUIRED'|'WITHDRAW_BELOW_MINIMUM'|'INVALID_CREDENTIALS'|'FORBIDDEN'|'HTTPS_REQUIRED'|'HOST_NOT_ALLOWED'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'NOT_ACCEPTABLE'|'IDEMPOTENCY_KEY_REUSED'|'IDEMPOTENCY_IN_PROGRESS'|'INVALID_STATE'|'POSSIBLE_DUPLICATE_WITHDRAW'|'PROVIDER_DISAGREES'|'SECOND_OPERATOR_REQUIRED'|'BODY_TOO_LARGE'|'URI_TOO_LONG'|'UNSUPPORTED_MEDIA_TYPE'|'INSTALLMENTS_NOT_ALLOWED'|'AMOUNT_TOO_LARGE'|'PROVIDER_NOT_CONFIGURED'|'PROVIDER_DISCONNECTED'|'NOT_SUPPORTED_BY_PROVIDER'|'RAW_CARD_NOT_ALLOWED'|'RETRY_FORBIDDEN'|'CHARGE_REFUSED'|'INSUFFICIENT_BALANCE'|'COMPANY_FROZEN'|'DAILY_LIMIT_EXCEEDED'|'NIGHT_LIMIT_EXCEEDED'|'KEY_LIMIT_EXCEEDED'|'PIX_KEY_NOT_ALLOWED'|'PIX_KEY_COOLING_DOWN'|'SPENDING_LIMITS_EXCEEDED'|'SPENDING_LIMITS_ENDED'|'CAPTURE_EXCEEDS_AUTHORIZED'|'CAPTURE_REFUSED'|'DUE_DATE_REFUSED'|'REFUND_EXCEEDS_PAID'|'REFUND_NOT_DISPUTED_AMOUNT'|'REFUND_REFUSED'|'REFUND_LIMIT_EXCEEDED'|'EVIDENCE_DEADLINE_PASSED'|'EVIDENCE_TOO_LARGE'|'FILE_STORAGE_NOT_CONFIGURED'|'TOO_MANY_REQUESTS'|'CARD_ATTEMPTS_EXCEEDED'|'QUOTA_EXCEEDED'|'INTERNAL_ERROR'|'PROVIDER_UNAVAILABLE'|'STORAGE_UNAVAILABLE'|'STORAGE_FULL'|'SERVICE_PAUSED'|'NOT_READY', reason?: 'transaction_status'|'withdraw_status'|'decided_already'|'dispute_answered'|'dispute_closed'|'member_already'|'name_taken'|'too_many'|'role_beyond_own'|'requester'|'younger_than_request'|'given_by_requester'|'tied_by_application'|'tie_too_young'|'proposer'|'proposal_ended'|'proposal_waits'|'clock_back'|'clock_moved'|'clock_runs'|'being_decided'|'decision_not_possible'|'corrected_already'|'beyond_givable'|'nothing_givable'|'beyond_takable'|'nothing_takable'|'refund_not_possible'|'payment_status'|'no_open_dispute'|'not_paid'|'below_taken'|'subscription_status'|'charge_closed'|'amount_agreed'|'personal_data'|'rights_beyond_own'|'own_access'|'last_owner'|'last_admin'|'first_operator'|'changed_meanwhile'|'unchanged'|'no_webhook'|'no_provider'|'no_certificate'|'no_database'|'sandbox_company'|'company_in_use'|'company_moving'|'pix_key_taken'|'account_taken'|'account_other'|'account_known'|'priority_taken'|'secret_unreadable'|'more_than_sent'|'time_not_past'|'restore_interrupted'|'company_restored'|'company_too_large'|'company_unsound', traceId: string, availableCents?: int, requiredCents?: int, heldCents?: int, attemptsLeft?: int, retryNotBefore?: string, source?: string, withdrawId?: int, provider?: string, says?: string, rule?: string, limitCents?: int, usedCents?: int, withdrawnTodayCents?: int, quota?: string, limit?: int, used?: int, until?: string, possibleFrom?: string, failed?: list<string>, endedAt?: string, refundableCents?: int, disputedCents?: int, authorizedCents?: int, errors?: array<string, list<string>>, rules?: array<string, list<BrokenRule>>}
 * @phpstan-type BrokenRule array{rule: 'required'|'requiredFor'|'requiredTo'|'requiredWith'|'requiredWithoutToken'|'providerCannot'|'requiredForDueDate'|'requiredForApproval'|'requiredApplication'|'requiredAmount'|'requiredReference'|'keyTypeNeeded'|'keyTypeAmbiguous'|'keyMayBePhone'|'onlyAllowedWith'|'needsDueDate'|'notTogetherWithToken'|'notTogetherWith'|'sameAs'|'unknown'|'unknownNearly'|'unknownParameter'|'tooManyUnknown'|'sentOnce'|'string'|'boolean'|'array'|'object'|'objectOf'|'objectOrNull'|'jsonObject'|'stringOrObject'|'rawBody'|'integer'|'integerOf'|'plainInteger'|'amountNotNegative'|'signedAmount'|'amountNotNull'|'positiveInteger'|'fraction'|'notZero'|'tooLarge'|'type'|'minWithdraw'|'minCentavos'|'min'|'maxCentavosFor'|'maxInstallments'|'maxLength'|'maxBasisPoints'|'maxCentavos'|'maxItems'|'max'|'between'|'paymentTooLarge'|'nothingLeft'|'notBelow'|'maximumBelowMinimum'|'oneAmount'|'tooManyInstallments'|'notEmpty'|'unstorable'|'list'|'listOf'|'networkNeeded'|'nameOne'|'nameOneOf'|'nameAny'|'nameOnce'|'nameEachOnce'|'nameAtMost'|'holdOne'|'holdEachOnce'|'holdAtMost'|'haveAtMost'|'limitsNeeded'|'evidenceNeeded'|'pauseSomething'|'document'|'documentExpected'|'documentOrMask'|'pixKeyOfItsType'|'anyPixKey'|'pixKey'|'keyOfOtherType'|'documentOf'|'cardNumber'|'cardNumberSent'|'cardNumberInName'|'cardDigits'|'digits'|'inPast'|'inFuture'|'notBefore'|'after'|'bankRefuses'|'retryDays'|'notBeforeToday'|'afterToday'|'notAfterDueDate'|'notAfter'|'withinDays'|'time'|'timeOrDuration'|'duration'|'advanceOrSet'|'timeWithOffset'|'timeOrNull'|'dayOrTime'|'day'|'dayOfReport'|'calendarDay'|'email'|'ipAddress'|'network'|'url'|'httpsUrl'|'https'|'noUserInfo'|'port443'|'noFragment'|'noQuery'|'plainUrl'|'publicName'|'publicHost'|'urlOfEndpoint'|'notWith'|'eventType'|'originWithoutPath'|'origin'|'hostName'|'colour'|'fiscalKey'|'endToEndId'|'endToEndIdForm'|'traceId'|'twoLetters'|'currencyForm'|'currencyInCapitals'|'idempotencyKey'|'accountName'|'testKey'|'testAddress'|'hours'|'pagarMeAccount'|'headerValue'|'binding'|'savedCardOfCustomer'|'otherAccount'|'savedAtOtherAccount'|'noCertificate'|'publicCertificate'|'publicRequest'|'privateKey'|'otherKey'|'sameSearchPage'|'earlierPage'|'earlierStep'|'transactionId'|'companyNumber'|'companyIdOfCreate'|'withdrawNumber'|'earlierWithdraw'|'keyNumber'|'ofTheCompany'|'prefixAndId'|'oneId'|'endToEndIdOrAmount'|'moveBody'|'otherClaim'|'notPaidSo'|'otherMode'|'oneOf'|'someOf'|'value', min?: int, max?: int}
 * @phpstan-type CreateTransactionInputCustomerDocument array{number?: string, type?: 'CPF'|'CNPJ'}
 * @phpstan-type CreateTransactionInputCustomer array{id?: string, name?: string, email?: string, document?: CreateTransactionInputCustomerDocument, phone?: string, externalRef?: string}
 * @phpstan-type CreateTransactionInputShippingAddress array{street?: string, streetNumber?: string, complement?: string, zipCode?: string, neighborhood?: string, city?: string, state?: string, country?: string}
 * @phpstan-type CreateTransactionInputShipping array{fee?: int, address?: CreateTransactionInputShippingAddress}
 * @phpstan-type CreateTransactionInputPixAdditionalInfoItem array{name: string, value: string}
 * @phpstan-type CreateTransactionInputPix array{expiresInDays?: int, expiresInSeconds?: int, payerMessage?: string, additionalInfo?: list<CreateTransactionInputPixAdditionalInfoItem>, dueDate?: string, validityAfterDue?: int, fine?: Fine, interest?: Interest, discount?: Discount}
 * @phpstan-type CreateTransactionInputBoleto array{expiresInDays?: int, dueDate?: string, instructions?: string, documentNumber?: string, fine?: Fine, interest?: Interest, discount?: Discount}
 * @phpstan-type CreateTransactionInputCard array{token?: string, account?: string, number?: string, holderName?: string, expirationMonth?: int, expirationYear?: int, cvv?: string, savedCardId?: string, saveCard?: bool, initiatedBy?: 'payer'|'merchant', capture?: bool, statementDescriptor?: string}
 * @phpstan-type CreateTransactionInput array{amount: int, currency?: 'BRL', paymentMethod: PaymentMethod, installments?: int, externalRef?: string, customer?: CreateTransactionInputCustomer, shipping?: CreateTransactionInputShipping, items?: list<Item>, pix?: CreateTransactionInputPix, boleto?: CreateTransactionInputBoleto, card?: CreateTransactionInputCard, postbackUrl?: string, returnUrl?: string, metadata?: string|array<string, mixed>, traceable?: bool, ip?: string, fiscalKey?: string}
 * @phpstan-type Item array{title?: string, unitPrice?: int, quantity?: int, tangible?: bool, externalRef?: string}
 * @phpstan-type Fine array{type: 'FIXED'|'PERCENTAGE', value: int}
 * @phpstan-type Interest array{value: int}
 * @phpstan-type Discount array{type: 'FIXED'|'PERCENTAGE', value: int, untilDate?: string}
 * @phpstan-type RefundTransactionInput array{amount?: int, insteadOf?: string}
 * @phpstan-type NoFields array{}
 * @phpstan-type CaptureTransactionInput array{amount?: int}
 * @phpstan-type ChangeDueDateInput array{dueDate: string}
 * @phpstan-type TransactionDetailLead array{id: int, name: string, email: string, phone: string, document: string, address: Address}
 * @phpstan-type TransactionDetail array{id: int, leadId: int, lead: TransactionDetailLead, companyId: int, enSubIntegration: 'Sandbox'|'PixApi'|'EfiCobrancas'|'PagarMe', value: int, paidAmount: int|null, underpaid: bool, transactionId: string, gatewayPostbackUrl: string, enStatusTransaction: 'Awaiting'|'Paid'|'Failed'|'Cancelled'|'Refunded', enPaymentSystem: 'Pix'|'Boleto'|'CreditCard', updateDate: string, createdAt: string, items: list<Item>, refundedAmount?: int, failureReason?: FailureReason, refunds?: list<Refund>, dispute?: TransactionDispute, archived?: true, textsMissing?: true}
 * @phpstan-type Address array{street: string, streetNumber: string, complement: string, zipCode: string, neighborhood: string, city: string, state: string, country: string}
 * @phpstan-type TransactionTimeline array{items: list<TimelineCreated|TimelineAnswered|TimelinePayment|TimelineOperation|TimelineDispute|TimelineMove|TimelineMovement|TimelineEvent|TimelineAttempt|TimelineReminder>, hasMore: bool, refundable: int|null}
 * @phpstan-type TimelineCreated array{kind: 'created', at: string, amount: int, currency: string, paymentMethod: PaymentMethod, expiresAt: string|null}
 * @phpstan-type TimelineAnswered array{kind: 'answered', at: string, status: TransactionStatus, reason: string|null}
 * @phpstan-type TimelinePayment array{kind: 'payment', at: string, paymentId: string, amount: int, paidAt: string, expected: bool}
 * @phpstan-type TimelineOperation array{kind: 'operation', at: string, operation: 'refund'|'cancel'|'capture'|'return'|'due_date', id: string, amount: int, status: RefundStatus, reason: string|null, dueDate?: TimelineDueDate}
 * @phpstan-type TimelineDueDate array{from: string, to: string}
 * @phpstan-type TimelineDispute array{kind: 'dispute', at: string, id: string, type: 'DISPUTE'|'CHARGEBACK', amount: int, status: DisputeStatus}
 * @phpstan-type TimelineMove array{kind: 'move', at: string, from: TransactionStatus, to: TransactionStatus, cause: TimelineCause}
 * @phpstan-type TimelineCause array{kind: 'payment'|'refund'|'cancel'|'capture'|'return'|'due_date'|'dispute'|'chargeback'|'release'|'authorization'|'expiry'|'refusal'|'provider_cancel', id: string|null, amount: int|null}
 * @phpstan-type TimelineMovement array{kind: 'movement', at: string, number: int, type: 'charge_paid'|'credit_released'|'payment_suspended'|'suspense_returned'|'suspense_credited'|'refund_requested'|'refund_done'|'refund_failed'|'refund_external'|'dispute_opened'|'dispute_won'|'dispute_lost'|'dispute_reduced'|'chargeback'|'chargeback_reversed', cause: TimelineCause|null, postings: list<TimelinePosting>}
 * @phpstan-type TimelinePosting array{account: LedgerAccount, amount: int}
 * @phpstan-type LedgerAccount 'available'|'awaiting'|'blocked'|'payout'|'debt'|'suspense'|'fees'|'provider'
 * @phpstan-type TimelineEvent array{kind: 'event', at: string, id: string, type: string, sequence: int, companySequence: int}
 * @phpstan-type TimelineAttempt array{kind: 'attempt', at: string, eventId: string, deliveryId: string, target: string, number: int, durationMs: int, httpStatus: int|null, fault: string|null, answer: string}
 * @phpstan-type TimelineReminder array{kind: 'reminder', at: string, number: int, status: 'sent'|'failed'}
 * @phpstan-type TransactionPageRes array{items: list<TransactionListItem>, totalItems: int, totalPages: int, currentPage: int, pageSize: int}
 * @phpstan-type TransactionPage array{ok: bool, res: TransactionPageRes}
 * @phpstan-type TransactionListItemLead array{id: string, externalId: string|null, name: string, email: string, phone: string, documentNumber: string, documentType: string, street: string|null, streetNumber: string|null, complement: string|null, zipCode: string|null, neighborhood: string|null, city: string|null, state: string|null, country: string|null}
 * @phpstan-type TransactionListItem array{id: int, leadId: string, lead: TransactionListItemLead, amount: int, paidAmount: int|null, underpaid: bool, status: ListedStatus, failureReason?: FailureReason, paymentMethod: PaymentMethod, providerTxId: string, externalRef: string, endToEndId: string|null, subscriptionId?: string, createdAt: string, updatedAt: string, archived?: true}
 * @phpstan-type ListedStatus 'PENDING'|'PAID'|'FAILED'|'CANCELLED'|'REFUNDED'
 * @phpstan-type TransactionSearch array{items: list<TransactionListItem>, after: string|null, hasMore: bool}
 * @phpstan-type SearchTransactionsInput array{after?: string, status?: 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'|'PENDING', paymentMethod?: 'PIX'|'BOLETO'|'CREDIT_CARD', failureCode?: 'KEY_NOT_FOUND'|'KEY_OWNER_MISMATCH'|'ACCOUNT_INVALID'|'ACCOUNT_CLOSED'|'ACCOUNT_BLOCKED'|'REFUSED_BY_BANK'|'FRAUD_SUSPECTED'|'BANK_UNAVAILABLE'|'LIMIT_EXCEEDED'|'INSUFFICIENT_FUNDS_AT_PROVIDER'|'TIMED_OUT'|'PROVIDER_REFUSED'|'REMOVED_BY_PROVIDER'|'NOT_RECEIVED_BY_PROVIDER'|'AUTHORIZATION_ENDED'|'DECIDED_BY_OPERATOR'|'LINK_UNAVAILABLE'|'DEBIT_FAILED'|'CARD_TOKEN_EXPIRED'|'CARD_DECLINED'|'INSUFFICIENT_FUNDS'|'EXPIRED_CARD'|'INCORRECT_CVV'|'UNKNOWN', from?: string, to?: string, paidFrom?: string, paidTo?: string, externalRef?: string, endToEndId?: string, fiscalKey?: string, staticCodeId?: string, paymentLinkId?: string, payerName?: string, document?: string, limit?: int, amountFrom?: int, amountTo?: int, ids?: list<string>}
 * @phpstan-type CurrentTransactionDataCustomerDocument array{number: string, type: string}
 * @phpstan-type CurrentTransactionDataCustomer array{externalRef: string|null, name: string, email: string, phone: string, document: CurrentTransactionDataCustomerDocument}
 * @phpstan-type CurrentTransactionDataShipping array{fee: int|null, address: Address}
 * @phpstan-type CurrentTransactionData array{id: string, externalRef: string, amount: int, amountText: string, warnings?: list<string>, paidAmount: int|null, underpaid: bool, refundedAmount: int, providerCompanyId: string, companyId: int|null, installments: int, paymentMethod: PaymentMethod, status: TransactionStatus, postbackUrl: string, metadata: string|null, traceable: bool, secureId: string|null, secureUrl: string|null, currency: string, createdAt: string, updatedAt: string, paidAt?: string, cancelReason?: 'REQUESTED'|'EXPIRED', refundReason?: 'REQUESTED'|'MED'|'CHARGEBACK', failureReason?: FailureReason, refunds?: list<Refund>, dispute?: TransactionDispute, ip?: string, endToEndId: string|null, externalNsu: string|null, payer?: PaidBy, payerMatch?: 'matches'|'differs'|'unknown', staticCodeId?: string, subscriptionId?: string, attempts?: list<SubscriptionAttempt>, paymentLinkId?: string, fiscalKey?: string, pix?: TransactionPix, boleto?: TransactionBoleto, card?: TransactionCard, refusedReason?: TransactionRefusedReason, archived?: true, textsMissing?: true, returnUrl: string|null, expiresAt: string|null, customer: CurrentTransactionDataCustomer, shipping: CurrentTransactionDataShipping, items: list<Item>}
 * @phpstan-type CurrentTransaction array{data: CurrentTransactionData}
 * @phpstan-type UpdateTransactionInput array{fiscalKey: string|null}
 * @phpstan-type WithdrawTimeline array{items: list<WithdrawTimelineMovement|TimelineEvent|TimelineAttempt>}
 * @phpstan-type WithdrawTimelineMovement array{kind: 'movement', at: string, number: int, type: MovementType, postings: list<TimelinePosting>}
 * @phpstan-type MovementType 'charge_paid'|'credit_released'|'payment_suspended'|'suspense_returned'|'suspense_credited'|'refund_requested'|'refund_done'|'refund_failed'|'refund_external'|'dispute_opened'|'dispute_won'|'dispute_lost'|'dispute_reduced'|'chargeback'|'chargeback_reversed'|'withdraw_requested'|'withdraw_paid'|'withdraw_failed'|'withdraw_cancelled'|'withdraw_returned'|'correction'
 * @phpstan-type WithdrawDryRunCheck array{check: string, passed: bool, code: string|null, detail: string|null}
 * @phpstan-type WithdrawDryRun array{dryRun: bool, accepted: bool, value: float, fee: float, currency: string, pixKey: string|null, pixKeyType: 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP'|null, creditorDocument: string, balanceBefore: float, balanceAfter: float, approval: 'none'|'pending', checks: list<WithdrawDryRunCheck>}
 * @phpstan-type Withdraw array{id: int, companyId: int, idempotencyKey: string, value: float, fee: float, returnedValue: float, pixKey: string, pixKeyType: PixKeyType, creditorDocument: string, description: string, currency: string, enTransaction: 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned', failureReason: FailureReason|null, metadata: string|null, endToEndId: string|null, approval: 'none'|'pending'|'approved'|'refused', approvalExpiresAt: string|null, requestedBy: Requester|null, decidedBy: Requester|null, decisionReason: string|null, paidAt: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type RequestWithdrawInput array{amount: int, currency?: 'BRL', pixKey?: string, pixKeyType?: 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP'|'', description?: string, metadata?: string|array<string, mixed>}
 * @phpstan-type WithdrawPageRes array{items: list<Withdraw>, totalItems: int, totalPages: int, currentPage: int, pageSize: int}
 * @phpstan-type WithdrawPage array{ok: bool, res: WithdrawPageRes}
 * @phpstan-type WithdrawSearch array{items: list<Withdraw>, after: string|null, hasMore: bool}
 * @phpstan-type SearchWithdrawsInput array{after?: string, status?: 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned', approval?: 'none'|'pending'|'approved'|'refused', from?: string, to?: string, pixKey?: string, limit?: int, amountFrom?: int, amountTo?: int}
 * @phpstan-type WithdrawApprovalFactsDataRequester array{role: 'owner'|'admin'|'finance'|'support'|'developer'|'viewer'|'cashier'|null, since: string|null}
 * @phpstan-type WithdrawApprovalFactsDataReceiver array{name: string|null, document: string|null}
 * @phpstan-type WithdrawApprovalFactsDataEarlier array{count: int, hasMore: bool, lastAt: string|null}
 * @phpstan-type WithdrawApprovalFactsData array{requester: WithdrawApprovalFactsDataRequester, receiver: WithdrawApprovalFactsDataReceiver, earlier: WithdrawApprovalFactsDataEarlier, rule: 'above_limit'|'right_from_operator', limit: int|null, balanceBefore: int, balanceAfter: int}
 * @phpstan-type WithdrawApprovalFacts array{data: WithdrawApprovalFactsData}
 * @phpstan-type DecidedWithdraw array{data: Withdraw}
 * @phpstan-type WithdrawDecision array{reason?: string}
 * @phpstan-type UnexpectedPayments array{items: list<UnexpectedPayment>, after: string|null, hasMore: bool}
 * @phpstan-type UnexpectedPayment array{id: string, reason: 'SECOND_PAYMENT'|'LATE'|'NO_CHARGE'|'WRONG_AMOUNT', amount: int, transactionId: string|null, endToEndId: string|null, payer: PaidBy|null, receivedAt: string, status: 'kept'|'crediting'|'credited'|'returning'|'returned', rule: 'keep'|'credit'|'return', requestedBy: Requester|null, approval: 'none'|'pending'|'approved'|'refused'}
 * @phpstan-type UnexpectedPaymentEnvelope array{data: UnexpectedPayment}
 * @phpstan-type CreditPayment array{transactionId?: string}
 * @phpstan-type RequestedRefunds array{items: list<RequestedRefund>, after: string|null, hasMore: bool}
 * @phpstan-type RequestedRefund array{id: string, kind: 'refund'|'return', transactionId: string|null, paymentId: string|null, amount: int, status: 'PENDING'|'DONE'|'FAILED', approval: 'none'|'pending'|'approved'|'refused', requestedBy: Requester|null, decidedBy: Requester|null, decisionReason: string|null, createdAt: string, approvalExpiresAt: string|null}
 * @phpstan-type RequestedRefundEnvelope array{data: RequestedRefund}
 * @phpstan-type RefundDecision array{reason?: string}
 * @phpstan-type ReceivedPayments array{items: list<ReceivedPayment>, isWhole: bool}
 * @phpstan-type ReceivedPaymentPayer array{firstName: string|null, documentMasked: string|null}
 * @phpstan-type ReceivedPayment array{id: string, transactionId: string|null, paymentMethod: PaymentMethod, amount: int, paidAt: string, status: 'credited'|'kept'|'disputed'|'partly_returned'|'returned', payer: ReceivedPaymentPayer}
 * @phpstan-type Balance array{id: int, companyId: int, currency: string, enBalanceStatus: 'Released'|'Pending'|'Blocked', accBalance: float, accBalanceHeld: float, accBalanceCredit: float, accBalanceCreditAwaiting: float, accBalanceBlocked: float, accBalanceDebt: float, ledgerSequence: int, ledgerHash: string, ledgerAnchor: LedgerAnchor}
 * @phpstan-type LedgerAnchorValue array{day: string, sequence: int, hash: string, digest: string, signature: string, publicKey: string}
 * @phpstan-type LedgerAnchor LedgerAnchorValue|null
 * @phpstan-type OwnBalanceData array{companyId: int, currency: string, availableCents: int, heldCents: int, awaitingCents: int, blockedCents: int, owedCents: int, ledgerSequence: int, ledgerHash: string}
 * @phpstan-type OwnBalance array{data: OwnBalanceData}
 * @phpstan-type ForecastItem array{date: string, amount: int}
 * @phpstan-type Forecast array{companyId: int, currency: string, total: int, items: list<ForecastItem>}
 * @phpstan-type StatementItem array{sequence: int, createdAt: string, type: string, account: LedgerAccount, amount: int, balance: int, transactionId: string|null, withdrawId: int|null, hash: string, detailsHash: string|null}
 * @phpstan-type Statement array{items: list<StatementItem>, after: string|null, hasMore: bool}
 * @phpstan-type StatementVerdictAnchored array{day: string, movement: int}
 * @phpstan-type StatementVerdictBalance array{account: LedgerAccount, balance: int}
 * @phpstan-type StatementVerdict array{valid: bool, error: string|null, lines: int, movements: int, ledgerSequence: int, ledgerHash: string, anchored: StatementVerdictAnchored|null, notAnchored: int, balances: list<StatementVerdictBalance>}
 * @phpstan-type StatementEntriesSummary array{month: string, from: string, to: string, opening: int, moneyIn: int, fees: int, moneyOut: int, closing: int, available: int, movements: int, sequence: int}
 * @phpstan-type StatementEntriesItem array{sequence: int, createdAt: string, type: MovementType, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD'|null, counterpart: string|null, externalRef: string|null, transactionId: string|null, withdrawId: int|null, gross: int, fee: int, net: int, balance: int, availableNet: int, available: int}
 * @phpstan-type StatementEntries array{summary: StatementEntriesSummary, items: list<StatementEntriesItem>, after: string|null, hasMore: bool}
 * @phpstan-type PendingReleasesItem array{transactionId: string, installment: int, amount: int, releasesAt: string, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD'|null, counterpart: string|null, externalRef: string|null}
 * @phpstan-type PendingReleases array{items: list<PendingReleasesItem>, after: string|null, hasMore: bool}
 * @phpstan-type RehearsalItem array{day: string, opening: int, releases: int, expiredApprovals: int, due: int, expiring: int, expectedPayments: int, expectedFees: int, disputed: int, debtRepaid: int, certain: int, worst: int, expected: int, best: int}
 * @phpstan-type RehearsalAssumptionsMethod array{paymentMethod: 'PIX'|'BOLETO', ended: int, paid: int, isEnough: bool, worst: PaymentOdds, expected: PaymentOdds, best: PaymentOdds}
 * @phpstan-type RehearsalAssumptions array{days: int, returnedShare: float, methods: list<RehearsalAssumptionsMethod>}
 * @phpstan-type Rehearsal array{items: list<RehearsalItem>, owed: int, payout: int, assumptions: RehearsalAssumptions}
 * @phpstan-type PaymentOdds array{share: float, daysEarly: int|null}
 * @phpstan-type FeeReportAccount array{account: string, provider: 'Sandbox'|'PixApi'|'EfiCobrancas'|'PagarMe'|null, comparedUntil: string}
 * @phpstan-type FeeReportItem array{day: string, account: string, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD', count: int, gross: int, agreed: int, taken: int, difference: int, anticipation: int, refunds: int, chargebacks: int}
 * @phpstan-type FeeReportTotals array{count: int, gross: int, agreed: int, taken: int, difference: int, anticipation: int, refunds: int, chargebacks: int}
 * @phpstan-type FeeReport array{accounts: list<FeeReportAccount>, items: list<FeeReportItem>, totals: FeeReportTotals}
 * @phpstan-type FeeDifferencesItem array{day: string, account: string, kind: 'fee'|'amount'|'late'|'missing'|'unpaid', transactionId: string, settlementId: string|null, amount: int}
 * @phpstan-type FeeDifferences array{items: list<FeeDifferencesItem>, after: string|null, hasMore: bool}
 * @phpstan-type DailyReportsItem array{day: string, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD', count: int, gross: int, fees: int, refunds: int, net: int, fiscalKeys: int, hours: array<string, int>}
 * @phpstan-type DailyReports array{items: list<DailyReportsItem>}
 * @phpstan-type ConversionReportItem array{day: string, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD', created: int|null, paid: int}
 * @phpstan-type ConversionReport array{items: list<ConversionReportItem>}
 * @phpstan-type ReconcileResultItemDifference array{field: string, theirs: string|int, ours: string|int|null}
 * @phpstan-type ReconcileResultItem array{result: 'matched'|'mismatch'|'missing'|'duplicate', id: string|null, differences?: list<ReconcileResultItemDifference>}
 * @phpstan-type ReconcileResultOnlyHereItem array{id: string, externalRef: string, endToEndId: string|null, amount: int, paidAmount: int|null, status: 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED', paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD', createdAt: string, paidAt: string|null}
 * @phpstan-type ReconcileResult array{items: list<ReconcileResultItem>, onlyHere: list<ReconcileResultOnlyHereItem>, after: string|null, hasMore: bool}
 * @phpstan-type ReconcileLinesItem array{id?: string, externalRef?: string, endToEndId?: string, amount?: int, paidAmount?: int, status?: 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'|'PENDING'}
 * @phpstan-type ReconcileLines array{items: list<ReconcileLinesItem>, from?: string, to?: string, after?: string, limit?: int}
 * @phpstan-type CheckoutStatus array{id: string, status: ListedStatus, failureReason?: FailureReason, paymentMethod: PaymentMethod, amount: int, paidAmount: int|null, underpaid: bool, currency: string, paidAt: string|null, expiresAt: string|null, pollAfterMs: int}
 * @phpstan-type PaymentLinkEnvelope array{data: PaymentLink}
 * @phpstan-type PaymentLinkField array{name: 'name'|'document'|'email', required: bool}
 * @phpstan-type PaymentLink array{id: string, slug: string, url: string, name: string, status: PaymentLinkStatus, amount: int|null, minimum: int|null, maximum: int|null, amounts: list<int>|null, maxQuantity: int, maxPayments: int|null, paidCount: int, openCount: int, expiresAt: string|null, paymentMethods: list<PaymentMethod>, maxInstallments: int, saveCard: bool, fields: list<PaymentLinkField>, metadata: string|null, returnUrl: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type CreatePaymentLinkInputField array{name: 'name'|'document'|'email', required?: bool}
 * @phpstan-type CreatePaymentLinkInput array{name: string, amount?: int, minimum?: int, maximum?: int, amounts?: list<int>, maxQuantity?: int, maxPayments?: int|null, expiresAt?: string|null, paymentMethods?: list<'PIX'|'BOLETO'|'CREDIT_CARD'>, maxInstallments?: int, saveCard?: bool, fields?: list<CreatePaymentLinkInputField>, metadata?: string|array<string, mixed>|null, returnUrl?: string}
 * @phpstan-type PaymentLinks array{items: list<PaymentLink>, after: string|null, hasMore: bool}
 * @phpstan-type UpdatePaymentLinkInput array{name?: string, active?: bool, expiresAt?: string|null, maxPayments?: int|null, metadata?: string|array<string, mixed>|null}
 * @phpstan-type SubscriptionEnvelope array{data: Subscription}
 * @phpstan-type SubscriptionCustomer array{name: string, email: string, externalRef: string, city: string|null, document: SubscriptionDocument}
 * @phpstan-type SubscriptionPayerAccount array{ispb: string, branch: string|null, account: string, document: SubscriptionDocument|null}
 * @phpstan-type SubscriptionDunning array{link: 'none'|'event'|'email', method: 'PIX'|'BOLETO', savedCardId: string|null, days: int, then: 'none'|'pause'|'cancel'}
 * @phpstan-type SubscriptionFirstPayment array{amount: int}
 * @phpstan-type SubscriptionPix array{qrcode: string|null, journey: 'REQUEST'|'QR'|'QR_AND_PAY'|'QR_ON_DUE'}
 * @phpstan-type SubscriptionNextCharge array{dueDate: string, amount: int}
 * @phpstan-type Subscription array{id: string, externalRef: string, status: SubscriptionStatus, description: string, customer: SubscriptionCustomer, amount: int, minimumAmount: int|null, period: SubscriptionPeriod, firstDueDate: string, endDate: string|null, payerAccount: SubscriptionPayerAccount|null, retry: 'none'|list<int>, dunning: SubscriptionDunning, firstPayment: SubscriptionFirstPayment|null, pix: SubscriptionPix, secureId: string|null, approvalUrl: string|null, approvalExpiresAt: string, mandate: SubscriptionMandate, nextCharges: list<SubscriptionNextCharge>, metadata: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type SubscriptionDocument array{number: string, type: 'CPF'|'CNPJ'}
 * @phpstan-type SubscriptionMandate array{id: string|null, status: 'none'|'created'|'approved'|'rejected'|'cancelled'|'expired', payerIspb: string|null, reason: 'PAYER_REFUSED'|'PAYER_CANCELLED'|'PAYER_ACCOUNT_CLOSED'|'PAYER_DECEASED'|'FRAUD_SUSPECTED'|'RECEIVER_CANCELLED'|'RECEIVER_CLOSED'|'CONFIRMATION_FAILED'|'APPROVED_OTHERWISE'|'PROVIDER_REFUSED'|'OTHER'|null, message: string|null, action: 'new_approval'|'a_person'|'nothing'|null, endedBy: 'payer'|'payer_bank'|'receiver'|'receiver_bank'|null, providerCode: string|null, needsApproval: bool, providerMessage: string|null}
 * @phpstan-type CreateSubscriptionInputCustomer array{name: string, document: SubscriptionDocumentInput, email?: string, externalRef?: string, city?: string}
 * @phpstan-type CreateSubscriptionInputPayerAccount array{ispb: string, branch?: string, account: string, document?: SubscriptionDocumentInput}
 * @phpstan-type CreateSubscriptionInputFirstPayment array{amount: int}
 * @phpstan-type CreateSubscriptionInput array{externalRef?: string, customer: CreateSubscriptionInputCustomer, description: string, amount?: int, minimumAmount?: int, period: 'WEEKLY'|'MONTHLY'|'QUARTERLY'|'SEMIANNUAL'|'ANNUAL', firstDueDate: string, endDate?: string, journey: 'REQUEST'|'QR'|'QR_AND_PAY'|'QR_ON_DUE', payerAccount?: CreateSubscriptionInputPayerAccount, retry?: 'none'|list<int>, dunning?: SubscriptionDunningInput, firstPayment?: CreateSubscriptionInputFirstPayment, metadata?: string|array<string, mixed>}
 * @phpstan-type SubscriptionDocumentInput array{number: string, type?: 'CPF'|'CNPJ'}
 * @phpstan-type SubscriptionDunningInput array{savedCardId?: string, link?: 'none'|'event'|'email', method?: 'PIX'|'BOLETO', days?: int, then?: 'none'|'pause'|'cancel'}
 * @phpstan-type Subscriptions array{items: list<Subscription>, after: string|null, hasMore: bool}
 * @phpstan-type ChangeSubscriptionInput array{amount?: int, dunning?: SubscriptionDunningInput}
 * @phpstan-type SubscriptionCharges array{items: list<SubscriptionCharge>, after: string|null, hasMore: bool}
 * @phpstan-type SubscriptionChargeByHand array{id: string, method: 'PIX'|'BOLETO'|'CREDIT_CARD', url: string|null, digitableLine: string|null, status: 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'|null}
 * @phpstan-type SubscriptionChargeRetryDay array{date: string, allowed: bool, rule: RetryRule, why: string, source: string}
 * @phpstan-type SubscriptionCharge array{id: string, transactionId: string, cycle: int, dueDate: string, amount: int, status: SubscriptionChargeStatus, attempts: list<SubscriptionChargeAttempt>, end: SubscriptionDebitEnd, byHand: SubscriptionChargeByHand|null, cardSkipped: 'deleted'|'no_account'|'brand_rules'|null, recovered: bool, createdAt: string, updatedAt: string, refusal: SubscriptionDebitRefusal, cancellable: bool, days: list<DebitDay>, retryDays: list<SubscriptionChargeRetryDay>}
 * @phpstan-type SubscriptionChargeAttempt array{at: string, kind: 'due'|'retry'|'resend', status: 'requested'|'scheduled'|'paid'|'failed'|'cancelled', code: 'NO_BALANCE'|'PAYER_BANK_UNAVAILABLE'|'NO_ANSWER'|'PAYER_ACCOUNT_BLOCKED'|'REFUSED_BY_PAYER_BANK'|'PAYER_LIMIT'|'SAME_PARTICIPANT'|'PAYER_ACCOUNT_CLOSED'|'DOCUMENT_MISMATCH'|'PAYER_BANK_UNKNOWN'|'MANDATE_UNKNOWN'|'ALREADY_PAID'|'AMOUNT_NOT_AGREED'|'DUE_DATE_NOT_AGREED'|'OUTSIDE_WINDOW'|'RETRY_NOT_ALLOWED'|'PAYER_CANCELLED'|'APPROVAL_ENDED'|'RECEIVER_CANCELLED'|'DEBIT_FAILED'|'CANCELLED_BY_BANK'|'PROVIDER_REFUSED'|'UNKNOWN'|null, message: string|null, action: 'retry'|'tell_payer_offer_link'|'offer_link'|'new_approval'|'a_person'|'our_fault'|'nothing'|null, providerCode: string|null, providerMessage: string|null}
 * @phpstan-type SubscriptionDebitRefusalValue array{at: string, code: 'NO_BALANCE'|'PAYER_BANK_UNAVAILABLE'|'NO_ANSWER'|'PAYER_ACCOUNT_BLOCKED'|'REFUSED_BY_PAYER_BANK'|'PAYER_LIMIT'|'SAME_PARTICIPANT'|'PAYER_ACCOUNT_CLOSED'|'DOCUMENT_MISMATCH'|'PAYER_BANK_UNKNOWN'|'MANDATE_UNKNOWN'|'ALREADY_PAID'|'AMOUNT_NOT_AGREED'|'DUE_DATE_NOT_AGREED'|'OUTSIDE_WINDOW'|'RETRY_NOT_ALLOWED'|'PAYER_CANCELLED'|'APPROVAL_ENDED'|'RECEIVER_CANCELLED'|'DEBIT_FAILED'|'CANCELLED_BY_BANK'|'PROVIDER_REFUSED'|'UNKNOWN', message: string, action: 'retry'|'tell_payer_offer_link'|'offer_link'|'new_approval'|'a_person'|'our_fault'|'nothing', providerMessage: string|null}
 * @phpstan-type SubscriptionDebitRefusal SubscriptionDebitRefusalValue|null
 * @phpstan-type DebitDay array{what: 'due'|'settles'|'ordered'|'ordered_until'|'cancelled_until'|'payer_cancels_until', at: string, why: string, source: string, mark: 'rule'|'manual'|'ours'}
 * @phpstan-type RetryRule 'retry_policy'|'retry_amount'|'retry_open'|'retry_count'|'retry_future'|'retry_same_day'|'retry_days_differ'|'retry_days'|'retry_before_next'|'retry_business_day'
 * @phpstan-type SubscriptionChargeEnvelope array{data: SubscriptionCharge}
 * @phpstan-type OpenSubscriptionChargeInput array{dueDate: string, amount?: int}
 * @phpstan-type RetrySubscriptionChargeInput array{date: string}
 * @phpstan-type SubscriptionRecoveryReportItemRecovered array{retry: DebitSum, card: DebitSum, hand: DebitSum}
 * @phpstan-type SubscriptionRecoveryReportItem array{month: string, failed: DebitSum, recovered: SubscriptionRecoveryReportItemRecovered}
 * @phpstan-type SubscriptionRecoveryReport array{items: list<SubscriptionRecoveryReportItem>}
 * @phpstan-type DebitSum array{count: int, amount: int}
 * @phpstan-type SubscriptionRetryBacktestDataDay array{daysAfter: int, tried: int, paid: int, recovered: int|null}
 * @phpstan-type SubscriptionRetryBacktestDataWeekday array{weekday: int, tried: int, paid: int}
 * @phpstan-type SubscriptionRetryBacktestData array{from: string, to: string, failed: int, insufficient: bool, days: list<SubscriptionRetryBacktestDataDay>, weekdays: list<SubscriptionRetryBacktestDataWeekday>}
 * @phpstan-type SubscriptionRetryBacktest array{data: SubscriptionRetryBacktestData}
 * @phpstan-type DebitOutlookItem array{day: string, count: int, amount: int}
 * @phpstan-type DebitOutlook array{from: string, to: string, items: list<DebitOutlookItem>, totals: DebitSum}
 * @phpstan-type PayerBanksItemMandates array{made: int, codesRead: int, approved: int, paidUnapproved: int, rejected: int, expired: int, active: int, approvedBasisPoints: int|null}
 * @phpstan-type PayerBanksItemDebitsFailure array{code: string, count: int}
 * @phpstan-type PayerBanksItemDebits array{due: int, paidInTime: int, paidLater: int, failed: int, failures: list<PayerBanksItemDebitsFailure>}
 * @phpstan-type PayerBanksItem array{ispb: string|null, name: string|null, mandates: PayerBanksItemMandates, debits: PayerBanksItemDebits}
 * @phpstan-type PayerBanks array{from: string, to: string, items: list<PayerBanksItem>}
 * @phpstan-type SavedCards array{data: list<SavedCard>}
 * @phpstan-type SavedCardCard array{brand: string, firstDigits: string, lastDigits: string, expirationMonth: int, expirationYear: int}
 * @phpstan-type SavedCardConsent array{at: string, textVersion: string, by: Requester|null}
 * @phpstan-type SavedCard array{id: string, customer: string, account: string, provider: 'Sandbox'|'PixApi'|'EfiCobrancas'|'PagarMe'|null, card: SavedCardCard, consent: SavedCardConsent, createdAt: string}
 * @phpstan-type OneSavedCard array{data: SavedCard}
 * @phpstan-type CardTokenCard array{brand: string, firstDigits: string, lastDigits: string, holderName: string, expirationMonth: int, expirationYear: int}
 * @phpstan-type CardToken array{token: string, card: CardTokenCard, createdAt: string}
 * @phpstan-type CardTokenRequest array{number: string, holderName: string, expirationMonth: int, expirationYear: int, cvv: string}
 * @phpstan-type PixCodeVerdict ValidPixCode|InvalidPixCode
 * @phpstan-type ValidPixCode array{valid: true, kind: 'static'|'dynamic'|'recurring', key: string|null, keyType: 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP'|null, location: string|null, recurrenceLocation: string|null, amount: int|null, currency: string, merchantName: string, merchantCity: string, postalCode: string|null, txid: string|null, description: string|null, withdrawalFacilitator: string|null, reusable: bool}
 * @phpstan-type InvalidPixCode array{valid: false, reason: 'bad_character'|'not_tlv'|'duplicate_field'|'bad_format_indicator'|'no_crc'|'crc_not_last'|'bad_crc'|'bad_point_of_initiation'|'not_pix'|'several_pix_accounts'|'key_and_location'|'no_key_or_location'|'bad_location'|'bad_fss'|'bad_mcc'|'wrong_currency'|'bad_amount'|'wrong_country'|'no_name'|'name_too_long'|'no_city'|'city_too_long'|'bad_postal_code'|'bad_txid', detail: string}
 * @phpstan-type CalendarDay array{date: string, businessDay: bool, next: string, why: string, debit: list<DebitDay>}
 * @phpstan-type StaticCodeEnvelope array{data: StaticCode}
 * @phpstan-type StaticCode array{id: string, qrcode: string, txid: string, description: string, amount: int|null, createdAt: string, deletedAt: string|null}
 * @phpstan-type CreateStaticCodeInput array{amount?: int, description?: string}
 * @phpstan-type StaticCodes array{items: list<StaticCode>, after: string|null, hasMore: bool}
 * @phpstan-type BoletoVerdict ValidBoleto|InvalidBoleto
 * @phpstan-type ValidBoleto array{valid: true, barcode: string, digitableLine: string, formattedLine: string, bank: string, amount: int|null, currency: string, factor: string, dueDate: string|null, freeField: string}
 * @phpstan-type InvalidBoletoReason array{reason: 'bad_character'|'arrecadacao'|'wrong_length'|'wrong_currency'|'bad_field_1'|'bad_field_2'|'bad_field_3'|'bad_check_digit', detail: string}
 * @phpstan-type InvalidBoleto array{valid: false, reasons: list<InvalidBoletoReason>}
 * @phpstan-type Disputes array{items: list<Dispute>, after: string|null, hasMore: bool}
 * @phpstan-type Dispute array{id: string, transactionId: string|null, paymentId: string|null, reason: 'MED_FRAUD'|'MED_OPERATIONAL_FAILURE'|'MED_AUTOMATIC_PIX'|'CHARGEBACK'|'OTHER', amount: int, held: int, status: 'open'|'won'|'lost', deadline: string|null, openedAt: string, updatedAt: string, evidence: DisputeEvidence|null, response: DisputeResponse|null}
 * @phpstan-type DisputeEvidence array{text: string|null, links: list<string>, delivery: array<string, mixed>|null, files: list<DisputeEvidenceFile>, submittedAt: string}
 * @phpstan-type DisputeEvidenceFile array{id: string, name: string, type: 'application/pdf'|'image/jpeg'|'image/png', bytes: int, sha256: string, addedAt: string}
 * @phpstan-type DisputeResponse array{id: string, version: int, status: 'sending'|'received'|'under_analysis'|'accepted'|'refused'|'withdrawn'|'not_sent'|'no_answer', answer: string|null, sentAt: string, answeredAt: string|null}
 * @phpstan-type DisputeEnvelope array{data: Dispute}
 * @phpstan-type SubmitEvidence array{text?: string, links?: list<string>, delivery?: array<string, mixed>}
 * @phpstan-type DossierDispute array{id: string, transactionId: string|null, paymentId: string|null, reason: 'MED_FRAUD'|'MED_OPERATIONAL_FAILURE'|'MED_AUTOMATIC_PIX'|'CHARGEBACK'|'OTHER', amount: int, held: int, status: 'open'|'won'|'lost', deadline: string|null, openedAt: string, updatedAt: string}
 * @phpstan-type DossierLeftOut array{timeline: int, postings: int, webhooks: int, items: int}
 * @phpstan-type Dossier array{type: 'dispute_dossier', company: DocumentCompany, dispute: DossierDispute, transaction: Transaction|null, payer: DossierPayer|null, items: list<Item>, timeline: list<TimelineCreated|TimelineAnswered|TimelinePayment|TimelineOperation|TimelineDispute|TimelineMove|TimelineMovement|TimelineEvent|TimelineAttempt|TimelineReminder>, postings: list<DossierPosting>, webhooks: list<DossierWebhook>|null, evidence: DisputeEvidence|null, leftOut: DossierLeftOut, createdAt: string, signature: DocumentSignature}
 * @phpstan-type DocumentCompany array{id: int, name: string}
 * @phpstan-type DossierPayer array{externalId: string|null, name: string, email: string, phone: string, documentNumber: string, documentType: string, address: array<string, string>, paidBy: PaidBy|null, payerMatch: 'matches'|'differs'|'unknown'|null}
 * @phpstan-type DossierPostingPosting array{account: 'available'|'awaiting'|'blocked'|'payout'|'debt'|'suspense'|'fees'|'provider', amount: int}
 * @phpstan-type DossierPosting array{movement: int, at: string, type: 'charge_paid'|'credit_released'|'payment_suspended'|'suspense_returned'|'suspense_credited'|'refund_requested'|'refund_done'|'refund_failed'|'refund_external'|'dispute_opened'|'dispute_won'|'dispute_lost'|'dispute_reduced'|'chargeback'|'chargeback_reversed', postings: list<DossierPostingPosting>, hash: string}
 * @phpstan-type DossierWebhookDeliverieTrie array{number: int, at: string, durationMs: int, httpStatus: int|null, fault: string|null}
 * @phpstan-type DossierWebhookDeliverie array{id: string, target: string, status: 'pending'|'delivered'|'superseded'|'stopped'|'exhausted', attempts: int, tries: list<DossierWebhookDeliverieTrie>}
 * @phpstan-type DossierWebhook array{id: string, type: 'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'|'webhook.test', sequence: int, at: string, deliveries: list<DossierWebhookDeliverie>}
 * @phpstan-type DocumentSignature array{algorithm: 'Ed25519', keyId: string, publicKey: string, signedAt: string, value: string}
 * @phpstan-type WebhookEndpoint array{url: string, failingHosts?: list<FailingWebhookHost>}
 * @phpstan-type FailingWebhookHost array{host: string, failingSince: string, lastFailureAt: string, lastFailure: string, offSince: string|null}
 * @phpstan-type SetWebhookEndpointInput array{url: string}
 * @phpstan-type WebhookEndpoints array{items: list<WebhookEndpointItem>, after: string|null, hasMore: bool}
 * @phpstan-type WebhookEndpointItem array{id: string, url: string, events: list<'*'|'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'>, description: string, failingHost?: FailingWebhookHost}
 * @phpstan-type MadeWebhookEndpointEnvelope array{data: MadeWebhookEndpoint}
 * @phpstan-type MadeWebhookEndpoint array{id: string, url: string, events: list<'*'|'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'>, description: string, failingHost?: FailingWebhookHost, secret: string}
 * @phpstan-type CreateWebhookEndpointInput array{url: string, events: list<'*'|'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'>, description?: string}
 * @phpstan-type WebhookEndpointEnvelope array{data: WebhookEndpointItem}
 * @phpstan-type ChangeWebhookEndpointInput array{url?: string, events?: list<'*'|'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'>, description?: string}
 * @phpstan-type RotatedWebhookEndpointEnvelope array{data: RotatedWebhookEndpoint}
 * @phpstan-type RotatedWebhookEndpoint array{id: string, url: string, events: list<'*'|'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'>, description: string, failingHost?: FailingWebhookHost, secret: string, previousValidUntil: string}
 * @phpstan-type RotateWebhookSecretInput array{overlapHours?: int}
 * @phpstan-type WebhookKeys array{keys: list<WebhookKey>}
 * @phpstan-type WebhookKey array{company: int, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: string, x: string, whpk: string}
 * @phpstan-type RotatedWebhookSecret array{secret: string, previousValidUntil: string}
 * @phpstan-type EndedWebhookSecrets array{ended: int}
 * @phpstan-type WebhookDiagnosis array{verified: bool, cause: 'missing_header'|'malformed_header'|'unknown_event'|'truncated_body'|'reserialised_body'|'changed_body'|'wrong_secret'|'clock_skew'|null, detail: string, eventId: string|null}
 * @phpstan-type ReceivedWebhook array{headers: array<string, mixed>, body: string, secret?: string, receivedAt?: string}
 * @phpstan-type Deliveries array{items: list<Delivery>, after: string|null, hasMore: bool}
 * @phpstan-type Delivery array{id: string, eventId: string, target: string, url: string, status: DeliveryStatus, attempts: int, nextAttemptAt: string|null, updatedAt: string}
 * @phpstan-type DeliveryStatus 'pending'|'delivered'|'superseded'|'stopped'|'exhausted'
 * @phpstan-type ResendWebhooksInput array{from: string, to: string, status?: list<'pending'|'delivered'|'superseded'|'stopped'|'exhausted'>, after?: string}
 * @phpstan-type EventDetailDeliverieTrie array{number: int, createdAt: string, durationMs: int, httpStatus: int|null, fault: string|null, answer: string}
 * @phpstan-type EventDetailDeliverie array{id: string, eventId: string, target: string, url: string, status: DeliveryStatus, attempts: int, nextAttemptAt: string|null, updatedAt: string, tries: list<EventDetailDeliverieTrie>}
 * @phpstan-type EventDetail array{id: string, companySequence: int, archived?: true, type: 'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'|'webhook.test', timestamp: string, sequence: int, data: TransactionEventData|WithdrawEventData|DisputeEventData|PaymentEventData|PaymentLinkEventData|SubscriptionEventData|FreezeEventData|SettingsEventData|BalanceEventData|AnchorEventData|TestEventData|null, deliveries: list<EventDetailDeliverie>}
 * @phpstan-type TestWebhookInput array{url?: string, endpointId?: string}
 * @phpstan-type Events array{items: list<Event>, after: string, hasMore: bool}
 * @phpstan-type Event TransactionEvent|WithdrawEvent|DisputeEvent|PaymentEvent|PaymentLinkEvent|SubscriptionEvent|FreezeEvent|SettingsEvent|BalanceEvent|AnchorEvent|TestEvent
 * @phpstan-type TransactionEvent array{id: string, companySequence: int, archived?: true, type: 'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed', timestamp: string, sequence: int, data: TransactionEventData|null}
 * @phpstan-type WithdrawEvent array{id: string, companySequence: int, archived?: true, type: 'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned', timestamp: string, sequence: int, data: WithdrawEventData|null}
 * @phpstan-type DisputeEvent array{id: string, companySequence: int, archived?: true, type: 'dispute.opened'|'dispute.won'|'dispute.lost', timestamp: string, sequence: int, data: DisputeEventData|null}
 * @phpstan-type PaymentEvent array{id: string, companySequence: int, archived?: true, type: 'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed', timestamp: string, sequence: int, data: PaymentEventData|null}
 * @phpstan-type PaymentLinkEvent array{id: string, companySequence: int, archived?: true, type: 'payment_link.paid'|'payment_link.exhausted', timestamp: string, sequence: int, data: PaymentLinkEventData|null}
 * @phpstan-type SubscriptionEvent array{id: string, companySequence: int, archived?: true, type: 'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed', timestamp: string, sequence: int, data: SubscriptionEventData|null}
 * @phpstan-type FreezeEvent array{id: string, companySequence: int, archived?: true, type: 'company.frozen'|'company.unfrozen', timestamp: string, sequence: int, data: FreezeEventData|null}
 * @phpstan-type SettingsEvent array{id: string, companySequence: int, archived?: true, type: 'company.settings_changing', timestamp: string, sequence: int, data: SettingsEventData|null}
 * @phpstan-type BalanceEvent array{id: string, companySequence: int, archived?: true, type: 'balance.released', timestamp: string, sequence: int, data: BalanceEventData|null}
 * @phpstan-type AnchorEvent array{id: string, companySequence: int, archived?: true, type: 'ledger.anchored', timestamp: string, sequence: int, data: AnchorEventData|null}
 * @phpstan-type TestEvent array{id: string, companySequence: int, archived?: true, type: 'webhook.test', timestamp: string, sequence: int, data: TestEventData|null}
 * @phpstan-type OwnTermsFreeze array{withdraws: bool, charges: bool, since: string, reason: string}
 * @phpstan-type OwnTerms array{fees: Fees, releaseDays: ReleaseDays, minimumWithdraw: int, frozen: bool, freeze: OwnTermsFreeze|null}
 * @phpstan-type Fees array{PIX: Fee, BOLETO: Fee, CREDIT_CARD: Fee, WITHDRAW: Fee}
 * @phpstan-type Fee array{basisPoints: int, fixed: int}
 * @phpstan-type ReleaseDays array{PIX: int, BOLETO: int, CREDIT_CARD: int}
 * @phpstan-type CompanyTerms array{fees: Fees, releaseDays: ReleaseDays, minimumWithdraw: int, frozen: bool}
 * @phpstan-type ChangeCompanyTermsInput array{fees?: ChangeFees, releaseDays?: ChangeReleaseDays, minimumWithdraw?: int, frozen?: bool}
 * @phpstan-type ChangeFees array{PIX?: ChangeFee, BOLETO?: ChangeFee, CREDIT_CARD?: ChangeFee, WITHDRAW?: ChangeFee}
 * @phpstan-type ChangeFee array{basisPoints?: int, fixed?: int}
 * @phpstan-type ChangeReleaseDays array{PIX?: int, BOLETO?: int, CREDIT_CARD?: int}
 * @phpstan-type CompanyProvidersItem array{account: string, provider: 'Sandbox'|'PixApi'|'EfiCobrancas'|'PagarMe'|null, host: string, certificateExpiresAt: string|null, credentialsExpireAt: string|null, failingSince: string|null}
 * @phpstan-type CompanyProvidersCallbackUrl array{account: string, provider: 'Sandbox'|'PixApi'|'EfiCobrancas'|'PagarMe', url: string}
 * @phpstan-type CompanyProviders array{items: list<CompanyProvidersItem>, callbackUrls: list<CompanyProvidersCallbackUrl>}
 * @phpstan-type CompanySettingsAllowedPixKeys array{enforced: bool, coolDownHours: int}
 * @phpstan-type CompanySettings array{duplicateWithdrawGuard: bool, withdrawDailyLimit: int|null, withdrawNightLimit: int|null, withdrawKeyDailyLimit: int|null, withdrawApprovalAbove: int|null, allowedPixKeys: CompanySettingsAllowedPixKeys, refundDailyLimit: int|null, refundApprovalAbove: int|null, roleLimits: RoleLimits, unexpectedPayments: UnexpectedPaymentRules, retentionDays: int|null, brand: Brand, embedOrigins: list<string>, reminders: Reminders, pending: PendingSettings}
 * @phpstan-type RoleLimits array{owner?: RoleLimit, admin?: RoleLimit, finance?: RoleLimit, support?: RoleLimit, developer?: RoleLimit, viewer?: RoleLimit, cashier?: RoleLimit}
 * @phpstan-type RoleLimit array{refundDailyLimit: int|null}
 * @phpstan-type UnexpectedPaymentRules array{SECOND_PAYMENT: 'keep'|'credit'|'return', LATE: 'keep'|'credit'|'return', NO_CHARGE: 'keep'|'credit'|'return', WRONG_AMOUNT: 'keep'|'credit'|'return'}
 * @phpstan-type Brand array{name: string|null, color: string|null, logoUrl: string|null}
 * @phpstan-type Reminders array{email: bool, daysBefore: list<int>, daysAfter: list<int>, quietHours: QuietHours}
 * @phpstan-type QuietHours array{from: int, to: int}
 * @phpstan-type PendingSettingsValueItem array{field: string, from?: mixed, to?: mixed, effectiveAt: string}
 * @phpstan-type PendingSettings list<PendingSettingsValueItem>
 * @phpstan-type ChangeCompanySettingsInput array{duplicateWithdrawGuard?: bool, withdrawDailyLimit?: int|null, withdrawNightLimit?: int|null, withdrawKeyDailyLimit?: int|null, withdrawApprovalAbove?: int|null, allowedPixKeys?: ChangeAllowedPixKeys, refundDailyLimit?: int|null, refundApprovalAbove?: int|null, roleLimits?: ChangeRoleLimits, unexpectedPayments?: ChangeUnexpectedPaymentRules, retentionDays?: int|null, brand?: ChangeBrand, embedOrigins?: list<string>, reminders?: ChangeReminders}
 * @phpstan-type ChangeAllowedPixKeys array{enforced?: bool, coolDownHours?: int}
 * @phpstan-type ChangeRoleLimits array{owner?: ChangeRoleLimit, admin?: ChangeRoleLimit, finance?: ChangeRoleLimit, support?: ChangeRoleLimit, developer?: ChangeRoleLimit, viewer?: ChangeRoleLimit, cashier?: ChangeRoleLimit}
 * @phpstan-type ChangeRoleLimit array{refundDailyLimit: int|null}
 * @phpstan-type ChangeUnexpectedPaymentRules array{SECOND_PAYMENT?: 'keep'|'credit'|'return', LATE?: 'keep'|'credit'|'return', NO_CHARGE?: 'keep'|'credit'|'return', WRONG_AMOUNT?: 'keep'|'credit'|'return'}
 * @phpstan-type ChangeBrand array{name?: string|null, color?: string|null, logoUrl?: string|null}
 * @phpstan-type ChangeReminders array{email: bool, daysBefore: list<int>, daysAfter: list<int>, quietHours: ChangeQuietHours}
 * @phpstan-type ChangeQuietHours array{from: int, to: int}
 * @phpstan-type Applications array{items: list<Application>, after: string|null, hasMore: bool}
 * @phpstan-type Application array{id: string, clientId: string, name: string, scopes: list<Scope>, networks: list<string>|null, expiresAt: string|null, spendingLimits: SpendingLimits, mandate: SpendingLimits, refundDailyLimit: int|null, pending: PendingSettings, createdAt: string}
 * @phpstan-type Scope 'transactions:read'|'transactions:write'|'refunds:write'|'withdraws:read'|'withdraws:write'|'withdraws:approve'|'balance:read'|'webhooks:read'|'webhooks:write'|'settings:write'|'payments:write'|'disputes:write'|'keys:write'|'people:write'|'pii:read'|'cashier:write'
 * @phpstan-type SpendingLimitsValue array{dailyLimit: int|null, pixKeys: list<string>|null, until: string|null}
 * @phpstan-type SpendingLimits SpendingLimitsValue|null
 * @phpstan-type ApplicationEnvelope array{data: Application}
 * @phpstan-type CreateApplicationInput array{name: string, scopes: list<'transactions:read'|'transactions:write'|'refunds:write'|'withdraws:read'|'withdraws:write'|'withdraws:approve'|'balance:read'|'webhooks:read'|'webhooks:write'|'settings:write'|'payments:write'|'disputes:write'|'keys:write'|'people:write'|'pii:read'|'cashier:write'>, networks?: list<string>|null, expiresAt?: string|null, spendingLimits?: SetSpendingLimits, mandate?: SetSpendingLimits, refundDailyLimit?: int|null}
 * @phpstan-type SetSpendingLimitsValue array{dailyLimit?: int|null, pixKeys?: list<string>|null, until?: string|null}
 * @phpstan-type SetSpendingLimits SetSpendingLimitsValue|null
 * @phpstan-type ChangeApplicationInput array{name?: string, scopes?: list<'transactions:read'|'transactions:write'|'refunds:write'|'withdraws:read'|'withdraws:write'|'withdraws:approve'|'balance:read'|'webhooks:read'|'webhooks:write'|'settings:write'|'payments:write'|'disputes:write'|'keys:write'|'people:write'|'pii:read'|'cashier:write'>, networks?: list<string>|null, expiresAt?: string|null, spendingLimits?: SetSpendingLimits, mandate?: SetSpendingLimits, refundDailyLimit?: int|null}
 * @phpstan-type ApiKeys array{items: list<ApiKey>, after: string|null, hasMore: bool}
 * @phpstan-type ApiKey array{id: int, clientId: string, prefix: string, lastUsedAt: string|null, createdAt: string, expiresAt: string|null, revokedAt: string|null}
 * @phpstan-type IssuedApiKeyEnvelope array{data: IssuedApiKey}
 * @phpstan-type IssuedApiKey array{id: int, clientId: string, prefix: string, lastUsedAt: string|null, createdAt: string, expiresAt: string|null, revokedAt: string|null, key: string}
 * @phpstan-type IssueKey array{overlapHours?: int, expiresAt?: string|null}
 * @phpstan-type ApiKeyEnvelope array{data: ApiKey}
 * @phpstan-type MeDataCompany array{id: int, name: string, mode: 'sandbox'|'live', frozen: bool}
 * @phpstan-type MeDataApplication array{id: string, name: string, scopes: list<Scope>, spendingLimits: SpendingLimits}
 * @phpstan-type MeData array{company: MeDataCompany, application: MeDataApplication, serverTime: string, timezone: string}
 * @phpstan-type Me array{data: MeData}
 * @phpstan-type RequestLogs array{items: list<RequestStep>}
 * @phpstan-type RequestStepActor array{kind: 'application'|'person'|'operator'|'task', id: string, name: string}
 * @phpstan-type RequestStep array{at: string, traceId: string|null, action: string, target: string, actor: RequestStepActor|null, code: string|null}
 * @phpstan-type RequestLogData array{traceId: string, items: list<RequestStep>, searchedFrom: string|null}
 * @phpstan-type RequestLog array{data: RequestLogData}
 * @phpstan-type People array{items: list<Member>, invitations: list<Invitation>}
 * @phpstan-type Member array{id: string, name: string, email: string, role: PersonRole, createdAt: string, hasSecondFactor: bool}
 * @phpstan-type PersonRole 'owner'|'admin'|'finance'|'support'|'developer'|'viewer'|'cashier'
 * @phpstan-type Invitation array{id: string, email: string, role: PersonRole, createdAt: string, expiresAt: string}
 * @phpstan-type MadeInvitationData array{id: string, email: string, role: PersonRole, createdAt: string, expiresAt: string, url: string}
 * @phpstan-type MadeInvitation array{data: MadeInvitationData}
 * @phpstan-type InvitePersonInput array{email: string, role: PersonRole}
 * @phpstan-type OneInvitation array{data: Invitation}
 * @phpstan-type OneMember array{data: Member}
 * @phpstan-type ChangePersonInput array{role: PersonRole}
 * @phpstan-type SavedViews array{items: list<SavedView>}
 * @phpstan-type SavedView array{id: string, name: string, filters: PaymentFilters, createdAt: string}
 * @phpstan-type PaymentFilters array{status?: 'PENDING'|'PAID'|'FAILED'|'CANCELLED'|'REFUNDED', paymentMethod?: 'PIX'|'BOLETO'|'CREDIT_CARD', failureCode?: 'KEY_NOT_FOUND'|'KEY_OWNER_MISMATCH'|'ACCOUNT_INVALID'|'ACCOUNT_CLOSED'|'ACCOUNT_BLOCKED'|'REFUSED_BY_BANK'|'FRAUD_SUSPECTED'|'BANK_UNAVAILABLE'|'LIMIT_EXCEEDED'|'INSUFFICIENT_FUNDS_AT_PROVIDER'|'TIMED_OUT'|'PROVIDER_REFUSED'|'REMOVED_BY_PROVIDER'|'NOT_RECEIVED_BY_PROVIDER'|'AUTHORIZATION_ENDED'|'DECIDED_BY_OPERATOR'|'LINK_UNAVAILABLE'|'DEBIT_FAILED'|'CARD_TOKEN_EXPIRED'|'CARD_DECLINED'|'INSUFFICIENT_FUNDS'|'EXPIRED_CARD'|'INCORRECT_CVV'|'UNKNOWN', from?: string, to?: string, paidFrom?: string, paidTo?: string, amountFrom?: string, amountTo?: string, externalRef?: string, endToEndId?: string, id?: string}
 * @phpstan-type OneSavedView array{data: SavedView}
 * @phpstan-type SaveView array{name: string, filters: PaymentFilters}
 * @phpstan-type RenameView array{name: string}
 * @phpstan-type AllowedPixKeys array{items: list<AllowedPixKey>, after: string|null, hasMore: bool}
 * @phpstan-type AllowedPixKey array{id: int, pixKey: string, pixKeyType: PixKeyType, addedAt: string, countsFrom: string}
 * @phpstan-type AddedPixKey array{data: AllowedPixKey}
 * @phpstan-type AddPixKey array{pixKey: string, pixKeyType?: 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP'}
 * @phpstan-type RemovedPixKeyData array{id: int, removed: true}
 * @phpstan-type RemovedPixKey array{data: RemovedPixKeyData}
 * @phpstan-type WithdrawPolicyBacktestResultDataStoppedItem array{withdrawId: int, amount: int, createdAt: string, rule: string}
 * @phpstan-type WithdrawPolicyBacktestResultData array{from: string, to: string, checked: int, stopped: list<WithdrawPolicyBacktestResultDataStoppedItem>, stoppedCount: int, stoppedAmount: int, truncated: bool}
 * @phpstan-type WithdrawPolicyBacktestResult array{data: WithdrawPolicyBacktestResultData}
 * @phpstan-type WithdrawPolicyBacktestSettings array{duplicateWithdrawGuard?: bool, withdrawDailyLimit?: int|null, withdrawNightLimit?: int|null, withdrawKeyDailyLimit?: int|null, withdrawApprovalAbove?: int|null, allowedPixKeys?: ChangeAllowedPixKeys}
 * @phpstan-type WithdrawPolicyBacktest array{settings: WithdrawPolicyBacktestSettings}
 * @phpstan-type AuditTrail array{items: list<AuditEntry>, after: string|null, hasMore: bool}
 * @phpstan-type AuditEntryActor array{kind: 'application'|'person'|'operator'|'task', id: string, name: string}
 * @phpstan-type AuditEntry array{companyId: int, sequence: int, at: string, actor: AuditEntryActor, keyPrefix: string|null, action: string, target: string, before: array<string, mixed>|null, after: array<string, mixed>|null, reason: string|null, address: string|null, traceId: string|null, hash: string}
 * @phpstan-type Payers array{items: list<ListedPayer>, after: string|null, hasMore: bool}
 * @phpstan-type ListedPayer array{transactionId: string, name: string, documentMasked: string, charges: int, paid: int, open: int, lastChargedAt: string, lastPaidAt: string|null}
 * @phpstan-type PayerExportData array{document: string, charges: list<ExportedCharge>, events: list<EventDetail>, subscriptions: list<Subscription>, withdraws: list<Withdraw>, savedCards: list<SavedCard>}
 * @phpstan-type PayerExport array{data: PayerExportData, after: string|null, hasMore: bool}
 * @phpstan-type ExportedChargePayer array{leadId: string, externalId: string|null, name: string, email: string, phone: string, documentNumber: string, documentType: string, address: Address, ip: string|null}
 * @phpstan-type ExportedCharge array{number: int, payer: ExportedChargePayer, shippingFee: int|null, items: list<Item>, transaction: Transaction}
 * @phpstan-type ExportPayerInput array{document: string, after?: string, limit?: int}
 * @phpstan-type PayerErasureDataSubscriptions array{erased: int, open: int}
 * @phpstan-type PayerErasureData array{document: string, erased: int, open: int, subscriptions: PayerErasureDataSubscriptions, status: 'done'|'pending'}
 * @phpstan-type PayerErasure array{data: PayerErasureData}
 * @phpstan-type ErasePayerInput array{document: string}
 * @phpstan-type PaymentReceiptPayer array{name: string, documentMasked: string, ispb: string|null}
 * @phpstan-type PaymentReceipt array{type: 'payment', company: DocumentCompany, transactionId: string, status: 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED', amount: int, paidAmount: int, refundedAmount: int, currency: string, paymentMethod: 'PIX'|'BOLETO'|'CREDIT_CARD', paidAt: string, endToEndId: string|null, payer: PaymentReceiptPayer, signature: DocumentSignature}
 * @phpstan-type WithdrawReceipt array{type: 'withdraw', company: DocumentCompany, withdrawId: int, status: 'Paid'|'Returned', amount: int, fee: int, returnedAmount: int, currency: string, pixKeyMasked: string, pixKeyType: 'CPF'|'CNPJ'|'EMAIL'|'PHONE'|'EVP', creditorDocumentMasked: string, description: string, paidAt: string, endToEndId: string|null, signature: DocumentSignature}
 * @phpstan-type ReceiptVerdict array{genuine: bool, companyId?: int, signedAt?: string}
 * @phpstan-type ReceiptToVerify array{}
 * @phpstan-type SandboxPayStaticCode array{amount?: int, payer?: SandboxPayer}
 * @phpstan-type SandboxPayer array{name?: string, document?: string}
 * @phpstan-type SandboxAttempt array{outcome: 'paid'|'no_balance'|'over_limit'|'closed'|'silent'}
 * @phpstan-type CompanyClockData array{now: string, moved: bool, until: string|null}
 * @phpstan-type CompanyClock array{data: CompanyClockData}
 * @phpstan-type MovedClockData array{now: string, moved: bool, until: string|null, ran: list<ClockItem>, hasMore: bool}
 * @phpstan-type MovedClock array{data: MovedClockData}
 * @phpstan-type ClockItem array{at: string, kind: string, id: string}
 * @phpstan-type MoveClock array{advance?: string, from?: string, set?: string}
 * @phpstan-type SandboxPay array{amount?: int, payer?: SandboxPayer, method?: 'BOLETO'|'PIX'}
 * @phpstan-type SandboxPaid array{paymentId: string, amount: int, paidAt: string}
 * @phpstan-type SandboxPayment array{amount: int, payer?: SandboxPayer}
 * @phpstan-type SandboxDispute array{reason?: 'MED_FRAUD'|'MED_OPERATIONAL_FAILURE'|'MED_AUTOMATIC_PIX'|'OTHER', deadline?: string}
 * @phpstan-type SandboxResolveDispute array{outcome: 'won'|'lost'}
 * @phpstan-type SandboxReturn array{amount?: int}
 * @phpstan-type WebhookChaos array{seed?: int, duplicate?: float, reorder?: float, drop?: float, delay?: int}
 * @phpstan-type SandboxFaultsData array{items: list<SandboxFault>}
 * @phpstan-type SandboxFaults array{data: SandboxFaultsData}
 * @phpstan-type SandboxFault array{kind: 'bank_silent'|'bank_slow'|'bank_doubled'|'bank_late'|'receiver_down', from: string, until: string, by: string|null}
 * @phpstan-type SandboxFaultsInputItem array{kind: 'bank_silent'|'bank_slow'|'bank_doubled'|'bank_late'|'receiver_down', from?: string, until: string, by?: string}
 * @phpstan-type SandboxFaultsInput array{items: list<SandboxFaultsInputItem>}
 * @phpstan-type Health array{status: 'ok', version: string, commit: string}
 * @phpstan-type Ready array{status: 'ready', archive: 'ok'|'missing'|'behind'|'unknown'}
 */
interface Types
{
}
