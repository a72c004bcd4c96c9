// `npm run clients` writes this file from the API's document.

export interface paths {
    "/api/v1/transactions/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a transaction
         * @description Charges a payer. Amounts in centavos. PIX answers with a BR Code, BOLETO with a barcode and its slip, CREDIT_CARD with what the acquirer decided: a refusal is 200 with status REFUSED. A field that nobody here knows is ignored and named in a header; one that is known elsewhere in the body, or nearly spelt as one we know, is a 400 that asks what was meant.
         */
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a payment back
         * @description Wholly or in part, repeatedly up to what was paid. The money comes from the transaction's own credit first, then from the available balance; fees are not given back. 202 while the provider has not answered: the outcome follows by webhook. Above `refundApprovalAbove`, or with a right that an operator gave within the cool-down, also 202: its money is held, and it is sent once somebody else approved it (`approval`). Instead of an open dispute (`insteadOf`): of exactly its amount, from what it has blocked.
         */
        post: operations["refundTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an unpaid transaction, or void an authorized card
         * @description 202 while the provider has not answered: the outcome follows by webhook.
         */
        post: operations["cancelTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the money of an authorized card
         * @description Once, wholly or in part: what is left of the authorization is let go. 202 while the acquirer has not answered: the outcome follows by webhook.
         */
        post: operations["captureTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/due-date": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the due date of an unpaid boleto
         * @description The boleto gets a new line and barcode, and its slip shows them; its expiry, fine and interest follow the day, its discount does not. 202 while the provider has not answered: read the transaction, or repeat the request. No webhook follows.
         */
        post: operations["changeDueDate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Transaction/transactionByTransactionId/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a transaction in the contract's detail record */
        get: operations["getTransactionDetailRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See all that happened about a transaction
         * @description Its creation, each move with its cause, what the ledger booked, its events and each attempt to deliver them, in one list, oldest first. Attempts are there for an application that has the scope `webhooks:read`.
         */
        get: operations["getTransactionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the QR code of a transaction
         * @description The PIX code as SVG or PNG, by `format` or by `Accept`; SVG where neither says. 409 for one that has none or cannot be paid any more.
         */
        get: operations["getTransactionQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Transaction/company/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the company's transactions */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the company's transactions
         * @description Newest first, by cursor and without totals; with `paidFrom` or `paidTo` by time of payment, unless a reference, an id or a document leads. A call reads a bounded number of rows, so a page may be short while `hasMore` is true. `Accept: text/csv` returns all of the result, or `limit` rows of it; with `Accept-Language: pt` for Brazilian spreadsheets: Portuguese words, semicolons, reais, times of São Paulo.
         */
        get: operations["searchTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the company's transactions by filters in a body
         * @description The search of `GET /api/v1/transactions`, for filters that should stand in no address, such as a document. It changes nothing.
         */
        post: operations["searchTransactionsByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction as it is now
         * @description The creation answer with all that has happened since, and with the customer, shipping and items of the request. Amounts in centavos.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Link a fiscal document to a transaction
         * @description Before or after payment; `null` removes the link. Later events carry the key, and the daily report counts it on the day that the payment was booked. Sending the same key again changes nothing.
         */
        patch: operations["changeTransaction"];
        trace?: never;
    };
    "/api/v1/withdraws/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See all that happened about a withdraw
         * @description What the ledger booked for it, its events and the attempts to deliver them, in one list, oldest first. Attempts are there for an application that has the scope `webhooks:read`.
         */
        get: operations["getWithdrawTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Withdraw/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a withdraw
         * @description Pays out of the available balance to a PIX key. `amount` in centavos.
         */
        post: operations["requestWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a withdraw without requesting it
         * @description What `POST /api/Withdraw/request` answers with `X-Dry-Run`: every check, and nothing is stored. A key under which it was requested is told among the checks.
         */
        post: operations["previewWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Withdraw/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdraw
         * @description While it is Awaiting. Amount and fee return to the available balance.
         */
        post: operations["cancelWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Withdraw/company/withdraws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the company's withdraws */
        get: operations["listWithdraws"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Withdraw/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a withdraw */
        get: operations["getWithdraw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the company's withdraws
         * @description Newest first, by cursor and without totals. `amountFrom` and `amountTo` in centavos. A call reads a bounded number of withdraws, so a page may be short while `hasMore` is true. `Accept: text/csv` returns all of the result, or `limit` rows of it, in centavos; with `Accept-Language: pt` for Brazilian spreadsheets: Portuguese words, semicolons, reais, times of São Paulo.
         */
        get: operations["searchWithdraws"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the company's withdraws by filters in a body
         * @description The search of `GET /api/v1/withdraws`, for a PIX key that should stand in no address. It changes nothing.
         */
        post: operations["searchWithdrawsByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/{id}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what an approver should know
         * @description Who asks and since when, how often the key was paid before, why the withdraw waits, and the balance without and with it.
         */
        get: operations["getWithdrawApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a withdraw
         * @description That somebody else asked for. Its payout is sent from now on. The caller's own spending limits must cover it. The right to approve, and the key, must be older than the request and not come from who asked (403).
         */
        post: operations["approveWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a withdraw
         * @description That somebody else asked for. It is cancelled; amount and fee return to the balance.
         */
        post: operations["refuseWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/unexpected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments that no charge expected as they came
         * @description Newest first: a second payment, one after the charge's end, one without a charge, one of another amount. Send `after` of the response in the next call. With `reason` a page may end before `limit`; `hasMore` tells if more follow.
         */
        get: operations["listUnexpectedPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/unexpected/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a payment that no charge expected */
        get: operations["getUnexpectedPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/unexpected/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return an unexpected payment to its payer
         * @description Whole. The company's balance does not change, for the payment was never credited. 202 while the provider has not answered: the outcome follows by webhook. A repeat returns it once.
         */
        post: operations["returnUnexpectedPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/unexpected/{id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit an unexpected payment
         * @description To the transaction that is named, which must be one that can still be paid. Without one: to the transaction that it came for, if that can still be paid, else to a new one, which is paid by it.
         */
        post: operations["creditUnexpectedPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds and returns that wait for an approval
         * @description Newest first. Above `refundApprovalAbove`, or with a right that an operator gave within the cool-down, a refund, or the return of an unexpected payment, is sent once somebody else approved it; after 72 hours its money comes back.
         */
        get: operations["listWaitingRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refunds/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a refund or return
         * @description Of somebody else. It is sent at once; what came of it stands in its transaction or payment. The caller's right must be older than the request, and must not come from who asked; the caller's own limit must cover the amount.
         */
        post: operations["approveRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refunds/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a refund or return
         * @description Of somebody else. It fails, and its money comes back.
         */
        post: operations["refuseRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a payment that arrived
         * @description For a cashier. By `endToEndId`, or by `amount` (centavos) and `at`, the minute that the payer's receipt shows. The ledger answers, so a payment is here as soon as it is booked. Of the payer only the first name and the masked document are shown. An empty list means: not arrived.
         */
        get: operations["searchReceivedPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Balance/balance/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the company's balance */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance in centavos
         * @description Of the company whose credentials these are.
         */
        get: operations["getOwnBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Balance/forecast/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forecast when credits become available
         * @description Amounts that await release, by day (America/Sao_Paulo), in centavos.
         */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Balance/statement/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's postings
         * @description Oldest first, by cursor. `amount` is signed; `balance` is the account's after the posting; both in centavos. The last line of each account equals its balance. `accounts=all` also shows the provider's side, so that each movement sums to zero. `Accept: text/csv` returns CSV: all lines after `after`, or `limit` of them. `Accept: application/x-ofx` returns those of `available` as OFX 2, for accounting programs.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a statement
         * @description The CSV of a statement, exported with `accounts=all` from its first line, at most 512 KiB. Checks every running balance, each movement's zero sum and accounts, the chain of hashes, that the last movement is the one in your ledger, and the anchors stored so far; `notAnchored` counts the movements that no anchor covers. Nothing of it is kept. `npm run verify-ledger` checks files of any size, without trusting the gateway.
         */
        post: operations["verifyStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to the company's money in a month, or on some days
         * @description One item for each thing that happened: a payment with its fee, a refund, a withdraw, a release. Newest first, by cursor; a page may be short while `hasMore` is true. `balance` is what the company has: available and awaiting release, less a debt. Payments in suspense, and the bank's word on money that an earlier item took, change none of it and are no item; `GET /api/Balance/statement/{companyId}` lists every posting. `from` and `to` ask for days in place of a month; `only` and `hour` choose among the items, and leave the sums as they are. `Accept: text/csv` (semicolons, reais with a comma), `application/x-ofx` and `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` return the whole month as a file in Portuguese. A month of more than 500000 movements (5000 as XLSX) has none: 406.
         */
        get: operations["getStatementEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credits that become available on a day
         * @description Parts of payments that await release on that day, earliest first, by cursor: what the forecast sums up. What has become available is in the statement.
         */
        get: operations["listReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the accountant's month
         * @description A ZIP of a month in Portuguese: the statement as CSV, OFX and XLSX, the charges, fees and withdraws as CSV, the newest 100 receipts as PDF, and the totals, which say whether they agree with the ledger. A month of more than 100000 movements has none: 406; beyond 5000 the XLSX is left out.
         */
        get: operations["getStatementArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rehearse the cash of the next days
         * @description What the balance will be at the end of each day (America/Sao_Paulo), by the company's time. `certain` holds if nothing else happens: credits are released, approvals expire, a debt is repaid. The other three also count open charges, by the company's own last 90 days: how many were paid, and how long before their last day. `worst` and `best` are the ends of the range that holds 19 times of 20; in `worst` the usual share of payments goes back and all open disputes are lost, in `best` they are won. What waits for an approval counts as approved in `worst` and `expected`. Amounts and fees are today's terms; fines, interest and discounts are left out, as are charges past their due date and new sales. `Accept: text/csv` returns the days as CSV; with `Accept-Language: pt` in Portuguese, with semicolons and reais.
         */
        get: operations["getRehearsal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the fees that banks took with the agreed ones
         * @description By day of payment, account and method, oldest first: the fee that was agreed, the one that the bank took, and the difference, of each credit that the bank has paid. A day is read once it is over. Only some banks tell what they took (`accounts`). The agreed fee stays when a payment goes back: `refunds` and `chargebacks` are what the bank took away again, and a fee that it takes for one, or gives back, is in `taken`. The sandbox's bank takes what was agreed, on the day of the payment. At most 92 days. `Accept: text/csv` returns the days as CSV; with `Accept-Language: pt` in Portuguese, with semicolons and reais.
         */
        get: operations["getFeeReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/fees/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settlements that differ
         * @description Lines of a bank's settlements that are not as agreed and booked, by the day of the finding, oldest first, by cursor. A line that the bank tells again is listed again only for what is new. At most 92 days.
         */
        get: operations["listFeeDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum the payments, fees and refunds of each day
         * @description By day and payment method, oldest first, equal to the ledger to the centavo. A movement counts on the day (America/Sao_Paulo) that the ledger booked it. Days without movements are left out. At most 366 days.
         */
        get: operations["getDailyReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/conversion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the created and paid charges of each day
         * @description By day (America/Sao_Paulo) and payment method, oldest first: charges created on the day, whatever became of them, and payments that the ledger booked on it. A charge that is paid later counts on two days, so `paid` of one day may exceed `created`. Days with neither are left out. At most 366 days.
         */
        get: operations["getConversionReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare your own list with the transactions
         * @description At most 1,000 lines. Each is found by its `id`, else its `endToEndId`, else its `externalRef`, and compared in the fields that it has. Several transactions of one `externalRef` answer one line each, first the newest that agrees; of more than 10 the newest 10 count. A line whose transaction an earlier one has already named, by whatever id, is `duplicate`. With `from` or `to`, `onlyHere` lists the period's transactions that no line matched. Nothing is changed.
         */
        post: operations["reconcileTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/status/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction's status
         * @description For the payer's browser: no credentials, no personal data. `id` is the transaction's UUID or its `secureId`. Send the `ETag` as `If-None-Match` to get a 304. Servers should use webhooks.
         */
        get: operations["getCheckoutStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's payment links
         * @description Newest first.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Make a payment link
         * @description A page that payers open to pay, as often as `maxPayments` says. One of `amount`, `amounts`, or `minimum` and `maximum` says what is paid. A visit makes nothing; each payment becomes a transaction with `paymentLinkId`. What is sold never changes: make another link for it. At most 10,000 links (409).
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a payment link */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link
         * @description What is left out stays. A payer who has acted already may still pay. A limit below what was paid, or is being paid, is 409.
         */
        patch: operations["changePaymentLink"];
        trace?: never;
    };
    "/api/v1/payment-links/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the QR code of a payment link
         * @description As SVG or PNG, by `format` or by `Accept`; SVG where neither says.
         */
        get: operations["getPaymentLinkQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's subscriptions
         * @description Newest first.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Make a subscription (Pix Automático)
         * @description The payer approves once in the bank's app; each cycle is then debited, tried again by the rules, and becomes a transaction with `subscriptionId` and `pix.kind` AUTOMATIC. A day that a bank would refuse is 400, with the rule and its `source`.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a subscription */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what the next cycles are debited, and how unpaid ones are dunned
         * @description The amount only where the payer approved a minimum. Cycles that are open already keep theirs.
         */
        patch: operations["changeSubscription"];
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription
         * @description Its mandate is ended, and each debit that can still be cancelled. A debit of tomorrow is, until 22:00.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a subscription
         * @description Cycles that are due meanwhile are skipped. A debit that can no longer be cancelled goes on.
         */
        post: operations["pauseSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused subscription
         * @description From the next cycle that can be ordered in time.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the charges of a subscription
         * @description Cycles that were opened, newest first, with each attempt and why its days are these.
         */
        get: operations["listSubscriptionCharges"];
        put?: never;
        /**
         * Open the next cycle's charge before its time
         * @description Each cycle is opened by itself five days before its debit. Opened earlier, it may have an amount of its own.
         */
        post: operations["openSubscriptionCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/charges/{transactionId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a failed debit on another day
         * @description At most three retries within seven days, on different business days, with the same amount, before the next cycle: `retryDays` of the charge says which. A day that a bank would refuse is 400, with the rule and its `source`; so is any day where the payer approved no retries.
         */
        post: operations["repeatSubscriptionCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/charges/{transactionId}/by-hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the payer pay one cycle by hand
         * @description Makes a PIX charge for the cycle; a repeated call answers the same `byHand` until it is refused or ends, then another (from the ninth on after a wait that grows by an hour). Paid before 22:00 of the day before the debit it ends the debit; a cycle's second payment is unexpected (`SECOND_PAYMENT`). Once it is paid or cancelled, nobody can pay by hand.
         */
        post: operations["paySubscriptionChargeByHand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions/{id}/charges/{transactionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the debit of one cycle
         * @description Until 22:00 of the day before it settles (`cancellable`). The subscription goes on. A charge that has failed and waits for a retry is ended at any time. `POST /api/v1/transactions/{id}/cancel` refuses a debited charge: this is its way.
         */
        post: operations["cancelSubscriptionCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum the debits that failed and what of them was recovered
         * @description By month of the due date, oldest first. Months without a failed debit are left out. At most 366 days.
         */
        get: operations["getSubscriptionRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/subscriptions/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Backtest a retry policy on the company's own debits
         * @description Of the cycles of the last 365 days that failed so that another day might do: how many the policy would have recovered by each of its days, as often as the company's own retries of that day were paid. Of a day with fewer than 20 retries nothing is said.
         */
        get: operations["backtestSubscriptionRetries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/subscriptions/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what will be debited
         * @description By day, from today on: open debits on the day of their next attempt, and the next cycles of subscriptions that are active or past due. A day without a debit has no item.
         */
        get: operations["getDebitOutlook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/subscriptions/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the banks of your payers
         * @description What each payer's bank did with your subscriptions made in a period (codes read, approved, refused, never answered), and with the debits due in it (paid in time, later, and why not). Your own traffic only. At most 90 days.
         */
        get: operations["getPayerBankReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a payer's saved cards
         * @description The newest first, at most 100. Each came from a create with `card.saveCard`.
         */
        get: operations["listSavedCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved card
         * @description It can be charged no more, and the house that kept it deletes it within minutes. What was charged stays.
         */
        delete: operations["deleteSavedCard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cards/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a token of a card
         * @description Of sandbox companies only; a live company's cards become tokens at its acquirer. A token may be charged any number of times. Neither number nor CVV is kept. The page of a payment link calls it without credentials, under the one-use session that it was made with; such a token can be charged on that page only.
         */
        post: operations["createCardToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pix/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a PIX code pays
         * @description Judges a PIX copia e cola (BR Code) by the rules of the central bank and shows what it says. No credentials; nothing is kept, and no bank is asked: whether a key exists, or what a location serves, is not told. A code that breaks a rule is a 200 with `valid: false`.
         */
        get: operations["decodePixCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether banks work on a day, and why a debit is on it
         * @description The calendar by which due dates of Pix Automático move. Holidays of a state and of a capital count where the payer's town is named; those of other towns are not known.
         */
        get: operations["getCalendarDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pix/static-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's static PIX codes
         * @description Newest first, with the deleted ones.
         */
        get: operations["listStaticCodes"];
        put?: never;
        /**
         * Make a static PIX code
         * @description A code that may be printed and paid any number of times. Each payment becomes a paid transaction of its own, with `staticCodeId` and its events. At most 10,000 codes (409).
         */
        post: operations["createStaticCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pix/static-codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a static PIX code */
        get: operations["getStaticCode"];
        put?: never;
        post?: never;
        /**
         * Delete a static PIX code
         * @description Marks it as deleted. No bank can be told to refuse a printed code, so a later payment of it still becomes a transaction. A repeat does nothing.
         */
        delete: operations["deleteStaticCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boletos/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a boleto's line or barcode asks for
         * @description Judges a boleto by the rules of the central bank and of FEBRABAN and shows what it says. No credentials; nothing is kept, and no bank is asked: whether the boleto was registered, paid or cancelled is not told. A code that breaks a rule is a 200 with `valid: false`.
         */
        get: operations["decodeBoleto"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's disputes
         * @description Newest first: disputes (PIX: MED) and chargebacks, of transactions and of payments that nobody expected. One that was decided before its first report is there with its end.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dispute
         * @description By the provider's id, which `dispute.id` of its transaction shows, URL-encoded.
         */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit evidence against a dispute
         * @description While the dispute is open and until its deadline. BACEN's API takes no evidence: it is kept, it is in the dossier, and the gateway's operators are told, who forward it to the PSP.
         */
        post: operations["submitDisputeEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/evidence/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a file to the evidence against a dispute
         * @description The body is the file: a PDF, JPEG or PNG by its content, whatever its name and `Content-Type` say. At most 5 MB; of a dispute 10 files and 10 MB in all. The same content again changes nothing. The dossier names each file with its SHA-256, and its PDF carries them.
         */
        post: operations["addDisputeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/evidence/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of the evidence against a dispute
         * @description As it was sent. `evidence.files` of the dispute has the ids.
         */
        get: operations["getDisputeFile"];
        put?: never;
        post?: never;
        /**
         * Remove a file from the evidence against a dispute
         * @description While the dispute takes evidence. Its bytes are deleted. Removed again, nothing changes.
         */
        delete: operations["deleteDisputeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/dossier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all that is known of a dispute, signed
         * @description The dispute, its transaction, timeline, postings with their hashes, webhooks with the receiver's answers, payer, items and evidence, signed with the company's Ed25519 key. `Accept: application/pdf` answers the same as a PDF in Portuguese for a bank, with the signed JSON attached and, with `pii:read`, the files. Personal data are masked without it.
         */
        get: operations["getDisputeDossier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the dossier to the bank
         * @description Of an open dispute, until its deadline, where the bank that took the payment takes dossiers by API: the sandbox's does, and Efí, which gets it as a text. Files are not sent: the dossier names them. One at a time; a further one only where the bank takes it. 202 while the bank has not answered: it is asked until it has, and `response` says what it says.
         */
        post: operations["sendDisputeResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the company's webhook URL and failing hosts */
        get: operations["getWebhookEndpoint"];
        /**
         * Set the company's webhook URL
         * @description https, port 443, a public DNS name. "" removes it. Applies to later events. Switches the host on again.
         */
        put: operations["setWebhookEndpoint"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the company's webhook endpoints */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description With a secret of its own. It gets later events of the types that it names, beside the other endpoints. At most 16 with the first (409).
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing goes to it any more: its open deliveries end `stopped`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description For later events. A `url` switches its host on again.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an endpoint's secret
         * @description As the first endpoint's (`POST /api/v1/webhooks/secret/rotate`).
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/webhook-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public keys of a company's webhooks
         * @description They verify the `v1a` (Ed25519) signature; the first signs, and any verifies. No credentials. Accept only the keys of your own company.
         */
        get: operations["listWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description For 24 hours, or `overlapHours`, every webhook is signed with the new and the replaced secret. If the response is lost, rotate again: at most 5 secrets are valid at once. After a leak send `overlapHours` 0, which ends all earlier secrets.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/secret/previous": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the earlier webhook secrets at once
         * @description Only the current secret signs from the next attempt on. Idempotent.
         */
        delete: operations["endPreviousWebhookSecrets"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out why a webhook does not verify
         * @description Takes a webhook as your code received it and names the first cause why it does not verify. Stores nothing. 403 without the scope of the event's object. The body may have 1 MiB, so that it can quote an event as a string.
         */
        post: operations["verifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's webhook deliveries
         * @description Newest first, without those of events whose object's scope is missing. A call reads a bounded number of rows, so a page may be short.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a webhook
         * @description Under the same `webhook-id`. If the object has a newer event, the gateway sends and returns that one: an old state never follows a newer one. 403 without the scope of the event's object.
         */
        post: operations["resendWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the webhooks of a time range
         * @description By default those that the gateway gave up on. Only the newest event of an object is sent, and none whose object's scope is missing. Each call does a bounded part: while `hasMore`, call again with its `after`.
         */
        post: operations["resendWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook URL
         * @description Sends a `webhook.test` event once and returns its attempt. A delivered test switches the host on again. A repeated `Idempotency-Key` sends no second event.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the company's events in order
         * @description Oldest first unless `order` is `newest`, numbered by `companySequence` from 1 without gaps, so that a reader can prove that it missed nothing. Send `after` of the response in the next call, now or later. A page may end before `limit` if its events are large or a `type` is sent; `hasMore` tells if more follow. `data` is null without the scope of the event's object, such as `withdraws:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event, its deliveries and each attempt
         * @description 403 without the scope of the event's object, such as `withdraws:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the company's fees and release days
         * @description As its operator agreed with it, for charges created from now on. A charge keeps the terms of its creation.
         */
        get: operations["getOwnTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the terms of a sandbox company */
        get: operations["getSandboxTerms"];
        /** Change the terms of a sandbox company, as its operator would */
        put: operations["changeSandboxTerms"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the company's accounts at PSPs, and when their access ends
         * @description Accounts that the gateway has called, or whose end an operator entered. Charges by an account whose certificate or credentials have ended fail; the operator takes new ones.
         */
        get: operations["listCompanyProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the company's settings */
        get: operations["getCompanySettings"];
        /**
         * Change the company's settings
         * @description What is tighter holds at once. What is looser (a higher limit, a shorter cool-down, a list that is no longer enforced) holds after the cool-down of before, at least 24 hours, and stands in `pending` until then (202). The same value again keeps its time; another one replaces it.
         */
        put: operations["changeCompanySettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/settings/pending/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Refuse a loosened setting that waits
         * @description What holds now goes on to hold.
         */
        delete: operations["refusePendingSetting"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the company's applications */
        get: operations["listApplications"];
        put?: never;
        /**
         * Make an application
         * @description Without a key: issue one next. It has at most the scopes, networks and time of the application that asks (403). An application with spending limits gives no `withdraws:write`. At most 50 applications (409).
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/applications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an application and its keys
         * @description The next request with its credentials is refused, everywhere. 409 for the application that asks.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        /**
         * Change an application
         * @description From the next request on; wider networks, wider spending limits and a higher limit of refunds only after the company's cool-down, at least 24 hours: they stand in `pending` until then (202). 403 if the application has, or would have, more than the one that asks. 409 if an application gives up its own `keys:write` or its own address.
         */
        patch: operations["changeApplication"];
        trace?: never;
    };
    "/api/v1/applications/{id}/pending/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Refuse a loosened limit that waits
         * @description What limits the application now goes on to.
         */
        delete: operations["refusePendingLimit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/applications/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of an application
         * @description Newest first, without the keys themselves. Ended keys stay listed for a while.
         */
        get: operations["listApplicationKeys"];
        put?: never;
        /**
         * Issue an API key of an application
         * @description Shown once. The application's other keys expire after `overlapHours`, 0 for at once. 409 if two active keys do not expire at once. A repeated request under its `Idempotency-Key` issues no second key and is a 409 that names the first.
         */
        post: operations["issueApplicationKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/applications/{id}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key of an application
         * @description The next request with the key is refused, everywhere. Repeatable. 409 for the key of this request.
         */
        delete: operations["revokeApplicationKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whose credentials these are
         * @description The company, the application with its scopes, and the service's time.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest requests that changed something
         * @description Newest first: the newest creates of charges and the newest entries of the audit trail, with their trace ids. For all of them page through the transactions and the audit trail.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{traceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find what a request did by its trace id
         * @description The trace id is in `X-Trace-Id` of each answer and in `traceId` of each problem. Found are the charge that the request made, also one that its provider refused, and its entries in the audit trail. Nothing is kept of reads and of requests that were refused before they did anything. A call looks through 500 charges and 500 entries, so nothing found is final only where `searchedFrom` is null.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's people and open invitations
         * @description Those who may open the company in the console, the first to join first.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person
         * @description The link works once, and ends after 7 days. It admits the e-mail only; a new one ends the e-mail's earlier ones. A repeated `Idempotency-Key` answers the same invitation with its link, and makes no second; without a key the link is shown once. 403 for an owner, unless an owner asks, and for a role with more than the application that asks. At most 50 open invitations (409).
         */
        post: operations["invitePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an open invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person from the company
         * @description From the person's next request on. 403 for an owner, unless an owner asks. 409 for the last owner. With a person who manages people the company's open invitations end: he may know their links.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Change a person's role
         * @description From the person's next request on. 403 for an owner, unless an owner asks, for whoever raises his own role, and for a role with more than the application that asks. 409 for the last owner. The company's open invitations end when the person does not manage people any more.
         */
        patch: operations["changePerson"];
        trace?: never;
    };
    "/api/v1/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved views of payments
         * @description By name. Each person, and each application, has its own in a company; nobody else sees them.
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Give filters of payments a name
         * @description A view of yours that has the name gets these filters, so a repeat makes no second. At most 20 (409).
         */
        post: operations["createSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        /**
         * Rename a saved view
         * @description 409 if another view of yours has the name.
         */
        patch: operations["renameSavedView"];
        trace?: never;
    };
    "/api/v1/company/pix-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the PIX keys to which withdraws are allowed
         * @description They count while `allowedPixKeys.enforced` is set. The main PIX key always counts.
         */
        get: operations["listAllowedPixKeys"];
        put?: never;
        /**
         * Allow withdraws to a PIX key
         * @description From `countsFrom` on: the cool-down is that of the settings now. A key that is listed keeps its times.
         */
        post: operations["allowPixKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/pix-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a PIX key from the list
         * @description At once. A repeat does nothing.
         */
        delete: operations["deleteAllowedPixKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/company/withdraw-policy/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a withdraw policy would have stopped in the last 90 days
         * @description Nothing is changed. Listed PIX keys count as if they had always been listed.
         */
        post: operations["backtestWithdrawPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the company's audit trail
         * @description Each change of settings, keys, scopes, endpoints and each decision, by an application, a person of the console or an operator, oldest first unless `order` is `newest`. A call with a filter reads a bounded part of the trail, so a page may be short while `hasMore` is true. `npm run verify-audit` checks the hashes offline.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payers with what they paid and owe
         * @description Those known by a document or `customer.id`, by their newest charge. A call reads a bounded number of rows, so a page may be short while `hasMore` is true.
         */
        get: operations["listPayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payers/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export what is stored of a payer
         * @description LGPD, article 18. Charges with the payer's data as stored, their events and deliveries, then subscriptions, then withdraws to the document, page by page: send `after` until `hasMore` is false. Each call is in the audit trail. Also needs the scopes `transactions:read`, `withdraws:read` and `webhooks:read`.
         */
        post: operations["exportPayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payers/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a payer's data
         * @description LGPD, article 18. Irreversible. Replaces name, document, e-mail, phone, address, IP and the name on the card in the payer's charges so far, their events and deliveries. Money, numbers, `externalRef`, `items` and `metadata` stay. A charge that has not ended is erased after its end. A later charge of the same document is one of a new payer. A subscription also loses its `metadata`: at once where it has ended, else as it ends.
         */
        post: operations["erasePayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a paid transaction
         * @description Signed with the company's Ed25519 key, as JSON or, with `Accept: application/pdf`, as a PDF for people. Anybody may check either with `POST /receipts/verify`. Documents and PIX keys are masked. Amounts in centavos.
         */
        get: operations["getTransactionReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdraws/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a paid withdraw
         * @description Signed with the company's Ed25519 key, as JSON or, with `Accept: application/pdf`, as a PDF for people. Anybody may check either with `POST /receipts/verify`. Documents and PIX keys are masked. Amounts in centavos.
         */
        get: operations["getWithdrawReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a receipt is genuine
         * @description For anybody who was given a receipt: send it unchanged, as JSON or as the PDF file. `genuine` is true if a company of this gateway signed exactly this. Nothing of it is kept.
         */
        post: operations["verifyReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/pix/static-codes/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play the payer: pay a static PIX code
         * @description Each call is a payment of its own, which becomes a transaction, also of a deleted code.
         */
        post: operations["payStaticCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/subscriptions/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer: approve a subscription */
        post: operations["approveSandboxSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/subscriptions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer: refuse a subscription */
        post: operations["refuseSandboxSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/subscriptions/{id}/payer-cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer: cancel a subscription in the bank's app */
        post: operations["cancelSandboxSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/attempt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play the payer's bank: what becomes of the next attempt to debit
         * @description Without it a debit is paid on its day. The clock brings the day (`/api/v1/sandbox/clock`).
         */
        post: operations["decideSandboxAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the company's time */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Move the company's time forward, and live what becomes due
         * @description Charges expire, money is released, webhooks are retried, approvals and deadlines end, each at its time and in order, as if the days had passed. A call runs as much as fits; while `hasMore`, set the time `now` again. `webhook-timestamp`, signatures, keys and sessions keep the real time. Nothing moves back: make another company for that. After a lost answer send the same again where it has `set` or `from`; else read the clock first.
         */
        post: operations["moveSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play the payer: pay a transaction
         * @description Each call is a payment of its own; a second one of the same charge is unexpected. A card is charged once: authorized, it is captured.
         */
        post: operations["paySandboxTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a payer who pays without a charge
         * @description To the company's key, as a transfer: nobody expected it, so it is an unexpected payment.
         */
        post: operations["createSandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the bank: the charge fails */
        post: operations["failSandboxTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the clock: the charge expires */
        post: operations["expireSandboxTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer's bank: it disputes the payment (PIX: MED) */
        post: operations["disputeSandboxTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/dispute/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer's bank: it decides the dispute */
        post: operations["resolveSandboxDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/chargeback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer's bank: it takes the payment back */
        post: operations["chargeBackSandboxTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/transactions/{id}/chargeback/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the payer's bank: it gives a chargeback back */
        post: operations["reverseSandboxChargeback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/withdraws/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the receiving bank: it has the money */
        post: operations["paySandboxWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/withdraws/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the receiving bank: it refuses the money */
        post: operations["failSandboxWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/withdraws/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play the receiving bank: it sends a withdraw back, or a part of it */
        post: operations["returnSandboxWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/webhooks/chaos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how hostile the company's webhooks are */
        get: operations["getWebhookChaos"];
        /**
         * Have the company's webhooks delivered with hostility
         * @description Duplicates, an old state after a newer one, attempts that are lost, and delays, from the next event on, so that a merchant's own tests can prove its handler. What is left out is 0; all 0 is none. The run begins anew with each call.
         */
        put: operations["setWebhookChaos"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what goes wrong at the company's bank and receiver */
        get: operations["getSandboxFaults"];
        /**
         * Have the company's bank or receiver fail, by its clock
         * @description These faults, and no others, from the next call on; an empty list ends all. Money and events are not lost: what was held back comes when a fault is over, as time passes or is moved (`/sandbox/clock`).
         */
        put: operations["setSandboxFaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show that the service runs, and which version
         * @description Reads nothing: it answers while every storage is down.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service can work
         * @description Its databases and bindings answer, their schema fits the code, and the cron has run in the last minutes. `failed` names only the class of what does not. An isolate checks at most every five seconds.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description `type` tells the shape of `data`: the object as the API showed it at that time. */
        Webhook: components["schemas"]["TransactionWebhookBody"] | components["schemas"]["WithdrawWebhookBody"] | components["schemas"]["DisputeWebhookBody"] | components["schemas"]["PaymentWebhookBody"] | components["schemas"]["PaymentLinkWebhookBody"] | components["schemas"]["SubscriptionWebhookBody"] | components["schemas"]["FreezeWebhookBody"] | components["schemas"]["SettingsWebhookBody"] | components["schemas"]["BalanceWebhookBody"] | components["schemas"]["AnchorWebhookBody"] | components["schemas"]["TestWebhookBody"];
        TransactionWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["TransactionEventData"];
        };
        /** @description The transaction as it stood at the event. */
        TransactionEventData: {
            /** Format: uuid */
            id: string;
            externalRef: string;
            /** @description centavos */
            amount: number;
            /** @description `amount` in reais. */
            amountText: string;
            /** @description Of a sandbox company's create: what was accepted and is likely a mistake. */
            warnings?: string[];
            /** @description centavos; what really came, null until it is paid */
            paidAmount: number | null;
            /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
            underpaid: boolean;
            /** @description centavos */
            refundedAmount: number;
            /** Format: uuid */
            providerCompanyId: string;
            companyId: number | null;
            installments: number;
            paymentMethod: components["schemas"]["PaymentMethod"];
            status: components["schemas"]["TransactionStatus"];
            postbackUrl: string;
            metadata: string | null;
            traceable: boolean;
            secureId: string | null;
            /** @description The payer's page; null where the service has no public address. */
            secureUrl: string | null;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            paidAt?: string;
            /** @enum {string} */
            cancelReason?: "REQUESTED" | "EXPIRED";
            /** @enum {string} */
            refundReason?: "REQUESTED" | "MED" | "CHARGEBACK";
            failureReason?: components["schemas"]["FailureReason"];
            /** @description Oldest first; there once a refund was asked for. */
            refunds?: components["schemas"]["Refund"][];
            dispute?: components["schemas"]["TransactionDispute"];
            ip?: string;
            endToEndId: string | null;
            externalNsu: string | null;
            payer?: components["schemas"]["PaidBy"];
            /**
             * @description Whether the document of who paid is the customer's; of a masked one the visible digits are compared. There with `payer`.
             * @enum {string}
             */
            payerMatch?: "matches" | "differs" | "unknown";
            /**
             * Format: uuid
             * @description The static code that was paid; else absent.
             */
            staticCodeId?: string;
            /**
             * Format: uuid
             * @description The subscription whose cycle it is; else absent.
             */
            subscriptionId?: string;
            /** @description Of a subscription's debit, oldest first, where the transaction is read. Events of the subscription tell of each. */
            attempts?: components["schemas"]["SubscriptionAttempt"][];
            /**
             * Format: uuid
             * @description The payment link that it was made under; else absent.
             */
            paymentLinkId?: string;
            /** @description The 44 digits of the linked fiscal document (DF-e). */
            fiscalKey?: string;
            pix?: components["schemas"]["TransactionPix"];
            boleto?: components["schemas"]["TransactionBoleto"];
            card?: components["schemas"]["TransactionCard"];
            refusedReason?: components["schemas"]["TransactionRefusedReason"];
            /**
             * @description Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. Else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description The archive could not be read: address, items, metadata, `returnUrl` and the texts of the payment method are missing here. Ask again later. Else absent.
             * @enum {boolean}
             */
            textsMissing?: true;
            previousStatus: components["schemas"]["TransactionStatus"];
        };
        /** @enum {string} */
        PaymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
        /** @enum {string} */
        TransactionStatus: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED";
        /** @description Why a withdraw or a transaction failed. */
        FailureReason: {
            /** @enum {string} */
            code: "KEY_NOT_FOUND" | "KEY_OWNER_MISMATCH" | "ACCOUNT_INVALID" | "ACCOUNT_CLOSED" | "ACCOUNT_BLOCKED" | "REFUSED_BY_BANK" | "FRAUD_SUSPECTED" | "BANK_UNAVAILABLE" | "LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS_AT_PROVIDER" | "TIMED_OUT" | "PROVIDER_REFUSED" | "REMOVED_BY_PROVIDER" | "NOT_RECEIVED_BY_PROVIDER" | "AUTHORIZATION_ENDED" | "DECIDED_BY_OPERATOR" | "LINK_UNAVAILABLE" | "DEBIT_FAILED" | "CARD_TOKEN_EXPIRED" | "CARD_DECLINED" | "INSUFFICIENT_FUNDS" | "EXPIRED_CARD" | "INCORRECT_CVV" | "UNKNOWN";
            message: string;
            /** @description Whether the same request may succeed later. */
            retryable: boolean;
        };
        Refund: {
            /** @description A UUID; of a refund that was made at the provider itself, by other hands, the payment's id and the refund's own, joined by a colon. */
            id: string;
            /** @description centavos */
            amount: number;
            status: components["schemas"]["RefundStatus"];
            /** Format: date-time */
            createdAt: string;
            /** @description Who asked; null where nobody did, and for what is older than this record. */
            requestedBy: components["schemas"]["Requester"] | null;
            /**
             * @description `pending`: somebody else must approve it (docs/api.md).
             * @enum {string}
             */
            approval: "none" | "pending" | "approved" | "refused";
            /** @description Who approved or refused it. */
            decidedBy: components["schemas"]["Requester"] | null;
            /** @description The dispute that it stands instead of; absent of any other. */
            insteadOf?: string;
        };
        /** @enum {string} */
        RefundStatus: "PENDING" | "DONE" | "FAILED";
        /**
         * @example {
         *       "kind": "application",
         *       "id": "app_local_loja",
         *       "name": "Loja"
         *     }
         */
        Requester: {
            /** @enum {string} */
            kind: "application" | "person" | "operator" | "rule" | "provider";
            /** @description A client id; of a person `person_` and his id; of a rule its reason; of a provider its account. */
            id: string;
            /** @description Empty for what was stored before names were. */
            name: string;
        };
        /** @description The newest one; there once the payer's bank disputed the payment. */
        TransactionDispute: {
            id: string;
            /** @description centavos */
            amount: number;
            status: components["schemas"]["DisputeStatus"];
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        DisputeStatus: "OPEN" | "WON" | "LOST";
        /** @description Who paid; there once it is paid and the provider says so. */
        PaidBy: {
            /** @description Masked without `pii:read`. */
            name: string | null;
            documentMasked: string | null;
            /** @description The payer's institution (BACEN ISPB). */
            ispb: string | null;
        };
        SubscriptionAttempt: {
            /**
             * Format: date
             * @description Its day.
             */
            at: string;
            /** @enum {string} */
            kind: "due" | "retry" | "resend";
            /** @enum {string} */
            status: "requested" | "scheduled" | "paid" | "failed" | "cancelled";
            /**
             * @description Why it failed.
             * @enum {string|null}
             */
            code: "NO_BALANCE" | "PAYER_BANK_UNAVAILABLE" | "NO_ANSWER" | "PAYER_ACCOUNT_BLOCKED" | "REFUSED_BY_PAYER_BANK" | "PAYER_LIMIT" | "SAME_PARTICIPANT" | "PAYER_ACCOUNT_CLOSED" | "DOCUMENT_MISMATCH" | "PAYER_BANK_UNKNOWN" | "MANDATE_UNKNOWN" | "ALREADY_PAID" | "AMOUNT_NOT_AGREED" | "DUE_DATE_NOT_AGREED" | "OUTSIDE_WINDOW" | "RETRY_NOT_ALLOWED" | "PAYER_CANCELLED" | "APPROVAL_ENDED" | "RECEIVER_CANCELLED" | "DEBIT_FAILED" | "CANCELLED_BY_BANK" | "PROVIDER_REFUSED" | "UNKNOWN" | null;
            message: string | null;
            /**
             * @description What to do about it.
             * @enum {string|null}
             */
            action: "retry" | "tell_payer_offer_link" | "offer_link" | "new_approval" | "a_person" | "our_fault" | "nothing" | null;
            /** @description The bank's own code. */
            providerCode: string | null;
        };
        TransactionPix: {
            /**
             * @description Only of a subscription's debit, which the payer's bank pays by itself.
             * @enum {string}
             */
            kind?: "AUTOMATIC";
            /** @description BR Code; empty of an automatic debit. */
            qrcode: string;
            url: string | null;
            /** Format: date-time */
            expirationDate: string;
            /**
             * Format: date
             * @description In America/Sao_Paulo. Only of a PIX with a due date.
             */
            dueDate?: string;
            /** @description days */
            validityAfterDue?: number;
            fine?: {
                /** @enum {string} */
                type: "FIXED" | "PERCENTAGE";
                value: number;
            } | null;
            interest?: {
                value: number;
            } | null;
            discount?: {
                /** @enum {string} */
                type: "FIXED" | "PERCENTAGE";
                value: number;
                /** Format: date */
                untilDate: string;
            } | null;
            /** @description centavos; owed on `amountDueOn` */
            amountDue?: number;
            /**
             * Format: date
             * @description The day of payment, else of the transaction's last change, in America/Sao_Paulo.
             */
            amountDueOn?: string;
        };
        TransactionBoleto: {
            /** @description 44 digits (FEBRABAN) */
            barcode: string;
            /** @description 47 digits */
            digitableLine: string;
            /** @description The line as people type it */
            formattedLine: string;
            ourNumber: string;
            /** @description YYYY-MM-DD in America/Sao_Paulo */
            dueDate: string;
            /** Format: date-time */
            expirationDate: string;
            /** @description The slip as a page; needs no credentials */
            url: string;
            /** @description The slip as PDF */
            pdfUrl: string;
            /** @description BR Code of the same debt */
            qrcode: string | null;
        };
        TransactionCard: {
            brand: string;
            firstDigits: string;
            lastDigits: string;
            holderName: string;
            expirationMonth: number;
            expirationYear: number;
            authorizationCode: string | null;
            /** @description What `card.savedCardId` of a later create takes, where this one saved it */
            savedCardId?: string;
        };
        TransactionRefusedReason: {
            code: string;
            message: string;
            /** @description Whether the same card may be tried again later */
            retryable: boolean;
            /** @description How many more attempts the card's brand allows for now, where known */
            attemptsLeft?: number;
            /** @description ISO 8601. An earlier attempt would break the brand's rules */
            retryNotBefore?: string;
        };
        WithdrawWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["WithdrawEventData"];
        };
        /** @description The withdraw as it stood at the event. */
        WithdrawEventData: {
            id: number;
            companyId: number;
            idempotencyKey: string;
            /** @description reais */
            value: number;
            /** @description reais */
            fee: number;
            /** @description reais that the receiving bank returned */
            returnedValue: number;
            pixKey: string;
            pixKeyType: components["schemas"]["PixKeyType"];
            creditorDocument: string;
            description: string;
            currency: string;
            /** @enum {string} */
            enTransaction: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
            /** @description Why a Failed withdraw did; null in any other status. */
            failureReason: components["schemas"]["FailureReason"] | null;
            metadata: string | null;
            endToEndId: string | null;
            /**
             * @description `pending`: it waits until somebody else approves or refuses it.
             * @enum {string}
             */
            approval: "none" | "pending" | "approved" | "refused";
            /**
             * Format: date-time
             * @description While `pending`: then it is cancelled.
             */
            approvalExpiresAt: string | null;
            /** @description Who asked for it; null for one that is older than this field. */
            requestedBy: components["schemas"]["Requester"] | null;
            /** @description Who approved or refused it; null while nobody did. */
            decidedBy: components["schemas"]["Requester"] | null;
            decisionReason: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            previousStatus: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
        };
        /** @enum {string} */
        PixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";
        DisputeWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dispute.opened" | "dispute.won" | "dispute.lost";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["DisputeEventData"];
        };
        /** @description The dispute, without its evidence. */
        DisputeEventData: {
            companyId: number;
            /** @description The provider's id, as in `dispute.id` of a transaction. */
            id: string;
            /**
             * Format: uuid
             * @description Null where it is about a payment that nobody expected.
             */
            transactionId: string | null;
            /** @description The payment that nobody expected; null for a transaction's. */
            paymentId: string | null;
            /** @enum {string} */
            reason: "MED_FRAUD" | "MED_OPERATIONAL_FAILURE" | "MED_AUTOMATIC_PIX" | "CHARGEBACK" | "OTHER";
            /** @description centavos; what is asked back */
            amount: number;
            /** @description centavos; what of it is blocked while it is open */
            held: number;
            /** @enum {string} */
            status: "open" | "won" | "lost";
            /**
             * Format: date-time
             * @description Until when evidence is accepted: the provider's, for a MED by default seven days after it was opened; null where nobody says.
             */
            deadline: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description The status before the event; null where there was none.
             * @enum {string|null}
             */
            previousStatus: "open" | "won" | "lost" | null;
        };
        PaymentWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["PaymentEventData"];
        };
        /** @description The unexpected payment. */
        PaymentEventData: {
            companyId: number;
            /** @description The provider's id; of a PIX the end-to-end id (BACEN). */
            id: string;
            /** @enum {string} */
            reason: "SECOND_PAYMENT" | "LATE" | "NO_CHARGE" | "WRONG_AMOUNT";
            /** @description centavos */
            amount: number;
            /** @description The transaction that it came for or was credited to. */
            transactionId: string | null;
            endToEndId: string | null;
            /** @description As far as the provider says; the name masked without `pii:read`. */
            payer: components["schemas"]["PaidBy"] | null;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "kept" | "crediting" | "credited" | "returning" | "returned";
            /**
             * @description The company's rule when it came.
             * @enum {string}
             */
            rule: "keep" | "credit" | "return";
            /** @description Who asked for its return or credit: a caller, an operator or the rule. */
            requestedBy: components["schemas"]["Requester"] | null;
            /**
             * @description `pending`: somebody else must approve its return.
             * @enum {string}
             */
            approval: "none" | "pending" | "approved" | "refused";
            /**
             * @description The status before the event; null where there was none.
             * @enum {string|null}
             */
            previousStatus: "kept" | "crediting" | "credited" | "returning" | "returned" | null;
        };
        PaymentLinkWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment_link.paid" | "payment_link.exhausted";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        /** @description The link, and the payment that came. */
        PaymentLinkEventData: {
            /** Format: uuid */
            id: string;
            companyId: number;
            slug: string;
            name: string;
            status: components["schemas"]["PaymentLinkStatus"];
            previousStatus: components["schemas"]["PaymentLinkStatus"];
            maxPayments: number | null;
            /** @description Payments that came; refunds do not lower it. */
            paidCount: number;
            metadata: string | null;
            /** Format: uuid */
            transactionId: string | null;
            /** @description centavos of this payment */
            amount: number | null;
        };
        /** @enum {string} */
        PaymentLinkStatus: "active" | "inactive" | "expired" | "exhausted";
        SubscriptionWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["SubscriptionEventData"];
        };
        /** @description The subscription, without its payer. */
        SubscriptionEventData: {
            /** Format: uuid */
            id: string;
            companyId: number;
            externalRef: string;
            status: components["schemas"]["SubscriptionStatus"];
            /**
             * @description The status before the event; null where there was none.
             * @enum {string|null}
             */
            previousStatus: "pending_approval" | "active" | "past_due" | "paused" | "cancelled" | "rejected" | "expired" | "completed" | null;
            description: string;
            /** @description centavos of the next cycles */
            amount: number;
            /** @description centavos; null where the payer approved one amount */
            minimumAmount: number | null;
            period: components["schemas"]["SubscriptionPeriod"];
            /** @enum {string} */
            journey: "REQUEST" | "QR" | "QR_AND_PAY" | "QR_ON_DUE";
            mandate: components["schemas"]["SubscriptionEventMandate"];
            metadata: string | null;
            /** @description The charge that the event is about; null of any other event. */
            charge: {
                /**
                 * Format: uuid
                 * @description The charge, which is a transaction.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The same as `id`.
                 */
                transactionId: string;
                /** @description Its place in the subscription, from 1. */
                cycle: number;
                /** Format: date */
                dueDate: string;
                /** @description centavos */
                amount: number;
                status: components["schemas"]["SubscriptionChargeStatus"];
                attempts: components["schemas"]["SubscriptionAttempt"][];
                end: components["schemas"]["SubscriptionDebitEnd"];
                /** @description By which the payer pays this cycle by hand, in an event only while he can; null before it is made. */
                byHand: {
                    /**
                     * Format: uuid
                     * @description The charge that is paid by hand.
                     */
                    id: string;
                    /**
                     * @description CREDIT_CARD: the payer's saved card is charged (`dunning.savedCardId`).
                     * @enum {string}
                     */
                    method: "PIX" | "BOLETO" | "CREDIT_CARD";
                    /** @description The page on which it is paid; null without a public address, and for a saved card. */
                    url: string | null;
                    /** @description Of a boleto that is made; null for any other. */
                    digitableLine: string | null;
                } | null;
                /**
                 * @description Why the saved card of the dunning was not charged: it is `deleted`, `no_account` takes it, or its `brand_rules` allow no attempt now. Null where nothing kept it from that.
                 * @enum {string|null}
                 */
                cardSkipped: "deleted" | "no_account" | "brand_rules" | null;
                /** @description Whether it was paid after a failed attempt, by a retry or by hand. */
                recovered: boolean;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
            } | null;
        };
        /** @enum {string} */
        SubscriptionStatus: "pending_approval" | "active" | "past_due" | "paused" | "cancelled" | "rejected" | "expired" | "completed";
        /** @enum {string} */
        SubscriptionPeriod: "WEEKLY" | "MONTHLY" | "QUARTERLY" | "SEMIANNUAL" | "ANNUAL";
        SubscriptionEventMandate: {
            /** @description BACEN `idRec`: case-sensitive. */
            id: string | null;
            /** @enum {string} */
            status: "none" | "created" | "approved" | "rejected" | "cancelled" | "expired";
            payerIspb: string | null;
            /**
             * @description Why it ended.
             * @enum {string|null}
             */
            reason: "PAYER_REFUSED" | "PAYER_CANCELLED" | "PAYER_ACCOUNT_CLOSED" | "PAYER_DECEASED" | "FRAUD_SUSPECTED" | "RECEIVER_CANCELLED" | "RECEIVER_CLOSED" | "CONFIRMATION_FAILED" | "APPROVED_OTHERWISE" | "PROVIDER_REFUSED" | "OTHER" | null;
            message: string | null;
            /**
             * @description What to do about it.
             * @enum {string|null}
             */
            action: "new_approval" | "a_person" | "nothing" | null;
            /** @enum {string|null} */
            endedBy: "payer" | "payer_bank" | "receiver" | "receiver_bank" | null;
            /** @description The bank's own code. */
            providerCode: string | null;
            /** @description A bank says that it is of no more use: nothing more is debited; make a new subscription. */
            needsApproval: boolean;
        };
        /** @enum {string} */
        SubscriptionChargeStatus: "open" | "paid" | "failed" | "cancelled" | "skipped";
        /** @description Why the banks say that its debit is over unpaid; null where they do not. */
        SubscriptionDebitEnd: {
            /** @enum {string} */
            kind: "rejected" | "cancelled";
            /** @enum {string|null} */
            by: "payer" | "payer_bank" | "receiver" | "receiver_bank" | null;
            /** @enum {string} */
            code: "NO_BALANCE" | "PAYER_BANK_UNAVAILABLE" | "NO_ANSWER" | "PAYER_ACCOUNT_BLOCKED" | "REFUSED_BY_PAYER_BANK" | "PAYER_LIMIT" | "SAME_PARTICIPANT" | "PAYER_ACCOUNT_CLOSED" | "DOCUMENT_MISMATCH" | "PAYER_BANK_UNKNOWN" | "MANDATE_UNKNOWN" | "ALREADY_PAID" | "AMOUNT_NOT_AGREED" | "DUE_DATE_NOT_AGREED" | "OUTSIDE_WINDOW" | "RETRY_NOT_ALLOWED" | "PAYER_CANCELLED" | "APPROVAL_ENDED" | "RECEIVER_CANCELLED" | "DEBIT_FAILED" | "CANCELLED_BY_BANK" | "PROVIDER_REFUSED" | "UNKNOWN";
            message: string;
            /**
             * @description What to do about it.
             * @enum {string}
             */
            action: "retry" | "tell_payer_offer_link" | "offer_link" | "new_approval" | "a_person" | "our_fault" | "nothing";
            /** @description The bank's own code. */
            providerCode: string | null;
        } | null;
        FreezeWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "company.frozen" | "company.unfrozen";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["FreezeEventData"];
        };
        FreezeEventData: {
            companyId: number;
            reason: string;
            by: components["schemas"]["Requester"];
            /** @description What is frozen now. `withdraws`: every way out of the money. */
            frozen: {
                withdraws: boolean;
                charges: boolean;
            };
            /** @enum {string} */
            previousStatus: "active" | "frozen";
        };
        SettingsWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "company.settings_changing";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["SettingsEventData"];
        };
        /** @description What was loosened, and from when it holds. */
        SettingsEventData: {
            companyId: number;
            /** @description The application whose limits they are; null for the company's settings. */
            applicationId: string | null;
            changes: {
                field: string;
                from?: unknown;
                to?: unknown;
                /**
                 * Format: date-time
                 * @description Until then it can be refused.
                 */
                effectiveAt: string;
            }[];
            requestedBy: components["schemas"]["Requester"];
            /** @description The status before the event; null where there was none. */
            previousStatus: null;
        };
        BalanceWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "balance.released";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["BalanceEventData"];
        };
        /** @description The balance right after, in reais. */
        BalanceEventData: {
            id: number;
            companyId: number;
            currency: string;
            /** @enum {string} */
            enBalanceStatus: "Released" | "Pending" | "Blocked";
            /** @description reais, may be withdrawn */
            accBalance: number;
            /** @description reais of `accBalance` that cannot be withdrawn while a contradiction about a payment or payout is open */
            accBalanceHeld: number;
            /** @description reais: available, awaiting and blocked */
            accBalanceCredit: number;
            /** @description reais, awaiting release */
            accBalanceCreditAwaiting: number;
            /** @description reais that open disputes and refunds under way hold; part of `accBalanceCredit` */
            accBalanceBlocked: number;
            /** @description reais that a chargeback took beyond the balance; the next credits repay them */
            accBalanceDebt: number;
            /** @description centavos that became available */
            releasedCents: number;
            releases: {
                /** Format: uuid */
                transactionId: string;
                installment: number;
                /** @description centavos */
                amountCents: number;
            }[];
            /** @enum {string} */
            previousStatus: "Released" | "Pending" | "Blocked";
        };
        AnchorWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ledger.anchored";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["AnchorEventData"];
        };
        /** @description The signed head of the company's ledger. */
        AnchorEventData: {
            companyId: number;
            /**
             * Format: date
             * @description UTC
             */
            day: string;
            /** @description The statement's last line at that time. */
            sequence: number;
            /** @description The newest hash of the chain at that time. */
            hash: string;
            /** @description SHA-256 over all companies' heads of the day. */
            digest: string;
            /** @description Ed25519, base64. */
            signature: string;
            /** @description The gateway's key: Ed25519, base64. */
            publicKey: string;
            /** @description The status before the event; null where there was none. */
            previousStatus: null;
        };
        TestWebhookBody: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            data: components["schemas"]["TestEventData"];
        };
        TestEventData: {
            /** @description Counts the company's tests, from 1. */
            id: number;
            companyId: number;
            url: string;
            /** @description The status before the event; null where there was none. */
            previousStatus: null;
        };
        TransactionEnvelope: {
            data: components["schemas"]["Transaction"];
            status: number;
            message: string;
        };
        /**
         * @example {
         *       "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "externalRef": "pedido-1001",
         *       "amount": 2500,
         *       "amountText": "R$ 25,00",
         *       "paidAmount": null,
         *       "underpaid": false,
         *       "refundedAmount": 0,
         *       "providerCompanyId": "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
         *       "companyId": 1,
         *       "installments": 1,
         *       "paymentMethod": "PIX",
         *       "status": "WAITING_PAYMENT",
         *       "postbackUrl": "https://loja.example.com/webhooks",
         *       "metadata": "{\"pedido\":1001}",
         *       "traceable": true,
         *       "secureId": "AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *       "secureUrl": "https://pay.example.com/checkout/AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *       "currency": "BRL",
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-11-21T12:00:00.000Z",
         *       "ip": "203.0.113.7",
         *       "endToEndId": null,
         *       "externalNsu": null,
         *       "pix": {
         *         "qrcode": "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a1fda45e008d2c9f316b1f0c000001520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***63048B1E",
         *         "url": null,
         *         "expirationDate": "2026-11-22T12:00:00.000Z"
         *       }
         *     }
         */
        Transaction: {
            /** Format: uuid */
            id: string;
            externalRef: string;
            /** @description centavos */
            amount: number;
            /** @description `amount` in reais. */
            amountText: string;
            /** @description Of a sandbox company's create: what was accepted and is likely a mistake. */
            warnings?: string[];
            /** @description centavos; what really came, null until it is paid */
            paidAmount: number | null;
            /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
            underpaid: boolean;
            /** @description centavos */
            refundedAmount: number;
            /** Format: uuid */
            providerCompanyId: string;
            companyId: number | null;
            installments: number;
            paymentMethod: components["schemas"]["PaymentMethod"];
            status: components["schemas"]["TransactionStatus"];
            postbackUrl: string;
            metadata: string | null;
            traceable: boolean;
            secureId: string | null;
            /** @description The payer's page; null where the service has no public address. */
            secureUrl: string | null;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            paidAt?: string;
            /** @enum {string} */
            cancelReason?: "REQUESTED" | "EXPIRED";
            /** @enum {string} */
            refundReason?: "REQUESTED" | "MED" | "CHARGEBACK";
            failureReason?: components["schemas"]["FailureReason"];
            /** @description Oldest first; there once a refund was asked for. */
            refunds?: components["schemas"]["Refund"][];
            dispute?: components["schemas"]["TransactionDispute"];
            ip?: string;
            endToEndId: string | null;
            externalNsu: string | null;
            payer?: components["schemas"]["PaidBy"];
            /**
             * @description Whether the document of who paid is the customer's; of a masked one the visible digits are compared. There with `payer`.
             * @enum {string}
             */
            payerMatch?: "matches" | "differs" | "unknown";
            /**
             * Format: uuid
             * @description The static code that was paid; else absent.
             */
            staticCodeId?: string;
            /**
             * Format: uuid
             * @description The subscription whose cycle it is; else absent.
             */
            subscriptionId?: string;
            /** @description Of a subscription's debit, oldest first, where the transaction is read. Events of the subscription tell of each. */
            attempts?: components["schemas"]["SubscriptionAttempt"][];
            /**
             * Format: uuid
             * @description The payment link that it was made under; else absent.
             */
            paymentLinkId?: string;
            /** @description The 44 digits of the linked fiscal document (DF-e). */
            fiscalKey?: string;
            pix?: components["schemas"]["TransactionPix"];
            boleto?: components["schemas"]["TransactionBoleto"];
            card?: components["schemas"]["TransactionCard"];
            refusedReason?: components["schemas"]["TransactionRefusedReason"];
            /**
             * @description Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. Else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description The archive could not be read: address, items, metadata, `returnUrl` and the texts of the payment method are missing here. Ask again later. Else absent.
             * @enum {boolean}
             */
            textsMissing?: true;
        };
        /**
         * @description RFC 9457 problem details.
         * @example {
         *       "type": "https://pay.example.com/docs/errors#HTTPS_REQUIRED",
         *       "title": "Forbidden",
         *       "status": 403,
         *       "detail": "This service is reached by https only. An API key that was sent by http must be replaced.",
         *       "instance": "/the/path/of/the/request",
         *       "code": "HTTPS_REQUIRED",
         *       "traceId": "0af7651916cd43dd8448eb211c80319c"
         *     }
         * @example {
         *       "type": "https://pay.example.com/docs/errors#HOST_NOT_ALLOWED",
         *       "title": "Forbidden",
         *       "status": 403,
         *       "detail": "A local service answers only under localhost and loopback addresses.",
         *       "instance": "/the/path/of/the/request",
         *       "code": "HOST_NOT_ALLOWED",
         *       "traceId": "0af7651916cd43dd8448eb211c80319c"
         *     }
         * @example {
         *       "type": "https://pay.example.com/docs/errors#METHOD_NOT_ALLOWED",
         *       "title": "Method Not Allowed",
         *       "status": 405,
         *       "detail": "This path accepts only GET, HEAD.",
         *       "instance": "/the/path/of/the/request",
         *       "code": "METHOD_NOT_ALLOWED",
         *       "traceId": "0af7651916cd43dd8448eb211c80319c"
         *     }
         * @example {
         *       "type": "https://pay.example.com/docs/errors#URI_TOO_LONG",
         *       "title": "URI Too Long",
         *       "status": 414,
         *       "detail": "The path is longer than 2048 characters.",
         *       "instance": "/the/path/of/the/request",
         *       "code": "URI_TOO_LONG",
         *       "traceId": "0af7651916cd43dd8448eb211c80319c"
         *     }
         */
        Problem: {
            /**
             * Format: uri
             * @description The page that explains the code.
             */
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            /**
             * @description Stable, for programs to branch on.
             * @enum {string}
             */
            code: "VALIDATION_FAILED" | "MALFORMED_JSON" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REQUIRED" | "WITHDRAW_BELOW_MINIMUM" | "INVALID_CREDENTIALS" | "FORBIDDEN" | "HTTPS_REQUIRED" | "HOST_NOT_ALLOWED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_IN_PROGRESS" | "INVALID_STATE" | "POSSIBLE_DUPLICATE_WITHDRAW" | "PROVIDER_DISAGREES" | "SECOND_OPERATOR_REQUIRED" | "BODY_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "INSTALLMENTS_NOT_ALLOWED" | "AMOUNT_TOO_LARGE" | "PROVIDER_NOT_CONFIGURED" | "PROVIDER_DISCONNECTED" | "NOT_SUPPORTED_BY_PROVIDER" | "RAW_CARD_NOT_ALLOWED" | "RETRY_FORBIDDEN" | "CHARGE_REFUSED" | "INSUFFICIENT_BALANCE" | "COMPANY_FROZEN" | "DAILY_LIMIT_EXCEEDED" | "NIGHT_LIMIT_EXCEEDED" | "KEY_LIMIT_EXCEEDED" | "PIX_KEY_NOT_ALLOWED" | "PIX_KEY_COOLING_DOWN" | "SPENDING_LIMITS_EXCEEDED" | "SPENDING_LIMITS_ENDED" | "CAPTURE_EXCEEDS_AUTHORIZED" | "CAPTURE_REFUSED" | "DUE_DATE_REFUSED" | "REFUND_EXCEEDS_PAID" | "REFUND_NOT_DISPUTED_AMOUNT" | "REFUND_REFUSED" | "REFUND_LIMIT_EXCEEDED" | "EVIDENCE_DEADLINE_PASSED" | "EVIDENCE_TOO_LARGE" | "FILE_STORAGE_NOT_CONFIGURED" | "TOO_MANY_REQUESTS" | "CARD_ATTEMPTS_EXCEEDED" | "QUOTA_EXCEEDED" | "INTERNAL_ERROR" | "PROVIDER_UNAVAILABLE" | "STORAGE_UNAVAILABLE" | "STORAGE_FULL" | "SERVICE_PAUSED" | "NOT_READY";
            /**
             * @description With INVALID_STATE and some of FORBIDDEN: why. Stable; new ones may come.
             * @enum {string}
             */
            reason?: "transaction_status" | "withdraw_status" | "decided_already" | "dispute_answered" | "dispute_closed" | "member_already" | "name_taken" | "too_many" | "role_beyond_own" | "requester" | "younger_than_request" | "given_by_requester" | "tied_by_application" | "tie_too_young" | "proposer" | "proposal_ended" | "proposal_waits" | "clock_back" | "clock_moved" | "clock_runs" | "being_decided" | "decision_not_possible" | "corrected_already" | "beyond_givable" | "nothing_givable" | "beyond_takable" | "nothing_takable" | "refund_not_possible" | "payment_status" | "no_open_dispute" | "not_paid" | "below_taken" | "subscription_status" | "charge_closed" | "amount_agreed" | "personal_data" | "rights_beyond_own" | "own_access" | "last_owner" | "last_admin" | "first_operator" | "changed_meanwhile" | "unchanged" | "no_webhook" | "no_provider" | "no_certificate" | "no_database" | "sandbox_company" | "company_in_use" | "company_moving" | "pix_key_taken" | "account_taken" | "account_other" | "account_known" | "priority_taken" | "secret_unreadable" | "more_than_sent" | "time_not_past" | "restore_interrupted" | "company_restored" | "company_too_large" | "company_unsound";
            traceId: string;
            /** @description With INSUFFICIENT_BALANCE: centavos available. */
            availableCents?: number;
            /** @description With INSUFFICIENT_BALANCE: centavos required. */
            requiredCents?: number;
            /** @description With INSUFFICIENT_BALANCE: centavos of the balance that cannot be withdrawn while a contradiction about a payment or payout is open; absent if there are none. */
            heldCents?: number;
            /** @description With RETRY_FORBIDDEN: how many attempts its brand allows the card for now. */
            attemptsLeft?: number;
            /** @description With RETRY_FORBIDDEN: ISO 8601; left out where no attempt will ever be allowed. */
            retryNotBefore?: string;
            /** @description Whose rule refuses a day of an automatic debit. */
            source?: string;
            /** @description With POSSIBLE_DUPLICATE_WITHDRAW: the earlier withdraw. */
            withdrawId?: number;
            /** @description With PROVIDER_DISAGREES: which one was asked. */
            provider?: string;
            /** @description With PROVIDER_DISAGREES: what it says, such as `paid`. */
            says?: string;
            /** @description The setting or part of spending limits that refuses a withdraw or refund. */
            rule?: string;
            /** @description With a limit of withdraws, refunds or corrections: its centavos. */
            limitCents?: number;
            /** @description With a limit of withdraws or refunds: centavos of it that are used. */
            usedCents?: number;
            /** @description With DAILY_LIMIT_EXCEEDED: as `usedCents`. */
            withdrawnTodayCents?: number;
            /** @description With QUOTA_EXCEEDED: its name. */
            quota?: string;
            /** @description With QUOTA_EXCEEDED: the quota. */
            limit?: number;
            /** @description With QUOTA_EXCEEDED: what is used of it. */
            used?: number;
            /**
             * Format: date-time
             * @description With QUOTA_EXCEEDED of a day: when the next one begins.
             */
            until?: string;
            /**
             * Format: date-time
             * @description When the rule allows it, others aside; absent if it never does.
             */
            possibleFrom?: string;
            /** @description With NOT_READY: `bindings`, `schema`, `cron`. */
            failed?: string[];
            /**
             * Format: date-time
             * @description With SPENDING_LIMITS_ENDED: their end.
             */
            endedAt?: string;
            /** @description With REFUND_EXCEEDS_PAID: centavos that can still be refunded. */
            refundableCents?: number;
            /** @description With REFUND_NOT_DISPUTED_AMOUNT: centavos that the dispute asks back. */
            disputedCents?: number;
            /** @description With CAPTURE_EXCEEDS_AUTHORIZED: centavos that were authorized. */
            authorizedCents?: number;
            /** @description Messages by field path, for all invalid fields. */
            errors?: {
                [key: string]: string[];
            };
            /** @description The rules that the same fields break, for a program that says them in its own words. */
            rules?: {
                [key: string]: components["schemas"]["BrokenRule"][];
            };
        };
        /**
         * @description A rule of a field. Its other members are the words of its sentence.
         * @example {
         *       "rule": "maxLength",
         *       "max": 120
         *     }
         */
        BrokenRule: {
            /**
             * @description Stable; new ones may come.
             * @enum {string}
             */
            rule: "required" | "requiredFor" | "requiredTo" | "requiredWith" | "requiredWithoutToken" | "providerCannot" | "requiredForDueDate" | "requiredForApproval" | "requiredApplication" | "requiredAmount" | "requiredReference" | "keyTypeNeeded" | "keyTypeAmbiguous" | "keyMayBePhone" | "onlyAllowedWith" | "needsDueDate" | "notTogetherWithToken" | "notTogetherWith" | "sameAs" | "unknown" | "unknownNearly" | "unknownParameter" | "tooManyUnknown" | "sentOnce" | "string" | "boolean" | "array" | "object" | "objectOf" | "objectOrNull" | "jsonObject" | "stringOrObject" | "rawBody" | "integer" | "integerOf" | "plainInteger" | "amountNotNegative" | "signedAmount" | "amountNotNull" | "positiveInteger" | "fraction" | "notZero" | "tooLarge" | "type" | "minWithdraw" | "minCentavos" | "min" | "maxCentavosFor" | "maxInstallments" | "maxLength" | "maxBasisPoints" | "maxCentavos" | "maxItems" | "max" | "between" | "paymentTooLarge" | "nothingLeft" | "notBelow" | "maximumBelowMinimum" | "oneAmount" | "tooManyInstallments" | "notEmpty" | "unstorable" | "list" | "listOf" | "networkNeeded" | "nameOne" | "nameOneOf" | "nameAny" | "nameOnce" | "nameEachOnce" | "nameAtMost" | "holdOne" | "holdEachOnce" | "holdAtMost" | "haveAtMost" | "limitsNeeded" | "evidenceNeeded" | "pauseSomething" | "document" | "documentExpected" | "documentOrMask" | "pixKeyOfItsType" | "anyPixKey" | "pixKey" | "keyOfOtherType" | "documentOf" | "cardNumber" | "cardNumberSent" | "cardNumberInName" | "cardDigits" | "digits" | "inPast" | "inFuture" | "notBefore" | "after" | "bankRefuses" | "retryDays" | "notBeforeToday" | "afterToday" | "notAfterDueDate" | "notAfter" | "withinDays" | "time" | "timeOrDuration" | "duration" | "advanceOrSet" | "timeWithOffset" | "timeOrNull" | "dayOrTime" | "day" | "dayOfReport" | "calendarDay" | "email" | "ipAddress" | "network" | "url" | "httpsUrl" | "https" | "noUserInfo" | "port443" | "noFragment" | "noQuery" | "plainUrl" | "publicName" | "publicHost" | "urlOfEndpoint" | "notWith" | "eventType" | "originWithoutPath" | "origin" | "hostName" | "colour" | "fiscalKey" | "endToEndId" | "endToEndIdForm" | "traceId" | "twoLetters" | "currencyForm" | "currencyInCapitals" | "idempotencyKey" | "accountName" | "testKey" | "testAddress" | "hours" | "pagarMeAccount" | "headerValue" | "binding" | "savedCardOfCustomer" | "otherAccount" | "savedAtOtherAccount" | "noCertificate" | "publicCertificate" | "publicRequest" | "privateKey" | "otherKey" | "sameSearchPage" | "earlierPage" | "earlierStep" | "transactionId" | "companyNumber" | "companyIdOfCreate" | "withdrawNumber" | "earlierWithdraw" | "keyNumber" | "ofTheCompany" | "prefixAndId" | "oneId" | "endToEndIdOrAmount" | "moveBody" | "otherClaim" | "notPaidSo" | "otherMode" | "oneOf" | "someOf" | "value";
            /** @description The lowest value, in the unit of the rule. */
            min?: number;
            /** @description The highest value, in the unit of the rule. */
            max?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "amount": 2500,
         *       "currency": "BRL",
         *       "installments": 1,
         *       "customer": {
         *         "id": "cust_42",
         *         "name": "Maria da Silva",
         *         "email": "maria@example.com",
         *         "document": {
         *           "number": "12345678909",
         *           "type": "CPF"
         *         },
         *         "phone": "+5511987654321",
         *         "externalRef": "pedido-1001"
         *       },
         *       "shipping": {
         *         "fee": 0,
         *         "address": {
         *           "street": "Rua das Flores",
         *           "streetNumber": "10",
         *           "complement": "",
         *           "zipCode": "01001000",
         *           "neighborhood": "Centro",
         *           "city": "São Paulo",
         *           "state": "SP",
         *           "country": "BR"
         *         }
         *       },
         *       "items": [
         *         {
         *           "title": "Caneca",
         *           "unitPrice": 2500,
         *           "quantity": 1,
         *           "tangible": true,
         *           "externalRef": "sku-7"
         *         }
         *       ],
         *       "postbackUrl": "https://loja.example.com/webhooks",
         *       "metadata": "{\"pedido\":1001}",
         *       "traceable": true,
         *       "ip": "203.0.113.7",
         *       "paymentMethod": "PIX",
         *       "pix": {
         *         "expiresInDays": 1
         *       }
         *     }
         */
        CreateTransactionInput: {
            /** @description centavos */
            amount: number;
            /** @enum {string} */
            currency?: "BRL";
            paymentMethod: components["schemas"]["PaymentMethod"];
            installments?: number;
            externalRef?: string;
            customer?: {
                id?: string;
                name?: string;
                email?: string;
                document?: {
                    number?: string;
                    /** @enum {string} */
                    type?: "CPF" | "CNPJ";
                };
                phone?: string;
                externalRef?: string;
            };
            shipping?: {
                fee?: number;
                address?: {
                    street?: string;
                    streetNumber?: string;
                    complement?: string;
                    zipCode?: string;
                    neighborhood?: string;
                    city?: string;
                    state?: string;
                    country?: string;
                };
            };
            items?: components["schemas"]["Item"][];
            pix?: {
                /** @default 1 */
                expiresInDays?: number;
                /** @description Instead of `expiresInDays`. */
                expiresInSeconds?: number;
                /** @description Asks the payer for a text (BACEN `solicitacaoPagador`). */
                payerMessage?: string;
                /** @description Shown to the payer in this order (BACEN `infoAdicionais`). */
                additionalInfo?: {
                    name: string;
                    value: string;
                }[];
                /**
                 * Format: date
                 * @description Makes it a PIX with a due date (BACEN `cobv`): from today in America/Sao_Paulo, at most five years ahead, without `expiresInDays` and `expiresInSeconds`. Needs `customer.name` and `customer.document`.
                 */
                dueDate?: string;
                /**
                 * @description Days after the due date on which it may still be paid.
                 * @default 30
                 */
                validityAfterDue?: number;
                fine?: components["schemas"]["Fine"];
                interest?: components["schemas"]["Interest"];
                discount?: components["schemas"]["Discount"];
            };
            boleto?: {
                /** @default 3 */
                expiresInDays?: number;
                /**
                 * Format: date
                 * @description From today in America/Sao_Paulo; instead of `expiresInDays`.
                 */
                dueDate?: string;
                instructions?: string;
                documentNumber?: string;
                fine?: components["schemas"]["Fine"];
                interest?: components["schemas"]["Interest"];
                discount?: components["schemas"]["Discount"];
            };
            card?: {
                token?: string;
                /** @description The company's account that made the token. Where another takes the charge, the answer is 422. */
                account?: string;
                number?: string;
                holderName?: string;
                expirationMonth?: number;
                expirationYear?: number;
                cvv?: string;
                /** @description Of a card that an earlier charge of the same customer saved */
                savedCardId?: string;
                /**
                 * @description True says that the payer agreed to this: the company may have the card kept by who processes it, and charge it again as both agree (version 1 of the words).
                 * @default false
                 */
                saveCard?: boolean;
                /**
                 * @description `merchant`: a saved card is charged by agreement, without its payer
                 * @default payer
                 * @enum {string}
                 */
                initiatedBy?: "payer" | "merchant";
                /** @default true */
                capture?: boolean;
                statementDescriptor?: string;
            };
            postbackUrl?: string;
            /** @description Where the payer's page leads after the payment and after the expiry, with the signed query parameters `transactionId`, `status`, `timestamp` and `signature`. */
            returnUrl?: string;
            /** @description Free text, or a JSON object stored as a JSON string. */
            metadata?: string | {
                [key: string]: unknown;
            };
            traceable?: boolean;
            ip?: string;
            /** @description The access key of the sale's fiscal document (DF-e: NF-e, NFC-e, CT-e ...). */
            fiscalKey?: string;
        };
        Item: {
            title?: string;
            unitPrice?: number;
            quantity?: number;
            tangible?: boolean;
            externalRef?: string;
        };
        Fine: {
            /** @enum {string} */
            type: "FIXED" | "PERCENTAGE";
            /** @description centavos, or hundredths of a percent */
            value: number;
        };
        /** @description A month, counted for each day after the due date. */
        Interest: {
            value: number;
        };
        /** @description Until the due date where `untilDate` is left out. */
        Discount: {
            /** @enum {string} */
            type: "FIXED" | "PERCENTAGE";
            /** @description centavos, or hundredths of a percent */
            value: number;
            /** Format: date */
            untilDate?: string;
        };
        RefundTransactionInput: {
            /** @description centavos; all that was not refunded yet where left out */
            amount?: number;
            /** @description The id of the transaction's open dispute that this refund stands instead of: what the dispute has blocked pays it, and `amount` is the dispute's, which is also meant where it is left out. */
            insteadOf?: string;
        };
        NoFields: Record<string, never>;
        CaptureTransactionInput: {
            /** @description centavos; all that was authorized where left out */
            amount?: number;
        };
        ChangeDueDateInput: {
            /**
             * Format: date
             * @description After today in America/Sao_Paulo, and not before the discount's `untilDate`.
             */
            dueDate: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "leadId": 1,
         *       "lead": {
         *         "id": 1,
         *         "name": "Maria da Silva",
         *         "email": "maria@example.com",
         *         "phone": "+5511987654321",
         *         "document": "12345678909",
         *         "address": {
         *           "street": "Rua das Flores",
         *           "streetNumber": "10",
         *           "complement": "",
         *           "zipCode": "01001000",
         *           "neighborhood": "Centro",
         *           "city": "São Paulo",
         *           "state": "SP",
         *           "country": "BR"
         *         }
         *       },
         *       "companyId": 1,
         *       "enSubIntegration": "Sandbox",
         *       "value": 2500,
         *       "paidAmount": null,
         *       "underpaid": false,
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "gatewayPostbackUrl": "https://loja.example.com/webhooks",
         *       "enStatusTransaction": "Awaiting",
         *       "enPaymentSystem": "Pix",
         *       "updateDate": "2026-11-21T12:00:00.000+00:00",
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "items": [
         *         {
         *           "title": "Caneca",
         *           "unitPrice": 2500,
         *           "quantity": 1,
         *           "tangible": true,
         *           "externalRef": "sku-7"
         *         }
         *       ]
         *     }
         */
        TransactionDetail: {
            id: number;
            leadId: number;
            lead: {
                id: number;
                name: string;
                email: string;
                phone: string;
                document: string;
                address: components["schemas"]["Address"];
            };
            companyId: number;
            /** @enum {string} */
            enSubIntegration: "Sandbox" | "PixApi" | "EfiCobrancas" | "PagarMe";
            /** @description centavos */
            value: number;
            /** @description centavos; what really came, null until it is paid */
            paidAmount: number | null;
            /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
            underpaid: boolean;
            /** Format: uuid */
            transactionId: string;
            gatewayPostbackUrl: string;
            /** @enum {string} */
            enStatusTransaction: "Awaiting" | "Paid" | "Failed" | "Cancelled" | "Refunded";
            /** @enum {string} */
            enPaymentSystem: "Pix" | "Boleto" | "CreditCard";
            updateDate: string;
            /** Format: date-time */
            createdAt: string;
            items: components["schemas"]["Item"][];
            /** @description centavos; there once it is not 0 */
            refundedAmount?: number;
            failureReason?: components["schemas"]["FailureReason"];
            /** @description Oldest first; there once a refund was asked for. */
            refunds?: components["schemas"]["Refund"][];
            dispute?: components["schemas"]["TransactionDispute"];
            /**
             * @description Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. Else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description The archive could not be read: address, items, metadata, `returnUrl` and the texts of the payment method are missing here. Ask again later. Else absent.
             * @enum {boolean}
             */
            textsMissing?: true;
        };
        Address: {
            street: string;
            streetNumber: string;
            complement: string;
            zipCode: string;
            neighborhood: string;
            city: string;
            state: string;
            country: string;
        };
        TransactionTimeline: {
            /** @description Oldest first. All that is about the transaction itself is there; attempts, the newest of them, up to 1000 items in all. */
            items: (components["schemas"]["TimelineCreated"] | components["schemas"]["TimelineAnswered"] | components["schemas"]["TimelinePayment"] | components["schemas"]["TimelineOperation"] | components["schemas"]["TimelineDispute"] | components["schemas"]["TimelineMove"] | components["schemas"]["TimelineMovement"] | components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineAttempt"] | components["schemas"]["TimelineReminder"])[];
            /** @description Whether something was left out: older attempts, or more of the transaction's own than is kept or read. */
            hasMore: boolean;
            /** @description Centavos that may still be refunded, as far as the balance and limits allow; null before it was paid. */
            refundable: number | null;
        };
        /** @description A charge past `expiresAt` is shown as cancelled from then on; its move follows once the provider was asked. */
        TimelineCreated: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "created";
            /** Format: date-time */
            at: string;
            /** @description centavos */
            amount: number;
            currency: string;
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** Format: date-time */
            expiresAt: string | null;
        };
        /** @description What the provider said when it was created; before all that followed from it. */
        TimelineAnswered: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "answered";
            /** Format: date-time */
            at: string;
            status: components["schemas"]["TransactionStatus"];
            /** @description Why the provider refused it. */
            reason: string | null;
        };
        TimelinePayment: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "payment";
            /** Format: date-time */
            at: string;
            paymentId: string;
            /** @description centavos */
            amount: number;
            /**
             * Format: date-time
             * @description What the provider says; `at` is when it was booked.
             */
            paidAt: string;
            /** @description False for an unexpected payment, which no open charge expected. */
            expected: boolean;
        };
        /** @description A refund, a cancel, a capture, the return of a payment that nobody expected, or another due date of a boleto. */
        TimelineOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "operation";
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            operation: "refund" | "cancel" | "capture" | "return" | "due_date";
            id: string;
            /** @description centavos; 0 where no money moves */
            amount: number;
            status: components["schemas"]["RefundStatus"] & unknown;
            /** @description Why it failed. */
            reason: string | null;
            dueDate?: components["schemas"]["TimelineDueDate"];
        };
        /** @description Of a `due_date`: the days, `YYYY-MM-DD`. */
        TimelineDueDate: {
            from: string;
            to: string;
        };
        TimelineDispute: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "dispute";
            /** Format: date-time */
            at: string;
            id: string;
            /** @enum {string} */
            type: "DISPUTE" | "CHARGEBACK";
            /** @description centavos */
            amount: number;
            status: components["schemas"]["DisputeStatus"];
        };
        TimelineMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "move";
            /** Format: date-time */
            at: string;
            from: components["schemas"]["TransactionStatus"];
            to: components["schemas"]["TransactionStatus"];
            cause: components["schemas"]["TimelineCause"];
        };
        /** @description `expiry`: its time ran out. `refusal`, `provider_cancel`: the provider says that it failed or was cancelled. `release`: a credit's day has come. */
        TimelineCause: {
            /** @enum {string} */
            kind: "payment" | "refund" | "cancel" | "capture" | "return" | "due_date" | "dispute" | "chargeback" | "release" | "authorization" | "expiry" | "refusal" | "provider_cancel";
            /** @description Of a payment its end-to-end id, of a refund, cancel, return, dispute or chargeback the id its own items carry; null where the cause has none. */
            id: string | null;
            /** @description centavos; null where the cause has none */
            amount: number | null;
        };
        TimelineMovement: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "movement";
            /** Format: date-time */
            at: string;
            /** @description Of the movement in the company's ledger. */
            number: number;
            /** @enum {string} */
            type: "charge_paid" | "credit_released" | "payment_suspended" | "suspense_returned" | "suspense_credited" | "refund_requested" | "refund_done" | "refund_failed" | "refund_external" | "dispute_opened" | "dispute_won" | "dispute_lost" | "dispute_reduced" | "chargeback" | "chargeback_reversed";
            /** @description Null of one that was booked before causes were kept. */
            cause: components["schemas"]["TimelineCause"] | null;
            /** @description They sum to 0; `provider` is the outside world. */
            postings: components["schemas"]["TimelinePosting"][];
        };
        TimelinePosting: {
            account: components["schemas"]["LedgerAccount"];
            /** @description centavos */
            amount: number;
        };
        /** @enum {string} */
        LedgerAccount: "available" | "awaiting" | "blocked" | "payout" | "debt" | "suspense" | "fees" | "provider";
        TimelineEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "event";
            /** Format: date-time */
            at: string;
            /** @description The `webhook-id`. */
            id: string;
            type: string;
            sequence: number;
            companySequence: number;
        };
        /** @description Shown to an application with the scope `webhooks:read`. */
        TimelineAttempt: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "attempt";
            /** Format: date-time */
            at: string;
            eventId: string;
            deliveryId: string;
            /** @description `postback` (the transaction's `postbackUrl`), or the id of a webhook endpoint. */
            target: string;
            number: number;
            durationMs: number;
            httpStatus: number | null;
            /** @description Why no answer came. */
            fault: string | null;
            /** @description The answer's first 200 characters. */
            answer: string;
        };
        /** @description An e-mail that reminded the payer, or could not be sent; kept for a year. */
        TimelineReminder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "reminder";
            /** Format: date-time */
            at: string;
            /** @description Counted from 1. */
            number: number;
            /** @enum {string} */
            status: "sent" | "failed";
        };
        /**
         * @example {
         *       "ok": true,
         *       "res": {
         *         "items": [
         *           {
         *             "id": 1,
         *             "leadId": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *             "lead": {
         *               "id": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *               "externalId": "pedido-1001",
         *               "name": "Maria da Silva",
         *               "email": "maria@example.com",
         *               "phone": "+5511987654321",
         *               "documentNumber": "12345678909",
         *               "documentType": "CPF",
         *               "street": "Rua das Flores",
         *               "streetNumber": "10",
         *               "complement": "",
         *               "zipCode": "01001000",
         *               "neighborhood": "Centro",
         *               "city": "São Paulo",
         *               "state": "SP",
         *               "country": "BR"
         *             },
         *             "amount": 2500,
         *             "paidAmount": null,
         *             "underpaid": false,
         *             "status": "PENDING",
         *             "paymentMethod": "PIX",
         *             "providerTxId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *             "externalRef": "pedido-1001",
         *             "endToEndId": null,
         *             "createdAt": "2026-11-21T12:00:00.000Z",
         *             "updatedAt": "2026-11-21T12:00:00.000Z"
         *           }
         *         ],
         *         "totalItems": 1,
         *         "totalPages": 1,
         *         "currentPage": 1,
         *         "pageSize": 50
         *       }
         *     }
         */
        TransactionPage: {
            ok: boolean;
            res: {
                items: components["schemas"]["TransactionListItem"][];
                totalItems: number;
                totalPages: number;
                currentPage: number;
                pageSize: number;
            };
        };
        /**
         * @example {
         *       "id": 1,
         *       "leadId": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *       "lead": {
         *         "id": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *         "externalId": "pedido-1001",
         *         "name": "Maria da Silva",
         *         "email": "maria@example.com",
         *         "phone": "+5511987654321",
         *         "documentNumber": "12345678909",
         *         "documentType": "CPF",
         *         "street": "Rua das Flores",
         *         "streetNumber": "10",
         *         "complement": "",
         *         "zipCode": "01001000",
         *         "neighborhood": "Centro",
         *         "city": "São Paulo",
         *         "state": "SP",
         *         "country": "BR"
         *       },
         *       "amount": 2500,
         *       "paidAmount": null,
         *       "underpaid": false,
         *       "status": "PENDING",
         *       "paymentMethod": "PIX",
         *       "providerTxId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "externalRef": "pedido-1001",
         *       "endToEndId": null,
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-11-21T12:00:00.000Z"
         *     }
         */
        TransactionListItem: {
            id: number;
            leadId: string;
            lead: {
                id: string;
                externalId: string | null;
                name: string;
                email: string;
                phone: string;
                documentNumber: string;
                documentType: string;
                street: string | null;
                streetNumber: string | null;
                complement: string | null;
                zipCode: string | null;
                neighborhood: string | null;
                city: string | null;
                state: string | null;
                country: string | null;
            };
            /** @description centavos */
            amount: number;
            /** @description centavos; what really came, null until it is paid */
            paidAmount: number | null;
            /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
            underpaid: boolean;
            status: components["schemas"]["ListedStatus"];
            failureReason?: components["schemas"]["FailureReason"];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** Format: uuid */
            providerTxId: string;
            externalRef: string;
            endToEndId: string | null;
            /**
             * Format: uuid
             * @description The subscription whose cycle it is; else absent.
             */
            subscriptionId?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. Else absent.
             * @enum {boolean}
             */
            archived?: true;
        };
        /** @enum {string} */
        ListedStatus: "PENDING" | "PAID" | "FAILED" | "CANCELLED" | "REFUNDED";
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": 1,
         *           "leadId": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *           "lead": {
         *             "id": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *             "externalId": "pedido-1001",
         *             "name": "Maria da Silva",
         *             "email": "maria@example.com",
         *             "phone": "+5511987654321",
         *             "documentNumber": "12345678909",
         *             "documentType": "CPF",
         *             "street": "Rua das Flores",
         *             "streetNumber": "10",
         *             "complement": "",
         *             "zipCode": "01001000",
         *             "neighborhood": "Centro",
         *             "city": "São Paulo",
         *             "state": "SP",
         *             "country": "BR"
         *           },
         *           "amount": 2500,
         *           "paidAmount": null,
         *           "underpaid": false,
         *           "status": "PENDING",
         *           "paymentMethod": "PIX",
         *           "providerTxId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "externalRef": "pedido-1001",
         *           "endToEndId": null,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "updatedAt": "2026-11-21T12:00:00.000Z"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        TransactionSearch: {
            items: components["schemas"]["TransactionListItem"][];
            /** @description Send it back as `after` for the next page; null at the end. */
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "document": "12345678909",
         *       "status": "PAID",
         *       "paidFrom": "2026-11-01T00:00:00.000Z",
         *       "limit": 50
         *     }
         */
        SearchTransactionsInput: {
            after?: string;
            /** @enum {string} */
            status?: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED" | "PENDING";
            /** @enum {string} */
            paymentMethod?: "PIX" | "BOLETO" | "CREDIT_CARD";
            /**
             * @description Why it failed or was refused.
             * @enum {string}
             */
            failureCode?: "KEY_NOT_FOUND" | "KEY_OWNER_MISMATCH" | "ACCOUNT_INVALID" | "ACCOUNT_CLOSED" | "ACCOUNT_BLOCKED" | "REFUSED_BY_BANK" | "FRAUD_SUSPECTED" | "BANK_UNAVAILABLE" | "LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS_AT_PROVIDER" | "TIMED_OUT" | "PROVIDER_REFUSED" | "REMOVED_BY_PROVIDER" | "NOT_RECEIVED_BY_PROVIDER" | "AUTHORIZATION_ENDED" | "DECIDED_BY_OPERATOR" | "LINK_UNAVAILABLE" | "DEBIT_FAILED" | "CARD_TOKEN_EXPIRED" | "CARD_DECLINED" | "INSUFFICIENT_FUNDS" | "EXPIRED_CARD" | "INCORRECT_CVV" | "UNKNOWN";
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            from?: string;
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            to?: string;
            /** @description With `paidFrom` or `paidTo` alone the page is by time of payment. */
            paidFrom?: string;
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            paidTo?: string;
            externalRef?: string;
            endToEndId?: string;
            fiscalKey?: string;
            /**
             * Format: uuid
             * @description The static code that was paid.
             */
            staticCodeId?: string;
            /**
             * Format: uuid
             * @description The payment link that the charge was made under.
             */
            paymentLinkId?: string;
            /** @description How the payer's name, or a word of it, begins; case and accents do not count. */
            payerName?: string;
            document?: string;
            limit?: number;
            amountFrom?: number;
            amountTo?: number;
            ids?: string[];
        };
        /**
         * @example {
         *       "data": {
         *         "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *         "externalRef": "pedido-1001",
         *         "amount": 2500,
         *         "amountText": "R$ 25,00",
         *         "paidAmount": null,
         *         "underpaid": false,
         *         "refundedAmount": 0,
         *         "providerCompanyId": "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
         *         "companyId": 1,
         *         "installments": 1,
         *         "paymentMethod": "PIX",
         *         "status": "WAITING_PAYMENT",
         *         "postbackUrl": "https://loja.example.com/webhooks",
         *         "metadata": "{\"pedido\":1001}",
         *         "traceable": true,
         *         "secureId": "AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *         "secureUrl": "https://pay.example.com/checkout/AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *         "currency": "BRL",
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "updatedAt": "2026-11-21T12:00:00.000Z",
         *         "ip": "203.0.113.7",
         *         "endToEndId": null,
         *         "externalNsu": null,
         *         "pix": {
         *           "qrcode": "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a1fda45e008d2c9f316b1f0c000001520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***63048B1E",
         *           "url": null,
         *           "expirationDate": "2026-11-22T12:00:00.000Z"
         *         },
         *         "returnUrl": "https://loja.example.com/obrigado",
         *         "expiresAt": "2026-11-22T12:00:00.000Z",
         *         "customer": {
         *           "externalRef": "pedido-1001",
         *           "name": "Maria da Silva",
         *           "email": "maria@example.com",
         *           "phone": "+5511987654321",
         *           "document": {
         *             "number": "12345678909",
         *             "type": "CPF"
         *           }
         *         },
         *         "shipping": {
         *           "fee": 0,
         *           "address": {
         *             "street": "Rua das Flores",
         *             "streetNumber": "10",
         *             "complement": "",
         *             "zipCode": "01001000",
         *             "neighborhood": "Centro",
         *             "city": "São Paulo",
         *             "state": "SP",
         *             "country": "BR"
         *           }
         *         },
         *         "items": [
         *           {
         *             "title": "Caneca",
         *             "unitPrice": 2500,
         *             "quantity": 1,
         *             "tangible": true,
         *             "externalRef": "sku-7"
         *           }
         *         ]
         *       }
         *     }
         */
        CurrentTransaction: {
            data: {
                /** Format: uuid */
                id: string;
                externalRef: string;
                /** @description centavos */
                amount: number;
                /** @description `amount` in reais. */
                amountText: string;
                /** @description Of a sandbox company's create: what was accepted and is likely a mistake. */
                warnings?: string[];
                /** @description centavos; what really came, null until it is paid */
                paidAmount: number | null;
                /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
                underpaid: boolean;
                /** @description centavos */
                refundedAmount: number;
                /** Format: uuid */
                providerCompanyId: string;
                companyId: number | null;
                installments: number;
                paymentMethod: components["schemas"]["PaymentMethod"];
                status: components["schemas"]["TransactionStatus"];
                postbackUrl: string;
                metadata: string | null;
                traceable: boolean;
                secureId: string | null;
                /** @description The payer's page; null where the service has no public address. */
                secureUrl: string | null;
                currency: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** Format: date-time */
                paidAt?: string;
                /** @enum {string} */
                cancelReason?: "REQUESTED" | "EXPIRED";
                /** @enum {string} */
                refundReason?: "REQUESTED" | "MED" | "CHARGEBACK";
                failureReason?: components["schemas"]["FailureReason"];
                /** @description Oldest first; there once a refund was asked for. */
                refunds?: components["schemas"]["Refund"][];
                dispute?: components["schemas"]["TransactionDispute"];
                ip?: string;
                endToEndId: string | null;
                externalNsu: string | null;
                payer?: components["schemas"]["PaidBy"];
                /**
                 * @description Whether the document of who paid is the customer's; of a masked one the visible digits are compared. There with `payer`.
                 * @enum {string}
                 */
                payerMatch?: "matches" | "differs" | "unknown";
                /**
                 * Format: uuid
                 * @description The static code that was paid; else absent.
                 */
                staticCodeId?: string;
                /**
                 * Format: uuid
                 * @description The subscription whose cycle it is; else absent.
                 */
                subscriptionId?: string;
                /** @description Of a subscription's debit, oldest first, where the transaction is read. Events of the subscription tell of each. */
                attempts?: components["schemas"]["SubscriptionAttempt"][];
                /**
                 * Format: uuid
                 * @description The payment link that it was made under; else absent.
                 */
                paymentLinkId?: string;
                /** @description The 44 digits of the linked fiscal document (DF-e). */
                fiscalKey?: string;
                pix?: components["schemas"]["TransactionPix"];
                boleto?: components["schemas"]["TransactionBoleto"];
                card?: components["schemas"]["TransactionCard"];
                refusedReason?: components["schemas"]["TransactionRefusedReason"];
                /**
                 * @description Its long texts have left the database for the archive (docs/storage.md): an entry of a list has no address. Else absent.
                 * @enum {boolean}
                 */
                archived?: true;
                /**
                 * @description The archive could not be read: address, items, metadata, `returnUrl` and the texts of the payment method are missing here. Ask again later. Else absent.
                 * @enum {boolean}
                 */
                textsMissing?: true;
                returnUrl: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                customer: {
                    /** @description Else its `id`. */
                    externalRef: string | null;
                    name: string;
                    email: string;
                    phone: string;
                    document: {
                        number: string;
                        type: string;
                    };
                };
                shipping: {
                    /** @description centavos */
                    fee: number | null;
                    address: components["schemas"]["Address"];
                };
                items: components["schemas"]["Item"][];
            };
        };
        /**
         * @example {
         *       "fiscalKey": "35261112345678000195550010000001231000001235"
         *     }
         */
        UpdateTransactionInput: {
            /** @description null removes the link. */
            fiscalKey: string | null;
        };
        WithdrawTimeline: {
            /** @description Oldest first; the newest events and attempts. */
            items: (components["schemas"]["WithdrawTimelineMovement"] | components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineAttempt"])[];
        };
        WithdrawTimelineMovement: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "movement";
            /** Format: date-time */
            at: string;
            /** @description Of the movement in the company's ledger. */
            number: number;
            type: components["schemas"]["MovementType"];
            /** @description They sum to 0; `provider` is the outside world. */
            postings: components["schemas"]["TimelinePosting"][];
        };
        /** @enum {string} */
        MovementType: "charge_paid" | "credit_released" | "payment_suspended" | "suspense_returned" | "suspense_credited" | "refund_requested" | "refund_done" | "refund_failed" | "refund_external" | "dispute_opened" | "dispute_won" | "dispute_lost" | "dispute_reduced" | "chargeback" | "chargeback_reversed" | "withdraw_requested" | "withdraw_paid" | "withdraw_failed" | "withdraw_cancelled" | "withdraw_returned" | "correction";
        WithdrawDryRun: {
            dryRun: boolean;
            accepted: boolean;
            /** @description reais */
            value: number;
            /** @description reais */
            fee: number;
            currency: string;
            pixKey: string | null;
            /** @enum {string|null} */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP" | null;
            creditorDocument: string;
            /** @description reais */
            balanceBefore: number;
            /** @description reais */
            balanceAfter: number;
            /**
             * @description Whether it would wait for an approval.
             * @enum {string}
             */
            approval: "none" | "pending";
            checks: {
                check: string;
                passed: boolean;
                code: string | null;
                detail: string | null;
            }[];
        };
        /**
         * @example {
         *       "id": 1,
         *       "companyId": 1,
         *       "idempotencyKey": "wd_01JD8ZC3",
         *       "value": 10,
         *       "fee": 0,
         *       "returnedValue": 0,
         *       "pixKey": "maria@example.com",
         *       "pixKeyType": "EMAIL",
         *       "creditorDocument": "",
         *       "description": "Repasse de novembro",
         *       "currency": "BRL",
         *       "enTransaction": "Awaiting",
         *       "failureReason": null,
         *       "metadata": "{\"lote\":7}",
         *       "endToEndId": null,
         *       "approval": "none",
         *       "approvalExpiresAt": null,
         *       "requestedBy": {
         *         "kind": "application",
         *         "id": "app_local_loja",
         *         "name": "default"
         *       },
         *       "decidedBy": null,
         *       "decisionReason": null,
         *       "paidAt": null,
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-11-21T12:00:00.000Z"
         *     }
         */
        Withdraw: {
            id: number;
            companyId: number;
            idempotencyKey: string;
            /** @description reais */
            value: number;
            /** @description reais */
            fee: number;
            /** @description reais that the receiving bank returned */
            returnedValue: number;
            pixKey: string;
            pixKeyType: components["schemas"]["PixKeyType"];
            creditorDocument: string;
            description: string;
            currency: string;
            /** @enum {string} */
            enTransaction: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
            /** @description Why a Failed withdraw did; null in any other status. */
            failureReason: components["schemas"]["FailureReason"] | null;
            metadata: string | null;
            endToEndId: string | null;
            /**
             * @description `pending`: it waits until somebody else approves or refuses it.
             * @enum {string}
             */
            approval: "none" | "pending" | "approved" | "refused";
            /**
             * Format: date-time
             * @description While `pending`: then it is cancelled.
             */
            approvalExpiresAt: string | null;
            /** @description Who asked for it; null for one that is older than this field. */
            requestedBy: components["schemas"]["Requester"] | null;
            /** @description Who approved or refused it; null while nobody did. */
            decidedBy: components["schemas"]["Requester"] | null;
            decisionReason: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "amount": 1000,
         *       "currency": "BRL",
         *       "pixKey": "maria@example.com",
         *       "pixKeyType": "EMAIL",
         *       "description": "Repasse de novembro",
         *       "metadata": "{\"lote\":7}"
         *     }
         */
        RequestWithdrawInput: {
            /** @description centavos, at least 1000 */
            amount: number;
            /** @enum {string} */
            currency?: "BRL";
            /** @description The receiving key; by default the company's registered main key. */
            pixKey?: string;
            /** @enum {string} */
            pixKeyType?: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP" | "";
            description?: string;
            /** @description Free text, or a JSON object stored as a JSON string. */
            metadata?: string | {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "ok": true,
         *       "res": {
         *         "items": [
         *           {
         *             "id": 1,
         *             "companyId": 1,
         *             "idempotencyKey": "wd_01JD8ZC3",
         *             "value": 10,
         *             "fee": 0,
         *             "returnedValue": 0,
         *             "pixKey": "maria@example.com",
         *             "pixKeyType": "EMAIL",
         *             "creditorDocument": "",
         *             "description": "Repasse de novembro",
         *             "currency": "BRL",
         *             "enTransaction": "Awaiting",
         *             "failureReason": null,
         *             "metadata": "{\"lote\":7}",
         *             "endToEndId": null,
         *             "approval": "none",
         *             "approvalExpiresAt": null,
         *             "requestedBy": {
         *               "kind": "application",
         *               "id": "app_local_loja",
         *               "name": "default"
         *             },
         *             "decidedBy": null,
         *             "decisionReason": null,
         *             "paidAt": null,
         *             "createdAt": "2026-11-21T12:00:00.000Z",
         *             "updatedAt": "2026-11-21T12:00:00.000Z"
         *           }
         *         ],
         *         "totalItems": 1,
         *         "totalPages": 1,
         *         "currentPage": 1,
         *         "pageSize": 50
         *       }
         *     }
         */
        WithdrawPage: {
            ok: boolean;
            res: {
                items: components["schemas"]["Withdraw"][];
                totalItems: number;
                totalPages: number;
                currentPage: number;
                pageSize: number;
            };
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": 1,
         *           "companyId": 1,
         *           "idempotencyKey": "wd_01JD8ZC3",
         *           "value": 10,
         *           "fee": 0,
         *           "returnedValue": 0,
         *           "pixKey": "maria@example.com",
         *           "pixKeyType": "EMAIL",
         *           "creditorDocument": "",
         *           "description": "Repasse de novembro",
         *           "currency": "BRL",
         *           "enTransaction": "Awaiting",
         *           "failureReason": null,
         *           "metadata": "{\"lote\":7}",
         *           "endToEndId": null,
         *           "approval": "none",
         *           "approvalExpiresAt": null,
         *           "requestedBy": {
         *             "kind": "application",
         *             "id": "app_local_loja",
         *             "name": "default"
         *           },
         *           "decidedBy": null,
         *           "decisionReason": null,
         *           "paidAt": null,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "updatedAt": "2026-11-21T12:00:00.000Z"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        WithdrawSearch: {
            items: components["schemas"]["Withdraw"][];
            /** @description Send it back as `after` for the next page; null at the end. */
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "pixKey": "maria@example.com",
         *       "status": "Failed",
         *       "from": "2026-11-01T00:00:00.000Z",
         *       "limit": 50
         *     }
         */
        SearchWithdrawsInput: {
            after?: string;
            /** @enum {string} */
            status?: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
            /**
             * @description `pending` finds those that wait, however many others there are.
             * @enum {string}
             */
            approval?: "none" | "pending" | "approved" | "refused";
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            from?: string;
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            to?: string;
            /** @description The whole key, in any form that a withdraw takes. */
            pixKey?: string;
            limit?: number;
            amountFrom?: number;
            amountTo?: number;
        };
        /**
         * @example {
         *       "data": {
         *         "requester": {
         *           "role": "finance",
         *           "since": "2026-01-05T12:00:00.000Z"
         *         },
         *         "receiver": {
         *           "name": null,
         *           "document": "52998224725"
         *         },
         *         "earlier": {
         *           "count": 7,
         *           "hasMore": false,
         *           "lastAt": "2026-02-01T12:00:00.000Z"
         *         },
         *         "rule": "above_limit",
         *         "limit": 100000,
         *         "balanceBefore": 500000,
         *         "balanceAfter": 350000
         *       }
         *     }
         */
        WithdrawApprovalFacts: {
            data: {
                requester: {
                    /**
                     * @description Null for an application.
                     * @enum {string|null}
                     */
                    role: "owner" | "admin" | "finance" | "support" | "developer" | "viewer" | "cashier" | null;
                    /**
                     * Format: date-time
                     * @description When who asked got the right; null for one that is older than this record.
                     */
                    since: string | null;
                };
                /** @description Null where the bank does not tell. */
                receiver: {
                    name: string | null;
                    document: string | null;
                };
                earlier: {
                    /** @description Paid withdraws to the same PIX key. */
                    count: number;
                    /** @description Whether older ones were not counted. */
                    hasMore: boolean;
                    /** Format: date-time */
                    lastAt: string | null;
                };
                /**
                 * @description Why it waits: the day's sum is above `withdrawApprovalAbove`, or an operator gave the right lately.
                 * @enum {string}
                 */
                rule: "above_limit" | "right_from_operator";
                /** @description The limit as it is now, in centavos. */
                limit: number | null;
                /** @description Centavos available without the withdraw. */
                balanceBefore: number;
                balanceAfter: number;
            };
        };
        DecidedWithdraw: {
            data: components["schemas"]["Withdraw"];
        };
        /**
         * @example {
         *       "reason": "Checked with the supplier."
         *     }
         */
        WithdrawDecision: {
            reason?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "E00000000202611211201a1b2c3d4e5f",
         *           "reason": "SECOND_PAYMENT",
         *           "amount": 2500,
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "endToEndId": "E00000000202611211201a1b2c3d4e5f",
         *           "payer": {
         *             "name": "Maria da Silva",
         *             "documentMasked": "***.456.789-**",
         *             "ispb": "00000000"
         *           },
         *           "receivedAt": "2026-11-21T12:01:30.000Z",
         *           "status": "kept",
         *           "rule": "keep",
         *           "requestedBy": null,
         *           "approval": "none"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        UnexpectedPayments: {
            items: components["schemas"]["UnexpectedPayment"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": "E00000000202611211201a1b2c3d4e5f",
         *       "reason": "SECOND_PAYMENT",
         *       "amount": 2500,
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "endToEndId": "E00000000202611211201a1b2c3d4e5f",
         *       "payer": {
         *         "name": "Maria da Silva",
         *         "documentMasked": "***.456.789-**",
         *         "ispb": "00000000"
         *       },
         *       "receivedAt": "2026-11-21T12:01:30.000Z",
         *       "status": "kept",
         *       "rule": "keep",
         *       "requestedBy": null,
         *       "approval": "none"
         *     }
         */
        UnexpectedPayment: {
            /** @description The provider's id; of a PIX the end-to-end id (BACEN). */
            id: string;
            /** @enum {string} */
            reason: "SECOND_PAYMENT" | "LATE" | "NO_CHARGE" | "WRONG_AMOUNT";
            /** @description centavos */
            amount: number;
            /** @description The transaction that it came for or was credited to. */
            transactionId: string | null;
            endToEndId: string | null;
            /** @description As far as the provider says; the name masked without `pii:read`. */
            payer: components["schemas"]["PaidBy"] | null;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "kept" | "crediting" | "credited" | "returning" | "returned";
            /**
             * @description The company's rule when it came.
             * @enum {string}
             */
            rule: "keep" | "credit" | "return";
            /** @description Who asked for its return or credit: a caller, an operator or the rule. */
            requestedBy: components["schemas"]["Requester"] | null;
            /**
             * @description `pending`: somebody else must approve its return.
             * @enum {string}
             */
            approval: "none" | "pending" | "approved" | "refused";
        };
        /**
         * @example {
         *       "data": {
         *         "id": "E00000000202611211201a1b2c3d4e5f",
         *         "reason": "SECOND_PAYMENT",
         *         "amount": 2500,
         *         "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *         "endToEndId": "E00000000202611211201a1b2c3d4e5f",
         *         "payer": {
         *           "name": "Maria da Silva",
         *           "documentMasked": "***.456.789-**",
         *           "ispb": "00000000"
         *         },
         *         "receivedAt": "2026-11-21T12:01:30.000Z",
         *         "status": "kept",
         *         "rule": "keep",
         *         "requestedBy": null,
         *         "approval": "none"
         *       }
         *     }
         */
        UnexpectedPaymentEnvelope: {
            data: components["schemas"]["UnexpectedPayment"];
        };
        /**
         * @example {
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001"
         *     }
         */
        CreditPayment: {
            /**
             * Format: uuid
             * @description Where left out: its own transaction if that can still be paid, else a new one.
             */
            transactionId?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
         *           "kind": "refund",
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "paymentId": "E00000000202611211201a1b2c3d4e5f",
         *           "amount": 2500,
         *           "status": "PENDING",
         *           "approval": "pending",
         *           "requestedBy": {
         *             "kind": "application",
         *             "id": "app_local_loja",
         *             "name": "Loja"
         *           },
         *           "decidedBy": null,
         *           "decisionReason": null,
         *           "createdAt": "2026-11-21T12:01:30.000Z",
         *           "approvalExpiresAt": "2026-11-24T12:01:30.000Z"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        RequestedRefunds: {
            items: components["schemas"]["RequestedRefund"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
         *       "kind": "refund",
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "paymentId": "E00000000202611211201a1b2c3d4e5f",
         *       "amount": 2500,
         *       "status": "PENDING",
         *       "approval": "pending",
         *       "requestedBy": {
         *         "kind": "application",
         *         "id": "app_local_loja",
         *         "name": "Loja"
         *       },
         *       "decidedBy": null,
         *       "decisionReason": null,
         *       "createdAt": "2026-11-21T12:01:30.000Z",
         *       "approvalExpiresAt": "2026-11-24T12:01:30.000Z"
         *     }
         */
        RequestedRefund: {
            id: string;
            /**
             * @description `return`: of an unexpected payment.
             * @enum {string}
             */
            kind: "refund" | "return";
            transactionId: string | null;
            /** @description The provider's id of the payment that goes back; of a PIX the end-to-end id. */
            paymentId: string | null;
            /** @description centavos */
            amount: number;
            /** @enum {string} */
            status: "PENDING" | "DONE" | "FAILED";
            /** @enum {string} */
            approval: "none" | "pending" | "approved" | "refused";
            /** @description Who asked; null where nobody did, and for what is older than this record. */
            requestedBy: components["schemas"]["Requester"] | null;
            /** @description Who approved or refused it. */
            decidedBy: components["schemas"]["Requester"] | null;
            decisionReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it waits; then the money comes back.
             */
            approvalExpiresAt: string | null;
        };
        /**
         * @example {
         *       "data": {
         *         "id": "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
         *         "kind": "refund",
         *         "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *         "paymentId": "E00000000202611211201a1b2c3d4e5f",
         *         "amount": 2500,
         *         "status": "PENDING",
         *         "approval": "pending",
         *         "requestedBy": {
         *           "kind": "application",
         *           "id": "app_local_loja",
         *           "name": "Loja"
         *         },
         *         "decidedBy": null,
         *         "decisionReason": null,
         *         "createdAt": "2026-11-21T12:01:30.000Z",
         *         "approvalExpiresAt": "2026-11-24T12:01:30.000Z"
         *       }
         *     }
         */
        RequestedRefundEnvelope: {
            data: components["schemas"]["RequestedRefund"];
        };
        /**
         * @example {
         *       "reason": "The payer showed the receipt."
         *     }
         */
        RefundDecision: {
            reason?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "E00000000202611211201a1b2c3d4e5f",
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "paymentMethod": "PIX",
         *           "amount": 2500,
         *           "paidAt": "2026-11-21T12:01:30.000Z",
         *           "status": "credited",
         *           "payer": {
         *             "firstName": "Maria",
         *             "documentMasked": "***.456.789-**"
         *           }
         *         }
         *       ],
         *       "isWhole": true
         *     }
         */
        ReceivedPayments: {
            items: components["schemas"]["ReceivedPayment"][];
            /** @description False where so much came at that time that not all was looked at. */
            isWhole: boolean;
        };
        /**
         * @example {
         *       "id": "E00000000202611211201a1b2c3d4e5f",
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "paymentMethod": "PIX",
         *       "amount": 2500,
         *       "paidAt": "2026-11-21T12:01:30.000Z",
         *       "status": "credited",
         *       "payer": {
         *         "firstName": "Maria",
         *         "documentMasked": "***.456.789-**"
         *       }
         *     }
         */
        ReceivedPayment: {
            /** @description The provider's id; of a PIX the end-to-end id (BACEN). */
            id: string;
            transactionId: string | null;
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** @description centavos */
            amount: number;
            /** Format: date-time */
            paidAt: string;
            /**
             * @description `credited`: the money is the company's. `kept`: it arrived, but no charge expected it. `disputed`: its payer's bank asks it back. `partly_returned`, `returned`: it went back.
             * @enum {string}
             */
            status: "credited" | "kept" | "disputed" | "partly_returned" | "returned";
            payer: {
                firstName: string | null;
                documentMasked: string | null;
            };
        };
        /**
         * @example {
         *       "id": 1,
         *       "companyId": 1,
         *       "currency": "BRL",
         *       "enBalanceStatus": "Released",
         *       "accBalance": 150.25,
         *       "accBalanceHeld": 0,
         *       "accBalanceCredit": 150.25,
         *       "accBalanceCreditAwaiting": 0,
         *       "accBalanceBlocked": 0,
         *       "accBalanceDebt": 0,
         *       "ledgerSequence": 16,
         *       "ledgerHash": "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801",
         *       "ledgerAnchor": {
         *         "day": "2026-11-22",
         *         "sequence": 64,
         *         "hash": "7bd5ce3a3c8f6ca561465bee30f4a917b104839aad291eaca9d368fba4387c6a",
         *         "digest": "9ebf4e3f4b8de438e52099d52073227066923b14fabc74260b41d36ba9a9f482",
         *         "signature": "TX7QhsTqbtCVPOeESfiD5LqW8zysBWHt2hi6bEdlWZkzM1FhXjLEOMqKmiJBI0N0NMCpNl2K+Q1O4gl7jweiBQ==",
         *         "publicKey": "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="
         *       }
         *     }
         */
        Balance: {
            id: number;
            companyId: number;
            currency: string;
            /** @enum {string} */
            enBalanceStatus: "Released" | "Pending" | "Blocked";
            /** @description reais, may be withdrawn */
            accBalance: number;
            /** @description reais of `accBalance` that cannot be withdrawn while a contradiction about a payment or payout is open */
            accBalanceHeld: number;
            /** @description reais: available, awaiting and blocked */
            accBalanceCredit: number;
            /** @description reais, awaiting release */
            accBalanceCreditAwaiting: number;
            /** @description reais that open disputes and refunds under way hold; part of `accBalanceCredit` */
            accBalanceBlocked: number;
            /** @description reais that a chargeback took beyond the balance; the next credits repay them */
            accBalanceDebt: number;
            /** @description The statement's last line. */
            ledgerSequence: number;
            /** @description The newest hash of the statement's chain. */
            ledgerHash: string;
            ledgerAnchor: components["schemas"]["LedgerAnchor"];
        };
        /**
         * @description The newest signed head, stored outside the ledger; null before the first.
         * @example {
         *       "day": "2026-11-22",
         *       "sequence": 64,
         *       "hash": "7bd5ce3a3c8f6ca561465bee30f4a917b104839aad291eaca9d368fba4387c6a",
         *       "digest": "9ebf4e3f4b8de438e52099d52073227066923b14fabc74260b41d36ba9a9f482",
         *       "signature": "TX7QhsTqbtCVPOeESfiD5LqW8zysBWHt2hi6bEdlWZkzM1FhXjLEOMqKmiJBI0N0NMCpNl2K+Q1O4gl7jweiBQ==",
         *       "publicKey": "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="
         *     }
         */
        LedgerAnchor: {
            /**
             * Format: date
             * @description UTC
             */
            day: string;
            /** @description The statement's last line at that time. */
            sequence: number;
            /** @description The newest hash of the chain at that time. */
            hash: string;
            /** @description SHA-256 over all companies' heads of the day. */
            digest: string;
            /** @description Ed25519, base64. */
            signature: string;
            /** @description The gateway's key: Ed25519, base64. */
            publicKey: string;
        } | null;
        /**
         * @example {
         *       "data": {
         *         "companyId": 1,
         *         "currency": "BRL",
         *         "availableCents": 15025,
         *         "heldCents": 0,
         *         "awaitingCents": 0,
         *         "blockedCents": 0,
         *         "owedCents": 0,
         *         "ledgerSequence": 16,
         *         "ledgerHash": "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801"
         *       }
         *     }
         */
        OwnBalance: {
            data: {
                companyId: number;
                currency: string;
                /** @description centavos that may be withdrawn */
                availableCents: number;
                /** @description centavos of `availableCents` that wait while a contradiction about a payment or payout is open */
                heldCents: number;
                /** @description centavos that await release */
                awaitingCents: number;
                /** @description centavos that open disputes and refunds under way hold */
                blockedCents: number;
                /** @description centavos that a chargeback took beyond the balance */
                owedCents: number;
                /** @description The statement's last line. */
                ledgerSequence: number;
                /** @description The newest hash of the statement's chain. */
                ledgerHash: string;
            };
        };
        /**
         * @example {
         *       "companyId": 1,
         *       "currency": "BRL",
         *       "total": 15000,
         *       "items": [
         *         {
         *           "date": "2026-12-21",
         *           "amount": 7500
         *         },
         *         {
         *           "date": "2027-01-20",
         *           "amount": 7500
         *         }
         *       ]
         *     }
         */
        Forecast: {
            companyId: number;
            currency: string;
            /** @description centavos */
            total: number;
            items: {
                /**
                 * Format: date
                 * @description A day in America/Sao_Paulo.
                 */
                date: string;
                /** @description centavos that become available on that day */
                amount: number;
            }[];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "sequence": 16,
         *           "createdAt": "2026-11-21T12:00:05.000Z",
         *           "type": "charge_paid",
         *           "account": "available",
         *           "amount": 2500,
         *           "balance": 2500,
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "withdrawId": null,
         *           "hash": "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801",
         *           "detailsHash": "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801"
         *         }
         *       ],
         *       "after": "16",
         *       "hasMore": false
         *     }
         */
        Statement: {
            items: {
                /** @description Ascending, with gaps. */
                sequence: number;
                /** Format: date-time */
                createdAt: string;
                type: string;
                account: components["schemas"]["LedgerAccount"];
                /** @description centavos, signed */
                amount: number;
                /** @description centavos, of this account after this posting */
                balance: number;
                transactionId: string | null;
                withdrawId: number | null;
                /** @description Of the movement; covers it and the hash of the one before */
                hash: string;
                /** @description SHA-256 of the terms that decide later payments (payee, release dates); `hash` covers it */
                detailsHash: string | null;
            }[];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "valid": true,
         *       "error": null,
         *       "lines": 2,
         *       "movements": 1,
         *       "ledgerSequence": 16,
         *       "ledgerHash": "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801",
         *       "anchored": null,
         *       "notAnchored": 1,
         *       "balances": [
         *         {
         *           "account": "available",
         *           "balance": 2500
         *         },
         *         {
         *           "account": "provider",
         *           "balance": -2500
         *         }
         *       ]
         *     }
         */
        StatementVerdict: {
            valid: boolean;
            /** @description The first thing that is wrong. */
            error: string | null;
            lines: number;
            movements: number;
            /** @description The statement's last line. */
            ledgerSequence: number;
            /** @description The newest hash of the statement's chain. */
            ledgerHash: string;
            /** @description The newest stored anchor that the statement agrees with. */
            anchored: {
                day: string;
                movement: number;
            } | null;
            /** @description Movements after it: no anchor shows that they were not rewritten. */
            notAnchored: number;
            balances: {
                account: components["schemas"]["LedgerAccount"];
                /** @description centavos, from the amounts alone */
                balance: number;
            }[];
        };
        /**
         * @example {
         *       "summary": {
         *         "month": "2026-11",
         *         "from": "2026-11-01",
         *         "to": "2026-11-30",
         *         "opening": 0,
         *         "moneyIn": 2500,
         *         "fees": 25,
         *         "moneyOut": 0,
         *         "closing": 2475,
         *         "available": 2475,
         *         "movements": 1,
         *         "sequence": 17
         *       },
         *       "items": [
         *         {
         *           "sequence": 17,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "type": "charge_paid",
         *           "paymentMethod": "PIX",
         *           "counterpart": "Maria da Silva",
         *           "externalRef": "pedido-1001",
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "withdrawId": null,
         *           "gross": 2500,
         *           "fee": 25,
         *           "net": 2475,
         *           "balance": 2475,
         *           "availableNet": 2475,
         *           "available": 2475
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        StatementEntries: {
            summary: {
                /** @description Of the first day. */
                month: string;
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
                /** @description centavos: the balance before the month */
                opening: number;
                /** @description centavos: the gross of the month's payments */
                moneyIn: number;
                /** @description centavos: all fees, less those that came back */
                fees: number;
                /** @description centavos: withdraws, refunds, disputes and corrections, less what came back */
                moneyOut: number;
                /** @description centavos: opening and moneyIn, less fees and moneyOut */
                closing: number;
                /** @description centavos: what of `closing` may be withdrawn, less a debt */
                available: number;
                /** @description Of the ledger in the month: at least its items. */
                movements: number;
                /** @description The last posting that the sums count. */
                sequence: number;
            };
            items: {
                /** @description The number of the movement's last posting, as the balance has it. */
                sequence: number;
                /** Format: date-time */
                createdAt: string;
                type: components["schemas"]["MovementType"];
                /** @enum {string|null} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD" | null;
                /** @description The payer's name, or the PIX key that a withdraw goes to; masked without `pii:read`. */
                counterpart: string | null;
                externalRef: string | null;
                transactionId: string | null;
                withdrawId: number | null;
                /** @description centavos: signed */
                gross: number;
                /** @description centavos: the gateway's fee; negative where one came back */
                fee: number;
                /** @description centavos: gross less fee: what `balance` changed by */
                net: number;
                /** @description centavos: available and awaiting release, less a debt, after the entry */
                balance: number;
                /** @description centavos: what `available` changed by; a release changes it alone */
                availableNet: number;
                /** @description centavos: may be withdrawn, less a debt, after the entry */
                available: number;
            }[];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "installment": 1,
         *           "amount": 2475,
         *           "paymentMethod": "PIX",
         *           "counterpart": "Maria da Silva",
         *           "externalRef": "pedido-1001",
         *           "releasesAt": "2026-12-21T14:02:00.000Z"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        PendingReleases: {
            items: {
                transactionId: string;
                /** @description From 1. */
                installment: number;
                /** @description centavos: what of the credit has not been taken back */
                amount: number;
                /** Format: date-time */
                releasesAt: string;
                /** @enum {string|null} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD" | null;
                /** @description The payer's name, or the PIX key that a withdraw goes to; masked without `pii:read`. */
                counterpart: string | null;
                externalRef: string | null;
            }[];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "day": "2026-11-21",
         *           "opening": 150000,
         *           "releases": 24742,
         *           "expiredApprovals": 0,
         *           "due": 80000,
         *           "expiring": 12000,
         *           "expectedPayments": 58300,
         *           "expectedFees": 900,
         *           "disputed": 0,
         *           "debtRepaid": 0,
         *           "certain": 174742,
         *           "worst": 174742,
         *           "expected": 233042,
         *           "best": 241500
         *         }
         *       ],
         *       "owed": 0,
         *       "payout": 0,
         *       "assumptions": {
         *         "days": 90,
         *         "returnedShare": 0.01,
         *         "methods": [
         *           {
         *             "paymentMethod": "PIX",
         *             "ended": 12,
         *             "paid": 9,
         *             "isEnough": false,
         *             "worst": {
         *               "share": 0,
         *               "daysEarly": 0
         *             },
         *             "expected": {
         *               "share": 0,
         *               "daysEarly": 0
         *             },
         *             "best": {
         *               "share": 1,
         *               "daysEarly": null
         *             }
         *           },
         *           {
         *             "paymentMethod": "BOLETO",
         *             "ended": 12,
         *             "paid": 9,
         *             "isEnough": false,
         *             "worst": {
         *               "share": 0,
         *               "daysEarly": 0
         *             },
         *             "expected": {
         *               "share": 0,
         *               "daysEarly": 0
         *             },
         *             "best": {
         *               "share": 1,
         *               "daysEarly": null
         *             }
         *           }
         *         ]
         *       }
         *     }
         */
        Rehearsal: {
            items: {
                /**
                 * Format: date
                 * @description A day in America/Sao_Paulo.
                 */
                day: string;
                /** @description centavos: `certain` of the day before, today what is available now */
                opening: number;
                /** @description centavos: credits that become available */
                releases: number;
                /** @description centavos: withdraws with their fees, and refunds, that come back because nobody approved them in time */
                expiredApprovals: number;
                /** @description centavos: open boletos, and PIX with a due date, due on that business day */
                due: number;
                /** @description centavos: open PIX without a due date, whose code expires */
                expiring: number;
                /** @description centavos: open charges expected to have become available on that day, less their fees */
                expectedPayments: number;
                /** @description centavos: the fees of these */
                expectedFees: number;
                /** @description centavos: open disputes whose deadline it is; those without one stand on the first day */
                disputed: number;
                /** @description centavos: what `certain` repays of the debt */
                debtRepaid: number;
                /** @description centavos: available at the day's end if nothing else happens */
                certain: number;
                /** @description centavos: the same in the worst case */
                worst: number;
                /** @description centavos: the same as expected */
                expected: number;
                /** @description centavos: the same in the best case */
                best: number;
            }[];
            /** @description centavos: the debt now */
            owed: number;
            /** @description centavos: withdraws that are asked for and not paid yet; one that fails comes back, in no case counted here */
            payout: number;
            assumptions: {
                /** @description Days of the company's own past that are counted. */
                days: number;
                /** @description The part of these days' payments that was refunded or charged back. */
                returnedShare: number;
                methods: {
                    /** @enum {string} */
                    paymentMethod: "PIX" | "BOLETO";
                    /** @description Charges whose last day to pay is over; of many, 5,000 evenly spread ones. */
                    ended: number;
                    /** @description Those of them that were paid. */
                    paid: number;
                    /** @description False below 30 ended charges: then nobody pays in the worst and the expected case, everybody in the best. */
                    isEnough: boolean;
                    worst: components["schemas"]["PaymentOdds"];
                    expected: components["schemas"]["PaymentOdds"];
                    best: components["schemas"]["PaymentOdds"];
                }[];
            };
        };
        /**
         * @example {
         *       "share": 0.8,
         *       "daysEarly": 1
         *     }
         */
        PaymentOdds: {
            /** @description The part of the open money that is paid. */
            share: number;
            /** @description Paid so many days before the last day to pay; null: today. */
            daysEarly: number | null;
        };
        /**
         * @example {
         *       "accounts": [
         *         {
         *           "account": "pagarme",
         *           "provider": "PagarMe",
         *           "comparedUntil": "2026-11-21"
         *         }
         *       ],
         *       "items": [
         *         {
         *           "day": "2026-11-21",
         *           "account": "pagarme",
         *           "paymentMethod": "PIX",
         *           "count": 42,
         *           "gross": 105000,
         *           "agreed": 3150,
         *           "taken": 3151,
         *           "anticipation": 0,
         *           "refunds": 2500,
         *           "chargebacks": 0,
         *           "difference": 1
         *         }
         *       ],
         *       "totals": {
         *         "count": 42,
         *         "gross": 105000,
         *         "agreed": 3150,
         *         "taken": 3151,
         *         "anticipation": 0,
         *         "refunds": 2500,
         *         "chargebacks": 0,
         *         "difference": 1
         *       }
         *     }
         */
        FeeReport: {
            /** @description The accounts whose bank tells what it took. Empty: none does, and none ever has. */
            accounts: {
                account: string;
                /** @description Whom the account is with; null for one that the company has left. */
                provider: ("Sandbox" | "PixApi" | "EfiCobrancas" | "PagarMe") | null;
                /**
                 * Format: date
                 * @description America/Sao_Paulo: the last day whose lines were read and compared
                 */
                comparedUntil: string;
            }[];
            items: {
                /**
                 * Format: date
                 * @description America/Sao_Paulo: when the bank paid
                 */
                day: string;
                account: string;
                /** @enum {string} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description Credits of payments; each installment is one. */
                count: number;
                /** @description centavos: these credits before the fee */
                gross: number;
                /** @description centavos: the agreed fee of these credits */
                agreed: number;
                /** @description centavos: what the bank took, also for refunds and chargebacks, less what it gave back */
                taken: number;
                /** @description centavos: taken less agreed */
                difference: number;
                /** @description centavos: what it took for paying earlier, where somebody ordered that */
                anticipation: number;
                /** @description centavos: what refunds took away from the account, less reversed ones */
                refunds: number;
                /** @description centavos: what chargebacks took away from it, less reversed ones */
                chargebacks: number;
            }[];
            totals: {
                /** @description Credits of payments; each installment is one. */
                count: number;
                /** @description centavos: these credits before the fee */
                gross: number;
                /** @description centavos: the agreed fee of these credits */
                agreed: number;
                /** @description centavos: what the bank took, also for refunds and chargebacks, less what it gave back */
                taken: number;
                /** @description centavos: taken less agreed */
                difference: number;
                /** @description centavos: what it took for paying earlier, where somebody ordered that */
                anticipation: number;
                /** @description centavos: what refunds took away from the account, less reversed ones */
                refunds: number;
                /** @description centavos: what chargebacks took away from it, less reversed ones */
                chargebacks: number;
            };
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "day": "2026-11-21",
         *           "account": "pagarme",
         *           "kind": "fee",
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "amount": 1,
         *           "settlementId": "py_0000000000000001"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        FeeDifferences: {
            items: {
                /**
                 * Format: date
                 * @description America/Sao_Paulo: when the bank made or changed the line, or when it was overdue
                 */
                day: string;
                account: string;
                /**
                 * @description `fee`: more was taken than agreed. `amount`: the bank settles another amount than was paid, or went back. `late`: its day is after the release here, by more than two business days. `missing`: a week after the payment not all its lines are there. `unpaid`: a week after its day a line still waits.
                 * @enum {string}
                 */
                kind: "fee" | "amount" | "late" | "missing" | "unpaid";
                transactionId: string;
                /** @description The bank's id of the line; null for a missing one. */
                settlementId: string | null;
                /** @description centavos: what is in question */
                amount: number;
            }[];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "day": "2026-11-21",
         *           "paymentMethod": "PIX",
         *           "count": 42,
         *           "gross": 105000,
         *           "fees": 1050,
         *           "refunds": 2500,
         *           "net": 101450,
         *           "fiscalKeys": 40,
         *           "hours": {
         *             "9": 12,
         *             "14": 30
         *           }
         *         }
         *       ]
         *     }
         */
        DailyReports: {
            items: {
                /**
                 * Format: date
                 * @description A day in America/Sao_Paulo.
                 */
                day: string;
                /** @enum {string} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description Payments booked on that day. */
                count: number;
                /** @description centavos: the paid amounts */
                gross: number;
                /** @description centavos: the fees of these payments */
                fees: number;
                /** @description centavos: refunds, MED refunds and chargebacks booked on that day, less reversed chargebacks */
                refunds: number;
                /** @description centavos: gross less fees and refunds */
                net: number;
                /** @description How many of the day's payments have a `fiscalKey` now. */
                fiscalKeys: number;
                /** @description Payments by the hour of the day, `0` to `23`. Hours without one are left out, and payments from before hours were counted. */
                hours: {
                    [key: string]: number;
                };
            }[];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "day": "2026-11-21",
         *           "paymentMethod": "PIX",
         *           "created": 60,
         *           "paid": 42
         *         }
         *       ]
         *     }
         */
        ConversionReport: {
            items: {
                /**
                 * Format: date
                 * @description A day in America/Sao_Paulo.
                 */
                day: string;
                /** @enum {string} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description Charges created on that day; null on a day from before they were counted. */
                created: number | null;
                /** @description Payments booked on that day. */
                paid: number;
            }[];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "result": "matched",
         *           "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001"
         *         },
         *         {
         *           "result": "mismatch",
         *           "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "differences": [
         *             {
         *               "field": "amount",
         *               "theirs": 2400,
         *               "ours": 2500
         *             }
         *           ]
         *         },
         *         {
         *           "result": "missing",
         *           "id": null
         *         },
         *         {
         *           "result": "duplicate",
         *           "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001"
         *         }
         *       ],
         *       "onlyHere": [],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        ReconcileResult: {
            /** @description In the order of the lines. */
            items: {
                /**
                 * @description `duplicate`: an earlier line names the same transaction, by whatever id.
                 * @enum {string}
                 */
                result: "matched" | "mismatch" | "missing" | "duplicate";
                /** @description The transaction of the line; null if missing. */
                id: string | null;
                /** @description There with `mismatch`. */
                differences?: {
                    field: string;
                    theirs: string | number;
                    ours: string | number | null;
                }[];
            }[];
            /** @description Transactions of the period that no line matched, oldest first; empty without a period. */
            onlyHere: {
                id: string;
                externalRef: string;
                endToEndId: string | null;
                /** @description centavos */
                amount: number;
                /** @description centavos */
                paidAmount: number | null;
                /** @enum {string} */
                status: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED";
                /** @enum {string} */
                paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                paidAt: string | null;
            }[];
            /** @description Send it back as `after`, with the same lines, for more of `onlyHere`; null at the end. */
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "externalRef": "pedido-1001",
         *           "amount": 2500,
         *           "status": "PAID"
         *         },
         *         {
         *           "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "amount": 2400
         *         },
         *         {
         *           "endToEndId": "E12345678202611211200abcdefghijk"
         *         }
         *       ],
         *       "from": "2026-11-21T00:00:00-03:00",
         *       "to": "2026-11-21T23:59:59-03:00",
         *       "after": "0",
         *       "limit": 100
         *     }
         */
        ReconcileLines: {
            items: {
                /** @description The transaction's id. */
                id?: string;
                externalRef?: string;
                endToEndId?: string;
                /** @description centavos: the `amount` of the transaction */
                amount?: number;
                /** @description centavos: what really came */
                paidAmount?: number;
                /**
                 * @description As the creation answer or the lists show it.
                 * @enum {string}
                 */
                status?: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED" | "PENDING";
            }[];
            /** @description Start of the period, by `createdAt`. */
            from?: string;
            /** @description End of the period, included. */
            to?: string;
            /** @description The `after` of the page before. */
            after?: string;
            /**
             * @description The most items of `onlyHere`.
             * @default 100
             */
            limit?: number;
        };
        /**
         * @example {
         *       "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "status": "PENDING",
         *       "paymentMethod": "PIX",
         *       "amount": 2500,
         *       "paidAmount": null,
         *       "underpaid": false,
         *       "currency": "BRL",
         *       "paidAt": null,
         *       "expiresAt": "2026-11-22T12:00:00.000Z",
         *       "pollAfterMs": 3000
         *     }
         */
        CheckoutStatus: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["ListedStatus"];
            failureReason?: components["schemas"]["FailureReason"];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** @description centavos */
            amount: number;
            /** @description centavos; what really came, null until it is paid */
            paidAmount: number | null;
            /** @description Whether less came than was due on the day of payment: of a boleto with discount, fine and interest, else the amount. */
            underpaid: boolean;
            currency: string;
            paidAt: string | null;
            expiresAt: string | null;
            pollAfterMs: number;
        };
        /**
         * @example {
         *       "data": {
         *         "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *         "slug": "7h2k9m4q0xw3e000g8",
         *         "url": "https://pay.example.com/l/7h2k9m4q0xw3e000g8",
         *         "name": "Curso de fotografia",
         *         "status": "active",
         *         "amount": 50000,
         *         "minimum": null,
         *         "maximum": null,
         *         "amounts": null,
         *         "maxQuantity": 1,
         *         "maxPayments": 30,
         *         "paidCount": 12,
         *         "openCount": 1,
         *         "expiresAt": null,
         *         "paymentMethods": [
         *           "PIX",
         *           "BOLETO",
         *           "CREDIT_CARD"
         *         ],
         *         "maxInstallments": 3,
         *         "saveCard": false,
         *         "fields": [
         *           {
         *             "name": "email",
         *             "required": true
         *           }
         *         ],
         *         "metadata": null,
         *         "returnUrl": null,
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "updatedAt": "2026-11-22T12:00:00.000Z"
         *       }
         *     }
         */
        PaymentLinkEnvelope: {
            data: components["schemas"]["PaymentLink"];
        };
        /**
         * @example {
         *       "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *       "slug": "7h2k9m4q0xw3e000g8",
         *       "url": "https://pay.example.com/l/7h2k9m4q0xw3e000g8",
         *       "name": "Curso de fotografia",
         *       "status": "active",
         *       "amount": 50000,
         *       "minimum": null,
         *       "maximum": null,
         *       "amounts": null,
         *       "maxQuantity": 1,
         *       "maxPayments": 30,
         *       "paidCount": 12,
         *       "openCount": 1,
         *       "expiresAt": null,
         *       "paymentMethods": [
         *         "PIX",
         *         "BOLETO",
         *         "CREDIT_CARD"
         *       ],
         *       "maxInstallments": 3,
         *       "saveCard": false,
         *       "fields": [
         *         {
         *           "name": "email",
         *           "required": true
         *         }
         *       ],
         *       "metadata": null,
         *       "returnUrl": null,
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-11-22T12:00:00.000Z"
         *     }
         */
        PaymentLink: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @description Where the payer opens it. */
            url: string;
            name: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description centavos */
            amount: number | null;
            /** @description centavos */
            minimum: number | null;
            /** @description centavos */
            maximum: number | null;
            /** @description centavos */
            amounts: number[] | null;
            maxQuantity: number;
            maxPayments: number | null;
            /** @description Payments that came; refunds do not lower it. */
            paidCount: number;
            /** @description Reservations that payers hold who have not paid yet. */
            openCount: number;
            /** Format: date-time */
            expiresAt: string | null;
            paymentMethods: components["schemas"]["PaymentMethod"][];
            maxInstallments: number;
            saveCard: boolean;
            fields: {
                /** @enum {string} */
                name: "name" | "document" | "email";
                required: boolean;
            }[];
            metadata: string | null;
            returnUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "name": "Curso de fotografia",
         *       "amount": 50000,
         *       "maxPayments": 30,
         *       "paymentMethods": [
         *         "PIX",
         *         "BOLETO",
         *         "CREDIT_CARD"
         *       ],
         *       "maxInstallments": 3,
         *       "fields": [
         *         {
         *           "name": "email",
         *           "required": true
         *         }
         *       ]
         *     }
         */
        CreatePaymentLinkInput: {
            /** @description What is sold; the page shows it. */
            name: string;
            /** @description A fixed amount, in centavos. */
            amount?: number;
            /** @description An open amount: the least that the payer may choose, in centavos. */
            minimum?: number;
            /** @description An open amount: the most that the payer may choose, in centavos. */
            maximum?: number;
            /** @description Amounts that the payer chooses from, in centavos. */
            amounts?: number[];
            /** @description How many the payer may buy in one payment; 1 asks for none. */
            maxQuantity?: number;
            /** @description The most payments; null or left out for any number. 1 makes a link for one use. */
            maxPayments?: number | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /** @description The payment methods that the payer may choose from; PIX where left out. */
            paymentMethods?: ("PIX" | "BOLETO" | "CREDIT_CARD")[];
            /** @description The most installments of a card that the payer may choose; 1 where left out. */
            maxInstallments?: number;
            /** @description True offers the payer of a card to have it kept, as `card.saveCard` of a create does, where the account that takes it can keep cards. The charge then has `card.savedCardId`. */
            saveCard?: boolean;
            /** @description What the page asks of the payer, besides what the chosen method itself requires. It becomes the charge's `customer`. */
            fields?: {
                /** @enum {string} */
                name: "name" | "document" | "email";
                /** @default true */
                required?: boolean;
            }[];
            /** @description Goes into each charge. */
            metadata?: string | {
                [key: string]: unknown;
            } | null;
            /** @description Where the payer goes back to, as on create. */
            returnUrl?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *           "slug": "7h2k9m4q0xw3e000g8",
         *           "url": "https://pay.example.com/l/7h2k9m4q0xw3e000g8",
         *           "name": "Curso de fotografia",
         *           "status": "active",
         *           "amount": 50000,
         *           "minimum": null,
         *           "maximum": null,
         *           "amounts": null,
         *           "maxQuantity": 1,
         *           "maxPayments": 30,
         *           "paidCount": 12,
         *           "openCount": 1,
         *           "expiresAt": null,
         *           "paymentMethods": [
         *             "PIX",
         *             "BOLETO",
         *             "CREDIT_CARD"
         *           ],
         *           "maxInstallments": 3,
         *           "saveCard": false,
         *           "fields": [
         *             {
         *               "name": "email",
         *               "required": true
         *             }
         *           ],
         *           "metadata": null,
         *           "returnUrl": null,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "updatedAt": "2026-11-22T12:00:00.000Z"
         *         }
         *       ],
         *       "after": "1",
         *       "hasMore": false
         *     }
         */
        PaymentLinks: {
            items: components["schemas"]["PaymentLink"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "active": false
         *     }
         */
        UpdatePaymentLinkInput: {
            /** @description What is sold; the page shows it. */
            name?: string;
            /** @description Whether it takes payments. */
            active?: boolean;
            /** Format: date-time */
            expiresAt?: string | null;
            /** @description Not below what was paid and what payers are paying right now. */
            maxPayments?: number | null;
            /** @description Free text, or a JSON object stored as a JSON string. */
            metadata?: string | {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @example {
         *       "data": {
         *         "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *         "externalRef": "assinatura-1001",
         *         "status": "active",
         *         "description": "Clube do livro",
         *         "customer": {
         *           "name": "Maria da Silva",
         *           "email": "maria@example.com",
         *           "externalRef": "cliente-7",
         *           "city": "3550308",
         *           "document": {
         *             "number": "12345678909",
         *             "type": "CPF"
         *           }
         *         },
         *         "amount": 4990,
         *         "minimumAmount": null,
         *         "period": "MONTHLY",
         *         "firstDueDate": "2030-12-10",
         *         "endDate": null,
         *         "payerAccount": null,
         *         "retry": [
         *           1,
         *           3,
         *           5
         *         ],
         *         "dunning": {
         *           "link": "email",
         *           "method": "PIX",
         *           "savedCardId": null,
         *           "days": 7,
         *           "then": "pause"
         *         },
         *         "firstPayment": null,
         *         "pix": {
         *           "qrcode": "00020101021226580014br.gov.bcb.pix2536pix.sandbox.example/v2/rec/RR00000000",
         *           "journey": "QR"
         *         },
         *         "secureId": "AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *         "approvalUrl": "https://pay.example.com/a/AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *         "approvalExpiresAt": "2026-12-09T02:59:59.000Z",
         *         "mandate": {
         *           "id": "RR0000000020261121a1B2c3D4e5F",
         *           "status": "approved",
         *           "payerIspb": "00000000",
         *           "reason": null,
         *           "message": null,
         *           "action": null,
         *           "endedBy": null,
         *           "providerCode": null,
         *           "needsApproval": false,
         *           "providerMessage": null
         *         },
         *         "nextCharges": [
         *           {
         *             "dueDate": "2031-01-10",
         *             "amount": 4990
         *           },
         *           {
         *             "dueDate": "2031-02-10",
         *             "amount": 4990
         *           },
         *           {
         *             "dueDate": "2031-03-10",
         *             "amount": 4990
         *           }
         *         ],
         *         "metadata": null,
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "updatedAt": "2026-12-05T12:00:00.000Z"
         *       }
         *     }
         */
        SubscriptionEnvelope: {
            data: components["schemas"]["Subscription"];
        };
        /**
         * @example {
         *       "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *       "externalRef": "assinatura-1001",
         *       "status": "active",
         *       "description": "Clube do livro",
         *       "customer": {
         *         "name": "Maria da Silva",
         *         "email": "maria@example.com",
         *         "externalRef": "cliente-7",
         *         "city": "3550308",
         *         "document": {
         *           "number": "12345678909",
         *           "type": "CPF"
         *         }
         *       },
         *       "amount": 4990,
         *       "minimumAmount": null,
         *       "period": "MONTHLY",
         *       "firstDueDate": "2030-12-10",
         *       "endDate": null,
         *       "payerAccount": null,
         *       "retry": [
         *         1,
         *         3,
         *         5
         *       ],
         *       "dunning": {
         *         "link": "email",
         *         "method": "PIX",
         *         "savedCardId": null,
         *         "days": 7,
         *         "then": "pause"
         *       },
         *       "firstPayment": null,
         *       "pix": {
         *         "qrcode": "00020101021226580014br.gov.bcb.pix2536pix.sandbox.example/v2/rec/RR00000000",
         *         "journey": "QR"
         *       },
         *       "secureId": "AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *       "approvalUrl": "https://pay.example.com/a/AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *       "approvalExpiresAt": "2026-12-09T02:59:59.000Z",
         *       "mandate": {
         *         "id": "RR0000000020261121a1B2c3D4e5F",
         *         "status": "approved",
         *         "payerIspb": "00000000",
         *         "reason": null,
         *         "message": null,
         *         "action": null,
         *         "endedBy": null,
         *         "providerCode": null,
         *         "needsApproval": false,
         *         "providerMessage": null
         *       },
         *       "nextCharges": [
         *         {
         *           "dueDate": "2031-01-10",
         *           "amount": 4990
         *         },
         *         {
         *           "dueDate": "2031-02-10",
         *           "amount": 4990
         *         },
         *         {
         *           "dueDate": "2031-03-10",
         *           "amount": 4990
         *         }
         *       ],
         *       "metadata": null,
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-12-05T12:00:00.000Z"
         *     }
         */
        Subscription: {
            /** Format: uuid */
            id: string;
            externalRef: string;
            status: components["schemas"]["SubscriptionStatus"];
            description: string;
            customer: {
                name: string;
                email: string;
                externalRef: string;
                city: string | null;
                document: components["schemas"]["SubscriptionDocument"];
            };
            /** @description centavos of the next cycles */
            amount: number;
            /** @description centavos; null where the payer approved one amount */
            minimumAmount: number | null;
            period: components["schemas"]["SubscriptionPeriod"];
            /** Format: date */
            firstDueDate: string;
            /** Format: date */
            endDate: string | null;
            payerAccount: {
                ispb: string;
                branch: string | null;
                account: string;
                document: components["schemas"]["SubscriptionDocument"] | null;
            } | null;
            retry: "none" | number[];
            dunning: {
                /** @enum {string} */
                link: "none" | "event" | "email";
                /** @enum {string} */
                method: "PIX" | "BOLETO";
                savedCardId: string | null;
                days: number;
                /** @enum {string} */
                then: "none" | "pause" | "cancel";
            };
            firstPayment: {
                /** @description centavos */
                amount: number;
            } | null;
            pix: {
                /** @description What the payer scans to approve; null for REQUEST, and until the PSP has made it. */
                qrcode: string | null;
                /** @enum {string} */
                journey: "REQUEST" | "QR" | "QR_AND_PAY" | "QR_ON_DUE";
            };
            /** @description Opens the payer's own page, `/s/{secureId}`, and `/a/{secureId}`. */
            secureId: string | null;
            /** @description The page on which the payer reads what is agreed and approves it; null without a public address. */
            approvalUrl: string | null;
            /**
             * Format: date-time
             * @description When nobody can approve it any more: after 30 days, or once the first debit cannot be ordered in time.
             */
            approvalExpiresAt: string;
            mandate: components["schemas"]["SubscriptionMandate"];
            nextCharges: {
                /** Format: date */
                dueDate: string;
                /** @description centavos */
                amount: number;
            }[];
            metadata: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SubscriptionDocument: {
            number: string;
            /** @enum {string} */
            type: "CPF" | "CNPJ";
        };
        SubscriptionMandate: {
            /** @description BACEN `idRec`: case-sensitive. */
            id: string | null;
            /** @enum {string} */
            status: "none" | "created" | "approved" | "rejected" | "cancelled" | "expired";
            payerIspb: string | null;
            /**
             * @description Why it ended.
             * @enum {string|null}
             */
            reason: "PAYER_REFUSED" | "PAYER_CANCELLED" | "PAYER_ACCOUNT_CLOSED" | "PAYER_DECEASED" | "FRAUD_SUSPECTED" | "RECEIVER_CANCELLED" | "RECEIVER_CLOSED" | "CONFIRMATION_FAILED" | "APPROVED_OTHERWISE" | "PROVIDER_REFUSED" | "OTHER" | null;
            message: string | null;
            /**
             * @description What to do about it.
             * @enum {string|null}
             */
            action: "new_approval" | "a_person" | "nothing" | null;
            /** @enum {string|null} */
            endedBy: "payer" | "payer_bank" | "receiver" | "receiver_bank" | null;
            /** @description The bank's own code. */
            providerCode: string | null;
            /** @description A bank says that it is of no more use: nothing more is debited; make a new subscription. */
            needsApproval: boolean;
            /** @description The provider's own sentence on its end, or on the order that it refused. */
            providerMessage: string | null;
        };
        /**
         * @example {
         *       "externalRef": "assinatura-1001",
         *       "customer": {
         *         "name": "Maria da Silva",
         *         "document": {
         *           "number": "12345678909"
         *         },
         *         "email": "maria@example.com"
         *       },
         *       "description": "Clube do livro",
         *       "amount": 4990,
         *       "period": "MONTHLY",
         *       "firstDueDate": "2030-12-10",
         *       "journey": "QR",
         *       "retry": [
         *         1,
         *         3,
         *         5
         *       ]
         *     }
         */
        CreateSubscriptionInput: {
            externalRef?: string;
            customer: {
                name: string;
                document: components["schemas"]["SubscriptionDocumentInput"];
                email?: string;
                externalRef?: string;
                /** @description The payer's town by its IBGE code, whose holidays move a debit. */
                city?: string;
            };
            /** @description What the payer's bank shows. */
            description: string;
            /** @description centavos of each cycle, which the payer approves */
            amount?: number;
            /** @description Instead of `amount`: centavos that each cycle has at least. The payer sets his own limit at his bank. The cycles are debited so much until their amount is changed. */
            minimumAmount?: number;
            /** @enum {string} */
            period: "WEEKLY" | "MONTHLY" | "QUARTERLY" | "SEMIANNUAL" | "ANNUAL";
            /**
             * Format: date
             * @description The day of the first cycle, in America/Sao_Paulo. A later month without the day has its last one.
             */
            firstDueDate: string;
            /**
             * Format: date
             * @description No cycle is due after it.
             */
            endDate?: string;
            /**
             * @description How the payer approves: asked by his bank (REQUEST, with `payerAccount`), by a code (QR), by a code that he pays at once (QR_AND_PAY), or with the charge of the first cycle (QR_ON_DUE).
             * @enum {string}
             */
            journey: "REQUEST" | "QR" | "QR_AND_PAY" | "QR_ON_DUE";
            payerAccount?: {
                ispb: string;
                branch?: string;
                account: string;
                document?: components["schemas"]["SubscriptionDocumentInput"] & unknown;
            };
            /** @description Days after the due date on which an unpaid debit is tried again: up to three, from 1 to 7, ascending (PERMITE_3R_7D). `none` where left out: the payer approves no retries, and none can be ordered later. */
            retry?: "none" | number[];
            dunning?: components["schemas"]["SubscriptionDunningInput"];
            /** @description Of QR_AND_PAY: what is paid with the approval, if not `amount`. */
            firstPayment?: {
                amount: number;
            };
            /** @description Free text, or a JSON object stored as a JSON string. */
            metadata?: string | {
                [key: string]: unknown;
            };
        };
        SubscriptionDocumentInput: {
            number: string;
            /** @enum {string} */
            type?: "CPF" | "CNPJ";
        };
        /**
         * @description None follows where the payer's bank says that he has paid (`ALREADY_PAID`), or where only this service failed.
         * @example {
         *       "link": "email",
         *       "days": 7,
         *       "then": "pause"
         *     }
         */
        SubscriptionDunningInput: {
            /** @description A saved card of this customer (`GET /api/v1/cards`), charged first once no attempt is left, from the day of the debit on, and again within `days` as its brand allows (`retryNotBefore`). Then follows the link. */
            savedCardId?: string;
            /**
             * @description Once no attempt is left a charge is made by which the payer pays by hand: `subscription.charge_failed` has it as `charge.byHand` (`event`), and an e-mail to `customer.email` too (`email`). For a link that is made later, or in place of one that was refused or cancelled (a day after it), both are sent again.
             * @default none
             * @enum {string}
             */
            link?: "none" | "event" | "email";
            /**
             * @description By what the link is paid. A boleto is due within `days`, at least 2; a PIX takes its place where no account can make it any more.
             * @default PIX
             * @enum {string}
             */
            method?: "PIX" | "BOLETO";
            /**
             * @description After so many days unpaid the subscription becomes what `then` says. They count from when the link is made. With a boleto that waits until two business days after its last day: banks tell of its payment later.
             * @default 7
             */
            days?: number;
            /**
             * @default none
             * @enum {string}
             */
            then?: "none" | "pause" | "cancel";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *           "externalRef": "assinatura-1001",
         *           "status": "active",
         *           "description": "Clube do livro",
         *           "customer": {
         *             "name": "Maria da Silva",
         *             "email": "maria@example.com",
         *             "externalRef": "cliente-7",
         *             "city": "3550308",
         *             "document": {
         *               "number": "12345678909",
         *               "type": "CPF"
         *             }
         *           },
         *           "amount": 4990,
         *           "minimumAmount": null,
         *           "period": "MONTHLY",
         *           "firstDueDate": "2030-12-10",
         *           "endDate": null,
         *           "payerAccount": null,
         *           "retry": [
         *             1,
         *             3,
         *             5
         *           ],
         *           "dunning": {
         *             "link": "email",
         *             "method": "PIX",
         *             "savedCardId": null,
         *             "days": 7,
         *             "then": "pause"
         *           },
         *           "firstPayment": null,
         *           "pix": {
         *             "qrcode": "00020101021226580014br.gov.bcb.pix2536pix.sandbox.example/v2/rec/RR00000000",
         *             "journey": "QR"
         *           },
         *           "secureId": "AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *           "approvalUrl": "https://pay.example.com/a/AZqmwF4AjSyfMWsfDAAAAavN7xI0VniQq83vEjRWeJA",
         *           "approvalExpiresAt": "2026-12-09T02:59:59.000Z",
         *           "mandate": {
         *             "id": "RR0000000020261121a1B2c3D4e5F",
         *             "status": "approved",
         *             "payerIspb": "00000000",
         *             "reason": null,
         *             "message": null,
         *             "action": null,
         *             "endedBy": null,
         *             "providerCode": null,
         *             "needsApproval": false,
         *             "providerMessage": null
         *           },
         *           "nextCharges": [
         *             {
         *               "dueDate": "2031-01-10",
         *               "amount": 4990
         *             },
         *             {
         *               "dueDate": "2031-02-10",
         *               "amount": 4990
         *             },
         *             {
         *               "dueDate": "2031-03-10",
         *               "amount": 4990
         *             }
         *           ],
         *           "metadata": null,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "updatedAt": "2026-12-05T12:00:00.000Z"
         *         }
         *       ],
         *       "after": "1",
         *       "hasMore": false
         *     }
         */
        Subscriptions: {
            items: components["schemas"]["Subscription"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "amount": 5990
         *     }
         */
        ChangeSubscriptionInput: {
            /** @description centavos of the cycles that are not open yet; not below `minimumAmount` */
            amount?: number;
            dunning?: components["schemas"]["SubscriptionDunningInput"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *           "transactionId": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *           "cycle": 1,
         *           "dueDate": "2030-12-10",
         *           "amount": 4990,
         *           "status": "open",
         *           "attempts": [
         *             {
         *               "at": "2030-12-10",
         *               "kind": "due",
         *               "status": "failed",
         *               "code": "NO_BALANCE",
         *               "message": "The payer's account had no balance.",
         *               "action": "retry",
         *               "providerCode": "EXPR",
         *               "providerMessage": null
         *             },
         *             {
         *               "at": "2030-12-11",
         *               "kind": "retry",
         *               "status": "scheduled",
         *               "code": null,
         *               "message": null,
         *               "action": null,
         *               "providerCode": null,
         *               "providerMessage": null
         *             }
         *           ],
         *           "end": null,
         *           "cardSkipped": null,
         *           "recovered": false,
         *           "createdAt": "2026-12-05T12:00:00.000Z",
         *           "updatedAt": "2026-12-11T00:30:00.000Z",
         *           "refusal": null,
         *           "byHand": {
         *             "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000003",
         *             "method": "PIX",
         *             "url": "https://pay.example.com/checkout/AZqmwF4AjSyfMWsfDAAAA6vN7xI0VniQq83vEjRWeJA",
         *             "digitableLine": null,
         *             "status": "WAITING_PAYMENT"
         *           },
         *           "cancellable": true,
         *           "days": [
         *             {
         *               "what": "due",
         *               "at": "2030-12-10",
         *               "why": "A cycle is due on the day of the first one, or on the last day of a shorter month.",
         *               "source": "Pix API 2.9.0, rec.calendario (periodicidade)",
         *               "mark": "ours"
         *             },
         *             {
         *               "what": "settles",
         *               "at": "2030-12-10",
         *               "why": "A debit settles on its due date, or on the next business day of the payer's town. 2030-12-10: A business day.",
         *               "source": "Pix API 2.9.0, cobr.ajusteDiaUtil",
         *               "mark": "rule"
         *             },
         *             {
         *               "what": "ordered",
         *               "at": "2030-12-05",
         *               "why": "A debit is ordered 5 days before it settles, earlier where business days are few.",
         *               "source": "Centavo: time to send it again each day",
         *               "mark": "ours"
         *             },
         *             {
         *               "what": "ordered_until",
         *               "at": "2030-12-06",
         *               "why": "A debit is ordered at least 2 business days before it settles.",
         *               "source": "Manual of Celcoin; Cielo, EBANX and Woovi (code FCD2) have calendar days",
         *               "mark": "manual"
         *             },
         *             {
         *               "what": "cancelled_until",
         *               "at": "2030-12-10T01:00:00.000Z",
         *               "why": "The receiver cancels a debit until 22:00 of the day before it settles.",
         *               "source": "Manual of Cielo; Pix API 2.9.0, PATCH /cobr/{txid}: before the day of the first attempt",
         *               "mark": "manual"
         *             },
         *             {
         *               "what": "payer_cancels_until",
         *               "at": "2030-12-10T02:59:59.000Z",
         *               "why": "The payer cancels a debit until 23:59 of the day before it settles.",
         *               "source": "Manuals of Celcoin and Cielo",
         *               "mark": "manual"
         *             }
         *           ],
         *           "retryDays": []
         *         }
         *       ],
         *       "after": "1",
         *       "hasMore": false
         *     }
         */
        SubscriptionCharges: {
            items: components["schemas"]["SubscriptionCharge"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *       "transactionId": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *       "cycle": 1,
         *       "dueDate": "2030-12-10",
         *       "amount": 4990,
         *       "status": "open",
         *       "attempts": [
         *         {
         *           "at": "2030-12-10",
         *           "kind": "due",
         *           "status": "failed",
         *           "code": "NO_BALANCE",
         *           "message": "The payer's account had no balance.",
         *           "action": "retry",
         *           "providerCode": "EXPR",
         *           "providerMessage": null
         *         },
         *         {
         *           "at": "2030-12-11",
         *           "kind": "retry",
         *           "status": "scheduled",
         *           "code": null,
         *           "message": null,
         *           "action": null,
         *           "providerCode": null,
         *           "providerMessage": null
         *         }
         *       ],
         *       "end": null,
         *       "cardSkipped": null,
         *       "recovered": false,
         *       "createdAt": "2026-12-05T12:00:00.000Z",
         *       "updatedAt": "2026-12-11T00:30:00.000Z",
         *       "refusal": null,
         *       "byHand": {
         *         "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000003",
         *         "method": "PIX",
         *         "url": "https://pay.example.com/checkout/AZqmwF4AjSyfMWsfDAAAA6vN7xI0VniQq83vEjRWeJA",
         *         "digitableLine": null,
         *         "status": "WAITING_PAYMENT"
         *       },
         *       "cancellable": true,
         *       "days": [
         *         {
         *           "what": "due",
         *           "at": "2030-12-10",
         *           "why": "A cycle is due on the day of the first one, or on the last day of a shorter month.",
         *           "source": "Pix API 2.9.0, rec.calendario (periodicidade)",
         *           "mark": "ours"
         *         },
         *         {
         *           "what": "settles",
         *           "at": "2030-12-10",
         *           "why": "A debit settles on its due date, or on the next business day of the payer's town. 2030-12-10: A business day.",
         *           "source": "Pix API 2.9.0, cobr.ajusteDiaUtil",
         *           "mark": "rule"
         *         },
         *         {
         *           "what": "ordered",
         *           "at": "2030-12-05",
         *           "why": "A debit is ordered 5 days before it settles, earlier where business days are few.",
         *           "source": "Centavo: time to send it again each day",
         *           "mark": "ours"
         *         },
         *         {
         *           "what": "ordered_until",
         *           "at": "2030-12-06",
         *           "why": "A debit is ordered at least 2 business days before it settles.",
         *           "source": "Manual of Celcoin; Cielo, EBANX and Woovi (code FCD2) have calendar days",
         *           "mark": "manual"
         *         },
         *         {
         *           "what": "cancelled_until",
         *           "at": "2030-12-10T01:00:00.000Z",
         *           "why": "The receiver cancels a debit until 22:00 of the day before it settles.",
         *           "source": "Manual of Cielo; Pix API 2.9.0, PATCH /cobr/{txid}: before the day of the first attempt",
         *           "mark": "manual"
         *         },
         *         {
         *           "what": "payer_cancels_until",
         *           "at": "2030-12-10T02:59:59.000Z",
         *           "why": "The payer cancels a debit until 23:59 of the day before it settles.",
         *           "source": "Manuals of Celcoin and Cielo",
         *           "mark": "manual"
         *         }
         *       ],
         *       "retryDays": []
         *     }
         */
        SubscriptionCharge: {
            /**
             * Format: uuid
             * @description The charge, which is a transaction.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            transactionId: string;
            /** @description Its place in the subscription, from 1. */
            cycle: number;
            /** Format: date */
            dueDate: string;
            /** @description centavos */
            amount: number;
            status: components["schemas"]["SubscriptionChargeStatus"];
            attempts: components["schemas"]["SubscriptionChargeAttempt"][];
            end: components["schemas"]["SubscriptionDebitEnd"];
            byHand: {
                /**
                 * Format: uuid
                 * @description The charge that is paid by hand.
                 */
                id: string;
                /**
                 * @description CREDIT_CARD: the payer's saved card is charged (`dunning.savedCardId`).
                 * @enum {string}
                 */
                method: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description The page on which it is paid; null without a public address, and for a saved card. */
                url: string | null;
                /** @description Of a boleto that is made; null for any other. */
                digitableLine: string | null;
                /**
                 * @description As of any transaction; null before it is made.
                 * @enum {string|null}
                 */
                status: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED" | null;
            } | null;
            /**
             * @description Why the saved card of the dunning was not charged: it is `deleted`, `no_account` takes it, or its `brand_rules` allow no attempt now. Null where nothing kept it from that.
             * @enum {string|null}
             */
            cardSkipped: "deleted" | "no_account" | "brand_rules" | null;
            /** @description Whether it was paid after a failed attempt, by a retry or by hand. */
            recovered: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            refusal: components["schemas"]["SubscriptionDebitRefusal"];
            /** @description Whether it can be cancelled now. */
            cancellable: boolean;
            /** @description Each day of the debit, and the rule that makes it this day. */
            days: components["schemas"]["DebitDay"][];
            /** @description Of a debit that failed: the seven days after its due date, and whether it can be repeated on each now. Else empty. */
            retryDays: {
                /** Format: date */
                date: string;
                allowed: boolean;
                rule: components["schemas"]["RetryRule"];
                why: string;
                source: string;
            }[];
        };
        SubscriptionChargeAttempt: {
            /**
             * Format: date
             * @description Its day.
             */
            at: string;
            /** @enum {string} */
            kind: "due" | "retry" | "resend";
            /** @enum {string} */
            status: "requested" | "scheduled" | "paid" | "failed" | "cancelled";
            /**
             * @description Why it failed.
             * @enum {string|null}
             */
            code: "NO_BALANCE" | "PAYER_BANK_UNAVAILABLE" | "NO_ANSWER" | "PAYER_ACCOUNT_BLOCKED" | "REFUSED_BY_PAYER_BANK" | "PAYER_LIMIT" | "SAME_PARTICIPANT" | "PAYER_ACCOUNT_CLOSED" | "DOCUMENT_MISMATCH" | "PAYER_BANK_UNKNOWN" | "MANDATE_UNKNOWN" | "ALREADY_PAID" | "AMOUNT_NOT_AGREED" | "DUE_DATE_NOT_AGREED" | "OUTSIDE_WINDOW" | "RETRY_NOT_ALLOWED" | "PAYER_CANCELLED" | "APPROVAL_ENDED" | "RECEIVER_CANCELLED" | "DEBIT_FAILED" | "CANCELLED_BY_BANK" | "PROVIDER_REFUSED" | "UNKNOWN" | null;
            message: string | null;
            /**
             * @description What to do about it.
             * @enum {string|null}
             */
            action: "retry" | "tell_payer_offer_link" | "offer_link" | "new_approval" | "a_person" | "our_fault" | "nothing" | null;
            /** @description The bank's own code. */
            providerCode: string | null;
            /** @description The provider's own sentence on an order that it did not take. */
            providerMessage: string | null;
        };
        /** @description Why the provider did not take the order of its debit, which is sent again each day; null once it is taken, or refused for good, which is an attempt. */
        SubscriptionDebitRefusal: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            code: "NO_BALANCE" | "PAYER_BANK_UNAVAILABLE" | "NO_ANSWER" | "PAYER_ACCOUNT_BLOCKED" | "REFUSED_BY_PAYER_BANK" | "PAYER_LIMIT" | "SAME_PARTICIPANT" | "PAYER_ACCOUNT_CLOSED" | "DOCUMENT_MISMATCH" | "PAYER_BANK_UNKNOWN" | "MANDATE_UNKNOWN" | "ALREADY_PAID" | "AMOUNT_NOT_AGREED" | "DUE_DATE_NOT_AGREED" | "OUTSIDE_WINDOW" | "RETRY_NOT_ALLOWED" | "PAYER_CANCELLED" | "APPROVAL_ENDED" | "RECEIVER_CANCELLED" | "DEBIT_FAILED" | "CANCELLED_BY_BANK" | "PROVIDER_REFUSED" | "UNKNOWN";
            message: string;
            /**
             * @description What to do about it.
             * @enum {string}
             */
            action: "retry" | "tell_payer_offer_link" | "offer_link" | "new_approval" | "a_person" | "our_fault" | "nothing";
            /** @description The provider's own sentence on an order that it did not take. */
            providerMessage: string | null;
        } | null;
        DebitDay: {
            /** @enum {string} */
            what: "due" | "settles" | "ordered" | "ordered_until" | "cancelled_until" | "payer_cancels_until";
            /** @description A day, or the time of a limit. */
            at: string;
            why: string;
            source: string;
            /**
             * @description How sure the rule is: BACEN's own, of PSPs' manuals, or a stricter choice of ours.
             * @enum {string}
             */
            mark: "rule" | "manual" | "ours";
        };
        /** @enum {string} */
        RetryRule: "retry_policy" | "retry_amount" | "retry_open" | "retry_count" | "retry_future" | "retry_same_day" | "retry_days_differ" | "retry_days" | "retry_before_next" | "retry_business_day";
        /**
         * @example {
         *       "data": {
         *         "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *         "transactionId": "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
         *         "cycle": 1,
         *         "dueDate": "2030-12-10",
         *         "amount": 4990,
         *         "status": "open",
         *         "attempts": [
         *           {
         *             "at": "2030-12-10",
         *             "kind": "due",
         *             "status": "failed",
         *             "code": "NO_BALANCE",
         *             "message": "The payer's account had no balance.",
         *             "action": "retry",
         *             "providerCode": "EXPR",
         *             "providerMessage": null
         *           },
         *           {
         *             "at": "2030-12-11",
         *             "kind": "retry",
         *             "status": "scheduled",
         *             "code": null,
         *             "message": null,
         *             "action": null,
         *             "providerCode": null,
         *             "providerMessage": null
         *           }
         *         ],
         *         "end": null,
         *         "cardSkipped": null,
         *         "recovered": false,
         *         "createdAt": "2026-12-05T12:00:00.000Z",
         *         "updatedAt": "2026-12-11T00:30:00.000Z",
         *         "refusal": null,
         *         "byHand": {
         *           "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000003",
         *           "method": "PIX",
         *           "url": "https://pay.example.com/checkout/AZqmwF4AjSyfMWsfDAAAA6vN7xI0VniQq83vEjRWeJA",
         *           "digitableLine": null,
         *           "status": "WAITING_PAYMENT"
         *         },
         *         "cancellable": true,
         *         "days": [
         *           {
         *             "what": "due",
         *             "at": "2030-12-10",
         *             "why": "A cycle is due on the day of the first one, or on the last day of a shorter month.",
         *             "source": "Pix API 2.9.0, rec.calendario (periodicidade)",
         *             "mark": "ours"
         *           },
         *           {
         *             "what": "settles",
         *             "at": "2030-12-10",
         *             "why": "A debit settles on its due date, or on the next business day of the payer's town. 2030-12-10: A business day.",
         *             "source": "Pix API 2.9.0, cobr.ajusteDiaUtil",
         *             "mark": "rule"
         *           },
         *           {
         *             "what": "ordered",
         *             "at": "2030-12-05",
         *             "why": "A debit is ordered 5 days before it settles, earlier where business days are few.",
         *             "source": "Centavo: time to send it again each day",
         *             "mark": "ours"
         *           },
         *           {
         *             "what": "ordered_until",
         *             "at": "2030-12-06",
         *             "why": "A debit is ordered at least 2 business days before it settles.",
         *             "source": "Manual of Celcoin; Cielo, EBANX and Woovi (code FCD2) have calendar days",
         *             "mark": "manual"
         *           },
         *           {
         *             "what": "cancelled_until",
         *             "at": "2030-12-10T01:00:00.000Z",
         *             "why": "The receiver cancels a debit until 22:00 of the day before it settles.",
         *             "source": "Manual of Cielo; Pix API 2.9.0, PATCH /cobr/{txid}: before the day of the first attempt",
         *             "mark": "manual"
         *           },
         *           {
         *             "what": "payer_cancels_until",
         *             "at": "2030-12-10T02:59:59.000Z",
         *             "why": "The payer cancels a debit until 23:59 of the day before it settles.",
         *             "source": "Manuals of Celcoin and Cielo",
         *             "mark": "manual"
         *           }
         *         ],
         *         "retryDays": []
         *       }
         *     }
         */
        SubscriptionChargeEnvelope: {
            data: components["schemas"]["SubscriptionCharge"];
        };
        /**
         * @example {
         *       "dueDate": "2031-01-10"
         *     }
         */
        OpenSubscriptionChargeInput: {
            /**
             * Format: date
             * @description That of the next cycle (`nextCharges`).
             */
            dueDate: string;
            /** @description centavos of this cycle alone; where left out those of the subscription */
            amount?: number;
        };
        /**
         * @example {
         *       "date": "2030-12-16"
         *     }
         */
        RetrySubscriptionChargeInput: {
            /**
             * Format: date
             * @description One of the days that the rules allow.
             */
            date: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "month": "2026-12",
         *           "failed": {
         *             "count": 12,
         *             "amount": 59880
         *           },
         *           "recovered": {
         *             "retry": {
         *               "count": 5,
         *               "amount": 24950
         *             },
         *             "card": {
         *               "count": 1,
         *               "amount": 4990
         *             },
         *             "hand": {
         *               "count": 3,
         *               "amount": 14970
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        SubscriptionRecoveryReport: {
            /** @description Cycles with a failed attempt, by month. */
            items: {
                /** @description `YYYY-MM` of the due dates. */
                month: string;
                failed: components["schemas"]["DebitSum"];
                /** @description Those of them that were paid since: by another attempt, by the payer's saved card, or by hand. */
                recovered: {
                    retry: components["schemas"]["DebitSum"];
                    card: components["schemas"]["DebitSum"];
                    hand: components["schemas"]["DebitSum"];
                };
            }[];
        };
        /**
         * @example {
         *       "count": 42,
         *       "amount": 209580
         *     }
         */
        DebitSum: {
            count: number;
            /** @description centavos */
            amount: number;
        };
        /**
         * @example {
         *       "data": {
         *         "from": "2025-11-21",
         *         "to": "2026-11-21",
         *         "failed": 120,
         *         "insufficient": false,
         *         "days": [
         *           {
         *             "daysAfter": 1,
         *             "tried": 100,
         *             "paid": 30,
         *             "recovered": 36
         *           },
         *           {
         *             "daysAfter": 3,
         *             "tried": 70,
         *             "paid": 21,
         *             "recovered": 61
         *           }
         *         ],
         *         "weekdays": [
         *           {
         *             "weekday": 1,
         *             "tried": 60,
         *             "paid": 20
         *           }
         *         ]
         *       }
         *     }
         */
        SubscriptionRetryBacktest: {
            data: {
                /**
                 * Format: date
                 * @description The first due date.
                 */
                from: string;
                /** Format: date */
                to: string;
                /** @description Cycles whose first failure another day might have mended: not those of the recovery report that fail again until somebody changes something. */
                failed: number;
                /** @description Whether a day of the policy was tried fewer than 20 times: nothing is guessed. */
                insufficient: boolean;
                days: {
                    daysAfter: number;
                    /** @description Retries of these cycles that a bank took. */
                    tried: number;
                    paid: number;
                    /** @description Cycles that the policy would have recovered by this day. */
                    recovered: number | null;
                }[];
                weekdays: {
                    /** @description 1 is Monday. */
                    weekday: number;
                    /** @description Retries of these cycles that a bank took. */
                    tried: number;
                    paid: number;
                }[];
            };
        };
        /**
         * @example {
         *       "from": "2026-12-01",
         *       "to": "2026-12-30",
         *       "items": [
         *         {
         *           "day": "2026-12-10",
         *           "count": 42,
         *           "amount": 209580
         *         }
         *       ],
         *       "totals": {
         *         "count": 42,
         *         "amount": 209580
         *       }
         *     }
         */
        DebitOutlook: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description Included.
             */
            to: string;
            /** @description Days with a debit, oldest first. */
            items: {
                /** Format: date */
                day: string;
                count: number;
                /** @description centavos */
                amount: number;
            }[];
            totals: components["schemas"]["DebitSum"];
        };
        /**
         * @example {
         *       "from": "2026-11-01",
         *       "to": "2026-11-30",
         *       "items": [
         *         {
         *           "ispb": "18236120",
         *           "name": "Nubank",
         *           "mandates": {
         *             "made": 40,
         *             "codesRead": 40,
         *             "approved": 38,
         *             "paidUnapproved": 0,
         *             "rejected": 2,
         *             "expired": 0,
         *             "active": 38,
         *             "approvedBasisPoints": 9500
         *           },
         *           "debits": {
         *             "due": 38,
         *             "paidInTime": 35,
         *             "paidLater": 3,
         *             "failed": 3,
         *             "failures": [
         *               {
         *                 "code": "NO_BALANCE",
         *                 "count": 3
         *               }
         *             ]
         *           }
         *         }
         *       ]
         *     }
         */
        PayerBanks: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description Included.
             */
            to: string;
            items: {
                /** @description The payer's bank; null where no PSP has told of one. */
                ispb: string | null;
                /** @description Null for a bank that is not known. */
                name: string | null;
                mandates: {
                    /** @description subscriptions made in the period */
                    made: number;
                    /** @description of those with a code: the PSP has told of the payer's bank, or it is paid */
                    codesRead: number;
                    /** @description by the payer, also where it has ended since */
                    approved: number;
                    /** @description whose first payment, made with the approval, came without the approval */
                    paidUnapproved: number;
                    /** @description by the payer or the bank */
                    rejected: number;
                    /** @description never answered in time */
                    expired: number;
                    /** @description debited now */
                    active: number;
                    /** @description Approved of those decided: 10000 is all; null before the first. */
                    approvedBasisPoints: number | null;
                };
                debits: {
                    /** @description cycles due in the period that were debited */
                    due: number;
                    /** @description paid at the first attempt */
                    paidInTime: number;
                    /** @description paid after it had failed */
                    paidLater: number;
                    /** @description whose first attempt failed */
                    failed: number;
                    /** @description Why it failed, the commonest first. */
                    failures: {
                        code: string;
                        count: number;
                    }[];
                };
            }[];
        };
        SavedCards: {
            data: components["schemas"]["SavedCard"][];
        };
        SavedCard: {
            /** @description What `card.savedCardId` of a create takes */
            id: string;
            customer: string;
            /** @description The company's account that can charge it */
            account: string;
            /** @description Whom the account is with; null for one that the company has left. */
            provider: ("Sandbox" | "PixApi" | "EfiCobrancas" | "PagarMe") | null;
            card: {
                brand: string;
                firstDigits: string;
                lastDigits: string;
                expirationMonth: number;
                expirationYear: number;
            };
            consent: {
                /** Format: date-time */
                at: string;
                textVersion: string;
                /** @description Who told this service of it; null for the payer himself, on the page of a payment link. */
                by: components["schemas"]["Requester"] | null;
            };
            /** Format: date-time */
            createdAt: string;
        };
        OneSavedCard: {
            data: components["schemas"]["SavedCard"];
        };
        CardToken: {
            /** @description What `card.token` of a create takes */
            token: string;
            card: {
                brand: string;
                firstDigits: string;
                lastDigits: string;
                holderName: string;
                expirationMonth: number;
                expirationYear: number;
            };
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @example {
         *       "number": "4242 4242 4242 4242",
         *       "holderName": "MARIA DA SILVA",
         *       "expirationMonth": 12,
         *       "expirationYear": 2030,
         *       "cvv": "123"
         *     }
         */
        CardTokenRequest: {
            number: string;
            holderName: string;
            expirationMonth: number;
            expirationYear: number;
            cvv: string;
        };
        PixCodeVerdict: components["schemas"]["ValidPixCode"] | components["schemas"]["InvalidPixCode"];
        /**
         * @example {
         *       "valid": true,
         *       "kind": "static",
         *       "key": "123e4567-e12b-12d1-a456-426655440000",
         *       "keyType": "EVP",
         *       "location": null,
         *       "recurrenceLocation": null,
         *       "amount": null,
         *       "merchantName": "Fulano de Tal",
         *       "merchantCity": "BRASILIA",
         *       "postalCode": null,
         *       "txid": null,
         *       "description": null,
         *       "withdrawalFacilitator": null,
         *       "reusable": true,
         *       "currency": "BRL"
         *     }
         */
        ValidPixCode: {
            /** @enum {boolean} */
            valid: true;
            /**
             * @description `static`: a key. `dynamic`: a charge that the location serves. `recurring`: nothing to pay, a recurrence to consent to (Pix Automático).
             * @enum {string}
             */
            kind: "static" | "dynamic" | "recurring";
            /** @description As the code writes it. */
            key: string | null;
            /**
             * @description Null where it is not certain, as of eleven bare digits.
             * @enum {string|null}
             */
            keyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP" | null;
            location: string | null;
            recurrenceLocation: string | null;
            /** @description Centavos; null where the payer or the location says it. */
            amount: number | null;
            currency: string;
            merchantName: string;
            merchantCity: string;
            postalCode: string | null;
            /** @description Null where the code says `***`. */
            txid: string | null;
            description: string | null;
            /** @description The ISPB of who hands out cash (Pix Saque). */
            withdrawalFacilitator: string | null;
            /** @description False where the code says that it is used once. */
            reusable: boolean;
        };
        /**
         * @example {
         *       "valid": false,
         *       "reason": "bad_crc",
         *       "detail": "The CRC does not match: the code was changed, or its + was not sent as %2B."
         *     }
         */
        InvalidPixCode: {
            /** @enum {boolean} */
            valid: false;
            /**
             * @description The first rule that the code breaks; stable.
             * @enum {string}
             */
            reason: "bad_character" | "not_tlv" | "duplicate_field" | "bad_format_indicator" | "no_crc" | "crc_not_last" | "bad_crc" | "bad_point_of_initiation" | "not_pix" | "several_pix_accounts" | "key_and_location" | "no_key_or_location" | "bad_location" | "bad_fss" | "bad_mcc" | "wrong_currency" | "bad_amount" | "wrong_country" | "no_name" | "name_too_long" | "no_city" | "city_too_long" | "bad_postal_code" | "bad_txid";
            /** @description The same in a sentence for people. */
            detail: string;
        };
        /**
         * @example {
         *       "date": "2026-12-25",
         *       "businessDay": false,
         *       "next": "2026-12-28",
         *       "why": "A holiday of all banks (Lei 662/1949, Lei 6.802/1980, Lei 14.759/2023, Resolução CMN 4.880/2020).",
         *       "debit": [
         *         {
         *           "what": "due",
         *           "at": "2026-12-25",
         *           "why": "A cycle is due on the day of the first one, or on the last day of a shorter month.",
         *           "source": "Pix API 2.9.0, rec.calendario (periodicidade)",
         *           "mark": "ours"
         *         },
         *         {
         *           "what": "settles",
         *           "at": "2026-12-28",
         *           "why": "A debit settles on its due date, or on the next business day of the payer's town. 2026-12-25: A holiday of all banks (Lei 662/1949, Lei 6.802/1980, Lei 14.759/2023, Resolução CMN 4.880/2020).",
         *           "source": "Pix API 2.9.0, cobr.ajusteDiaUtil",
         *           "mark": "rule"
         *         },
         *         {
         *           "what": "ordered",
         *           "at": "2026-12-22",
         *           "why": "A debit is ordered 5 days before it settles, earlier where business days are few.",
         *           "source": "Centavo: time to send it again each day",
         *           "mark": "ours"
         *         },
         *         {
         *           "what": "ordered_until",
         *           "at": "2026-12-23",
         *           "why": "A debit is ordered at least 2 business days before it settles.",
         *           "source": "Manual of Celcoin; Cielo, EBANX and Woovi (code FCD2) have calendar days",
         *           "mark": "manual"
         *         },
         *         {
         *           "what": "cancelled_until",
         *           "at": "2026-12-28T01:00:00.000Z",
         *           "why": "The receiver cancels a debit until 22:00 of the day before it settles.",
         *           "source": "Manual of Cielo; Pix API 2.9.0, PATCH /cobr/{txid}: before the day of the first attempt",
         *           "mark": "manual"
         *         },
         *         {
         *           "what": "payer_cancels_until",
         *           "at": "2026-12-28T02:59:59.000Z",
         *           "why": "The payer cancels a debit until 23:59 of the day before it settles.",
         *           "source": "Manuals of Celcoin and Cielo",
         *           "mark": "manual"
         *         }
         *       ]
         *     }
         */
        CalendarDay: {
            date: string;
            /** @description Whether banks work on it. */
            businessDay: boolean;
            /** @description The day itself, or the first business day after it. */
            next: string;
            /** @description A sentence for people, with its source. */
            why: string;
            /** @description The days of an automatic debit (Pix Automático) that is due on it, each with its rule. */
            debit: components["schemas"]["DebitDay"][];
        };
        StaticCodeEnvelope: {
            data: components["schemas"]["StaticCode"];
        };
        /**
         * @example {
         *       "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *       "qrcode": "00020126650014br.gov.bcb.pix013600000000-0000-4000-8000-0000000000000203Bar5204000053039865406500.005802BR5912Loja Exemplo6009SAO PAULO6229052503f2s42s7vnjrcp19bpr4xjb563049282",
         *       "txid": "03f2s42s7vnjrcp19bpr4xjb5",
         *       "description": "Bar",
         *       "amount": 50000,
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "deletedAt": null
         *     }
         */
        StaticCode: {
            /** Format: uuid */
            id: string;
            /** @description BR Code; may be paid any number of times */
            qrcode: string;
            /** @description 25 letters and digits, in each of its payments */
            txid: string;
            /** @description `""` if there is none */
            description: string;
            /** @description centavos; null where the payer chooses */
            amount: number | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Its payments become transactions even after it: printed codes live on.
             */
            deletedAt: string | null;
        };
        /**
         * @example {
         *       "amount": 50000,
         *       "description": "Bar"
         *     }
         */
        CreateStaticCodeInput: {
            /** @description centavos; where left out the payer chooses */
            amount?: number;
            /** @description What is paid. The code shows as much of it, in ASCII, as fits beside the key; the transaction all of it. */
            description?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
         *           "qrcode": "00020126650014br.gov.bcb.pix013600000000-0000-4000-8000-0000000000000203Bar5204000053039865406500.005802BR5912Loja Exemplo6009SAO PAULO6229052503f2s42s7vnjrcp19bpr4xjb563049282",
         *           "txid": "03f2s42s7vnjrcp19bpr4xjb5",
         *           "description": "Bar",
         *           "amount": 50000,
         *           "createdAt": "2026-11-21T12:00:00.000Z",
         *           "deletedAt": null
         *         }
         *       ],
         *       "after": "1",
         *       "hasMore": false
         *     }
         */
        StaticCodes: {
            items: components["schemas"]["StaticCode"][];
            after: string | null;
            hasMore: boolean;
        };
        BoletoVerdict: components["schemas"]["ValidBoleto"] | components["schemas"]["InvalidBoleto"];
        /**
         * @example {
         *       "valid": true,
         *       "barcode": "00191164700000025000000001234567890123456789",
         *       "digitableLine": "00190000090123456789701234567897116470000002500",
         *       "formattedLine": "00190.00009 01234.567897 01234.567897 1 16470000002500",
         *       "bank": "001",
         *       "amount": 2500,
         *       "factor": "1647",
         *       "dueDate": "2026-12-01",
         *       "freeField": "0000001234567890123456789",
         *       "currency": "BRL"
         *     }
         */
        ValidBoleto: {
            /** @enum {boolean} */
            valid: true;
            /** @description 44 digits. */
            barcode: string;
            /** @description 47 digits. */
            digitableLine: string;
            /** @description The same as a slip prints it. */
            formattedLine: string;
            /** @description Three digits (COMPE). */
            bank: string;
            /** @description Centavos, without fine, interest and discount; null where it is 0. */
            amount: number | null;
            currency: string;
            /** @description Four digits (fator de vencimento). */
            factor: string;
            /**
             * Format: date
             * @description Null below factor 1000. A factor comes back every 9,000 days: this is its last date up to 5,500 days from today.
             */
            dueDate: string | null;
            /** @description 25 digits, the bank's own (campo livre). */
            freeField: string;
        };
        /**
         * @example {
         *       "valid": false,
         *       "reasons": [
         *         {
         *           "reason": "bad_field_1",
         *           "detail": "The check digit of the first field (digit 10) does not match: the field was mistyped."
         *         }
         *       ]
         *     }
         */
        InvalidBoleto: {
            /** @enum {boolean} */
            valid: false;
            /** @description Every rule that the code breaks. */
            reasons: {
                /**
                 * @description Stable.
                 * @enum {string}
                 */
                reason: "bad_character" | "arrecadacao" | "wrong_length" | "wrong_currency" | "bad_field_1" | "bad_field_2" | "bad_field_3" | "bad_check_digit";
                /** @description The same in a sentence for people. */
                detail: string;
            }[];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "E00000000202611211201a1b2c3d4e5f:D1",
         *           "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *           "paymentId": null,
         *           "reason": "MED_FRAUD",
         *           "amount": 2500,
         *           "held": 2500,
         *           "status": "open",
         *           "deadline": "2026-11-28T12:00:00.000Z",
         *           "openedAt": "2026-11-21T12:00:00.000Z",
         *           "updatedAt": "2026-11-21T12:00:00.000Z",
         *           "evidence": null,
         *           "response": null
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        Disputes: {
            items: components["schemas"]["Dispute"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": "E00000000202611211201a1b2c3d4e5f:D1",
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "paymentId": null,
         *       "reason": "MED_FRAUD",
         *       "amount": 2500,
         *       "held": 2500,
         *       "status": "open",
         *       "deadline": "2026-11-28T12:00:00.000Z",
         *       "openedAt": "2026-11-21T12:00:00.000Z",
         *       "updatedAt": "2026-11-21T12:00:00.000Z",
         *       "evidence": null,
         *       "response": null
         *     }
         */
        Dispute: {
            /** @description The provider's id, as in `dispute.id` of a transaction. */
            id: string;
            /**
             * Format: uuid
             * @description Null where it is about a payment that nobody expected.
             */
            transactionId: string | null;
            /** @description The payment that nobody expected; null for a transaction's. */
            paymentId: string | null;
            /** @enum {string} */
            reason: "MED_FRAUD" | "MED_OPERATIONAL_FAILURE" | "MED_AUTOMATIC_PIX" | "CHARGEBACK" | "OTHER";
            /** @description centavos; what is asked back */
            amount: number;
            /** @description centavos; what of it is blocked while it is open */
            held: number;
            /** @enum {string} */
            status: "open" | "won" | "lost";
            /**
             * Format: date-time
             * @description Until when evidence is accepted: the provider's, for a MED by default seven days after it was opened; null where nobody says.
             */
            deadline: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            updatedAt: string;
            evidence: components["schemas"]["DisputeEvidence"] | null;
            response: components["schemas"]["DisputeResponse"] | null;
        };
        /** @description Without `pii:read` the text, the values in `delivery` and the names of files are masked. */
        DisputeEvidence: {
            text: string | null;
            links: string[];
            /** @description The proof of delivery, in the merchant's own fields. */
            delivery: {
                [key: string]: unknown;
            } | null;
            files: components["schemas"]["DisputeEvidenceFile"][];
            /** Format: date-time */
            submittedAt: string;
        };
        DisputeEvidenceFile: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description By the content.
             * @enum {string}
             */
            type: "application/pdf" | "image/jpeg" | "image/png";
            bytes: number;
            /** @description Of the content, hex. */
            sha256: string;
            /** Format: date-time */
            addedAt: string;
        };
        /** @description The newest dossier that was sent to the bank. */
        DisputeResponse: {
            /**
             * Format: uuid
             * @description What the bank knows it by.
             */
            id: string;
            /** @description Of the dossiers sent for this dispute, from 1. */
            version: number;
            /**
             * @description `sending`: whether the bank has it is not known yet. `accepted`: the payer's bank gave up. `refused`: the bank did not take it, or decided for the payer. `withdrawn`: the case ended without a decision. `not_sent`: it does not have it, and it is too late. `no_answer`: it never said whether it has it, and the dispute is over.
             * @enum {string}
             */
            status: "sending" | "received" | "under_analysis" | "accepted" | "refused" | "withdrawn" | "not_sent" | "no_answer";
            /** @description The bank's own words. */
            answer: string | null;
            /** Format: date-time */
            sentAt: string;
            /**
             * Format: date-time
             * @description When the bank's word last changed.
             */
            answeredAt: string | null;
        };
        DisputeEnvelope: {
            data: components["schemas"]["Dispute"];
        };
        /**
         * @description At most 16 KB in all, with what was sent before. A field that is sent replaces the earlier one, one that is left out stays; `""`, `[]` and `{}` remove one.
         * @example {
         *       "text": "The customer got the goods.",
         *       "links": [
         *         "https://loja.example.com/pedidos/1001"
         *       ],
         *       "delivery": {
         *         "carrier": "Correios",
         *         "trackingCode": "AA123456785BR",
         *         "deliveredAt": "2026-11-20"
         *       }
         *     }
         */
        SubmitEvidence: {
            text?: string;
            links?: string[];
            /** @description The proof of delivery, in the merchant's own fields. */
            delivery?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "type": "dispute_dossier",
         *       "company": {
         *         "id": 1,
         *         "name": "Loja Exemplo"
         *       },
         *       "dispute": {
         *         "id": "E00000000202611211201a1b2c3d4e5f:D1",
         *         "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *         "paymentId": null,
         *         "reason": "MED_FRAUD",
         *         "amount": 2500,
         *         "held": 2500,
         *         "status": "open",
         *         "deadline": "2026-11-28T12:00:00.000Z",
         *         "openedAt": "2026-11-21T12:00:00.000Z",
         *         "updatedAt": "2026-11-21T12:00:00.000Z"
         *       },
         *       "transaction": {
         *         "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *         "externalRef": "pedido-1001",
         *         "amount": 2500,
         *         "amountText": "R$ 25,00",
         *         "paidAmount": null,
         *         "underpaid": false,
         *         "refundedAmount": 0,
         *         "providerCompanyId": "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
         *         "companyId": 1,
         *         "installments": 1,
         *         "paymentMethod": "PIX",
         *         "status": "WAITING_PAYMENT",
         *         "postbackUrl": "https://loja.example.com/webhooks",
         *         "metadata": "{\"pedido\":1001}",
         *         "traceable": true,
         *         "secureId": "AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *         "secureUrl": "https://pay.example.com/checkout/AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *         "currency": "BRL",
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "updatedAt": "2026-11-21T12:00:00.000Z",
         *         "ip": "203.0.113.7",
         *         "endToEndId": null,
         *         "externalNsu": null,
         *         "pix": {
         *           "qrcode": "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a1fda45e008d2c9f316b1f0c000001520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***63048B1E",
         *           "url": null,
         *           "expirationDate": "2026-11-22T12:00:00.000Z"
         *         }
         *       },
         *       "payer": {
         *         "externalId": "pedido-1001",
         *         "name": "Maria da Silva",
         *         "email": "maria@example.com",
         *         "phone": "+5511987654321",
         *         "documentNumber": "12345678909",
         *         "documentType": "CPF",
         *         "address": {
         *           "street": "Rua das Flores",
         *           "streetNumber": "10",
         *           "complement": "",
         *           "zipCode": "01001000",
         *           "neighborhood": "Centro",
         *           "city": "São Paulo",
         *           "state": "SP",
         *           "country": "BR"
         *         },
         *         "paidBy": null,
         *         "payerMatch": null
         *       },
         *       "items": [
         *         {
         *           "title": "Caneca",
         *           "unitPrice": 2500,
         *           "quantity": 1,
         *           "tangible": true,
         *           "externalRef": "sku-7"
         *         }
         *       ],
         *       "timeline": [
         *         {
         *           "kind": "created",
         *           "at": "2026-11-21T12:00:00.000Z",
         *           "amount": 2500,
         *           "currency": "BRL",
         *           "paymentMethod": "PIX",
         *           "expiresAt": "2026-11-22T12:00:00.000Z"
         *         }
         *       ],
         *       "postings": [],
         *       "webhooks": [],
         *       "evidence": null,
         *       "leftOut": {
         *         "timeline": 0,
         *         "postings": 0,
         *         "webhooks": 0,
         *         "items": 0
         *       },
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "signature": {
         *         "algorithm": "Ed25519",
         *         "keyId": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
         *         "publicKey": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
         *         "signedAt": "2026-11-22T12:30:00.000Z",
         *         "value": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw=="
         *       }
         *     }
         */
        Dossier: {
            /** @enum {string} */
            type: "dispute_dossier";
            company: components["schemas"]["DocumentCompany"];
            dispute: {
                /** @description The provider's id, as in `dispute.id` of a transaction. */
                id: string;
                /**
                 * Format: uuid
                 * @description Null where it is about a payment that nobody expected.
                 */
                transactionId: string | null;
                /** @description The payment that nobody expected; null for a transaction's. */
                paymentId: string | null;
                /** @enum {string} */
                reason: "MED_FRAUD" | "MED_OPERATIONAL_FAILURE" | "MED_AUTOMATIC_PIX" | "CHARGEBACK" | "OTHER";
                /** @description centavos; what is asked back */
                amount: number;
                /** @description centavos; what of it is blocked while it is open */
                held: number;
                /** @enum {string} */
                status: "open" | "won" | "lost";
                /**
                 * Format: date-time
                 * @description Until when evidence is accepted: the provider's, for a MED by default seven days after it was opened; null where nobody says.
                 */
                deadline: string | null;
                /** Format: date-time */
                openedAt: string;
                /** Format: date-time */
                updatedAt: string;
            };
            transaction: components["schemas"]["Transaction"] | null;
            payer: components["schemas"]["DossierPayer"] | null;
            items: components["schemas"]["Item"][];
            /** @description As the transaction's timeline, without the attempts. */
            timeline: (components["schemas"]["TimelineCreated"] | components["schemas"]["TimelineAnswered"] | components["schemas"]["TimelinePayment"] | components["schemas"]["TimelineOperation"] | components["schemas"]["TimelineDispute"] | components["schemas"]["TimelineMove"] | components["schemas"]["TimelineMovement"] | components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineAttempt"] | components["schemas"]["TimelineReminder"])[];
            postings: components["schemas"]["DossierPosting"][];
            /** @description Null without the scope `webhooks:read`. */
            webhooks: components["schemas"]["DossierWebhook"][] | null;
            evidence: components["schemas"]["DisputeEvidence"] | null;
            /** @description The lists have at most 200, 100, 100, 100. */
            leftOut: {
                /** @description How many of the list's middle are left out. */
                timeline: number;
                /** @description How many of the list's middle are left out. */
                postings: number;
                /** @description How many of the list's middle are left out. */
                webhooks: number;
                /** @description How many of the list's middle are left out. */
                items: number;
            };
            /** Format: date-time */
            createdAt: string;
            signature: components["schemas"]["DocumentSignature"];
        };
        DocumentCompany: {
            id: number;
            name: string;
        };
        /** @description The customer of the charge; masked without `pii:read`. */
        DossierPayer: {
            externalId: string | null;
            name: string;
            email: string;
            phone: string;
            documentNumber: string;
            documentType: string;
            address: {
                [key: string]: string;
            };
            /** @description Who paid, as the PSP says; null where it does not. */
            paidBy: components["schemas"]["PaidBy"] | null;
            /** @enum {string|null} */
            payerMatch: "matches" | "differs" | "unknown" | null;
        };
        DossierPosting: {
            /** @description Of the movement in the company's ledger. */
            movement: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            type: "charge_paid" | "credit_released" | "payment_suspended" | "suspense_returned" | "suspense_credited" | "refund_requested" | "refund_done" | "refund_failed" | "refund_external" | "dispute_opened" | "dispute_won" | "dispute_lost" | "dispute_reduced" | "chargeback" | "chargeback_reversed";
            postings: {
                /** @enum {string} */
                account: "available" | "awaiting" | "blocked" | "payout" | "debt" | "suspense" | "fees" | "provider";
                amount: number;
            }[];
            /** @description SHA-256 of the movement and of the hash before it, as in the statement: an anchor proves it. */
            hash: string;
        };
        DossierWebhook: {
            id: string;
            /** @enum {string} */
            type: "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored" | "webhook.test";
            sequence: number;
            /** Format: date-time */
            at: string;
            deliveries: {
                id: string;
                /** @description `postback` (the transaction's `postbackUrl`), or the id of a webhook endpoint. */
                target: string;
                /** @enum {string} */
                status: "pending" | "delivered" | "superseded" | "stopped" | "exhausted";
                attempts: number;
                tries: {
                    number: number;
                    /** Format: date-time */
                    at: string;
                    durationMs: number;
                    httpStatus: number | null;
                    fault: string | null;
                }[];
            }[];
        };
        DocumentSignature: {
            /** @enum {string} */
            algorithm: "Ed25519";
            /** @description `kid` of one of the company's published webhook keys (RFC 7638). */
            keyId: string;
            /** @description base64url */
            publicKey: string;
            /** Format: date-time */
            signedAt: string;
            /** @description Ed25519 (RFC 8032), base64, over the canonical JSON (RFC 8785) of the document without this member. */
            value: string;
        };
        WebhookEndpoint: {
            url: string;
            /** @description Hosts at which the company's webhooks fail, also those of `postbackUrl`s. Absent if there are none. */
            failingHosts?: components["schemas"]["FailingWebhookHost"][];
        };
        FailingWebhookHost: {
            host: string;
            /** Format: date-time */
            failingSince: string;
            /** Format: date-time */
            lastFailureAt: string;
            /** @description An HTTP status, or why no response came. */
            lastFailure: string;
            /**
             * Format: date-time
             * @description Since when the gateway sends nothing to the host: after five days of failures in a row. Setting the endpoint, or a delivered test, switches it on again.
             */
            offSince: string | null;
        };
        /** @description The URL of the first endpoint; "" for none. */
        SetWebhookEndpointInput: {
            url: string;
        };
        WebhookEndpoints: {
            items: components["schemas"]["WebhookEndpointItem"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": "endpoint_2",
         *       "url": "https://erp.example.com/webhooks",
         *       "events": [
         *         "transaction.paid",
         *         "withdraw.paid"
         *       ],
         *       "description": "ERP"
         *     }
         */
        WebhookEndpointItem: {
            /** @description Also the `target` of its deliveries. `endpoint` is the first, which PUT sets. */
            id: string;
            url: string;
            events: ("*" | "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored")[];
            description: string;
            failingHost?: components["schemas"]["FailingWebhookHost"];
        };
        MadeWebhookEndpointEnvelope: {
            data: components["schemas"]["MadeWebhookEndpoint"];
        };
        MadeWebhookEndpoint: {
            /** @description Also the `target` of its deliveries. `endpoint` is the first, which PUT sets. */
            id: string;
            url: string;
            events: ("*" | "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored")[];
            description: string;
            failingHost?: components["schemas"]["FailingWebhookHost"];
            /** @description Shown once; keep it. */
            secret: string;
        };
        CreateWebhookEndpointInput: {
            /** @description https, port 443, a public DNS name. */
            url: string;
            /** @description The types that go to it; `*` for all, also those that are new later. */
            events: ("*" | "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored")[];
            /** @default  */
            description?: string;
        };
        WebhookEndpointEnvelope: {
            data: components["schemas"]["WebhookEndpointItem"];
        };
        /** @description Omitted fields keep their value. */
        ChangeWebhookEndpointInput: {
            /** @description https, port 443, a public DNS name. */
            url?: string;
            /** @description The types that go to it; `*` for all, also those that are new later. */
            events?: ("*" | "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored")[];
            description?: string;
        };
        RotatedWebhookEndpointEnvelope: {
            data: components["schemas"]["RotatedWebhookEndpoint"];
        };
        RotatedWebhookEndpoint: {
            /** @description Also the `target` of its deliveries. `endpoint` is the first, which PUT sets. */
            id: string;
            url: string;
            events: ("*" | "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored")[];
            description: string;
            failingHost?: components["schemas"]["FailingWebhookHost"];
            /** @description Shown once; keep it. */
            secret: string;
            /**
             * Format: date-time
             * @description The replaced secret signs too until then.
             */
            previousValidUntil: string;
        };
        /**
         * @example {
         *       "overlapHours": 0
         *     }
         */
        RotateWebhookSecretInput: {
            /**
             * @description Earlier secrets sign for at most this long; 0 ends them at once.
             * @default 24
             */
            overlapHours?: number;
        };
        /**
         * @example {
         *       "keys": [
         *         {
         *           "company": 1,
         *           "kty": "OKP",
         *           "crv": "Ed25519",
         *           "alg": "EdDSA",
         *           "use": "sig",
         *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
         *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
         *           "whpk": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
         *         }
         *       ]
         *     }
         */
        WebhookKeys: {
            keys: components["schemas"]["WebhookKey"][];
        };
        WebhookKey: {
            /** @description The first number in a `webhook-id`: 1 in evt_1_42. */
            company: number;
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            crv: "Ed25519";
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            use: "sig";
            /** @description The key's thumbprint (RFC 7638). */
            kid: string;
            /** @description The public key, base64url. */
            x: string;
            /** @description The public key as Standard Webhooks encodes it. */
            whpk: string;
        };
        /**
         * @example {
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
         *       "previousValidUntil": "2026-11-22T12:00:00.000Z"
         *     }
         */
        RotatedWebhookSecret: {
            /** @description Shown once; keep it. */
            secret: string;
            /**
             * Format: date-time
             * @description The replaced secret signs too until then.
             */
            previousValidUntil: string;
        };
        /**
         * @example {
         *       "ended": 1
         *     }
         */
        EndedWebhookSecrets: {
            /** @description How many secrets signed until now. */
            ended: number;
        };
        /**
         * @example {
         *       "verified": true,
         *       "cause": null,
         *       "detail": "The webhook is valid: its headers, body, signature and timestamp are correct.",
         *       "eventId": "evt_1_42"
         *     }
         */
        WebhookDiagnosis: {
            verified: boolean;
            /**
             * @description The first cause; null if verified.
             * @enum {string|null}
             */
            cause: "missing_header" | "malformed_header" | "unknown_event" | "truncated_body" | "reserialised_body" | "changed_body" | "wrong_secret" | "clock_skew" | null;
            /** @description What to change, as a sentence. */
            detail: string;
            /** @description null if it is no event of yours. */
            eventId: string | null;
        };
        ReceivedWebhook: {
            /** @description As received: names in any case, values as text or lists of text. Other headers are ignored. */
            headers: {
                [key: string]: unknown;
            };
            /** @description The raw body as received. */
            body: string;
            /** @description The secret that your code uses. Neither stored nor logged. */
            secret?: string;
            /**
             * Format: date-time
             * @description By your server's clock; by default now.
             */
            receivedAt?: string;
        };
        Deliveries: {
            items: components["schemas"]["Delivery"][];
            after: string | null;
            hasMore: boolean;
        };
        Delivery: {
            id: string;
            eventId: string;
            /** @description `postback` (the transaction's `postbackUrl`), or the id of a webhook endpoint. */
            target: string;
            url: string;
            status: components["schemas"]["DeliveryStatus"];
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "superseded" | "stopped" | "exhausted";
        /** @description `from` and `to`: times of the events, both included. */
        ResendWebhooksInput: {
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            from: string;
            /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
            to: string;
            /**
             * @description Statuses of the deliveries to resend.
             * @default [
             *       "stopped",
             *       "exhausted"
             *     ]
             */
            status?: ("pending" | "delivered" | "superseded" | "stopped" | "exhausted")[];
            /** @description `after` of the last call, to continue. */
            after?: string;
        };
        EventDetail: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /** @enum {string} */
            type: "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored" | "webhook.test";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description As `type` says (`Event`); null of an archived event while the archive cannot be read. */
            data: components["schemas"]["TransactionEventData"] | components["schemas"]["WithdrawEventData"] | components["schemas"]["DisputeEventData"] | components["schemas"]["PaymentEventData"] | components["schemas"]["PaymentLinkEventData"] | components["schemas"]["SubscriptionEventData"] | components["schemas"]["FreezeEventData"] | components["schemas"]["SettingsEventData"] | components["schemas"]["BalanceEventData"] | components["schemas"]["AnchorEventData"] | components["schemas"]["TestEventData"] | null;
            deliveries: {
                id: string;
                eventId: string;
                /** @description `postback` (the transaction's `postbackUrl`), or the id of a webhook endpoint. */
                target: string;
                url: string;
                status: components["schemas"]["DeliveryStatus"];
                attempts: number;
                /** Format: date-time */
                nextAttemptAt: string | null;
                /** Format: date-time */
                updatedAt: string;
                tries: {
                    number: number;
                    /** Format: date-time */
                    createdAt: string;
                    durationMs: number;
                    httpStatus: number | null;
                    /** @description Why no response came. */
                    fault: string | null;
                    /** @description The response's first kibibyte. */
                    answer: string;
                }[];
            }[];
        };
        /**
         * @example {
         *       "url": "https://loja.example.com/webhooks"
         *     }
         */
        TestWebhookInput: {
            /** @description By default the company's first endpoint. The URL of an endpoint is signed by its secret. */
            url?: string;
            /** @description Instead of `url`: an endpoint, whatever it takes. */
            endpointId?: string;
        };
        Events: {
            items: components["schemas"]["Event"][];
            /** @description Send it back as `after`: now or, oldest first, also later. */
            after: string;
            hasMore: boolean;
        };
        /** @description `type` tells the shape of `data`, which are as they were sent: an event of an older release lacks later fields. */
        Event: components["schemas"]["TransactionEvent"] | components["schemas"]["WithdrawEvent"] | components["schemas"]["DisputeEvent"] | components["schemas"]["PaymentEvent"] | components["schemas"]["PaymentLinkEvent"] | components["schemas"]["SubscriptionEvent"] | components["schemas"]["FreezeEvent"] | components["schemas"]["SettingsEvent"] | components["schemas"]["BalanceEvent"] | components["schemas"]["AnchorEvent"] | components["schemas"]["TestEvent"];
        TransactionEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["TransactionEventData"] | null;
        };
        WithdrawEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["WithdrawEventData"] | null;
        };
        DisputeEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dispute.opened" | "dispute.won" | "dispute.lost";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["DisputeEventData"] | null;
        };
        PaymentEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["PaymentEventData"] | null;
        };
        PaymentLinkEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment_link.paid" | "payment_link.exhausted";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["PaymentLinkEventData"] | null;
        };
        SubscriptionEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["SubscriptionEventData"] | null;
        };
        FreezeEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "company.frozen" | "company.unfrozen";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["FreezeEventData"] | null;
        };
        SettingsEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "company.settings_changing";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["SettingsEventData"] | null;
        };
        BalanceEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "balance.released";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["BalanceEventData"] | null;
        };
        AnchorEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ledger.anchored";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["AnchorEventData"] | null;
        };
        TestEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description From 1 without gaps, for each company. */
            companySequence: number;
            /**
             * @description Its data have left the database for the archive (docs/storage.md); else absent.
             * @enum {boolean}
             */
            archived?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            /** @description From 1 without gaps, for each object. */
            sequence: number;
            /** @description null without the scope of the event's object, and of an archived event while the archive cannot be read. */
            data: components["schemas"]["TestEventData"] | null;
        };
        /**
         * @example {
         *       "fees": {
         *         "PIX": {
         *           "basisPoints": 99,
         *           "fixed": 0
         *         },
         *         "BOLETO": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         },
         *         "CREDIT_CARD": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         },
         *         "WITHDRAW": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         }
         *       },
         *       "releaseDays": {
         *         "PIX": 0,
         *         "BOLETO": 1,
         *         "CREDIT_CARD": 30
         *       },
         *       "minimumWithdraw": 1000,
         *       "frozen": true,
         *       "freeze": {
         *         "withdraws": true,
         *         "charges": false,
         *         "since": "2026-11-21T09:00:00.000Z",
         *         "reason": "The bank reports a stolen key."
         *       }
         *     }
         */
        OwnTerms: {
            fees: components["schemas"]["Fees"];
            releaseDays: components["schemas"]["ReleaseDays"];
            /** @description centavos */
            minimumWithdraw: number;
            /** @description Something of the company is refused and not sent. */
            frozen: boolean;
            /** @description null while nothing is frozen. */
            freeze: {
                /** @description Withdraws, refunds, returns and credits. */
                withdraws: boolean;
                /** @description Creates and captures. */
                charges: boolean;
                /** Format: date-time */
                since: string;
                reason: string;
            } | null;
        };
        /**
         * @example {
         *       "PIX": {
         *         "basisPoints": 99,
         *         "fixed": 0
         *       },
         *       "BOLETO": {
         *         "basisPoints": 0,
         *         "fixed": 0
         *       },
         *       "CREDIT_CARD": {
         *         "basisPoints": 0,
         *         "fixed": 0
         *       },
         *       "WITHDRAW": {
         *         "basisPoints": 0,
         *         "fixed": 0
         *       }
         *     }
         */
        Fees: {
            PIX: components["schemas"]["Fee"];
            BOLETO: components["schemas"]["Fee"];
            CREDIT_CARD: components["schemas"]["Fee"];
            WITHDRAW: components["schemas"]["Fee"];
        };
        Fee: {
            /** @description hundredths of a percent */
            basisPoints: number;
            /** @description centavos */
            fixed: number;
        };
        /**
         * @example {
         *       "PIX": 0,
         *       "BOLETO": 1,
         *       "CREDIT_CARD": 30
         *     }
         */
        ReleaseDays: {
            PIX: number;
            BOLETO: number;
            CREDIT_CARD: number;
        };
        /**
         * @example {
         *       "fees": {
         *         "PIX": {
         *           "basisPoints": 99,
         *           "fixed": 0
         *         },
         *         "BOLETO": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         },
         *         "CREDIT_CARD": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         },
         *         "WITHDRAW": {
         *           "basisPoints": 0,
         *           "fixed": 0
         *         }
         *       },
         *       "releaseDays": {
         *         "PIX": 0,
         *         "BOLETO": 1,
         *         "CREDIT_CARD": 30
         *       },
         *       "minimumWithdraw": 1000,
         *       "frozen": false
         *     }
         */
        CompanyTerms: {
            fees: components["schemas"]["Fees"];
            releaseDays: components["schemas"]["ReleaseDays"];
            /** @description centavos */
            minimumWithdraw: number;
            /** @description Something of the company is refused and not sent. */
            frozen: boolean;
        };
        /**
         * @description Omitted fields keep their value. Existing charges keep their terms.
         * @example {
         *       "fees": {
         *         "PIX": {
         *           "basisPoints": 99
         *         }
         *       }
         *     }
         */
        ChangeCompanyTermsInput: {
            fees?: components["schemas"]["ChangeFees"];
            releaseDays?: components["schemas"]["ChangeReleaseDays"];
            minimumWithdraw?: number;
            frozen?: boolean;
        };
        ChangeFees: {
            PIX?: components["schemas"]["ChangeFee"];
            BOLETO?: components["schemas"]["ChangeFee"];
            CREDIT_CARD?: components["schemas"]["ChangeFee"];
            WITHDRAW?: components["schemas"]["ChangeFee"];
        };
        ChangeFee: {
            basisPoints?: number;
            fixed?: number;
        };
        ChangeReleaseDays: {
            PIX?: number;
            BOLETO?: number;
            CREDIT_CARD?: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "account": "first",
         *           "provider": "PixApi",
         *           "host": "pix.bank.example",
         *           "certificateExpiresAt": "2026-12-21T03:00:00.000Z",
         *           "credentialsExpireAt": null,
         *           "failingSince": null
         *         }
         *       ],
         *       "callbackUrls": [
         *         {
         *           "account": "cards",
         *           "provider": "PagarMe",
         *           "url": "https://api.example.com/callbacks/pagarme/8Jp2vQm4Zc6x0a1bT9nKrw"
         *         }
         *       ]
         *     }
         */
        CompanyProviders: {
            items: {
                /** @description The gateway's name of the account. */
                account: string;
                /** @description Whom the account is with; null for one that the company has left. */
                provider: ("Sandbox" | "PixApi" | "EfiCobrancas" | "PagarMe") | null;
                /** @description Where the PSP answers. */
                host: string;
                /** Format: date-time */
                certificateExpiresAt: string | null;
                /** Format: date-time */
                credentialsExpireAt: string | null;
                /**
                 * Format: date-time
                 * @description null while it answers.
                 */
                failingSince: string | null;
            }[];
            /** @description URLs that a person types into a provider's dashboard, which no API takes. They are secret: only for `settings:write`, else empty. */
            callbackUrls: {
                account: string;
                /** @enum {string} */
                provider: "Sandbox" | "PixApi" | "EfiCobrancas" | "PagarMe";
                url: string;
            }[];
        };
        CompanySettings: {
            /** @description Refuse a withdraw to the same key with the same amount within ten minutes. */
            duplicateWithdrawGuard: boolean;
            /** @description centavos a day (America/Sao_Paulo); null for no limit */
            withdrawDailyLimit: number | null;
            /** @description centavos a night, 20:00 to 06:00 (America/Sao_Paulo); null for no limit */
            withdrawNightLimit: number | null;
            /** @description centavos a day to one PIX key (America/Sao_Paulo); null for no limit */
            withdrawKeyDailyLimit: number | null;
            /** @description centavos of a day that nobody approved, above which a withdraw waits for somebody else's approval */
            withdrawApprovalAbove: number | null;
            allowedPixKeys: {
                /** @description Allow withdraws only to the main PIX key and the company's listed keys. */
                enforced: boolean;
                /** @description Hours until a key that is added counts. */
                coolDownHours: number;
            };
            /** @description centavos a day that go back to payers: refunds and returns (America/Sao_Paulo); null for no limit */
            refundDailyLimit: number | null;
            /** @description centavos of a day that nobody approved, above which a refund or return waits for approval */
            refundApprovalAbove: number | null;
            roleLimits: components["schemas"]["RoleLimits"];
            unexpectedPayments: components["schemas"]["UnexpectedPaymentRules"];
            /** @description Days after a charge's end until its payer's data are erased, at least 90; null for never */
            retentionDays: number | null;
            brand: components["schemas"]["Brand"];
            /** @description Origins whose pages may show the checkout in a frame (docs/checkout.md). */
            embedOrigins: string[];
            reminders: components["schemas"]["Reminders"];
            pending: components["schemas"]["PendingSettings"];
        };
        /**
         * @description centavos a day that each person of a role sends back; null for no limit
         * @example {
         *       "support": {
         *         "refundDailyLimit": 50000
         *       }
         *     }
         */
        RoleLimits: {
            owner?: components["schemas"]["RoleLimit"];
            admin?: components["schemas"]["RoleLimit"];
            finance?: components["schemas"]["RoleLimit"];
            support?: components["schemas"]["RoleLimit"];
            developer?: components["schemas"]["RoleLimit"];
            viewer?: components["schemas"]["RoleLimit"];
            cashier?: components["schemas"]["RoleLimit"];
        };
        RoleLimit: {
            refundDailyLimit: number | null;
        };
        /**
         * @description What becomes of a payment that no charge expected as it came, by its reason.
         * @example {
         *       "SECOND_PAYMENT": "keep",
         *       "LATE": "credit",
         *       "NO_CHARGE": "keep",
         *       "WRONG_AMOUNT": "credit"
         *     }
         */
        UnexpectedPaymentRules: {
            /** @enum {string} */
            SECOND_PAYMENT: "keep" | "credit" | "return";
            /** @enum {string} */
            LATE: "keep" | "credit" | "return";
            /** @enum {string} */
            NO_CHARGE: "keep" | "credit" | "return";
            /** @enum {string} */
            WRONG_AMOUNT: "keep" | "credit" | "return";
        };
        /**
         * @description How payers see the company (docs/checkout.md).
         * @example {
         *       "name": "Padaria Pão Quente",
         *       "color": "#0b6b4f",
         *       "logoUrl": "https://padaria.example.com/logo.png"
         *     }
         */
        Brand: {
            /** @description null: the company's own name */
            name: string | null;
            /** @description null: the gateway's colour */
            color: string | null;
            logoUrl: string | null;
        };
        /**
         * @description E-mails to the payers of open charges, by the due day, where `email` is true. For charges made from now on.
         * @example {
         *       "email": true,
         *       "daysBefore": [
         *         1
         *       ],
         *       "daysAfter": [
         *         3
         *       ],
         *       "quietHours": {
         *         "from": 20,
         *         "to": 8
         *       }
         *     }
         */
        Reminders: {
            email: boolean;
            /** @description 0 is the due day itself */
            daysBefore: number[];
            daysAfter: number[];
            quietHours: components["schemas"]["QuietHours"];
        };
        /** @description America/Sao_Paulo, `from` included, `to` not */
        QuietHours: {
            from: number;
            to: number;
        };
        /** @description Loosened, and in effect from `effectiveAt` unless somebody refuses it. */
        PendingSettings: {
            field: string;
            /** @description What holds until then. */
            from?: unknown;
            to?: unknown;
            /** Format: date-time */
            effectiveAt: string;
        }[];
        /** @description Omitted fields keep their value. */
        ChangeCompanySettingsInput: {
            duplicateWithdrawGuard?: boolean;
            withdrawDailyLimit?: number | null;
            withdrawNightLimit?: number | null;
            withdrawKeyDailyLimit?: number | null;
            withdrawApprovalAbove?: number | null;
            allowedPixKeys?: components["schemas"]["ChangeAllowedPixKeys"];
            refundDailyLimit?: number | null;
            refundApprovalAbove?: number | null;
            roleLimits?: components["schemas"]["ChangeRoleLimits"];
            unexpectedPayments?: components["schemas"]["ChangeUnexpectedPaymentRules"];
            retentionDays?: number | null;
            brand?: components["schemas"]["ChangeBrand"];
            /** @description The whole list, at most 10: scheme, host and port of each, https. An empty list forbids frames. */
            embedOrigins?: string[];
            reminders?: components["schemas"]["ChangeReminders"];
        };
        ChangeAllowedPixKeys: {
            enforced?: boolean;
            coolDownHours?: number;
        };
        /**
         * @example {
         *       "support": {
         *         "refundDailyLimit": 50000
         *       }
         *     }
         */
        ChangeRoleLimits: {
            owner?: components["schemas"]["ChangeRoleLimit"];
            admin?: components["schemas"]["ChangeRoleLimit"];
            finance?: components["schemas"]["ChangeRoleLimit"];
            support?: components["schemas"]["ChangeRoleLimit"];
            developer?: components["schemas"]["ChangeRoleLimit"];
            viewer?: components["schemas"]["ChangeRoleLimit"];
            cashier?: components["schemas"]["ChangeRoleLimit"];
        };
        ChangeRoleLimit: {
            refundDailyLimit: number | null;
        };
        ChangeUnexpectedPaymentRules: {
            /** @enum {string} */
            SECOND_PAYMENT?: "keep" | "credit" | "return";
            /** @enum {string} */
            LATE?: "keep" | "credit" | "return";
            /** @enum {string} */
            NO_CHARGE?: "keep" | "credit" | "return";
            /** @enum {string} */
            WRONG_AMOUNT?: "keep" | "credit" | "return";
        };
        /**
         * @description null removes a part. A colour that could not be read is shown darker or lighter.
         * @example {
         *       "name": "Padaria Pão Quente",
         *       "color": "#0b6b4f",
         *       "logoUrl": "https://padaria.example.com/logo.png"
         *     }
         */
        ChangeBrand: {
            name?: string | null;
            color?: string | null;
            logoUrl?: string | null;
        };
        /**
         * @description E-mails to the payers of open charges, by the due day, where `email` is true. For charges made from now on.
         * @example {
         *       "email": true,
         *       "daysBefore": [
         *         1
         *       ],
         *       "daysAfter": [
         *         3
         *       ],
         *       "quietHours": {
         *         "from": 20,
         *         "to": 8
         *       }
         *     }
         */
        ChangeReminders: {
            email: boolean;
            daysBefore: number[];
            daysAfter: number[];
            quietHours: components["schemas"]["ChangeQuietHours"];
        };
        ChangeQuietHours: {
            from: number;
            to: number;
        };
        Applications: {
            items: components["schemas"]["Application"][];
            after: string | null;
            hasMore: boolean;
        };
        Application: {
            /** @description The client id. */
            id: string;
            clientId: string;
            name: string;
            scopes: components["schemas"]["Scope"][];
            networks: string[] | null;
            /** Format: date-time */
            expiresAt: string | null;
            spendingLimits: components["schemas"]["SpendingLimits"];
            mandate: components["schemas"]["SpendingLimits"] & unknown;
            /** @description centavos that it sends back a day */
            refundDailyLimit: number | null;
            pending: components["schemas"]["PendingSettings"];
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        Scope: "transactions:read" | "transactions:write" | "refunds:write" | "withdraws:read" | "withdraws:write" | "withdraws:approve" | "balance:read" | "webhooks:read" | "webhooks:write" | "settings:write" | "payments:write" | "disputes:write" | "keys:write" | "people:write" | "pii:read" | "cashier:write";
        /**
         * @example {
         *       "dailyLimit": 500000,
         *       "pixKeys": [
         *         "maria@example.com"
         *       ],
         *       "until": "2027-11-21T12:00:00.000Z"
         *     }
         */
        SpendingLimits: {
            /** @description centavos a day */
            dailyLimit: number | null;
            pixKeys: string[] | null;
            /** Format: date-time */
            until: string | null;
        } | null;
        ApplicationEnvelope: {
            data: components["schemas"]["Application"];
        };
        CreateApplicationInput: {
            name: string;
            scopes: ("transactions:read" | "transactions:write" | "refunds:write" | "withdraws:read" | "withdraws:write" | "withdraws:approve" | "balance:read" | "webhooks:read" | "webhooks:write" | "settings:write" | "payments:write" | "disputes:write" | "keys:write" | "people:write" | "pii:read" | "cashier:write")[];
            /** @description CIDR networks that requests may come from; null for any. */
            networks?: string[] | null;
            /** Format: date-time */
            expiresAt?: string | null;
            spendingLimits?: components["schemas"]["SetSpendingLimits"];
            mandate?: components["schemas"]["SetSpendingLimits"] & unknown;
            /** @description centavos that it sends back a day (America/Sao_Paulo); null for no limit */
            refundDailyLimit?: number | null;
        };
        /**
         * @description Limits of its withdraws, beside the company's policy; null for none.
         * @example {
         *       "dailyLimit": 500000,
         *       "pixKeys": [
         *         "maria@example.com"
         *       ],
         *       "until": "2027-11-21T12:00:00.000Z"
         *     }
         */
        SetSpendingLimits: {
            /** @description centavos a day (America/Sao_Paulo) */
            dailyLimit?: number | null;
            pixKeys?: string[] | null;
            /** Format: date-time */
            until?: string | null;
        } | null;
        /** @description Omitted fields keep their value. null removes a limit. */
        ChangeApplicationInput: {
            name?: string;
            scopes?: ("transactions:read" | "transactions:write" | "refunds:write" | "withdraws:read" | "withdraws:write" | "withdraws:approve" | "balance:read" | "webhooks:read" | "webhooks:write" | "settings:write" | "payments:write" | "disputes:write" | "keys:write" | "people:write" | "pii:read" | "cashier:write")[];
            /** @description CIDR networks that requests may come from; null for any. */
            networks?: string[] | null;
            /** Format: date-time */
            expiresAt?: string | null;
            spendingLimits?: components["schemas"]["SetSpendingLimits"];
            mandate?: components["schemas"]["SetSpendingLimits"] & unknown;
            /** @description centavos that it sends back a day (America/Sao_Paulo); null for no limit */
            refundDailyLimit?: number | null;
        };
        ApiKeys: {
            items: components["schemas"]["ApiKey"][];
            after: string | null;
            hasMore: boolean;
        };
        ApiKey: {
            id: number;
            /** @description The key's application. */
            clientId: string;
            /** @description The key's first characters. */
            prefix: string;
            /**
             * Format: date-time
             * @description To the hour; null if it was never used.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null if the key does not expire
             */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        IssuedApiKeyEnvelope: {
            data: components["schemas"]["IssuedApiKey"];
        };
        IssuedApiKey: {
            id: number;
            /** @description The key's application. */
            clientId: string;
            /** @description The key's first characters. */
            prefix: string;
            /**
             * Format: date-time
             * @description To the hour; null if it was never used.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null if the key does not expire
             */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description Shown once; keep it. */
            key: string;
        };
        IssueKey: {
            /**
             * @description Hours until the application's other keys expire; 0 for at once.
             * @default 24
             */
            overlapHours?: number;
            /** Format: date-time */
            expiresAt?: string | null;
        };
        ApiKeyEnvelope: {
            data: components["schemas"]["ApiKey"];
        };
        /**
         * @example {
         *       "data": {
         *         "company": {
         *           "id": 1,
         *           "name": "Loja Exemplo",
         *           "mode": "sandbox",
         *           "frozen": false
         *         },
         *         "application": {
         *           "id": "app_kq3vX9r2TfWm0sZbY1hUeA",
         *           "name": "Shop",
         *           "scopes": [
         *             "transactions:read",
         *             "transactions:write"
         *           ],
         *           "spendingLimits": null
         *         },
         *         "serverTime": "2026-11-21T12:00:00.000Z",
         *         "timezone": "America/Sao_Paulo"
         *       }
         *     }
         */
        Me: {
            data: {
                company: {
                    /** @description What the contract's balance asks for. */
                    id: number;
                    name: string;
                    /** @enum {string} */
                    mode: "sandbox" | "live";
                    /** @description Whether operators stopped its withdraws or its charges. */
                    frozen: boolean;
                };
                application: {
                    /** @description The client id. */
                    id: string;
                    name: string;
                    scopes: components["schemas"]["Scope"][];
                    spendingLimits: components["schemas"]["SpendingLimits"];
                };
                /** Format: date-time */
                serverTime: string;
                /** @description Of every day without a time. */
                timezone: string;
            };
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "at": "2026-11-21T12:00:00.000Z",
         *           "traceId": "0af7651916cd43dd8448eb211c80319c",
         *           "action": "endpoint.change",
         *           "target": "company:1",
         *           "actor": {
         *             "kind": "application",
         *             "id": "app_local_loja",
         *             "name": "default"
         *           },
         *           "code": null
         *         }
         *       ]
         *     }
         */
        RequestLogs: {
            items: components["schemas"]["RequestStep"][];
        };
        /**
         * @example {
         *       "at": "2026-11-21T12:00:00.000Z",
         *       "traceId": "0af7651916cd43dd8448eb211c80319c",
         *       "action": "endpoint.change",
         *       "target": "company:1",
         *       "actor": {
         *         "kind": "application",
         *         "id": "app_local_loja",
         *         "name": "default"
         *       },
         *       "code": null
         *     }
         */
        RequestStep: {
            /** Format: date-time */
            at: string;
            traceId: string | null;
            /** @description `transaction.create`, or an action of the audit trail. `.refused` ends a refusal. */
            action: string;
            /** @description What it was done to: its kind and its id. */
            target: string;
            /** @description Who asked; null of a charge, which does not keep it. */
            actor: {
                /** @enum {string} */
                kind: "application" | "person" | "operator" | "task";
                id: string;
                name: string;
            } | null;
            /** @description The problem's code of a refusal. */
            code: string | null;
        };
        /**
         * @example {
         *       "data": {
         *         "traceId": "0af7651916cd43dd8448eb211c80319c",
         *         "items": [
         *           {
         *             "at": "2026-11-21T12:00:00.000Z",
         *             "traceId": "0af7651916cd43dd8448eb211c80319c",
         *             "action": "endpoint.change",
         *             "target": "company:1",
         *             "actor": {
         *               "kind": "application",
         *               "id": "app_local_loja",
         *               "name": "default"
         *             },
         *             "code": null
         *           }
         *         ],
         *         "searchedFrom": null
         *       }
         *     }
         */
        RequestLog: {
            data: {
                traceId: string;
                /** @description Oldest first. */
                items: components["schemas"]["RequestStep"][];
                /**
                 * Format: date-time
                 * @description How far back was looked; send it as `to` to look further. Null: nothing is older.
                 */
                searchedFrom: string | null;
            };
        };
        People: {
            items: components["schemas"]["Member"][];
            invitations: components["schemas"]["Invitation"][];
        };
        Member: {
            id: string;
            name: string;
            email: string;
            role: components["schemas"]["PersonRole"];
            /**
             * Format: date-time
             * @description When the person joined the company.
             */
            createdAt: string;
            /** @description An authenticator app or a passkey. */
            hasSecondFactor: boolean;
        };
        /** @enum {string} */
        PersonRole: "owner" | "admin" | "finance" | "support" | "developer" | "viewer" | "cashier";
        /**
         * @example {
         *       "id": "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42",
         *       "email": "maria@example.com",
         *       "role": "finance",
         *       "createdAt": "2026-11-21T12:00:00.000Z",
         *       "expiresAt": "2026-11-28T12:00:00.000Z"
         *     }
         */
        Invitation: {
            id: string;
            email: string;
            role: components["schemas"]["PersonRole"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /**
         * @example {
         *       "data": {
         *         "id": "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42",
         *         "email": "maria@example.com",
         *         "role": "finance",
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "expiresAt": "2026-11-28T12:00:00.000Z",
         *         "url": "https://pay.example.com/console/invitation/mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU"
         *       }
         *     }
         */
        MadeInvitation: {
            data: {
                id: string;
                email: string;
                role: components["schemas"]["PersonRole"];
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /** @description The link, shown once. It works once. */
                url: string;
            };
        };
        InvitePersonInput: {
            email: string;
            role: components["schemas"]["PersonRole"];
        };
        OneInvitation: {
            data: components["schemas"]["Invitation"];
        };
        OneMember: {
            data: components["schemas"]["Member"];
        };
        ChangePersonInput: {
            role: components["schemas"]["PersonRole"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42",
         *           "name": "Paid, from R$ 100",
         *           "filters": {
         *             "status": "PAID",
         *             "amountFrom": "100,00"
         *           },
         *           "createdAt": "2026-11-21T12:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        SavedViews: {
            items: components["schemas"]["SavedView"][];
        };
        /**
         * @example {
         *       "id": "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42",
         *       "name": "Paid, from R$ 100",
         *       "filters": {
         *         "status": "PAID",
         *         "amountFrom": "100,00"
         *       },
         *       "createdAt": "2026-11-21T12:00:00.000Z"
         *     }
         */
        SavedView: {
            id: string;
            name: string;
            filters: components["schemas"]["PaymentFilters"];
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @description The filters of the console's list of payments, as they stand in its address. Days are those of America/Sao_Paulo.
         * @example {
         *       "status": "PAID",
         *       "amountFrom": "100,00"
         *     }
         */
        PaymentFilters: {
            /** @enum {string} */
            status?: "PENDING" | "PAID" | "FAILED" | "CANCELLED" | "REFUNDED";
            /** @enum {string} */
            paymentMethod?: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @enum {string} */
            failureCode?: "KEY_NOT_FOUND" | "KEY_OWNER_MISMATCH" | "ACCOUNT_INVALID" | "ACCOUNT_CLOSED" | "ACCOUNT_BLOCKED" | "REFUSED_BY_BANK" | "FRAUD_SUSPECTED" | "BANK_UNAVAILABLE" | "LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS_AT_PROVIDER" | "TIMED_OUT" | "PROVIDER_REFUSED" | "REMOVED_BY_PROVIDER" | "NOT_RECEIVED_BY_PROVIDER" | "AUTHORIZATION_ENDED" | "DECIDED_BY_OPERATOR" | "LINK_UNAVAILABLE" | "DEBIT_FAILED" | "CARD_TOKEN_EXPIRED" | "CARD_DECLINED" | "INSUFFICIENT_FUNDS" | "EXPIRED_CARD" | "INCORRECT_CVV" | "UNKNOWN";
            /** Format: date */
            from?: string;
            /** Format: date */
            to?: string;
            /** Format: date */
            paidFrom?: string;
            /** Format: date */
            paidTo?: string;
            /** @description reais, as typed */
            amountFrom?: string;
            /** @description reais, as typed */
            amountTo?: string;
            externalRef?: string;
            endToEndId?: string;
            id?: string;
        };
        OneSavedView: {
            data: components["schemas"]["SavedView"];
        };
        /**
         * @example {
         *       "name": "Paid, from R$ 100",
         *       "filters": {
         *         "status": "PAID",
         *         "amountFrom": "100,00"
         *       }
         *     }
         */
        SaveView: {
            name: string;
            filters: components["schemas"]["PaymentFilters"];
        };
        /**
         * @example {
         *       "name": "Paid, from R$ 100"
         *     }
         */
        RenameView: {
            name: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": 1,
         *           "pixKey": "maria@example.com",
         *           "pixKeyType": "EMAIL",
         *           "addedAt": "2026-11-21T12:00:00.000Z",
         *           "countsFrom": "2026-11-22T12:00:00.000Z"
         *         }
         *       ],
         *       "after": "1",
         *       "hasMore": false
         *     }
         */
        AllowedPixKeys: {
            items: components["schemas"]["AllowedPixKey"][];
            after: string | null;
            hasMore: boolean;
        };
        /**
         * @example {
         *       "id": 1,
         *       "pixKey": "maria@example.com",
         *       "pixKeyType": "EMAIL",
         *       "addedAt": "2026-11-21T12:00:00.000Z",
         *       "countsFrom": "2026-11-22T12:00:00.000Z"
         *     }
         */
        AllowedPixKey: {
            id: number;
            pixKey: string;
            pixKeyType: components["schemas"]["PixKeyType"];
            /** Format: date-time */
            addedAt: string;
            /**
             * Format: date-time
             * @description The end of its cool-down.
             */
            countsFrom: string;
        };
        AddedPixKey: {
            data: components["schemas"]["AllowedPixKey"];
        };
        /**
         * @example {
         *       "pixKey": "maria@example.com",
         *       "pixKeyType": "EMAIL"
         *     }
         */
        AddPixKey: {
            pixKey: string;
            /** @enum {string} */
            pixKeyType?: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";
        };
        /**
         * @example {
         *       "data": {
         *         "id": 1,
         *         "removed": true
         *       }
         *     }
         */
        RemovedPixKey: {
            data: {
                id: number;
                /** @enum {boolean} */
                removed: true;
            };
        };
        WithdrawPolicyBacktestResult: {
            data: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                /** @description Withdraws that kept their money. */
                checked: number;
                stopped: {
                    withdrawId: number;
                    /** @description centavos */
                    amount: number;
                    /** Format: date-time */
                    createdAt: string;
                    rule: string;
                }[];
                stoppedCount: number;
                /** @description centavos */
                stoppedAmount: number;
                /** @description Only the newest 10,000 withdraws were read (`from` tells since when), or `stopped` lists only the newest 1,000 of `stoppedCount`. */
                truncated: boolean;
            };
        };
        /**
         * @description Omitted settings are the company's own.
         * @example {
         *       "settings": {
         *         "withdrawDailyLimit": 5000000,
         *         "withdrawApprovalAbove": 1000000
         *       }
         *     }
         */
        WithdrawPolicyBacktest: {
            settings: {
                duplicateWithdrawGuard?: boolean;
                withdrawDailyLimit?: number | null;
                withdrawNightLimit?: number | null;
                withdrawKeyDailyLimit?: number | null;
                withdrawApprovalAbove?: number | null;
                allowedPixKeys?: components["schemas"]["ChangeAllowedPixKeys"];
            };
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "companyId": 1,
         *           "sequence": 1,
         *           "at": "2026-11-22T12:00:00.000Z",
         *           "actor": {
         *             "kind": "application",
         *             "id": "app_local_loja",
         *             "name": "default"
         *           },
         *           "keyPrefix": "sk_live_mZ1c",
         *           "action": "endpoint.change",
         *           "target": "company:1",
         *           "before": {
         *             "url": ""
         *           },
         *           "after": {
         *             "url": "https://loja.example.com/webhooks"
         *           },
         *           "reason": null,
         *           "address": "203.0.113.7",
         *           "traceId": "0af7651916cd43dd8448eb211c80319c",
         *           "hash": "5a1f6a1f0b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6"
         *         }
         *       ],
         *       "after": null,
         *       "hasMore": false
         *     }
         */
        AuditTrail: {
            items: components["schemas"]["AuditEntry"][];
            after: string | null;
            hasMore: boolean;
        };
        AuditEntry: {
            /** @description The trail's company; 0 is the gateway itself. */
            companyId: number;
            /** @description 1, 2, 3, ... without gaps. */
            sequence: number;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "application" | "person" | "operator" | "task";
                /** @description A client id, a person's id, or a task's name. */
                id: string;
                name: string;
            };
            /** @description The first characters of the key that was presented. */
            keyPrefix: string | null;
            /** @description What was asked for, before it is done. A later `<action>.refused` says no. */
            action: string;
            target: string;
            /** @description Personal data is masked, secrets are left out. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Personal data is masked, secrets are left out. */
            after: {
                [key: string]: unknown;
            } | null;
            reason: string | null;
            /** @description The caller's network address. A company's trail has none of an operator. */
            address: string | null;
            traceId: string | null;
            /** @description SHA-256 of the entry and of the hash before it (docs/security.md). */
            hash: string;
        };
        Payers: {
            items: components["schemas"]["ListedPayer"][];
            /** @description Send it back as `after` for the next page; null at the end. */
            after: string | null;
            hasMore: boolean;
        };
        ListedPayer: {
            /** @description The payer's newest charge. */
            transactionId: string;
            name: string;
            documentMasked: string;
            /** @description Of the payer's newest 100 charges, which the sums count. */
            charges: number;
            /** @description centavos paid, less refunds */
            paid: number;
            /** @description centavos of charges that await their payment */
            open: number;
            /** Format: date-time */
            lastChargedAt: string;
            /** Format: date-time */
            lastPaidAt: string | null;
        };
        /**
         * @example {
         *       "data": {
         *         "document": "12345678909",
         *         "charges": [
         *           {
         *             "number": 1,
         *             "payer": {
         *               "leadId": "2bd38680-db00-4aae-adb8-8172f96bc15c",
         *               "externalId": "pedido-1001",
         *               "name": "Maria da Silva",
         *               "email": "maria@example.com",
         *               "phone": "+5511987654321",
         *               "documentNumber": "12345678909",
         *               "documentType": "CPF",
         *               "address": {
         *                 "street": "Rua das Flores",
         *                 "streetNumber": "10",
         *                 "complement": "",
         *                 "zipCode": "01001000",
         *                 "neighborhood": "Centro",
         *                 "city": "São Paulo",
         *                 "state": "SP",
         *                 "country": "BR"
         *               },
         *               "ip": "203.0.113.7"
         *             },
         *             "shippingFee": null,
         *             "items": [
         *               {
         *                 "title": "Caneca",
         *                 "unitPrice": 2500,
         *                 "quantity": 1,
         *                 "tangible": true,
         *                 "externalRef": "sku-7"
         *               }
         *             ],
         *             "transaction": {
         *               "id": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *               "externalRef": "pedido-1001",
         *               "amount": 2500,
         *               "amountText": "R$ 25,00",
         *               "paidAmount": null,
         *               "underpaid": false,
         *               "refundedAmount": 0,
         *               "providerCompanyId": "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
         *               "companyId": 1,
         *               "installments": 1,
         *               "paymentMethod": "PIX",
         *               "status": "WAITING_PAYMENT",
         *               "postbackUrl": "https://loja.example.com/webhooks",
         *               "metadata": "{\"pedido\":1001}",
         *               "traceable": true,
         *               "secureId": "AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *               "secureUrl": "https://pay.example.com/checkout/AaH9pF4AjSyfMWsfDAAAAVpF63uryuEWPQbCnFbDGcY",
         *               "currency": "BRL",
         *               "createdAt": "2026-11-21T12:00:00.000Z",
         *               "updatedAt": "2026-11-21T12:00:00.000Z",
         *               "ip": "203.0.113.7",
         *               "endToEndId": null,
         *               "externalNsu": null,
         *               "pix": {
         *                 "qrcode": "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a1fda45e008d2c9f316b1f0c000001520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***63048B1E",
         *                 "url": null,
         *                 "expirationDate": "2026-11-22T12:00:00.000Z"
         *               }
         *             }
         *           }
         *         ],
         *         "events": [],
         *         "subscriptions": [],
         *         "withdraws": [],
         *         "savedCards": []
         *       },
         *       "after": "subscription:0",
         *       "hasMore": true
         *     }
         */
        PayerExport: {
            data: {
                document: string;
                charges: components["schemas"]["ExportedCharge"][];
                /** @description The events of these charges or subscriptions as sent, with each attempt to deliver them. */
                events: components["schemas"]["EventDetail"][];
                /** @description The payer's subscriptions, also those without a charge, after the charges. */
                subscriptions: components["schemas"]["Subscription"][];
                /** @description Withdraws to a PIX key that is this document. */
                withdraws: components["schemas"]["Withdraw"][];
                /** @description The payer's saved cards with the consent to each, on the first page. */
                savedCards: components["schemas"]["SavedCard"][];
            };
            /** @description Null at the end. */
            after: string | null;
            hasMore: boolean;
        };
        ExportedCharge: {
            /** @description The `id` of the list of transactions. */
            number: number;
            payer: {
                leadId: string;
                externalId: string | null;
                name: string;
                email: string;
                phone: string;
                documentNumber: string;
                documentType: string;
                address: components["schemas"]["Address"];
                ip: string | null;
            };
            /** @description centavos */
            shippingFee: number | null;
            items: components["schemas"]["Item"][];
            transaction: components["schemas"]["Transaction"];
        };
        ExportPayerInput: {
            /** @description CPF or CNPJ of the payer */
            document: string;
            /** @description The `after` of the page before. */
            after?: string;
            /**
             * @description Charges of a page.
             * @default 10
             */
            limit?: number;
        };
        /**
         * @example {
         *       "data": {
         *         "document": "***.456.789-**",
         *         "erased": 3,
         *         "open": 1,
         *         "subscriptions": {
         *           "erased": 1,
         *           "open": 0
         *         },
         *         "status": "pending"
         *       }
         *     }
         */
        PayerErasure: {
            data: {
                /** @description masked */
                document: string;
                /** @description Charges erased by this call. */
                erased: number;
                /** @description Charges that have not ended. They are erased by themselves once they have. */
                open: number;
                /** @description The same of subscriptions: one that lasts loses its payer as it ends. */
                subscriptions: {
                    erased: number;
                    open: number;
                };
                /**
                 * @description `pending`: the gateway erases the rest by itself.
                 * @enum {string}
                 */
                status: "done" | "pending";
            };
        };
        ErasePayerInput: {
            /** @description CPF or CNPJ of the payer */
            document: string;
        };
        /**
         * @example {
         *       "type": "payment",
         *       "company": {
         *         "id": 1,
         *         "name": "Loja Exemplo"
         *       },
         *       "transactionId": "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
         *       "status": "PAID",
         *       "amount": 2500,
         *       "paidAmount": 2500,
         *       "refundedAmount": 0,
         *       "currency": "BRL",
         *       "paymentMethod": "PIX",
         *       "paidAt": "2026-11-21T12:01:00.000Z",
         *       "endToEndId": "E0000000020261122122648vmpfg9qo5",
         *       "payer": {
         *         "name": "Maria da Silva",
         *         "documentMasked": "***.456.789-**",
         *         "ispb": null
         *       },
         *       "signature": {
         *         "algorithm": "Ed25519",
         *         "keyId": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
         *         "publicKey": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
         *         "signedAt": "2026-11-22T12:30:00.000Z",
         *         "value": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw=="
         *       }
         *     }
         */
        PaymentReceipt: {
            /** @enum {string} */
            type: "payment";
            company: components["schemas"]["DocumentCompany"];
            /** Format: uuid */
            transactionId: string;
            /** @enum {string} */
            status: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED";
            /** @description centavos */
            amount: number;
            /** @description centavos */
            paidAmount: number;
            /** @description centavos */
            refundedAmount: number;
            currency: string;
            /** @enum {string} */
            paymentMethod: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** Format: date-time */
            paidAt: string;
            endToEndId: string | null;
            payer: {
                name: string;
                documentMasked: string;
                ispb: string | null;
            };
            signature: components["schemas"]["DocumentSignature"];
        };
        /**
         * @example {
         *       "type": "withdraw",
         *       "company": {
         *         "id": 1,
         *         "name": "Loja Exemplo"
         *       },
         *       "withdrawId": 1,
         *       "status": "Paid",
         *       "amount": 1000,
         *       "fee": 0,
         *       "returnedAmount": 0,
         *       "currency": "BRL",
         *       "pixKeyMasked": "m***@example.com",
         *       "pixKeyType": "EMAIL",
         *       "creditorDocumentMasked": "",
         *       "description": "Repasse de novembro",
         *       "paidAt": "2026-11-21T12:01:00.000Z",
         *       "endToEndId": "E0000000020261122122748vmpfg9qo5",
         *       "signature": {
         *         "algorithm": "Ed25519",
         *         "keyId": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
         *         "publicKey": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
         *         "signedAt": "2026-11-22T12:30:00.000Z",
         *         "value": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw=="
         *       }
         *     }
         */
        WithdrawReceipt: {
            /** @enum {string} */
            type: "withdraw";
            company: components["schemas"]["DocumentCompany"];
            withdrawId: number;
            /** @enum {string} */
            status: "Paid" | "Returned";
            /** @description centavos */
            amount: number;
            /** @description centavos */
            fee: number;
            /** @description centavos */
            returnedAmount: number;
            currency: string;
            pixKeyMasked: string;
            /** @enum {string} */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";
            creditorDocumentMasked: string;
            description: string;
            /** Format: date-time */
            paidAt: string;
            endToEndId: string | null;
            signature: components["schemas"]["DocumentSignature"];
        };
        /**
         * @example {
         *       "genuine": true,
         *       "companyId": 1,
         *       "signedAt": "2026-11-22T12:30:00.000Z"
         *     }
         */
        ReceiptVerdict: {
            genuine: boolean;
            /** @description Who signed it, if it is genuine. */
            companyId?: number;
            /** Format: date-time */
            signedAt?: string;
        };
        /**
         * @description A receipt as it was issued.
         * @example {}
         */
        ReceiptToVerify: {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "amount": 1500
         *     }
         */
        SandboxPayStaticCode: {
            /** @description centavos; where left out the code's amount */
            amount?: number;
            payer?: components["schemas"]["SandboxPayer"];
        };
        /** @description Who pays; where left out the customer himself. The bank keeps a masked document. */
        SandboxPayer: {
            name?: string;
            document?: string;
        };
        /**
         * @example {
         *       "outcome": "no_balance"
         *     }
         */
        SandboxAttempt: {
            /**
             * @description paid on its day, no balance by its evening, above the payer's limit, account closed, or no answer by the end of its day
             * @enum {string}
             */
            outcome: "paid" | "no_balance" | "over_limit" | "closed" | "silent";
        };
        /**
         * @example {
         *       "data": {
         *         "now": "2026-11-24T12:00:00.000Z",
         *         "moved": true,
         *         "until": null
         *       }
         *     }
         */
        CompanyClock: {
            data: {
                /**
                 * Format: date-time
                 * @description The company's time.
                 */
                now: string;
                /** @description Whether it is ahead of the service's. */
                moved: boolean;
                /**
                 * Format: date-time
                 * @description Until when it still runs, where a call has left something; else null.
                 */
                until: string | null;
            };
        };
        /**
         * @example {
         *       "data": {
         *         "now": "2026-11-24T12:00:00.000Z",
         *         "moved": true,
         *         "until": null,
         *         "ran": [
         *           {
         *             "at": "2026-11-22T12:00:00.000Z",
         *             "kind": "charge_expiry",
         *             "id": "018f4a3b-7c21-7f00-8a11-0123450000a1"
         *           }
         *         ],
         *         "hasMore": false
         *       }
         *     }
         */
        MovedClock: {
            data: {
                /**
                 * Format: date-time
                 * @description The company's time.
                 */
                now: string;
                /** @description Whether it is ahead of the service's. */
                moved: boolean;
                /**
                 * Format: date-time
                 * @description Until when it still runs, where a call has left something; else null.
                 */
                until: string | null;
                /** @description What was due on the way, in order. */
                ran: components["schemas"]["ClockItem"][];
                /** @description Whether more is due by `until`: set the time `now` again, and it goes on. */
                hasMore: boolean;
            };
        };
        ClockItem: {
            /**
             * Format: date-time
             * @description When it was due.
             */
            at: string;
            /** @description release, charge_expiry, dispute_deadline, dispute_response, approval_expiry, delivery, payout, operation, recheck, charge_lookup, reservation_expiry, email, credit, callback, debit, retry or subscription; more may come */
            kind: string;
            /** @description Of the transaction, withdraw, refund, dispute, event, payment or subscription. */
            id: string;
        };
        /**
         * @example {
         *       "advance": "P3D"
         *     }
         */
        MoveClock: {
            /** @description An ISO 8601 duration of whole numbers. Years, months, weeks and days are the calendar's in America/Sao_Paulo. */
            advance?: string;
            /** @description The time that `advance` counts from: with it a repeated call moves nothing twice. The clock's where left out. */
            from?: string;
            /** @description The time itself; not before the one that the last call has answered. */
            set?: string;
        };
        SandboxPay: {
            /** @description centavos; where left out the transaction's amount, of a boleto what is due that day */
            amount?: number;
            payer?: components["schemas"]["SandboxPayer"];
            /**
             * @description PIX: a boleto is paid by its PIX code
             * @enum {string}
             */
            method?: "BOLETO" | "PIX";
        };
        SandboxPaid: {
            paymentId: string;
            /** @description centavos */
            amount: number;
            /** Format: date-time */
            paidAt: string;
        };
        SandboxPayment: {
            amount: number;
            payer?: components["schemas"]["SandboxPayer"];
        };
        /**
         * @example {
         *       "reason": "MED_FRAUD"
         *     }
         */
        SandboxDispute: {
            /**
             * @description By default MED_FRAUD for a PIX, else OTHER.
             * @enum {string}
             */
            reason?: "MED_FRAUD" | "MED_OPERATIONAL_FAILURE" | "MED_AUTOMATIC_PIX" | "OTHER";
            /** @description Until when the bank takes evidence; by default seven days for a MED. */
            deadline?: string;
        };
        SandboxResolveDispute: {
            /** @enum {string} */
            outcome: "won" | "lost";
        };
        SandboxReturn: {
            /** @description centavos that have come back in all; where left out the whole */
            amount?: number;
        };
        /** @description Nothing of it is done to webhooks by default, nor to companies with real money. */
        WebhookChaos: {
            /**
             * @description The same seed and the same calls meet the same run.
             * @default 0
             */
            seed?: number;
            /**
             * @description The share of events that are sent again after they arrived.
             * @default 0
             */
            duplicate?: number;
            /**
             * @description The share of events after which the object's previous one is sent once more.
             * @default 0
             */
            reorder?: number;
            /**
             * @description The share of attempts that are not sent, and are made again by the schedule.
             * @default 0
             */
            drop?: number;
            /**
             * @description The longest an event is held back at first. Seconds.
             * @default 0
             */
            delay?: number;
        };
        /**
         * @example {
         *       "data": {
         *         "items": [
         *           {
         *             "kind": "bank_silent",
         *             "from": "2026-11-24T12:00:00.000Z",
         *             "until": "2026-11-26T12:00:00.000Z",
         *             "by": null
         *           }
         *         ]
         *       }
         *     }
         */
        SandboxFaults: {
            data: {
                items: components["schemas"]["SandboxFault"][];
            };
        };
        SandboxFault: {
            /**
             * @description bank_silent: nothing is answered nor reported, though all that is ordered is done. bank_slow: charges, withdraws and refunds that are ordered meanwhile are answered `by` later. bank_doubled: each payment and dispute is reported twice. bank_late: what payers and their banks do is reported `by` later. receiver_down: webhooks are not sent, and each attempt fails.
             * @enum {string}
             */
            kind: "bank_silent" | "bank_slow" | "bank_doubled" | "bank_late" | "receiver_down";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            until: string;
            /** @description Of a slow or a late bank, an ISO 8601 duration; else null. */
            by: string | null;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "kind": "bank_silent",
         *           "from": "P3D",
         *           "until": "P5D"
         *         }
         *       ]
         *     }
         */
        SandboxFaultsInput: {
            items: {
                /**
                 * @description bank_silent: nothing is answered nor reported, though all that is ordered is done. bank_slow: charges, withdraws and refunds that are ordered meanwhile are answered `by` later. bank_doubled: each payment and dispute is reported twice. bank_late: what payers and their banks do is reported `by` later. receiver_down: webhooks are not sent, and each attempt fails.
                 * @enum {string}
                 */
                kind: "bank_silent" | "bank_slow" | "bank_doubled" | "bank_late" | "receiver_down";
                /** @description When it begins; now where left out: an ISO 8601 time with its offset, or a duration from now */
                from?: string;
                /** @description When it ends: an ISO 8601 time with its offset, or a duration from now */
                until: string;
                /** @description For how long a slow bank (by default an hour) or a late one (two days) holds something back. An ISO 8601 duration. */
                by?: string;
            }[];
        };
        /**
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0",
         *       "commit": "3f2c1a9b7d10"
         *     }
         */
        Health: {
            /** @enum {string} */
            status: "ok";
            version: string;
            /** @description `local` outside of a deploy. */
            commit: string;
        };
        /**
         * @example {
         *       "status": "ready",
         *       "archive": "ok"
         *     }
         */
        Ready: {
            /** @enum {string} */
            status: "ready";
            /**
             * @description Whether the archive has all that D1 took: no bucket is bound (`missing`), it lacks changes (`behind`), or what knows does not answer (`unknown`). The service works without; a restore brings less back.
             * @enum {string}
             */
            archive: "ok" | "missing" | "behind" | "unknown";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTransactionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    refundTransaction: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundTransactionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    captureTransaction: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CaptureTransactionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    changeDueDate: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDueDateInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    getTransactionDetailRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionDetail"];
                };
            };
        };
    };
    getTransactionTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionTimeline"];
                };
            };
        };
    };
    getTransactionQr: {
        parameters: {
            query?: {
                format?: "svg" | "png";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                sort?: "createdAt_desc" | "createdAt_asc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    searchTransactions: {
        parameters: {
            query?: {
                after?: string;
                status?: "WAITING_PAYMENT" | "AUTHORIZED" | "PAID" | "REFUSED" | "FAILED" | "CANCELLED" | "REFUNDED" | "PENDING";
                paymentMethod?: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description Why it failed or was refused. */
                failureCode?: "KEY_NOT_FOUND" | "KEY_OWNER_MISMATCH" | "ACCOUNT_INVALID" | "ACCOUNT_CLOSED" | "ACCOUNT_BLOCKED" | "REFUSED_BY_BANK" | "FRAUD_SUSPECTED" | "BANK_UNAVAILABLE" | "LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS_AT_PROVIDER" | "TIMED_OUT" | "PROVIDER_REFUSED" | "REMOVED_BY_PROVIDER" | "NOT_RECEIVED_BY_PROVIDER" | "AUTHORIZATION_ENDED" | "DECIDED_BY_OPERATOR" | "LINK_UNAVAILABLE" | "DEBIT_FAILED" | "CARD_TOKEN_EXPIRED" | "CARD_DECLINED" | "INSUFFICIENT_FUNDS" | "EXPIRED_CARD" | "INCORRECT_CVV" | "UNKNOWN";
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                from?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                to?: string;
                /** @description With `paidFrom` or `paidTo` alone the page is by time of payment. */
                paidFrom?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                paidTo?: string;
                externalRef?: string;
                endToEndId?: string;
                fiscalKey?: string;
                /** @description The static code that was paid. */
                staticCodeId?: string;
                /** @description The payment link that the charge was made under. */
                paymentLinkId?: string;
                /** @description How the payer's name, or a word of it, begins; case and accents do not count. */
                payerName?: string;
                document?: string;
                limit?: number;
                /** @description centavos */
                amountFrom?: number;
                /** @description centavos */
                amountTo?: number;
                /** @description Up to 100 transaction ids, comma separated. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionSearch"];
                    "text/csv": string;
                };
            };
        };
    };
    searchTransactionsByBody: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchTransactionsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionSearch"];
                    "text/csv": string;
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentTransaction"];
                };
            };
        };
    };
    changeTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTransactionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    getWithdrawTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawTimeline"];
                };
            };
        };
    };
    requestWithdraw: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key": string;
                /** @description `true` makes every check, returns 200 and stores nothing. */
                "X-Dry-Run"?: "true" | "false";
                /** @description Id of the earlier withdraw that this one may duplicate. */
                "X-Confirm-Duplicate"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestWithdrawInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawDryRun"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    previewWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestWithdrawInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawDryRun"];
                };
            };
        };
    };
    cancelWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    listWithdraws: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                sort?: "createdAt_desc" | "createdAt_asc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawPage"];
                };
            };
        };
    };
    getWithdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    searchWithdraws: {
        parameters: {
            query?: {
                after?: string;
                status?: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
                /** @description `pending` finds those that wait, however many others there are. */
                approval?: "none" | "pending" | "approved" | "refused";
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                from?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                to?: string;
                /** @description The whole key, in any form that a withdraw takes. */
                pixKey?: string;
                limit?: number;
                /** @description centavos */
                amountFrom?: number;
                /** @description centavos */
                amountTo?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawSearch"];
                    "text/csv": string;
                };
            };
        };
    };
    searchWithdrawsByBody: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchWithdrawsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawSearch"];
                    "text/csv": string;
                };
            };
        };
    };
    getWithdrawApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawApprovalFacts"];
                };
            };
        };
    };
    approveWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedWithdraw"];
                };
            };
        };
    };
    refuseWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedWithdraw"];
                };
            };
        };
    };
    listUnexpectedPayments: {
        parameters: {
            query?: {
                status?: "kept" | "crediting" | "credited" | "returning" | "returned";
                reason?: "SECOND_PAYMENT" | "LATE" | "NO_CHARGE" | "WRONG_AMOUNT";
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnexpectedPayments"];
                };
            };
        };
    };
    getUnexpectedPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnexpectedPaymentEnvelope"];
                };
            };
        };
    };
    returnUnexpectedPayment: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnexpectedPaymentEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnexpectedPaymentEnvelope"];
                };
            };
        };
    };
    creditUnexpectedPayment: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreditPayment"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnexpectedPaymentEnvelope"];
                };
            };
        };
    };
    listWaitingRefunds: {
        parameters: {
            query: {
                approval: "pending";
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedRefunds"];
                };
            };
        };
    };
    approveRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedRefundEnvelope"];
                };
            };
        };
    };
    refuseRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedRefundEnvelope"];
                };
            };
        };
    };
    searchReceivedPayments: {
        parameters: {
            query?: {
                endToEndId?: string;
                /** @description centavos */
                amount?: number;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedPayments"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query: {
                currency: string;
            };
            header?: never;
            path: {
                companyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    getOwnBalance: {
        parameters: {
            query?: {
                currency?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnBalance"];
                };
            };
        };
    };
    getForecast: {
        parameters: {
            query: {
                currency: string;
            };
            header?: never;
            path: {
                companyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query: {
                currency: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                from?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                to?: string;
                after?: string;
                limit?: number;
                /** @description `all` also shows the provider's line of each movement, which is the movement's last. */
                accounts?: "company" | "all";
            };
            header?: never;
            path: {
                companyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                    "application/x-ofx": string;
                };
            };
        };
    };
    verifyStatement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementVerdict"];
                };
            };
        };
    };
    getStatementEntries: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: this month. */
                month?: string;
                /** @description America/Sao_Paulo. Default: `to`. In place of `month`. */
                from?: string;
                /** @description Included, at most 366 days. Default: today. */
                to?: string;
                /** @description Only items of this hour of the first day. */
                hour?: number;
                /** @description Payments, what went out or came back, or items with a fee. */
                only?: "in" | "out" | "fees";
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementEntries"];
                    "text/csv": string;
                    "application/x-ofx": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    listReleases: {
        parameters: {
            query: {
                /** @description America/Sao_Paulo. */
                day: string;
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingReleases"];
                };
            };
        };
    };
    getStatementArchive: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: this month. */
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    getRehearsal: {
        parameters: {
            query?: {
                /** @description Days, the first of them today. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rehearsal"];
                    "text/csv": string;
                };
            };
        };
    };
    getFeeReport: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: 30 days before `to`. */
                from?: string;
                /** @description America/Sao_Paulo, included. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeReport"];
                    "text/csv": string;
                };
            };
        };
    };
    listFeeDifferences: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: 30 days before `to`. */
                from?: string;
                /** @description America/Sao_Paulo, included. Default: today. */
                to?: string;
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeDifferences"];
                };
            };
        };
    };
    getDailyReport: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: 30 days before `to`. */
                from?: string;
                /** @description America/Sao_Paulo, included. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyReports"];
                };
            };
        };
    };
    getConversionReport: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: 30 days before `to`. */
                from?: string;
                /** @description America/Sao_Paulo, included. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionReport"];
                };
            };
        };
    };
    reconcileTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileLines"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileResult"];
                };
            };
        };
    };
    getCheckoutStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinks"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentLinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkEnvelope"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkEnvelope"];
                };
            };
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentLinkInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkEnvelope"];
                };
            };
        };
    };
    getPaymentLinkQr: {
        parameters: {
            query?: {
                format?: "svg" | "png";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                status?: "pending_approval" | "active" | "past_due" | "paused" | "cancelled" | "rejected" | "expired" | "completed";
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriptions"];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSubscriptionInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSubscriptionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    pauseSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    listSubscriptionCharges: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionCharges"];
                };
            };
        };
    };
    openSubscriptionCharge: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenSubscriptionChargeInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeEnvelope"];
                };
            };
        };
    };
    repeatSubscriptionCharge: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrySubscriptionChargeInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeEnvelope"];
                };
            };
        };
    };
    paySubscriptionChargeByHand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeEnvelope"];
                };
            };
        };
    };
    cancelSubscriptionCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeEnvelope"];
                };
            };
        };
    };
    getSubscriptionRecovery: {
        parameters: {
            query?: {
                /** @description Due date, included. Default: 365 days before `to`. */
                from?: string;
                /** @description Due date, included. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionRecoveryReport"];
                };
            };
        };
    };
    backtestSubscriptionRetries: {
        parameters: {
            query: {
                /** @description Days after the due date. */
                retry: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionRetryBacktest"];
                };
            };
        };
    };
    getDebitOutlook: {
        parameters: {
            query?: {
                /** @description Days, the first of them today. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DebitOutlook"];
                };
            };
        };
    };
    getPayerBankReport: {
        parameters: {
            query?: {
                /** @description America/Sao_Paulo. Default: 29 days before `to`. */
                from?: string;
                /** @description America/Sao_Paulo, included. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayerBanks"];
                };
            };
        };
    };
    listSavedCards: {
        parameters: {
            query: {
                /** @description The `leadId` of the list of transactions: the payer's UUID */
                customer: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCards"];
                };
            };
        };
    };
    deleteSavedCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneSavedCard"];
                };
            };
        };
    };
    createCardToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardTokenRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardToken"];
                };
            };
        };
    };
    decodePixCode: {
        parameters: {
            query: {
                /** @description Percent-encoded: a + is %2B. */
                code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixCodeVerdict"];
                };
            };
        };
    };
    getCalendarDay: {
        parameters: {
            query: {
                date: string;
                /** @description The town's IBGE code. */
                city?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarDay"];
                };
            };
        };
    };
    listStaticCodes: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaticCodes"];
                };
            };
        };
    };
    createStaticCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStaticCodeInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaticCodeEnvelope"];
                };
            };
        };
    };
    getStaticCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaticCodeEnvelope"];
                };
            };
        };
    };
    deleteStaticCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaticCodeEnvelope"];
                };
            };
        };
    };
    decodeBoleto: {
        parameters: {
            query: {
                /** @description The line (47 digits), masked or not, or the barcode (44). */
                code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoletoVerdict"];
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                status?: "open" | "won" | "lost";
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Disputes"];
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
        };
    };
    submitDisputeEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitEvidence"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
        };
    };
    addDisputeFile: {
        parameters: {
            query: {
                /** @description What people call it. One that does not end as the content's type does gets that ending. */
                name: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/pdf": string;
                "image/jpeg": string;
                "image/png": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
        };
    };
    getDisputeFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/jpeg": string;
                    "image/png": string;
                };
            };
        };
    };
    deleteDisputeFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
        };
    };
    getDisputeDossier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dossier"];
                    "application/pdf": string;
                };
            };
        };
    };
    sendDisputeResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeEnvelope"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    setWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWebhookEndpointInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description `after` of the last page. */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoints"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeWebhookEndpointEnvelope"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpointInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookEndpointEnvelope"];
                };
            };
        };
    };
    listWebhookKeys: {
        parameters: {
            query: {
                company: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeys"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
        };
    };
    endPreviousWebhookSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedWebhookSecrets"];
                };
            };
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceivedWebhook"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDiagnosis"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                status?: "pending" | "delivered" | "superseded" | "stopped" | "exhausted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    resendWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    resendWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendWebhooksInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                /** @description Which entries come first. Keep it from page to page. */
                order?: "oldest" | "newest";
                type?: "transaction.authorized" | "transaction.paid" | "transaction.refused" | "transaction.failed" | "transaction.cancelled" | "transaction.refunded" | "transaction.partially_refunded" | "transaction.disputed" | "transaction.chargeback_reversed" | "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused" | "withdraw.processing" | "withdraw.paid" | "withdraw.failed" | "withdraw.cancelled" | "withdraw.partially_returned" | "withdraw.returned" | "dispute.opened" | "dispute.won" | "dispute.lost" | "payment.unexpected" | "payment.credited" | "payment.returned" | "payment.return_failed" | "payment_link.paid" | "payment_link.exhausted" | "subscription.created" | "subscription.approved" | "subscription.rejected" | "subscription.past_due" | "subscription.paused" | "subscription.resumed" | "subscription.cancelled" | "subscription.expired" | "subscription.completed" | "subscription.charge_scheduled" | "subscription.charge_attempt_failed" | "subscription.charge_failed" | "company.frozen" | "company.unfrozen" | "company.settings_changing" | "balance.released" | "ledger.anchored" | "webhook.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    getOwnTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnTerms"];
                };
            };
        };
    };
    getSandboxTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyTerms"];
                };
            };
        };
    };
    changeSandboxTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCompanyTermsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyTerms"];
                };
            };
        };
    };
    listCompanyProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyProviders"];
                };
            };
        };
    };
    getCompanySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySettings"];
                };
            };
        };
    };
    changeCompanySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCompanySettingsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySettings"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySettings"];
                };
            };
        };
    };
    refusePendingSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySettings"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description `after` of the last page. */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applications"];
                };
            };
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApplicationInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
        };
    };
    deleteApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
        };
    };
    changeApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeApplicationInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
        };
    };
    refusePendingLimit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
        };
    };
    listApplicationKeys: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
        };
    };
    issueApplicationKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IssueKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyEnvelope"];
                };
            };
        };
    };
    revokeApplicationKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                keyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogs"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: {
                /** @description Look back from here; by default from now. */
                to?: string;
            };
            header?: never;
            path: {
                traceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLog"];
                };
            };
        };
    };
    listPeople: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["People"];
                };
            };
        };
    };
    invitePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first response and does nothing twice; a different request with the key gets a 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitePersonInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneInvitation"];
                };
            };
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneMember"];
                };
            };
        };
    };
    changePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePersonInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneMember"];
                };
            };
        };
    };
    listSavedViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViews"];
                };
            };
        };
    };
    createSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveView"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneSavedView"];
                };
            };
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneSavedView"];
                };
            };
        };
    };
    renameSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameView"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneSavedView"];
                };
            };
        };
    };
    listAllowedPixKeys: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedPixKeys"];
                };
            };
        };
    };
    allowPixKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPixKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPixKey"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPixKey"];
                };
            };
        };
    };
    deleteAllowedPixKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedPixKey"];
                };
            };
        };
    };
    backtestWithdrawPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawPolicyBacktest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawPolicyBacktestResult"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                /** @description An actor's id, or its name in any case. */
                actor?: string;
                /** @description An action, or its part before a dot: `application` finds `application.create`. */
                action?: string;
                /** @description A target, or its part before a colon: `application` finds those of applications. */
                target?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                from?: string;
                /** @description An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo. */
                to?: string;
                /** @description Which entries come first. Keep it from page to page. */
                order?: "oldest" | "newest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditTrail"];
                };
            };
        };
    };
    listPayers: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payers"];
                };
            };
        };
    };
    exportPayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportPayerInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayerExport"];
                };
            };
        };
    };
    erasePayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasePayerInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayerErasure"];
                };
            };
        };
    };
    getTransactionReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentReceipt"];
                    "application/pdf": string;
                };
            };
        };
    };
    getWithdrawReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawReceipt"];
                    "application/pdf": string;
                };
            };
        };
    };
    verifyReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiptToVerify"];
                "application/pdf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptVerdict"];
                };
            };
        };
    };
    payStaticCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxPayStaticCode"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    approveSandboxSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    refuseSandboxSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    cancelSandboxSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionEnvelope"];
                };
            };
        };
    };
    decideSandboxAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxAttempt"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeEnvelope"];
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyClock"];
                };
            };
        };
    };
    moveSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveClock"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedClock"];
                };
            };
        };
    };
    paySandboxTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxPay"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    createSandboxPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxPayment"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPaid"];
                };
            };
        };
    };
    failSandboxTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    expireSandboxTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    disputeSandboxTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxDispute"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    resolveSandboxDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxResolveDispute"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    chargeBackSandboxTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    reverseSandboxChargeback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    paySandboxWithdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    failSandboxWithdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    returnSandboxWithdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxReturn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    getWebhookChaos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookChaos"];
                };
            };
        };
    };
    setWebhookChaos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChaos"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookChaos"];
                };
            };
        };
    };
    getSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFaults"];
                };
            };
        };
    };
    setSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxFaultsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFaults"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
        };
    };
}
