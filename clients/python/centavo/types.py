# `npm run clients` writes this file from the API's document.

"""The shapes of the API, by the names of its document. Amounts are centavos where nothing else is said."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Webhook = Union["TransactionWebhookBody", "WithdrawWebhookBody", "DisputeWebhookBody", "PaymentWebhookBody", "PaymentLinkWebhookBody", "SubscriptionWebhookBody", "FreezeWebhookBody", "SettingsWebhookBody", "BalanceWebhookBody", "AnchorWebhookBody", "TestWebhookBody"]


class TransactionWebhookBody(TypedDict):
    type: Literal["transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed"]
    timestamp: str
    sequence: int
    data: TransactionEventData


class TransactionEventDataRequired(TypedDict):
    id: str
    externalRef: str
    amount: int
    amountText: str
    paidAmount: Optional[int]
    underpaid: bool
    refundedAmount: int
    providerCompanyId: str
    companyId: Optional[int]
    installments: int
    paymentMethod: PaymentMethod
    status: TransactionStatus
    postbackUrl: str
    metadata: Optional[str]
    traceable: bool
    secureId: Optional[str]
    secureUrl: Optional[str]
    currency: str
    createdAt: str
    updatedAt: str
    endToEndId: Optional[str]
    externalNsu: Optional[str]
    previousStatus: TransactionStatus


class TransactionEventData(TransactionEventDataRequired, total=False):
    warnings: List[str]
    paidAt: str
    cancelReason: Literal["REQUESTED", "EXPIRED"]
    refundReason: Literal["REQUESTED", "MED", "CHARGEBACK"]
    failureReason: FailureReason
    refunds: List[Refund]
    dispute: TransactionDispute
    ip: str
    payer: PaidBy
    payerMatch: Literal["matches", "differs", "unknown"]
    staticCodeId: str
    subscriptionId: str
    attempts: List[SubscriptionAttempt]
    paymentLinkId: str
    fiscalKey: str
    pix: TransactionPix
    boleto: TransactionBoleto
    card: TransactionCard
    refusedReason: TransactionRefusedReason
    archived: Literal[True]
    textsMissing: Literal[True]

PaymentMethod = Literal["PIX", "BOLETO", "CREDIT_CARD"]

TransactionStatus = Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED"]


class FailureReason(TypedDict):
    code: Literal["KEY_NOT_FOUND", "KEY_OWNER_MISMATCH", "ACCOUNT_INVALID", "ACCOUNT_CLOSED", "ACCOUNT_BLOCKED", "REFUSED_BY_BANK", "FRAUD_SUSPECTED", "BANK_UNAVAILABLE", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS_AT_PROVIDER", "TIMED_OUT", "PROVIDER_REFUSED", "REMOVED_BY_PROVIDER", "NOT_RECEIVED_BY_PROVIDER", "AUTHORIZATION_ENDED", "DECIDED_BY_OPERATOR", "LINK_UNAVAILABLE", "DEBIT_FAILED", "CARD_TOKEN_EXPIRED", "CARD_DECLINED", "INSUFFICIENT_FUNDS", "EXPIRED_CARD", "INCORRECT_CVV", "UNKNOWN"]
    message: str
    retryable: bool


class RefundRequired(TypedDict):
    id: str
    amount: int
    status: RefundStatus
    createdAt: str
    requestedBy: Optional[Requester]
    approval: Literal["none", "pending", "approved", "refused"]
    decidedBy: Optional[Requester]


class Refund(RefundRequired, total=False):
    insteadOf: str

RefundStatus = Literal["PENDING", "DONE", "FAILED"]


class Requester(TypedDict):
    kind: Literal["application", "person", "operator", "rule", "provider"]
    id: str
    name: str


class TransactionDispute(TypedDict):
    id: str
    amount: int
    status: DisputeStatus
    createdAt: str

DisputeStatus = Literal["OPEN", "WON", "LOST"]


class PaidBy(TypedDict):
    name: Optional[str]
    documentMasked: Optional[str]
    ispb: Optional[str]


class SubscriptionAttempt(TypedDict):
    at: str
    kind: Literal["due", "retry", "resend"]
    status: Literal["requested", "scheduled", "paid", "failed", "cancelled"]
    code: Optional[Literal["NO_BALANCE", "PAYER_BANK_UNAVAILABLE", "NO_ANSWER", "PAYER_ACCOUNT_BLOCKED", "REFUSED_BY_PAYER_BANK", "PAYER_LIMIT", "SAME_PARTICIPANT", "PAYER_ACCOUNT_CLOSED", "DOCUMENT_MISMATCH", "PAYER_BANK_UNKNOWN", "MANDATE_UNKNOWN", "ALREADY_PAID", "AMOUNT_NOT_AGREED", "DUE_DATE_NOT_AGREED", "OUTSIDE_WINDOW", "RETRY_NOT_ALLOWED", "PAYER_CANCELLED", "APPROVAL_ENDED", "RECEIVER_CANCELLED", "DEBIT_FAILED", "CANCELLED_BY_BANK", "PROVIDER_REFUSED", "UNKNOWN"]]
    message: Optional[str]
    action: Optional[Literal["retry", "tell_payer_offer_link", "offer_link", "new_approval", "a_person", "our_fault", "nothing"]]
    providerCode: Optional[str]


class TransactionPixFine(TypedDict):
    type: Literal["FIXED", "PERCENTAGE"]
    value: int


class TransactionPixInterest(TypedDict):
    value: int


class TransactionPixDiscount(TypedDict):
    type: Literal["FIXED", "PERCENTAGE"]
    value: int
    untilDate: str


class TransactionPixRequired(TypedDict):
    qrcode: str
    url: Optional[str]
    expirationDate: str


class TransactionPix(TransactionPixRequired, total=False):
    kind: Literal["AUTOMATIC"]
    dueDate: str
    validityAfterDue: int
    fine: Optional[TransactionPixFine]
    interest: Optional[TransactionPixInterest]
    discount: Optional[TransactionPixDiscount]
    amountDue: int
    amountDueOn: str


class TransactionBoleto(TypedDict):
    barcode: str
    digitableLine: str
    formattedLine: str
    ourNumber: str
    dueDate: str
    expirationDate: str
    url: str
    pdfUrl: str
    qrcode: Optional[str]


class TransactionCardRequired(TypedDict):
    brand: str
    firstDigits: str
    lastDigits: str
    holderName: str
    expirationMonth: int
    expirationYear: int
    authorizationCode: Optional[str]


class TransactionCard(TransactionCardRequired, total=False):
    savedCardId: str


class TransactionRefusedReasonRequired(TypedDict):
    code: str
    message: str
    retryable: bool


class TransactionRefusedReason(TransactionRefusedReasonRequired, total=False):
    attemptsLeft: int
    retryNotBefore: str


class WithdrawWebhookBody(TypedDict):
    type: Literal["withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned"]
    timestamp: str
    sequence: int
    data: WithdrawEventData


class WithdrawEventData(TypedDict):
    id: int
    companyId: int
    idempotencyKey: str
    value: float
    fee: float
    returnedValue: float
    pixKey: str
    pixKeyType: PixKeyType
    creditorDocument: str
    description: str
    currency: str
    enTransaction: Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]
    failureReason: Optional[FailureReason]
    metadata: Optional[str]
    endToEndId: Optional[str]
    approval: Literal["none", "pending", "approved", "refused"]
    approvalExpiresAt: Optional[str]
    requestedBy: Optional[Requester]
    decidedBy: Optional[Requester]
    decisionReason: Optional[str]
    paidAt: Optional[str]
    createdAt: str
    updatedAt: str
    previousStatus: Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]

PixKeyType = Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]


class DisputeWebhookBody(TypedDict):
    type: Literal["dispute.opened", "dispute.won", "dispute.lost"]
    timestamp: str
    sequence: int
    data: DisputeEventData


class DisputeEventData(TypedDict):
    companyId: int
    id: str
    transactionId: Optional[str]
    paymentId: Optional[str]
    reason: Literal["MED_FRAUD", "MED_OPERATIONAL_FAILURE", "MED_AUTOMATIC_PIX", "CHARGEBACK", "OTHER"]
    amount: int
    held: int
    status: Literal["open", "won", "lost"]
    deadline: Optional[str]
    openedAt: str
    updatedAt: str
    previousStatus: Optional[Literal["open", "won", "lost"]]


class PaymentWebhookBody(TypedDict):
    type: Literal["payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed"]
    timestamp: str
    sequence: int
    data: PaymentEventData


class PaymentEventData(TypedDict):
    companyId: int
    id: str
    reason: Literal["SECOND_PAYMENT", "LATE", "NO_CHARGE", "WRONG_AMOUNT"]
    amount: int
    transactionId: Optional[str]
    endToEndId: Optional[str]
    payer: Optional[PaidBy]
    receivedAt: str
    status: Literal["kept", "crediting", "credited", "returning", "returned"]
    rule: Literal["keep", "credit", "return"]
    requestedBy: Optional[Requester]
    approval: Literal["none", "pending", "approved", "refused"]
    previousStatus: Optional[Literal["kept", "crediting", "credited", "returning", "returned"]]


class PaymentLinkWebhookBody(TypedDict):
    type: Literal["payment_link.paid", "payment_link.exhausted"]
    timestamp: str
    sequence: int
    data: PaymentLinkEventData


class PaymentLinkEventData(TypedDict):
    id: str
    companyId: int
    slug: str
    name: str
    status: PaymentLinkStatus
    previousStatus: PaymentLinkStatus
    maxPayments: Optional[int]
    paidCount: int
    metadata: Optional[str]
    transactionId: Optional[str]
    amount: Optional[int]

PaymentLinkStatus = Literal["active", "inactive", "expired", "exhausted"]


class SubscriptionWebhookBody(TypedDict):
    type: Literal["subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed"]
    timestamp: str
    sequence: int
    data: SubscriptionEventData


class SubscriptionEventDataChargeByHand(TypedDict):
    id: str
    method: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    url: Optional[str]
    digitableLine: Optional[str]


class SubscriptionEventDataCharge(TypedDict):
    id: str
    transactionId: str
    cycle: int
    dueDate: str
    amount: int
    status: SubscriptionChargeStatus
    attempts: List[SubscriptionAttempt]
    end: SubscriptionDebitEnd
    byHand: Optional[SubscriptionEventDataChargeByHand]
    cardSkipped: Optional[Literal["deleted", "no_account", "brand_rules"]]
    recovered: bool
    createdAt: str
    updatedAt: str


class SubscriptionEventData(TypedDict):
    id: str
    companyId: int
    externalRef: str
    status: SubscriptionStatus
    previousStatus: Optional[Literal["pending_approval", "active", "past_due", "paused", "cancelled", "rejected", "expired", "completed"]]
    description: str
    amount: int
    minimumAmount: Optional[int]
    period: SubscriptionPeriod
    journey: Literal["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"]
    mandate: SubscriptionEventMandate
    metadata: Optional[str]
    charge: Optional[SubscriptionEventDataCharge]

SubscriptionStatus = Literal["pending_approval", "active", "past_due", "paused", "cancelled", "rejected", "expired", "completed"]

SubscriptionPeriod = Literal["WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"]


class SubscriptionEventMandate(TypedDict):
    id: Optional[str]
    status: Literal["none", "created", "approved", "rejected", "cancelled", "expired"]
    payerIspb: Optional[str]
    reason: Optional[Literal["PAYER_REFUSED", "PAYER_CANCELLED", "PAYER_ACCOUNT_CLOSED", "PAYER_DECEASED", "FRAUD_SUSPECTED", "RECEIVER_CANCELLED", "RECEIVER_CLOSED", "CONFIRMATION_FAILED", "APPROVED_OTHERWISE", "PROVIDER_REFUSED", "OTHER"]]
    message: Optional[str]
    action: Optional[Literal["new_approval", "a_person", "nothing"]]
    endedBy: Optional[Literal["payer", "payer_bank", "receiver", "receiver_bank"]]
    providerCode: Optional[str]
    needsApproval: bool

SubscriptionChargeStatus = Literal["open", "paid", "failed", "cancelled", "skipped"]


class SubscriptionDebitEndValue(TypedDict):
    kind: Literal["rejected", "cancelled"]
    by: Optional[Literal["payer", "payer_bank", "receiver", "receiver_bank"]]
    code: Literal["NO_BALANCE", "PAYER_BANK_UNAVAILABLE", "NO_ANSWER", "PAYER_ACCOUNT_BLOCKED", "REFUSED_BY_PAYER_BANK", "PAYER_LIMIT", "SAME_PARTICIPANT", "PAYER_ACCOUNT_CLOSED", "DOCUMENT_MISMATCH", "PAYER_BANK_UNKNOWN", "MANDATE_UNKNOWN", "ALREADY_PAID", "AMOUNT_NOT_AGREED", "DUE_DATE_NOT_AGREED", "OUTSIDE_WINDOW", "RETRY_NOT_ALLOWED", "PAYER_CANCELLED", "APPROVAL_ENDED", "RECEIVER_CANCELLED", "DEBIT_FAILED", "CANCELLED_BY_BANK", "PROVIDER_REFUSED", "UNKNOWN"]
    message: str
    action: Literal["retry", "tell_payer_offer_link", "offer_link", "new_approval", "a_person", "our_fault", "nothing"]
    providerCode: Optional[str]

SubscriptionDebitEnd = Optional["SubscriptionDebitEndValue"]


class FreezeWebhookBody(TypedDict):
    type: Literal["company.frozen", "company.unfrozen"]
    timestamp: str
    sequence: int
    data: FreezeEventData


class FreezeEventDataFrozen(TypedDict):
    withdraws: bool
    charges: bool


class FreezeEventData(TypedDict):
    companyId: int
    reason: str
    by: Requester
    frozen: FreezeEventDataFrozen
    previousStatus: Literal["active", "frozen"]


class SettingsWebhookBody(TypedDict):
    type: Literal["company.settings_changing"]
    timestamp: str
    sequence: int
    data: SettingsEventData


class SettingsEventDataChangeRequired(TypedDict):
    field: str
    effectiveAt: str

SettingsEventDataChangeNamed = TypedDict("SettingsEventDataChangeNamed", {"from": Any}, total=False)


class SettingsEventDataChange(SettingsEventDataChangeNamed, SettingsEventDataChangeRequired, total=False):
    to: Any


class SettingsEventData(TypedDict):
    companyId: int
    applicationId: Optional[str]
    changes: List[SettingsEventDataChange]
    requestedBy: Requester
    previousStatus: None


class BalanceWebhookBody(TypedDict):
    type: Literal["balance.released"]
    timestamp: str
    sequence: int
    data: BalanceEventData


class BalanceEventDataRelease(TypedDict):
    transactionId: str
    installment: int
    amountCents: int


class BalanceEventData(TypedDict):
    id: int
    companyId: int
    currency: str
    enBalanceStatus: Literal["Released", "Pending", "Blocked"]
    accBalance: float
    accBalanceHeld: float
    accBalanceCredit: float
    accBalanceCreditAwaiting: float
    accBalanceBlocked: float
    accBalanceDebt: float
    releasedCents: int
    releases: List[BalanceEventDataRelease]
    previousStatus: Literal["Released", "Pending", "Blocked"]


class AnchorWebhookBody(TypedDict):
    type: Literal["ledger.anchored"]
    timestamp: str
    sequence: int
    data: AnchorEventData


class AnchorEventData(TypedDict):
    companyId: int
    day: str
    sequence: int
    hash: str
    digest: str
    signature: str
    publicKey: str
    previousStatus: None


class TestWebhookBody(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    sequence: int
    data: TestEventData


class TestEventData(TypedDict):
    id: int
    companyId: int
    url: str
    previousStatus: None


class TransactionEnvelope(TypedDict):
    data: Transaction
    status: int
    message: str


class TransactionRequired(TypedDict):
    id: str
    externalRef: str
    amount: int
    amountText: str
    paidAmount: Optional[int]
    underpaid: bool
    refundedAmount: int
    providerCompanyId: str
    companyId: Optional[int]
    installments: int
    paymentMethod: PaymentMethod
    status: TransactionStatus
    postbackUrl: str
    metadata: Optional[str]
    traceable: bool
    secureId: Optional[str]
    secureUrl: Optional[str]
    currency: str
    createdAt: str
    updatedAt: str
    endToEndId: Optional[str]
    externalNsu: Optional[str]


class Transaction(TransactionRequired, total=False):
    warnings: List[str]
    paidAt: str
    cancelReason: Literal["REQUESTED", "EXPIRED"]
    refundReason: Literal["REQUESTED", "MED", "CHARGEBACK"]
    failureReason: FailureReason
    refunds: List[Refund]
    dispute: TransactionDispute
    ip: str
    payer: PaidBy
    payerMatch: Literal["matches", "differs", "unknown"]
    staticCodeId: str
    subscriptionId: str
    attempts: List[SubscriptionAttempt]
    paymentLinkId: str
    fiscalKey: str
    pix: TransactionPix
    boleto: TransactionBoleto
    card: TransactionCard
    refusedReason: TransactionRefusedReason
    archived: Literal[True]
    textsMissing: Literal[True]


class ProblemRequired(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["VALIDATION_FAILED", "MALFORMED_JSON", "IDEMPOTENCY_KEY_INVALID", "IDEMPOTENCY_KEY_REQUIRED", "WITHDRAW_BELOW_MINIMUM", "INVALID_CREDENTIALS", "FORBIDDEN", "HTTPS_REQUIRED", "HOST_NOT_ALLOWED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "NOT_ACCEPTABLE", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS", "INVALID_STATE", "POSSIBLE_DUPLICATE_WITHDRAW", "PROVIDER_DISAGREES", "SECOND_OPERATOR_REQUIRED", "BODY_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "INSTALLMENTS_NOT_ALLOWED", "AMOUNT_TOO_LARGE", "PROVIDER_NOT_CONFIGURED", "PROVIDER_DISCONNECTED", "NOT_SUPPORTED_BY_PROVIDER", "RAW_CARD_NOT_ALLOWED", "RETRY_FORBIDDEN", "CHARGE_REFUSED", "INSUFFICIENT_BALANCE", "COMPANY_FROZEN", "DAILY_LIMIT_EXCEEDED", "NIGHT_LIMIT_EXCEEDED", "KEY_LIMIT_EXCEEDED", "PIX_KEY_NOT_ALLOWED", "PIX_KEY_COOLING_DOWN", "SPENDING_LIMITS_EXCEEDED", "SPENDING_LIMITS_ENDED", "CAPTURE_EXCEEDS_AUTHORIZED", "CAPTURE_REFUSED", "DUE_DATE_REFUSED", "REFUND_EXCEEDS_PAID", "REFUND_NOT_DISPUTED_AMOUNT", "REFUND_REFUSED", "REFUND_LIMIT_EXCEEDED", "EVIDENCE_DEADLINE_PASSED", "EVIDENCE_TOO_LARGE", "FILE_STORAGE_NOT_CONFIGURED", "TOO_MANY_REQUESTS", "CARD_ATTEMPTS_EXCEEDED", "QUOTA_EXCEEDED", "INTERNAL_ERROR", "PROVIDER_UNAVAILABLE", "STORAGE_UNAVAILABLE", "STORAGE_FULL", "SERVICE_PAUSED", "NOT_READY"]
    traceId: str


class Problem(ProblemRequired, total=False):
    reason: Literal["transaction_status", "withdraw_status", "decided_already", "dispute_answered", "dispute_closed", "member_already", "name_taken", "too_many", "role_beyond_own", "requester", "younger_than_request", "given_by_requester", "tied_by_application", "tie_too_young", "proposer", "proposal_ended", "proposal_waits", "clock_back", "clock_moved", "clock_runs", "being_decided", "decision_not_possible", "corrected_already", "beyond_givable", "nothing_givable", "beyond_takable", "nothing_takable", "refund_not_possible", "payment_status", "no_open_dispute", "not_paid", "below_taken", "subscription_status", "charge_closed", "amount_agreed", "personal_data", "rights_beyond_own", "own_access", "last_owner", "last_admin", "first_operator", "changed_meanwhile", "unchanged", "no_webhook", "no_provider", "no_certificate", "no_database", "sandbox_company", "company_in_use", "company_moving", "pix_key_taken", "account_taken", "account_other", "account_known", "priority_taken", "secret_unreadable", "more_than_sent", "time_not_past", "restore_interrupted", "company_restored", "company_too_large", "company_unsound"]
    availableCents: int
    requiredCents: int
    heldCents: int
    attemptsLeft: int
    retryNotBefore: str
    source: str
    withdrawId: int
    provider: str
    says: str
    rule: str
    limitCents: int
    usedCents: int
    withdrawnTodayCents: int
    quota: str
    limit: int
    used: int
    until: str
    possibleFrom: str
    failed: List[str]
    endedAt: str
    refundableCents: int
    disputedCents: int
    authorizedCents: int
    errors: Dict[str, List[str]]
    rules: Dict[str, List[BrokenRule]]


class BrokenRuleRequired(TypedDict):
    rule: Literal["required", "requiredFor", "requiredTo", "requiredWith", "requiredWithoutToken", "providerCannot", "requiredForDueDate", "requiredForApproval", "requiredApplication", "requiredAmount", "requiredReference", "keyTypeNeeded", "keyTypeAmbiguous", "keyMayBePhone", "onlyAllowedWith", "needsDueDate", "notTogetherWithToken", "notTogetherWith", "sameAs", "unknown", "unknownNearly", "unknownParameter", "tooManyUnknown", "sentOnce", "string", "boolean", "array", "object", "objectOf", "objectOrNull", "jsonObject", "stringOrObject", "rawBody", "integer", "integerOf", "plainInteger", "amountNotNegative", "signedAmount", "amountNotNull", "positiveInteger", "fraction", "notZero", "tooLarge", "type", "minWithdraw", "minCentavos", "min", "maxCentavosFor", "maxInstallments", "maxLength", "maxBasisPoints", "maxCentavos", "maxItems", "max", "between", "paymentTooLarge", "nothingLeft", "notBelow", "maximumBelowMinimum", "oneAmount", "tooManyInstallments", "notEmpty", "unstorable", "list", "listOf", "networkNeeded", "nameOne", "nameOneOf", "nameAny", "nameOnce", "nameEachOnce", "nameAtMost", "holdOne", "holdEachOnce", "holdAtMost", "haveAtMost", "limitsNeeded", "evidenceNeeded", "pauseSomething", "document", "documentExpected", "documentOrMask", "pixKeyOfItsType", "anyPixKey", "pixKey", "keyOfOtherType", "documentOf", "cardNumber", "cardNumberSent", "cardNumberInName", "cardDigits", "digits", "inPast", "inFuture", "notBefore", "after", "bankRefuses", "retryDays", "notBeforeToday", "afterToday", "notAfterDueDate", "notAfter", "withinDays", "time", "timeOrDuration", "duration", "advanceOrSet", "timeWithOffset", "timeOrNull", "dayOrTime", "day", "dayOfReport", "calendarDay", "email", "ipAddress", "network", "url", "httpsUrl", "https", "noUserInfo", "port443", "noFragment", "noQuery", "plainUrl", "publicName", "publicHost", "urlOfEndpoint", "notWith", "eventType", "originWithoutPath", "origin", "hostName", "colour", "fiscalKey", "endToEndId", "endToEndIdForm", "traceId", "twoLetters", "currencyForm", "currencyInCapitals", "idempotencyKey", "accountName", "testKey", "testAddress", "hours", "pagarMeAccount", "headerValue", "binding", "savedCardOfCustomer", "otherAccount", "savedAtOtherAccount", "noCertificate", "publicCertificate", "publicRequest", "privateKey", "otherKey", "sameSearchPage", "earlierPage", "earlierStep", "transactionId", "companyNumber", "companyIdOfCreate", "withdrawNumber", "earlierWithdraw", "keyNumber", "ofTheCompany", "prefixAndId", "oneId", "endToEndIdOrAmount", "moveBody", "otherClaim", "notPaidSo", "otherMode", "oneOf", "someOf", "value"]


class BrokenRule(BrokenRuleRequired, total=False):
    min: int
    max: int


class CreateTransactionInputCustomerDocument(TypedDict, total=False):
    number: str
    type: Literal["CPF", "CNPJ"]


class CreateTransactionInputCustomer(TypedDict, total=False):
    id: str
    name: str
    email: str
    document: CreateTransactionInputCustomerDocument
    phone: str
    externalRef: str


class CreateTransactionInputShippingAddress(TypedDict, total=False):
    street: str
    streetNumber: str
    complement: str
    zipCode: str
    neighborhood: str
    city: str
    state: str
    country: str


class CreateTransactionInputShipping(TypedDict, total=False):
    fee: int
    address: CreateTransactionInputShippingAddress


class CreateTransactionInputPixAdditionalInfoItem(TypedDict):
    name: str
    value: str


class CreateTransactionInputPix(TypedDict, total=False):
    expiresInDays: int
    expiresInSeconds: int
    payerMessage: str
    additionalInfo: List[CreateTransactionInputPixAdditionalInfoItem]
    dueDate: str
    validityAfterDue: int
    fine: Fine
    interest: Interest
    discount: Discount


class CreateTransactionInputBoleto(TypedDict, total=False):
    expiresInDays: int
    dueDate: str
    instructions: str
    documentNumber: str
    fine: Fine
    interest: Interest
    discount: Discount


class CreateTransactionInputCard(TypedDict, total=False):
    token: str
    account: str
    number: str
    holderName: str
    expirationMonth: int
    expirationYear: int
    cvv: str
    savedCardId: str
    saveCard: bool
    initiatedBy: Literal["payer", "merchant"]
    capture: bool
    statementDescriptor: str


class CreateTransactionInputRequired(TypedDict):
    amount: int
    paymentMethod: PaymentMethod


class CreateTransactionInput(CreateTransactionInputRequired, total=False):
    currency: Literal["BRL"]
    installments: int
    externalRef: str
    customer: CreateTransactionInputCustomer
    shipping: CreateTransactionInputShipping
    items: List[Item]
    pix: CreateTransactionInputPix
    boleto: CreateTransactionInputBoleto
    card: CreateTransactionInputCard
    postbackUrl: str
    returnUrl: str
    metadata: Union[str, Dict[str, Any]]
    traceable: bool
    ip: str
    fiscalKey: str


class Item(TypedDict, total=False):
    title: str
    unitPrice: int
    quantity: int
    tangible: bool
    externalRef: str


class Fine(TypedDict):
    type: Literal["FIXED", "PERCENTAGE"]
    value: int


class Interest(TypedDict):
    value: int


class DiscountRequired(TypedDict):
    type: Literal["FIXED", "PERCENTAGE"]
    value: int


class Discount(DiscountRequired, total=False):
    untilDate: str


class RefundTransactionInput(TypedDict, total=False):
    amount: int
    insteadOf: str


class NoFields(TypedDict):
    pass


class CaptureTransactionInput(TypedDict, total=False):
    amount: int


class ChangeDueDateInput(TypedDict):
    dueDate: str


class TransactionDetailLead(TypedDict):
    id: int
    name: str
    email: str
    phone: str
    document: str
    address: Address


class TransactionDetailRequired(TypedDict):
    id: int
    leadId: int
    lead: TransactionDetailLead
    companyId: int
    enSubIntegration: Literal["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"]
    value: int
    paidAmount: Optional[int]
    underpaid: bool
    transactionId: str
    gatewayPostbackUrl: str
    enStatusTransaction: Literal["Awaiting", "Paid", "Failed", "Cancelled", "Refunded"]
    enPaymentSystem: Literal["Pix", "Boleto", "CreditCard"]
    updateDate: str
    createdAt: str
    items: List[Item]


class TransactionDetail(TransactionDetailRequired, total=False):
    refundedAmount: int
    failureReason: FailureReason
    refunds: List[Refund]
    dispute: TransactionDispute
    archived: Literal[True]
    textsMissing: Literal[True]


class Address(TypedDict):
    street: str
    streetNumber: str
    complement: str
    zipCode: str
    neighborhood: str
    city: str
    state: str
    country: str


class TransactionTimeline(TypedDict):
    items: List[Union[TimelineCreated, TimelineAnswered, TimelinePayment, TimelineOperation, TimelineDispute, TimelineMove, TimelineMovement, TimelineEvent, TimelineAttempt, TimelineReminder]]
    hasMore: bool
    refundable: Optional[int]


class TimelineCreated(TypedDict):
    kind: Literal["created"]
    at: str
    amount: int
    currency: str
    paymentMethod: PaymentMethod
    expiresAt: Optional[str]


class TimelineAnswered(TypedDict):
    kind: Literal["answered"]
    at: str
    status: TransactionStatus
    reason: Optional[str]


class TimelinePayment(TypedDict):
    kind: Literal["payment"]
    at: str
    paymentId: str
    amount: int
    paidAt: str
    expected: bool


class TimelineOperationRequired(TypedDict):
    kind: Literal["operation"]
    at: str
    operation: Literal["refund", "cancel", "capture", "return", "due_date"]
    id: str
    amount: int
    status: RefundStatus
    reason: Optional[str]


class TimelineOperation(TimelineOperationRequired, total=False):
    dueDate: TimelineDueDate

TimelineDueDateNamed = TypedDict("TimelineDueDateNamed", {"from": str})


class TimelineDueDate(TimelineDueDateNamed):
    to: str


class TimelineDispute(TypedDict):
    kind: Literal["dispute"]
    at: str
    id: str
    type: Literal["DISPUTE", "CHARGEBACK"]
    amount: int
    status: DisputeStatus

TimelineMoveNamed = TypedDict("TimelineMoveNamed", {"from": "TransactionStatus"})


class TimelineMove(TimelineMoveNamed):
    kind: Literal["move"]
    at: str
    to: TransactionStatus
    cause: TimelineCause


class TimelineCause(TypedDict):
    kind: Literal["payment", "refund", "cancel", "capture", "return", "due_date", "dispute", "chargeback", "release", "authorization", "expiry", "refusal", "provider_cancel"]
    id: Optional[str]
    amount: Optional[int]


class TimelineMovement(TypedDict):
    kind: Literal["movement"]
    at: str
    number: int
    type: Literal["charge_paid", "credit_released", "payment_suspended", "suspense_returned", "suspense_credited", "refund_requested", "refund_done", "refund_failed", "refund_external", "dispute_opened", "dispute_won", "dispute_lost", "dispute_reduced", "chargeback", "chargeback_reversed"]
    cause: Optional[TimelineCause]
    postings: List[TimelinePosting]


class TimelinePosting(TypedDict):
    account: LedgerAccount
    amount: int

LedgerAccount = Literal["available", "awaiting", "blocked", "payout", "debt", "suspense", "fees", "provider"]


class TimelineEvent(TypedDict):
    kind: Literal["event"]
    at: str
    id: str
    type: str
    sequence: int
    companySequence: int


class TimelineAttempt(TypedDict):
    kind: Literal["attempt"]
    at: str
    eventId: str
    deliveryId: str
    target: str
    number: int
    durationMs: int
    httpStatus: Optional[int]
    fault: Optional[str]
    answer: str


class TimelineReminder(TypedDict):
    kind: Literal["reminder"]
    at: str
    number: int
    status: Literal["sent", "failed"]


class TransactionPageRes(TypedDict):
    items: List[TransactionListItem]
    totalItems: int
    totalPages: int
    currentPage: int
    pageSize: int


class TransactionPage(TypedDict):
    ok: bool
    res: TransactionPageRes


class TransactionListItemLead(TypedDict):
    id: str
    externalId: Optional[str]
    name: str
    email: str
    phone: str
    documentNumber: str
    documentType: str
    street: Optional[str]
    streetNumber: Optional[str]
    complement: Optional[str]
    zipCode: Optional[str]
    neighborhood: Optional[str]
    city: Optional[str]
    state: Optional[str]
    country: Optional[str]


class TransactionListItemRequired(TypedDict):
    id: int
    leadId: str
    lead: TransactionListItemLead
    amount: int
    paidAmount: Optional[int]
    underpaid: bool
    status: ListedStatus
    paymentMethod: PaymentMethod
    providerTxId: str
    externalRef: str
    endToEndId: Optional[str]
    createdAt: str
    updatedAt: str


class TransactionListItem(TransactionListItemRequired, total=False):
    failureReason: FailureReason
    subscriptionId: str
    archived: Literal[True]

ListedStatus = Literal["PENDING", "PAID", "FAILED", "CANCELLED", "REFUNDED"]


class TransactionSearch(TypedDict):
    items: List[TransactionListItem]
    after: Optional[str]
    hasMore: bool

SearchTransactionsInputNamed = TypedDict("SearchTransactionsInputNamed", {"from": str}, total=False)


class SearchTransactionsInput(SearchTransactionsInputNamed, total=False):
    after: str
    status: Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED", "PENDING"]
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    failureCode: Literal["KEY_NOT_FOUND", "KEY_OWNER_MISMATCH", "ACCOUNT_INVALID", "ACCOUNT_CLOSED", "ACCOUNT_BLOCKED", "REFUSED_BY_BANK", "FRAUD_SUSPECTED", "BANK_UNAVAILABLE", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS_AT_PROVIDER", "TIMED_OUT", "PROVIDER_REFUSED", "REMOVED_BY_PROVIDER", "NOT_RECEIVED_BY_PROVIDER", "AUTHORIZATION_ENDED", "DECIDED_BY_OPERATOR", "LINK_UNAVAILABLE", "DEBIT_FAILED", "CARD_TOKEN_EXPIRED", "CARD_DECLINED", "INSUFFICIENT_FUNDS", "EXPIRED_CARD", "INCORRECT_CVV", "UNKNOWN"]
    to: str
    paidFrom: str
    paidTo: str
    externalRef: str
    endToEndId: str
    fiscalKey: str
    staticCodeId: str
    paymentLinkId: str
    payerName: str
    document: str
    limit: int
    amountFrom: int
    amountTo: int
    ids: List[str]


class CurrentTransactionDataCustomerDocument(TypedDict):
    number: str
    type: str


class CurrentTransactionDataCustomer(TypedDict):
    externalRef: Optional[str]
    name: str
    email: str
    phone: str
    document: CurrentTransactionDataCustomerDocument


class CurrentTransactionDataShipping(TypedDict):
    fee: Optional[int]
    address: Address


class CurrentTransactionDataRequired(TypedDict):
    id: str
    externalRef: str
    amount: int
    amountText: str
    paidAmount: Optional[int]
    underpaid: bool
    refundedAmount: int
    providerCompanyId: str
    companyId: Optional[int]
    installments: int
    paymentMethod: PaymentMethod
    status: TransactionStatus
    postbackUrl: str
    metadata: Optional[str]
    traceable: bool
    secureId: Optional[str]
    secureUrl: Optional[str]
    currency: str
    createdAt: str
    updatedAt: str
    endToEndId: Optional[str]
    externalNsu: Optional[str]
    returnUrl: Optional[str]
    expiresAt: Optional[str]
    customer: CurrentTransactionDataCustomer
    shipping: CurrentTransactionDataShipping
    items: List[Item]


class CurrentTransactionData(CurrentTransactionDataRequired, total=False):
    warnings: List[str]
    paidAt: str
    cancelReason: Literal["REQUESTED", "EXPIRED"]
    refundReason: Literal["REQUESTED", "MED", "CHARGEBACK"]
    failureReason: FailureReason
    refunds: List[Refund]
    dispute: TransactionDispute
    ip: str
    payer: PaidBy
    payerMatch: Literal["matches", "differs", "unknown"]
    staticCodeId: str
    subscriptionId: str
    attempts: List[SubscriptionAttempt]
    paymentLinkId: str
    fiscalKey: str
    pix: TransactionPix
    boleto: TransactionBoleto
    card: TransactionCard
    refusedReason: TransactionRefusedReason
    archived: Literal[True]
    textsMissing: Literal[True]


class CurrentTransaction(TypedDict):
    data: CurrentTransactionData


class UpdateTransactionInput(TypedDict):
    fiscalKey: Optional[str]


class WithdrawTimeline(TypedDict):
    items: List[Union[WithdrawTimelineMovement, TimelineEvent, TimelineAttempt]]


class WithdrawTimelineMovement(TypedDict):
    kind: Literal["movement"]
    at: str
    number: int
    type: MovementType
    postings: List[TimelinePosting]

MovementType = Literal["charge_paid", "credit_released", "payment_suspended", "suspense_returned", "suspense_credited", "refund_requested", "refund_done", "refund_failed", "refund_external", "dispute_opened", "dispute_won", "dispute_lost", "dispute_reduced", "chargeback", "chargeback_reversed", "withdraw_requested", "withdraw_paid", "withdraw_failed", "withdraw_cancelled", "withdraw_returned", "correction"]


class WithdrawDryRunCheck(TypedDict):
    check: str
    passed: bool
    code: Optional[str]
    detail: Optional[str]


class WithdrawDryRun(TypedDict):
    dryRun: bool
    accepted: bool
    value: float
    fee: float
    currency: str
    pixKey: Optional[str]
    pixKeyType: Optional[Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]]
    creditorDocument: str
    balanceBefore: float
    balanceAfter: float
    approval: Literal["none", "pending"]
    checks: List[WithdrawDryRunCheck]


class Withdraw(TypedDict):
    id: int
    companyId: int
    idempotencyKey: str
    value: float
    fee: float
    returnedValue: float
    pixKey: str
    pixKeyType: PixKeyType
    creditorDocument: str
    description: str
    currency: str
    enTransaction: Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]
    failureReason: Optional[FailureReason]
    metadata: Optional[str]
    endToEndId: Optional[str]
    approval: Literal["none", "pending", "approved", "refused"]
    approvalExpiresAt: Optional[str]
    requestedBy: Optional[Requester]
    decidedBy: Optional[Requester]
    decisionReason: Optional[str]
    paidAt: Optional[str]
    createdAt: str
    updatedAt: str


class RequestWithdrawInputRequired(TypedDict):
    amount: int


class RequestWithdrawInput(RequestWithdrawInputRequired, total=False):
    currency: Literal["BRL"]
    pixKey: str
    pixKeyType: Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP", ""]
    description: str
    metadata: Union[str, Dict[str, Any]]


class WithdrawPageRes(TypedDict):
    items: List[Withdraw]
    totalItems: int
    totalPages: int
    currentPage: int
    pageSize: int


class WithdrawPage(TypedDict):
    ok: bool
    res: WithdrawPageRes


class WithdrawSearch(TypedDict):
    items: List[Withdraw]
    after: Optional[str]
    hasMore: bool

SearchWithdrawsInputNamed = TypedDict("SearchWithdrawsInputNamed", {"from": str}, total=False)


class SearchWithdrawsInput(SearchWithdrawsInputNamed, total=False):
    after: str
    status: Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]
    approval: Literal["none", "pending", "approved", "refused"]
    to: str
    pixKey: str
    limit: int
    amountFrom: int
    amountTo: int


class WithdrawApprovalFactsDataRequester(TypedDict):
    role: Optional[Literal["owner", "admin", "finance", "support", "developer", "viewer", "cashier"]]
    since: Optional[str]


class WithdrawApprovalFactsDataReceiver(TypedDict):
    name: Optional[str]
    document: Optional[str]


class WithdrawApprovalFactsDataEarlier(TypedDict):
    count: int
    hasMore: bool
    lastAt: Optional[str]


class WithdrawApprovalFactsData(TypedDict):
    requester: WithdrawApprovalFactsDataRequester
    receiver: WithdrawApprovalFactsDataReceiver
    earlier: WithdrawApprovalFactsDataEarlier
    rule: Literal["above_limit", "right_from_operator"]
    limit: Optional[int]
    balanceBefore: int
    balanceAfter: int


class WithdrawApprovalFacts(TypedDict):
    data: WithdrawApprovalFactsData


class DecidedWithdraw(TypedDict):
    data: Withdraw


class WithdrawDecision(TypedDict, total=False):
    reason: str


class UnexpectedPayments(TypedDict):
    items: List[UnexpectedPayment]
    after: Optional[str]
    hasMore: bool


class UnexpectedPayment(TypedDict):
    id: str
    reason: Literal["SECOND_PAYMENT", "LATE", "NO_CHARGE", "WRONG_AMOUNT"]
    amount: int
    transactionId: Optional[str]
    endToEndId: Optional[str]
    payer: Optional[PaidBy]
    receivedAt: str
    status: Literal["kept", "crediting", "credited", "returning", "returned"]
    rule: Literal["keep", "credit", "return"]
    requestedBy: Optional[Requester]
    approval: Literal["none", "pending", "approved", "refused"]


class UnexpectedPaymentEnvelope(TypedDict):
    data: UnexpectedPayment


class CreditPayment(TypedDict, total=False):
    transactionId: str


class RequestedRefunds(TypedDict):
    items: List[RequestedRefund]
    after: Optional[str]
    hasMore: bool


class RequestedRefund(TypedDict):
    id: str
    kind: Literal["refund", "return"]
    transactionId: Optional[str]
    paymentId: Optional[str]
    amount: int
    status: Literal["PENDING", "DONE", "FAILED"]
    approval: Literal["none", "pending", "approved", "refused"]
    requestedBy: Optional[Requester]
    decidedBy: Optional[Requester]
    decisionReason: Optional[str]
    createdAt: str
    approvalExpiresAt: Optional[str]


class RequestedRefundEnvelope(TypedDict):
    data: RequestedRefund


class RefundDecision(TypedDict, total=False):
    reason: str


class ReceivedPayments(TypedDict):
    items: List[ReceivedPayment]
    isWhole: bool


class ReceivedPaymentPayer(TypedDict):
    firstName: Optional[str]
    documentMasked: Optional[str]


class ReceivedPayment(TypedDict):
    id: str
    transactionId: Optional[str]
    paymentMethod: PaymentMethod
    amount: int
    paidAt: str
    status: Literal["credited", "kept", "disputed", "partly_returned", "returned"]
    payer: ReceivedPaymentPayer


class Balance(TypedDict):
    id: int
    companyId: int
    currency: str
    enBalanceStatus: Literal["Released", "Pending", "Blocked"]
    accBalance: float
    accBalanceHeld: float
    accBalanceCredit: float
    accBalanceCreditAwaiting: float
    accBalanceBlocked: float
    accBalanceDebt: float
    ledgerSequence: int
    ledgerHash: str
    ledgerAnchor: LedgerAnchor


class LedgerAnchorValue(TypedDict):
    day: str
    sequence: int
    hash: str
    digest: str
    signature: str
    publicKey: str

LedgerAnchor = Optional["LedgerAnchorValue"]


class OwnBalanceData(TypedDict):
    companyId: int
    currency: str
    availableCents: int
    heldCents: int
    awaitingCents: int
    blockedCents: int
    owedCents: int
    ledgerSequence: int
    ledgerHash: str


class OwnBalance(TypedDict):
    data: OwnBalanceData


class ForecastItem(TypedDict):
    date: str
    amount: int


class Forecast(TypedDict):
    companyId: int
    currency: str
    total: int
    items: List[ForecastItem]


class StatementItem(TypedDict):
    sequence: int
    createdAt: str
    type: str
    account: LedgerAccount
    amount: int
    balance: int
    transactionId: Optional[str]
    withdrawId: Optional[int]
    hash: str
    detailsHash: Optional[str]


class Statement(TypedDict):
    items: List[StatementItem]
    after: Optional[str]
    hasMore: bool


class StatementVerdictAnchored(TypedDict):
    day: str
    movement: int


class StatementVerdictBalance(TypedDict):
    account: LedgerAccount
    balance: int


class StatementVerdict(TypedDict):
    valid: bool
    error: Optional[str]
    lines: int
    movements: int
    ledgerSequence: int
    ledgerHash: str
    anchored: Optional[StatementVerdictAnchored]
    notAnchored: int
    balances: List[StatementVerdictBalance]

StatementEntriesSummaryNamed = TypedDict("StatementEntriesSummaryNamed", {"from": str})


class StatementEntriesSummary(StatementEntriesSummaryNamed):
    month: str
    to: str
    opening: int
    moneyIn: int
    fees: int
    moneyOut: int
    closing: int
    available: int
    movements: int
    sequence: int


class StatementEntriesItem(TypedDict):
    sequence: int
    createdAt: str
    type: MovementType
    paymentMethod: Optional[Literal["PIX", "BOLETO", "CREDIT_CARD"]]
    counterpart: Optional[str]
    externalRef: Optional[str]
    transactionId: Optional[str]
    withdrawId: Optional[int]
    gross: int
    fee: int
    net: int
    balance: int
    availableNet: int
    available: int


class StatementEntries(TypedDict):
    summary: StatementEntriesSummary
    items: List[StatementEntriesItem]
    after: Optional[str]
    hasMore: bool


class PendingReleasesItem(TypedDict):
    transactionId: str
    installment: int
    amount: int
    releasesAt: str
    paymentMethod: Optional[Literal["PIX", "BOLETO", "CREDIT_CARD"]]
    counterpart: Optional[str]
    externalRef: Optional[str]


class PendingReleases(TypedDict):
    items: List[PendingReleasesItem]
    after: Optional[str]
    hasMore: bool


class RehearsalItem(TypedDict):
    day: str
    opening: int
    releases: int
    expiredApprovals: int
    due: int
    expiring: int
    expectedPayments: int
    expectedFees: int
    disputed: int
    debtRepaid: int
    certain: int
    worst: int
    expected: int
    best: int


class RehearsalAssumptionsMethod(TypedDict):
    paymentMethod: Literal["PIX", "BOLETO"]
    ended: int
    paid: int
    isEnough: bool
    worst: PaymentOdds
    expected: PaymentOdds
    best: PaymentOdds


class RehearsalAssumptions(TypedDict):
    days: int
    returnedShare: float
    methods: List[RehearsalAssumptionsMethod]


class Rehearsal(TypedDict):
    items: List[RehearsalItem]
    owed: int
    payout: int
    assumptions: RehearsalAssumptions


class PaymentOdds(TypedDict):
    share: float
    daysEarly: Optional[int]


class FeeReportAccount(TypedDict):
    account: str
    provider: Optional[Literal["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"]]
    comparedUntil: str


class FeeReportItem(TypedDict):
    day: str
    account: str
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    count: int
    gross: int
    agreed: int
    taken: int
    difference: int
    anticipation: int
    refunds: int
    chargebacks: int


class FeeReportTotals(TypedDict):
    count: int
    gross: int
    agreed: int
    taken: int
    difference: int
    anticipation: int
    refunds: int
    chargebacks: int


class FeeReport(TypedDict):
    accounts: List[FeeReportAccount]
    items: List[FeeReportItem]
    totals: FeeReportTotals


class FeeDifferencesItem(TypedDict):
    day: str
    account: str
    kind: Literal["fee", "amount", "late", "missing", "unpaid"]
    transactionId: str
    settlementId: Optional[str]
    amount: int


class FeeDifferences(TypedDict):
    items: List[FeeDifferencesItem]
    after: Optional[str]
    hasMore: bool


class DailyReportsItem(TypedDict):
    day: str
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    count: int
    gross: int
    fees: int
    refunds: int
    net: int
    fiscalKeys: int
    hours: Dict[str, int]


class DailyReports(TypedDict):
    items: List[DailyReportsItem]


class ConversionReportItem(TypedDict):
    day: str
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    created: Optional[int]
    paid: int


class ConversionReport(TypedDict):
    items: List[ConversionReportItem]


class ReconcileResultItemDifference(TypedDict):
    field: str
    theirs: Union[str, int]
    ours: Optional[Union[str, int]]


class ReconcileResultItemRequired(TypedDict):
    result: Literal["matched", "mismatch", "missing", "duplicate"]
    id: Optional[str]


class ReconcileResultItem(ReconcileResultItemRequired, total=False):
    differences: List[ReconcileResultItemDifference]


class ReconcileResultOnlyHereItem(TypedDict):
    id: str
    externalRef: str
    endToEndId: Optional[str]
    amount: int
    paidAmount: Optional[int]
    status: Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED"]
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    createdAt: str
    paidAt: Optional[str]


class ReconcileResult(TypedDict):
    items: List[ReconcileResultItem]
    onlyHere: List[ReconcileResultOnlyHereItem]
    after: Optional[str]
    hasMore: bool


class ReconcileLinesItem(TypedDict, total=False):
    id: str
    externalRef: str
    endToEndId: str
    amount: int
    paidAmount: int
    status: Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED", "PENDING"]


class ReconcileLinesRequired(TypedDict):
    items: List[ReconcileLinesItem]

ReconcileLinesNamed = TypedDict("ReconcileLinesNamed", {"from": str}, total=False)


class ReconcileLines(ReconcileLinesNamed, ReconcileLinesRequired, total=False):
    to: str
    after: str
    limit: int


class CheckoutStatusRequired(TypedDict):
    id: str
    status: ListedStatus
    paymentMethod: PaymentMethod
    amount: int
    paidAmount: Optional[int]
    underpaid: bool
    currency: str
    paidAt: Optional[str]
    expiresAt: Optional[str]
    pollAfterMs: int


class CheckoutStatus(CheckoutStatusRequired, total=False):
    failureReason: FailureReason


class PaymentLinkEnvelope(TypedDict):
    data: PaymentLink


class PaymentLinkField(TypedDict):
    name: Literal["name", "document", "email"]
    required: bool


class PaymentLink(TypedDict):
    id: str
    slug: str
    url: str
    name: str
    status: PaymentLinkStatus
    amount: Optional[int]
    minimum: Optional[int]
    maximum: Optional[int]
    amounts: Optional[List[int]]
    maxQuantity: int
    maxPayments: Optional[int]
    paidCount: int
    openCount: int
    expiresAt: Optional[str]
    paymentMethods: List[PaymentMethod]
    maxInstallments: int
    saveCard: bool
    fields: List[PaymentLinkField]
    metadata: Optional[str]
    returnUrl: Optional[str]
    createdAt: str
    updatedAt: str


class CreatePaymentLinkInputFieldRequired(TypedDict):
    name: Literal["name", "document", "email"]


class CreatePaymentLinkInputField(CreatePaymentLinkInputFieldRequired, total=False):
    required: bool


class CreatePaymentLinkInputRequired(TypedDict):
    name: str


class CreatePaymentLinkInput(CreatePaymentLinkInputRequired, total=False):
    amount: int
    minimum: int
    maximum: int
    amounts: List[int]
    maxQuantity: int
    maxPayments: Optional[int]
    expiresAt: Optional[str]
    paymentMethods: List[Literal["PIX", "BOLETO", "CREDIT_CARD"]]
    maxInstallments: int
    saveCard: bool
    fields: List[CreatePaymentLinkInputField]
    metadata: Optional[Union[str, Dict[str, Any]]]
    returnUrl: str


class PaymentLinks(TypedDict):
    items: List[PaymentLink]
    after: Optional[str]
    hasMore: bool


class UpdatePaymentLinkInput(TypedDict, total=False):
    name: str
    active: bool
    expiresAt: Optional[str]
    maxPayments: Optional[int]
    metadata: Optional[Union[str, Dict[str, Any]]]


class SubscriptionEnvelope(TypedDict):
    data: Subscription


class SubscriptionCustomer(TypedDict):
    name: str
    email: str
    externalRef: str
    city: Optional[str]
    document: SubscriptionDocument


class SubscriptionPayerAccount(TypedDict):
    ispb: str
    branch: Optional[str]
    account: str
    document: Optional[SubscriptionDocument]


class SubscriptionDunning(TypedDict):
    link: Literal["none", "event", "email"]
    method: Literal["PIX", "BOLETO"]
    savedCardId: Optional[str]
    days: int
    then: Literal["none", "pause", "cancel"]


class SubscriptionFirstPayment(TypedDict):
    amount: int


class SubscriptionPix(TypedDict):
    qrcode: Optional[str]
    journey: Literal["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"]


class SubscriptionNextCharge(TypedDict):
    dueDate: str
    amount: int


class Subscription(TypedDict):
    id: str
    externalRef: str
    status: SubscriptionStatus
    description: str
    customer: SubscriptionCustomer
    amount: int
    minimumAmount: Optional[int]
    period: SubscriptionPeriod
    firstDueDate: str
    endDate: Optional[str]
    payerAccount: Optional[SubscriptionPayerAccount]
    retry: Union[Literal["none"], List[int]]
    dunning: SubscriptionDunning
    firstPayment: Optional[SubscriptionFirstPayment]
    pix: SubscriptionPix
    secureId: Optional[str]
    approvalUrl: Optional[str]
    approvalExpiresAt: str
    mandate: SubscriptionMandate
    nextCharges: List[SubscriptionNextCharge]
    metadata: Optional[str]
    createdAt: str
    updatedAt: str


class SubscriptionDocument(TypedDict):
    number: str
    type: Literal["CPF", "CNPJ"]


class SubscriptionMandate(TypedDict):
    id: Optional[str]
    status: Literal["none", "created", "approved", "rejected", "cancelled", "expired"]
    payerIspb: Optional[str]
    reason: Optional[Literal["PAYER_REFUSED", "PAYER_CANCELLED", "PAYER_ACCOUNT_CLOSED", "PAYER_DECEASED", "FRAUD_SUSPECTED", "RECEIVER_CANCELLED", "RECEIVER_CLOSED", "CONFIRMATION_FAILED", "APPROVED_OTHERWISE", "PROVIDER_REFUSED", "OTHER"]]
    message: Optional[str]
    action: Optional[Literal["new_approval", "a_person", "nothing"]]
    endedBy: Optional[Literal["payer", "payer_bank", "receiver", "receiver_bank"]]
    providerCode: Optional[str]
    needsApproval: bool
    providerMessage: Optional[str]


class CreateSubscriptionInputCustomerRequired(TypedDict):
    name: str
    document: SubscriptionDocumentInput


class CreateSubscriptionInputCustomer(CreateSubscriptionInputCustomerRequired, total=False):
    email: str
    externalRef: str
    city: str


class CreateSubscriptionInputPayerAccountRequired(TypedDict):
    ispb: str
    account: str


class CreateSubscriptionInputPayerAccount(CreateSubscriptionInputPayerAccountRequired, total=False):
    branch: str
    document: SubscriptionDocumentInput


class CreateSubscriptionInputFirstPayment(TypedDict):
    amount: int


class CreateSubscriptionInputRequired(TypedDict):
    customer: CreateSubscriptionInputCustomer
    description: str
    period: Literal["WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"]
    firstDueDate: str
    journey: Literal["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"]


class CreateSubscriptionInput(CreateSubscriptionInputRequired, total=False):
    externalRef: str
    amount: int
    minimumAmount: int
    endDate: str
    payerAccount: CreateSubscriptionInputPayerAccount
    retry: Union[Literal["none"], List[int]]
    dunning: SubscriptionDunningInput
    firstPayment: CreateSubscriptionInputFirstPayment
    metadata: Union[str, Dict[str, Any]]


class SubscriptionDocumentInputRequired(TypedDict):
    number: str


class SubscriptionDocumentInput(SubscriptionDocumentInputRequired, total=False):
    type: Literal["CPF", "CNPJ"]


class SubscriptionDunningInput(TypedDict, total=False):
    savedCardId: str
    link: Literal["none", "event", "email"]
    method: Literal["PIX", "BOLETO"]
    days: int
    then: Literal["none", "pause", "cancel"]


class Subscriptions(TypedDict):
    items: List[Subscription]
    after: Optional[str]
    hasMore: bool


class ChangeSubscriptionInput(TypedDict, total=False):
    amount: int
    dunning: SubscriptionDunningInput


class SubscriptionCharges(TypedDict):
    items: List[SubscriptionCharge]
    after: Optional[str]
    hasMore: bool


class SubscriptionChargeByHand(TypedDict):
    id: str
    method: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    url: Optional[str]
    digitableLine: Optional[str]
    status: Optional[Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED"]]


class SubscriptionChargeRetryDay(TypedDict):
    date: str
    allowed: bool
    rule: RetryRule
    why: str
    source: str


class SubscriptionCharge(TypedDict):
    id: str
    transactionId: str
    cycle: int
    dueDate: str
    amount: int
    status: SubscriptionChargeStatus
    attempts: List[SubscriptionChargeAttempt]
    end: SubscriptionDebitEnd
    byHand: Optional[SubscriptionChargeByHand]
    cardSkipped: Optional[Literal["deleted", "no_account", "brand_rules"]]
    recovered: bool
    createdAt: str
    updatedAt: str
    refusal: SubscriptionDebitRefusal
    cancellable: bool
    days: List[DebitDay]
    retryDays: List[SubscriptionChargeRetryDay]


class SubscriptionChargeAttempt(TypedDict):
    at: str
    kind: Literal["due", "retry", "resend"]
    status: Literal["requested", "scheduled", "paid", "failed", "cancelled"]
    code: Optional[Literal["NO_BALANCE", "PAYER_BANK_UNAVAILABLE", "NO_ANSWER", "PAYER_ACCOUNT_BLOCKED", "REFUSED_BY_PAYER_BANK", "PAYER_LIMIT", "SAME_PARTICIPANT", "PAYER_ACCOUNT_CLOSED", "DOCUMENT_MISMATCH", "PAYER_BANK_UNKNOWN", "MANDATE_UNKNOWN", "ALREADY_PAID", "AMOUNT_NOT_AGREED", "DUE_DATE_NOT_AGREED", "OUTSIDE_WINDOW", "RETRY_NOT_ALLOWED", "PAYER_CANCELLED", "APPROVAL_ENDED", "RECEIVER_CANCELLED", "DEBIT_FAILED", "CANCELLED_BY_BANK", "PROVIDER_REFUSED", "UNKNOWN"]]
    message: Optional[str]
    action: Optional[Literal["retry", "tell_payer_offer_link", "offer_link", "new_approval", "a_person", "our_fault", "nothing"]]
    providerCode: Optional[str]
    providerMessage: Optional[str]


class SubscriptionDebitRefusalValue(TypedDict):
    at: str
    code: Literal["NO_BALANCE", "PAYER_BANK_UNAVAILABLE", "NO_ANSWER", "PAYER_ACCOUNT_BLOCKED", "REFUSED_BY_PAYER_BANK", "PAYER_LIMIT", "SAME_PARTICIPANT", "PAYER_ACCOUNT_CLOSED", "DOCUMENT_MISMATCH", "PAYER_BANK_UNKNOWN", "MANDATE_UNKNOWN", "ALREADY_PAID", "AMOUNT_NOT_AGREED", "DUE_DATE_NOT_AGREED", "OUTSIDE_WINDOW", "RETRY_NOT_ALLOWED", "PAYER_CANCELLED", "APPROVAL_ENDED", "RECEIVER_CANCELLED", "DEBIT_FAILED", "CANCELLED_BY_BANK", "PROVIDER_REFUSED", "UNKNOWN"]
    message: str
    action: Literal["retry", "tell_payer_offer_link", "offer_link", "new_approval", "a_person", "our_fault", "nothing"]
    providerMessage: Optional[str]

SubscriptionDebitRefusal = Optional["SubscriptionDebitRefusalValue"]


class DebitDay(TypedDict):
    what: Literal["due", "settles", "ordered", "ordered_until", "cancelled_until", "payer_cancels_until"]
    at: str
    why: str
    source: str
    mark: Literal["rule", "manual", "ours"]

RetryRule = Literal["retry_policy", "retry_amount", "retry_open", "retry_count", "retry_future", "retry_same_day", "retry_days_differ", "retry_days", "retry_before_next", "retry_business_day"]


class SubscriptionChargeEnvelope(TypedDict):
    data: SubscriptionCharge


class OpenSubscriptionChargeInputRequired(TypedDict):
    dueDate: str


class OpenSubscriptionChargeInput(OpenSubscriptionChargeInputRequired, total=False):
    amount: int


class RetrySubscriptionChargeInput(TypedDict):
    date: str


class SubscriptionRecoveryReportItemRecovered(TypedDict):
    retry: DebitSum
    card: DebitSum
    hand: DebitSum


class SubscriptionRecoveryReportItem(TypedDict):
    month: str
    failed: DebitSum
    recovered: SubscriptionRecoveryReportItemRecovered


class SubscriptionRecoveryReport(TypedDict):
    items: List[SubscriptionRecoveryReportItem]


class DebitSum(TypedDict):
    count: int
    amount: int


class SubscriptionRetryBacktestDataDay(TypedDict):
    daysAfter: int
    tried: int
    paid: int
    recovered: Optional[int]


class SubscriptionRetryBacktestDataWeekday(TypedDict):
    weekday: int
    tried: int
    paid: int

SubscriptionRetryBacktestDataNamed = TypedDict("SubscriptionRetryBacktestDataNamed", {"from": str})


class SubscriptionRetryBacktestData(SubscriptionRetryBacktestDataNamed):
    to: str
    failed: int
    insufficient: bool
    days: List[SubscriptionRetryBacktestDataDay]
    weekdays: List[SubscriptionRetryBacktestDataWeekday]


class SubscriptionRetryBacktest(TypedDict):
    data: SubscriptionRetryBacktestData


class DebitOutlookItem(TypedDict):
    day: str
    count: int
    amount: int

DebitOutlookNamed = TypedDict("DebitOutlookNamed", {"from": str})


class DebitOutlook(DebitOutlookNamed):
    to: str
    items: List[DebitOutlookItem]
    totals: DebitSum


class PayerBanksItemMandates(TypedDict):
    made: int
    codesRead: int
    approved: int
    paidUnapproved: int
    rejected: int
    expired: int
    active: int
    approvedBasisPoints: Optional[int]


class PayerBanksItemDebitsFailure(TypedDict):
    code: str
    count: int


class PayerBanksItemDebits(TypedDict):
    due: int
    paidInTime: int
    paidLater: int
    failed: int
    failures: List[PayerBanksItemDebitsFailure]


class PayerBanksItem(TypedDict):
    ispb: Optional[str]
    name: Optional[str]
    mandates: PayerBanksItemMandates
    debits: PayerBanksItemDebits

PayerBanksNamed = TypedDict("PayerBanksNamed", {"from": str})


class PayerBanks(PayerBanksNamed):
    to: str
    items: List[PayerBanksItem]


class SavedCards(TypedDict):
    data: List[SavedCard]


class SavedCardCard(TypedDict):
    brand: str
    firstDigits: str
    lastDigits: str
    expirationMonth: int
    expirationYear: int


class SavedCardConsent(TypedDict):
    at: str
    textVersion: str
    by: Optional[Requester]


class SavedCard(TypedDict):
    id: str
    customer: str
    account: str
    provider: Optional[Literal["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"]]
    card: SavedCardCard
    consent: SavedCardConsent
    createdAt: str


class OneSavedCard(TypedDict):
    data: SavedCard


class CardTokenCard(TypedDict):
    brand: str
    firstDigits: str
    lastDigits: str
    holderName: str
    expirationMonth: int
    expirationYear: int


class CardToken(TypedDict):
    token: str
    card: CardTokenCard
    createdAt: str


class CardTokenRequest(TypedDict):
    number: str
    holderName: str
    expirationMonth: int
    expirationYear: int
    cvv: str

PixCodeVerdict = Union["ValidPixCode", "InvalidPixCode"]


class ValidPixCode(TypedDict):
    valid: Literal[True]
    kind: Literal["static", "dynamic", "recurring"]
    key: Optional[str]
    keyType: Optional[Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]]
    location: Optional[str]
    recurrenceLocation: Optional[str]
    amount: Optional[int]
    currency: str
    merchantName: str
    merchantCity: str
    postalCode: Optional[str]
    txid: Optional[str]
    description: Optional[str]
    withdrawalFacilitator: Optional[str]
    reusable: bool


class InvalidPixCode(TypedDict):
    valid: Literal[False]
    reason: Literal["bad_character", "not_tlv", "duplicate_field", "bad_format_indicator", "no_crc", "crc_not_last", "bad_crc", "bad_point_of_initiation", "not_pix", "several_pix_accounts", "key_and_location", "no_key_or_location", "bad_location", "bad_fss", "bad_mcc", "wrong_currency", "bad_amount", "wrong_country", "no_name", "name_too_long", "no_city", "city_too_long", "bad_postal_code", "bad_txid"]
    detail: str


class CalendarDay(TypedDict):
    date: str
    businessDay: bool
    next: str
    why: str
    debit: List[DebitDay]


class StaticCodeEnvelope(TypedDict):
    data: StaticCode


class StaticCode(TypedDict):
    id: str
    qrcode: str
    txid: str
    description: str
    amount: Optional[int]
    createdAt: str
    deletedAt: Optional[str]


class CreateStaticCodeInput(TypedDict, total=False):
    amount: int
    description: str


class StaticCodes(TypedDict):
    items: List[StaticCode]
    after: Optional[str]
    hasMore: bool

BoletoVerdict = Union["ValidBoleto", "InvalidBoleto"]


class ValidBoleto(TypedDict):
    valid: Literal[True]
    barcode: str
    digitableLine: str
    formattedLine: str
    bank: str
    amount: Optional[int]
    currency: str
    factor: str
    dueDate: Optional[str]
    freeField: str


class InvalidBoletoReason(TypedDict):
    reason: Literal["bad_character", "arrecadacao", "wrong_length", "wrong_currency", "bad_field_1", "bad_field_2", "bad_field_3", "bad_check_digit"]
    detail: str


class InvalidBoleto(TypedDict):
    valid: Literal[False]
    reasons: List[InvalidBoletoReason]


class Disputes(TypedDict):
    items: List[Dispute]
    after: Optional[str]
    hasMore: bool


class Dispute(TypedDict):
    id: str
    transactionId: Optional[str]
    paymentId: Optional[str]
    reason: Literal["MED_FRAUD", "MED_OPERATIONAL_FAILURE", "MED_AUTOMATIC_PIX", "CHARGEBACK", "OTHER"]
    amount: int
    held: int
    status: Literal["open", "won", "lost"]
    deadline: Optional[str]
    openedAt: str
    updatedAt: str
    evidence: Optional[DisputeEvidence]
    response: Optional[DisputeResponse]


class DisputeEvidence(TypedDict):
    text: Optional[str]
    links: List[str]
    delivery: Optional[Dict[str, Any]]
    files: List[DisputeEvidenceFile]
    submittedAt: str


class DisputeEvidenceFile(TypedDict):
    id: str
    name: str
    type: Literal["application/pdf", "image/jpeg", "image/png"]
    bytes: int
    sha256: str
    addedAt: str


class DisputeResponse(TypedDict):
    id: str
    version: int
    status: Literal["sending", "received", "under_analysis", "accepted", "refused", "withdrawn", "not_sent", "no_answer"]
    answer: Optional[str]
    sentAt: str
    answeredAt: Optional[str]


class DisputeEnvelope(TypedDict):
    data: Dispute


class SubmitEvidence(TypedDict, total=False):
    text: str
    links: List[str]
    delivery: Dict[str, Any]


class DossierDispute(TypedDict):
    id: str
    transactionId: Optional[str]
    paymentId: Optional[str]
    reason: Literal["MED_FRAUD", "MED_OPERATIONAL_FAILURE", "MED_AUTOMATIC_PIX", "CHARGEBACK", "OTHER"]
    amount: int
    held: int
    status: Literal["open", "won", "lost"]
    deadline: Optional[str]
    openedAt: str
    updatedAt: str


class DossierLeftOut(TypedDict):
    timeline: int
    postings: int
    webhooks: int
    items: int


class Dossier(TypedDict):
    type: Literal["dispute_dossier"]
    company: DocumentCompany
    dispute: DossierDispute
    transaction: Optional[Transaction]
    payer: Optional[DossierPayer]
    items: List[Item]
    timeline: List[Union[TimelineCreated, TimelineAnswered, TimelinePayment, TimelineOperation, TimelineDispute, TimelineMove, TimelineMovement, TimelineEvent, TimelineAttempt, TimelineReminder]]
    postings: List[DossierPosting]
    webhooks: Optional[List[DossierWebhook]]
    evidence: Optional[DisputeEvidence]
    leftOut: DossierLeftOut
    createdAt: str
    signature: DocumentSignature


class DocumentCompany(TypedDict):
    id: int
    name: str


class DossierPayer(TypedDict):
    externalId: Optional[str]
    name: str
    email: str
    phone: str
    documentNumber: str
    documentType: str
    address: Dict[str, str]
    paidBy: Optional[PaidBy]
    payerMatch: Optional[Literal["matches", "differs", "unknown"]]


class DossierPostingPosting(TypedDict):
    account: Literal["available", "awaiting", "blocked", "payout", "debt", "suspense", "fees", "provider"]
    amount: int


class DossierPosting(TypedDict):
    movement: int
    at: str
    type: Literal["charge_paid", "credit_released", "payment_suspended", "suspense_returned", "suspense_credited", "refund_requested", "refund_done", "refund_failed", "refund_external", "dispute_opened", "dispute_won", "dispute_lost", "dispute_reduced", "chargeback", "chargeback_reversed"]
    postings: List[DossierPostingPosting]
    hash: str


class DossierWebhookDeliverieTrie(TypedDict):
    number: int
    at: str
    durationMs: int
    httpStatus: Optional[int]
    fault: Optional[str]


class DossierWebhookDeliverie(TypedDict):
    id: str
    target: str
    status: Literal["pending", "delivered", "superseded", "stopped", "exhausted"]
    attempts: int
    tries: List[DossierWebhookDeliverieTrie]


class DossierWebhook(TypedDict):
    id: str
    type: Literal["transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored", "webhook.test"]
    sequence: int
    at: str
    deliveries: List[DossierWebhookDeliverie]


class DocumentSignature(TypedDict):
    algorithm: Literal["Ed25519"]
    keyId: str
    publicKey: str
    signedAt: str
    value: str


class WebhookEndpointRequired(TypedDict):
    url: str


class WebhookEndpoint(WebhookEndpointRequired, total=False):
    failingHosts: List[FailingWebhookHost]


class FailingWebhookHost(TypedDict):
    host: str
    failingSince: str
    lastFailureAt: str
    lastFailure: str
    offSince: Optional[str]


class SetWebhookEndpointInput(TypedDict):
    url: str


class WebhookEndpoints(TypedDict):
    items: List[WebhookEndpointItem]
    after: Optional[str]
    hasMore: bool


class WebhookEndpointItemRequired(TypedDict):
    id: str
    url: str
    events: List[Literal["*", "transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored"]]
    description: str


class WebhookEndpointItem(WebhookEndpointItemRequired, total=False):
    failingHost: FailingWebhookHost


class MadeWebhookEndpointEnvelope(TypedDict):
    data: MadeWebhookEndpoint


class MadeWebhookEndpointRequired(TypedDict):
    id: str
    url: str
    events: List[Literal["*", "transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored"]]
    description: str
    secret: str


class MadeWebhookEndpoint(MadeWebhookEndpointRequired, total=False):
    failingHost: FailingWebhookHost


class CreateWebhookEndpointInputRequired(TypedDict):
    url: str
    events: List[Literal["*", "transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored"]]


class CreateWebhookEndpointInput(CreateWebhookEndpointInputRequired, total=False):
    description: str


class WebhookEndpointEnvelope(TypedDict):
    data: WebhookEndpointItem


class ChangeWebhookEndpointInput(TypedDict, total=False):
    url: str
    events: List[Literal["*", "transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored"]]
    description: str


class RotatedWebhookEndpointEnvelope(TypedDict):
    data: RotatedWebhookEndpoint


class RotatedWebhookEndpointRequired(TypedDict):
    id: str
    url: str
    events: List[Literal["*", "transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored"]]
    description: str
    secret: str
    previousValidUntil: str


class RotatedWebhookEndpoint(RotatedWebhookEndpointRequired, total=False):
    failingHost: FailingWebhookHost


class RotateWebhookSecretInput(TypedDict, total=False):
    overlapHours: int


class WebhookKeys(TypedDict):
    keys: List[WebhookKey]


class WebhookKey(TypedDict):
    company: int
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    alg: Literal["EdDSA"]
    use: Literal["sig"]
    kid: str
    x: str
    whpk: str


class RotatedWebhookSecret(TypedDict):
    secret: str
    previousValidUntil: str


class EndedWebhookSecrets(TypedDict):
    ended: int


class WebhookDiagnosis(TypedDict):
    verified: bool
    cause: Optional[Literal["missing_header", "malformed_header", "unknown_event", "truncated_body", "reserialised_body", "changed_body", "wrong_secret", "clock_skew"]]
    detail: str
    eventId: Optional[str]


class ReceivedWebhookRequired(TypedDict):
    headers: Dict[str, Any]
    body: str


class ReceivedWebhook(ReceivedWebhookRequired, total=False):
    secret: str
    receivedAt: str


class Deliveries(TypedDict):
    items: List[Delivery]
    after: Optional[str]
    hasMore: bool


class Delivery(TypedDict):
    id: str
    eventId: str
    target: str
    url: str
    status: DeliveryStatus
    attempts: int
    nextAttemptAt: Optional[str]
    updatedAt: str

DeliveryStatus = Literal["pending", "delivered", "superseded", "stopped", "exhausted"]

ResendWebhooksInputRequiredNamed = TypedDict("ResendWebhooksInputRequiredNamed", {"from": str})


class ResendWebhooksInputRequired(ResendWebhooksInputRequiredNamed):
    to: str


class ResendWebhooksInput(ResendWebhooksInputRequired, total=False):
    status: List[Literal["pending", "delivered", "superseded", "stopped", "exhausted"]]
    after: str


class EventDetailDeliverieTrie(TypedDict):
    number: int
    createdAt: str
    durationMs: int
    httpStatus: Optional[int]
    fault: Optional[str]
    answer: str


class EventDetailDeliverie(TypedDict):
    id: str
    eventId: str
    target: str
    url: str
    status: DeliveryStatus
    attempts: int
    nextAttemptAt: Optional[str]
    updatedAt: str
    tries: List[EventDetailDeliverieTrie]


class EventDetailRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored", "webhook.test"]
    timestamp: str
    sequence: int
    data: Optional[Union[TransactionEventData, WithdrawEventData, DisputeEventData, PaymentEventData, PaymentLinkEventData, SubscriptionEventData, FreezeEventData, SettingsEventData, BalanceEventData, AnchorEventData, TestEventData]]
    deliveries: List[EventDetailDeliverie]


class EventDetail(EventDetailRequired, total=False):
    archived: Literal[True]


class TestWebhookInput(TypedDict, total=False):
    url: str
    endpointId: str


class Events(TypedDict):
    items: List[Event]
    after: str
    hasMore: bool

Event = Union["TransactionEvent", "WithdrawEvent", "DisputeEvent", "PaymentEvent", "PaymentLinkEvent", "SubscriptionEvent", "FreezeEvent", "SettingsEvent", "BalanceEvent", "AnchorEvent", "TestEvent"]


class TransactionEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed"]
    timestamp: str
    sequence: int
    data: Optional[TransactionEventData]


class TransactionEvent(TransactionEventRequired, total=False):
    archived: Literal[True]


class WithdrawEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned"]
    timestamp: str
    sequence: int
    data: Optional[WithdrawEventData]


class WithdrawEvent(WithdrawEventRequired, total=False):
    archived: Literal[True]


class DisputeEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["dispute.opened", "dispute.won", "dispute.lost"]
    timestamp: str
    sequence: int
    data: Optional[DisputeEventData]


class DisputeEvent(DisputeEventRequired, total=False):
    archived: Literal[True]


class PaymentEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed"]
    timestamp: str
    sequence: int
    data: Optional[PaymentEventData]


class PaymentEvent(PaymentEventRequired, total=False):
    archived: Literal[True]


class PaymentLinkEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["payment_link.paid", "payment_link.exhausted"]
    timestamp: str
    sequence: int
    data: Optional[PaymentLinkEventData]


class PaymentLinkEvent(PaymentLinkEventRequired, total=False):
    archived: Literal[True]


class SubscriptionEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed"]
    timestamp: str
    sequence: int
    data: Optional[SubscriptionEventData]


class SubscriptionEvent(SubscriptionEventRequired, total=False):
    archived: Literal[True]


class FreezeEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["company.frozen", "company.unfrozen"]
    timestamp: str
    sequence: int
    data: Optional[FreezeEventData]


class FreezeEvent(FreezeEventRequired, total=False):
    archived: Literal[True]


class SettingsEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["company.settings_changing"]
    timestamp: str
    sequence: int
    data: Optional[SettingsEventData]


class SettingsEvent(SettingsEventRequired, total=False):
    archived: Literal[True]


class BalanceEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["balance.released"]
    timestamp: str
    sequence: int
    data: Optional[BalanceEventData]


class BalanceEvent(BalanceEventRequired, total=False):
    archived: Literal[True]


class AnchorEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["ledger.anchored"]
    timestamp: str
    sequence: int
    data: Optional[AnchorEventData]


class AnchorEvent(AnchorEventRequired, total=False):
    archived: Literal[True]


class TestEventRequired(TypedDict):
    id: str
    companySequence: int
    type: Literal["webhook.test"]
    timestamp: str
    sequence: int
    data: Optional[TestEventData]


class TestEvent(TestEventRequired, total=False):
    archived: Literal[True]


class OwnTermsFreeze(TypedDict):
    withdraws: bool
    charges: bool
    since: str
    reason: str


class OwnTerms(TypedDict):
    fees: Fees
    releaseDays: ReleaseDays
    minimumWithdraw: int
    frozen: bool
    freeze: Optional[OwnTermsFreeze]


class Fees(TypedDict):
    PIX: Fee
    BOLETO: Fee
    CREDIT_CARD: Fee
    WITHDRAW: Fee


class Fee(TypedDict):
    basisPoints: int
    fixed: int


class ReleaseDays(TypedDict):
    PIX: int
    BOLETO: int
    CREDIT_CARD: int


class CompanyTerms(TypedDict):
    fees: Fees
    releaseDays: ReleaseDays
    minimumWithdraw: int
    frozen: bool


class ChangeCompanyTermsInput(TypedDict, total=False):
    fees: ChangeFees
    releaseDays: ChangeReleaseDays
    minimumWithdraw: int
    frozen: bool


class ChangeFees(TypedDict, total=False):
    PIX: ChangeFee
    BOLETO: ChangeFee
    CREDIT_CARD: ChangeFee
    WITHDRAW: ChangeFee


class ChangeFee(TypedDict, total=False):
    basisPoints: int
    fixed: int


class ChangeReleaseDays(TypedDict, total=False):
    PIX: int
    BOLETO: int
    CREDIT_CARD: int


class CompanyProvidersItem(TypedDict):
    account: str
    provider: Optional[Literal["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"]]
    host: str
    certificateExpiresAt: Optional[str]
    credentialsExpireAt: Optional[str]
    failingSince: Optional[str]


class CompanyProvidersCallbackUrl(TypedDict):
    account: str
    provider: Literal["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"]
    url: str


class CompanyProviders(TypedDict):
    items: List[CompanyProvidersItem]
    callbackUrls: List[CompanyProvidersCallbackUrl]


class CompanySettingsAllowedPixKeys(TypedDict):
    enforced: bool
    coolDownHours: int


class CompanySettings(TypedDict):
    duplicateWithdrawGuard: bool
    withdrawDailyLimit: Optional[int]
    withdrawNightLimit: Optional[int]
    withdrawKeyDailyLimit: Optional[int]
    withdrawApprovalAbove: Optional[int]
    allowedPixKeys: CompanySettingsAllowedPixKeys
    refundDailyLimit: Optional[int]
    refundApprovalAbove: Optional[int]
    roleLimits: RoleLimits
    unexpectedPayments: UnexpectedPaymentRules
    retentionDays: Optional[int]
    brand: Brand
    embedOrigins: List[str]
    reminders: Reminders
    pending: PendingSettings


class RoleLimits(TypedDict, total=False):
    owner: RoleLimit
    admin: RoleLimit
    finance: RoleLimit
    support: RoleLimit
    developer: RoleLimit
    viewer: RoleLimit
    cashier: RoleLimit


class RoleLimit(TypedDict):
    refundDailyLimit: Optional[int]


class UnexpectedPaymentRules(TypedDict):
    SECOND_PAYMENT: Literal["keep", "credit", "return"]
    LATE: Literal["keep", "credit", "return"]
    NO_CHARGE: Literal["keep", "credit", "return"]
    WRONG_AMOUNT: Literal["keep", "credit", "return"]


class Brand(TypedDict):
    name: Optional[str]
    color: Optional[str]
    logoUrl: Optional[str]


class Reminders(TypedDict):
    email: bool
    daysBefore: List[int]
    daysAfter: List[int]
    quietHours: QuietHours

QuietHoursNamed = TypedDict("QuietHoursNamed", {"from": int})


class QuietHours(QuietHoursNamed):
    to: int


class PendingSettingsValueItemRequired(TypedDict):
    field: str
    effectiveAt: str

PendingSettingsValueItemNamed = TypedDict("PendingSettingsValueItemNamed", {"from": Any}, total=False)


class PendingSettingsValueItem(PendingSettingsValueItemNamed, PendingSettingsValueItemRequired, total=False):
    to: Any

PendingSettings = List["PendingSettingsValueItem"]


class ChangeCompanySettingsInput(TypedDict, total=False):
    duplicateWithdrawGuard: bool
    withdrawDailyLimit: Optional[int]
    withdrawNightLimit: Optional[int]
    withdrawKeyDailyLimit: Optional[int]
    withdrawApprovalAbove: Optional[int]
    allowedPixKeys: ChangeAllowedPixKeys
    refundDailyLimit: Optional[int]
    refundApprovalAbove: Optional[int]
    roleLimits: ChangeRoleLimits
    unexpectedPayments: ChangeUnexpectedPaymentRules
    retentionDays: Optional[int]
    brand: ChangeBrand
    embedOrigins: List[str]
    reminders: ChangeReminders


class ChangeAllowedPixKeys(TypedDict, total=False):
    enforced: bool
    coolDownHours: int


class ChangeRoleLimits(TypedDict, total=False):
    owner: ChangeRoleLimit
    admin: ChangeRoleLimit
    finance: ChangeRoleLimit
    support: ChangeRoleLimit
    developer: ChangeRoleLimit
    viewer: ChangeRoleLimit
    cashier: ChangeRoleLimit


class ChangeRoleLimit(TypedDict):
    refundDailyLimit: Optional[int]


class ChangeUnexpectedPaymentRules(TypedDict, total=False):
    SECOND_PAYMENT: Literal["keep", "credit", "return"]
    LATE: Literal["keep", "credit", "return"]
    NO_CHARGE: Literal["keep", "credit", "return"]
    WRONG_AMOUNT: Literal["keep", "credit", "return"]


class ChangeBrand(TypedDict, total=False):
    name: Optional[str]
    color: Optional[str]
    logoUrl: Optional[str]


class ChangeReminders(TypedDict):
    email: bool
    daysBefore: List[int]
    daysAfter: List[int]
    quietHours: ChangeQuietHours

ChangeQuietHoursNamed = TypedDict("ChangeQuietHoursNamed", {"from": int})


class ChangeQuietHours(ChangeQuietHoursNamed):
    to: int


class Applications(TypedDict):
    items: List[Application]
    after: Optional[str]
    hasMore: bool


class Application(TypedDict):
    id: str
    clientId: str
    name: str
    scopes: List[Scope]
    networks: Optional[List[str]]
    expiresAt: Optional[str]
    spendingLimits: SpendingLimits
    mandate: SpendingLimits
    refundDailyLimit: Optional[int]
    pending: PendingSettings
    createdAt: str

Scope = Literal["transactions:read", "transactions:write", "refunds:write", "withdraws:read", "withdraws:write", "withdraws:approve", "balance:read", "webhooks:read", "webhooks:write", "settings:write", "payments:write", "disputes:write", "keys:write", "people:write", "pii:read", "cashier:write"]


class SpendingLimitsValue(TypedDict):
    dailyLimit: Optional[int]
    pixKeys: Optional[List[str]]
    until: Optional[str]

SpendingLimits = Optional["SpendingLimitsValue"]


class ApplicationEnvelope(TypedDict):
    data: Application


class CreateApplicationInputRequired(TypedDict):
    name: str
    scopes: List[Literal["transactions:read", "transactions:write", "refunds:write", "withdraws:read", "withdraws:write", "withdraws:approve", "balance:read", "webhooks:read", "webhooks:write", "settings:write", "payments:write", "disputes:write", "keys:write", "people:write", "pii:read", "cashier:write"]]


class CreateApplicationInput(CreateApplicationInputRequired, total=False):
    networks: Optional[List[str]]
    expiresAt: Optional[str]
    spendingLimits: SetSpendingLimits
    mandate: SetSpendingLimits
    refundDailyLimit: Optional[int]


class SetSpendingLimitsValue(TypedDict, total=False):
    dailyLimit: Optional[int]
    pixKeys: Optional[List[str]]
    until: Optional[str]

SetSpendingLimits = Optional["SetSpendingLimitsValue"]


class ChangeApplicationInput(TypedDict, total=False):
    name: str
    scopes: List[Literal["transactions:read", "transactions:write", "refunds:write", "withdraws:read", "withdraws:write", "withdraws:approve", "balance:read", "webhooks:read", "webhooks:write", "settings:write", "payments:write", "disputes:write", "keys:write", "people:write", "pii:read", "cashier:write"]]
    networks: Optional[List[str]]
    expiresAt: Optional[str]
    spendingLimits: SetSpendingLimits
    mandate: SetSpendingLimits
    refundDailyLimit: Optional[int]


class ApiKeys(TypedDict):
    items: List[ApiKey]
    after: Optional[str]
    hasMore: bool


class ApiKey(TypedDict):
    id: int
    clientId: str
    prefix: str
    lastUsedAt: Optional[str]
    createdAt: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]


class IssuedApiKeyEnvelope(TypedDict):
    data: IssuedApiKey


class IssuedApiKey(TypedDict):
    id: int
    clientId: str
    prefix: str
    lastUsedAt: Optional[str]
    createdAt: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    key: str


class IssueKey(TypedDict, total=False):
    overlapHours: int
    expiresAt: Optional[str]


class ApiKeyEnvelope(TypedDict):
    data: ApiKey


class MeDataCompany(TypedDict):
    id: int
    name: str
    mode: Literal["sandbox", "live"]
    frozen: bool


class MeDataApplication(TypedDict):
    id: str
    name: str
    scopes: List[Scope]
    spendingLimits: SpendingLimits


class MeData(TypedDict):
    company: MeDataCompany
    application: MeDataApplication
    serverTime: str
    timezone: str


class Me(TypedDict):
    data: MeData


class RequestLogs(TypedDict):
    items: List[RequestStep]


class RequestStepActor(TypedDict):
    kind: Literal["application", "person", "operator", "task"]
    id: str
    name: str


class RequestStep(TypedDict):
    at: str
    traceId: Optional[str]
    action: str
    target: str
    actor: Optional[RequestStepActor]
    code: Optional[str]


class RequestLogData(TypedDict):
    traceId: str
    items: List[RequestStep]
    searchedFrom: Optional[str]


class RequestLog(TypedDict):
    data: RequestLogData


class People(TypedDict):
    items: List[Member]
    invitations: List[Invitation]


class Member(TypedDict):
    id: str
    name: str
    email: str
    role: PersonRole
    createdAt: str
    hasSecondFactor: bool

PersonRole = Literal["owner", "admin", "finance", "support", "developer", "viewer", "cashier"]


class Invitation(TypedDict):
    id: str
    email: str
    role: PersonRole
    createdAt: str
    expiresAt: str


class MadeInvitationData(TypedDict):
    id: str
    email: str
    role: PersonRole
    createdAt: str
    expiresAt: str
    url: str


class MadeInvitation(TypedDict):
    data: MadeInvitationData


class InvitePersonInput(TypedDict):
    email: str
    role: PersonRole


class OneInvitation(TypedDict):
    data: Invitation


class OneMember(TypedDict):
    data: Member


class ChangePersonInput(TypedDict):
    role: PersonRole


class SavedViews(TypedDict):
    items: List[SavedView]


class SavedView(TypedDict):
    id: str
    name: str
    filters: PaymentFilters
    createdAt: str

PaymentFiltersNamed = TypedDict("PaymentFiltersNamed", {"from": str}, total=False)


class PaymentFilters(PaymentFiltersNamed, total=False):
    status: Literal["PENDING", "PAID", "FAILED", "CANCELLED", "REFUNDED"]
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    failureCode: Literal["KEY_NOT_FOUND", "KEY_OWNER_MISMATCH", "ACCOUNT_INVALID", "ACCOUNT_CLOSED", "ACCOUNT_BLOCKED", "REFUSED_BY_BANK", "FRAUD_SUSPECTED", "BANK_UNAVAILABLE", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS_AT_PROVIDER", "TIMED_OUT", "PROVIDER_REFUSED", "REMOVED_BY_PROVIDER", "NOT_RECEIVED_BY_PROVIDER", "AUTHORIZATION_ENDED", "DECIDED_BY_OPERATOR", "LINK_UNAVAILABLE", "DEBIT_FAILED", "CARD_TOKEN_EXPIRED", "CARD_DECLINED", "INSUFFICIENT_FUNDS", "EXPIRED_CARD", "INCORRECT_CVV", "UNKNOWN"]
    to: str
    paidFrom: str
    paidTo: str
    amountFrom: str
    amountTo: str
    externalRef: str
    endToEndId: str
    id: str


class OneSavedView(TypedDict):
    data: SavedView


class SaveView(TypedDict):
    name: str
    filters: PaymentFilters


class RenameView(TypedDict):
    name: str


class AllowedPixKeys(TypedDict):
    items: List[AllowedPixKey]
    after: Optional[str]
    hasMore: bool


class AllowedPixKey(TypedDict):
    id: int
    pixKey: str
    pixKeyType: PixKeyType
    addedAt: str
    countsFrom: str


class AddedPixKey(TypedDict):
    data: AllowedPixKey


class AddPixKeyRequired(TypedDict):
    pixKey: str


class AddPixKey(AddPixKeyRequired, total=False):
    pixKeyType: Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]


class RemovedPixKeyData(TypedDict):
    id: int
    removed: Literal[True]


class RemovedPixKey(TypedDict):
    data: RemovedPixKeyData


class WithdrawPolicyBacktestResultDataStoppedItem(TypedDict):
    withdrawId: int
    amount: int
    createdAt: str
    rule: str

WithdrawPolicyBacktestResultDataNamed = TypedDict("WithdrawPolicyBacktestResultDataNamed", {"from": str})


class WithdrawPolicyBacktestResultData(WithdrawPolicyBacktestResultDataNamed):
    to: str
    checked: int
    stopped: List[WithdrawPolicyBacktestResultDataStoppedItem]
    stoppedCount: int
    stoppedAmount: int
    truncated: bool


class WithdrawPolicyBacktestResult(TypedDict):
    data: WithdrawPolicyBacktestResultData


class WithdrawPolicyBacktestSettings(TypedDict, total=False):
    duplicateWithdrawGuard: bool
    withdrawDailyLimit: Optional[int]
    withdrawNightLimit: Optional[int]
    withdrawKeyDailyLimit: Optional[int]
    withdrawApprovalAbove: Optional[int]
    allowedPixKeys: ChangeAllowedPixKeys


class WithdrawPolicyBacktest(TypedDict):
    settings: WithdrawPolicyBacktestSettings


class AuditTrail(TypedDict):
    items: List[AuditEntry]
    after: Optional[str]
    hasMore: bool


class AuditEntryActor(TypedDict):
    kind: Literal["application", "person", "operator", "task"]
    id: str
    name: str


class AuditEntry(TypedDict):
    companyId: int
    sequence: int
    at: str
    actor: AuditEntryActor
    keyPrefix: Optional[str]
    action: str
    target: str
    before: Optional[Dict[str, Any]]
    after: Optional[Dict[str, Any]]
    reason: Optional[str]
    address: Optional[str]
    traceId: Optional[str]
    hash: str


class Payers(TypedDict):
    items: List[ListedPayer]
    after: Optional[str]
    hasMore: bool


class ListedPayer(TypedDict):
    transactionId: str
    name: str
    documentMasked: str
    charges: int
    paid: int
    open: int
    lastChargedAt: str
    lastPaidAt: Optional[str]


class PayerExportData(TypedDict):
    document: str
    charges: List[ExportedCharge]
    events: List[EventDetail]
    subscriptions: List[Subscription]
    withdraws: List[Withdraw]
    savedCards: List[SavedCard]


class PayerExport(TypedDict):
    data: PayerExportData
    after: Optional[str]
    hasMore: bool


class ExportedChargePayer(TypedDict):
    leadId: str
    externalId: Optional[str]
    name: str
    email: str
    phone: str
    documentNumber: str
    documentType: str
    address: Address
    ip: Optional[str]


class ExportedCharge(TypedDict):
    number: int
    payer: ExportedChargePayer
    shippingFee: Optional[int]
    items: List[Item]
    transaction: Transaction


class ExportPayerInputRequired(TypedDict):
    document: str


class ExportPayerInput(ExportPayerInputRequired, total=False):
    after: str
    limit: int


class PayerErasureDataSubscriptions(TypedDict):
    erased: int
    open: int


class PayerErasureData(TypedDict):
    document: str
    erased: int
    open: int
    subscriptions: PayerErasureDataSubscriptions
    status: Literal["done", "pending"]


class PayerErasure(TypedDict):
    data: PayerErasureData


class ErasePayerInput(TypedDict):
    document: str


class PaymentReceiptPayer(TypedDict):
    name: str
    documentMasked: str
    ispb: Optional[str]


class PaymentReceipt(TypedDict):
    type: Literal["payment"]
    company: DocumentCompany
    transactionId: str
    status: Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED"]
    amount: int
    paidAmount: int
    refundedAmount: int
    currency: str
    paymentMethod: Literal["PIX", "BOLETO", "CREDIT_CARD"]
    paidAt: str
    endToEndId: Optional[str]
    payer: PaymentReceiptPayer
    signature: DocumentSignature


class WithdrawReceipt(TypedDict):
    type: Literal["withdraw"]
    company: DocumentCompany
    withdrawId: int
    status: Literal["Paid", "Returned"]
    amount: int
    fee: int
    returnedAmount: int
    currency: str
    pixKeyMasked: str
    pixKeyType: Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]
    creditorDocumentMasked: str
    description: str
    paidAt: str
    endToEndId: Optional[str]
    signature: DocumentSignature


class ReceiptVerdictRequired(TypedDict):
    genuine: bool


class ReceiptVerdict(ReceiptVerdictRequired, total=False):
    companyId: int
    signedAt: str


class ReceiptToVerify(TypedDict):
    pass


class SandboxPayStaticCode(TypedDict, total=False):
    amount: int
    payer: SandboxPayer


class SandboxPayer(TypedDict, total=False):
    name: str
    document: str


class SandboxAttempt(TypedDict):
    outcome: Literal["paid", "no_balance", "over_limit", "closed", "silent"]


class CompanyClockData(TypedDict):
    now: str
    moved: bool
    until: Optional[str]


class CompanyClock(TypedDict):
    data: CompanyClockData


class MovedClockData(TypedDict):
    now: str
    moved: bool
    until: Optional[str]
    ran: List[ClockItem]
    hasMore: bool


class MovedClock(TypedDict):
    data: MovedClockData


class ClockItem(TypedDict):
    at: str
    kind: str
    id: str

MoveClockNamed = TypedDict("MoveClockNamed", {"from": str}, total=False)


class MoveClock(MoveClockNamed, total=False):
    advance: str
    set: str


class SandboxPay(TypedDict, total=False):
    amount: int
    payer: SandboxPayer
    method: Literal["BOLETO", "PIX"]


class SandboxPaid(TypedDict):
    paymentId: str
    amount: int
    paidAt: str


class SandboxPaymentRequired(TypedDict):
    amount: int


class SandboxPayment(SandboxPaymentRequired, total=False):
    payer: SandboxPayer


class SandboxDispute(TypedDict, total=False):
    reason: Literal["MED_FRAUD", "MED_OPERATIONAL_FAILURE", "MED_AUTOMATIC_PIX", "OTHER"]
    deadline: str


class SandboxResolveDispute(TypedDict):
    outcome: Literal["won", "lost"]


class SandboxReturn(TypedDict, total=False):
    amount: int


class WebhookChaos(TypedDict, total=False):
    seed: int
    duplicate: float
    reorder: float
    drop: float
    delay: int


class SandboxFaultsData(TypedDict):
    items: List[SandboxFault]


class SandboxFaults(TypedDict):
    data: SandboxFaultsData

SandboxFaultNamed = TypedDict("SandboxFaultNamed", {"from": str})


class SandboxFault(SandboxFaultNamed):
    kind: Literal["bank_silent", "bank_slow", "bank_doubled", "bank_late", "receiver_down"]
    until: str
    by: Optional[str]


class SandboxFaultsInputItemRequired(TypedDict):
    kind: Literal["bank_silent", "bank_slow", "bank_doubled", "bank_late", "receiver_down"]
    until: str

SandboxFaultsInputItemNamed = TypedDict("SandboxFaultsInputItemNamed", {"from": str}, total=False)


class SandboxFaultsInputItem(SandboxFaultsInputItemNamed, SandboxFaultsInputItemRequired, total=False):
    by: str


class SandboxFaultsInput(TypedDict):
    items: List[SandboxFaultsInputItem]


class Health(TypedDict):
    status: Literal["ok"]
    version: str
    commit: str


class Ready(TypedDict):
    status: Literal["ready"]
    archive: Literal["ok", "missing", "behind", "unknown"]
