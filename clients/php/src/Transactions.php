<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Charges: PIX, boleto, card. Amounts are centavos; an answer is the API's, as an array.
 *
 * @phpstan-import-type CaptureTransactionInput from Generated\Types
 * @phpstan-import-type ChangeDueDateInput from Generated\Types
 * @phpstan-import-type CreateTransactionInput from Generated\Types
 * @phpstan-import-type CurrentTransactionData from Generated\Types
 * @phpstan-import-type PaymentReceipt from Generated\Types
 * @phpstan-import-type RefundTransactionInput from Generated\Types
 * @phpstan-import-type SearchTransactionsInput from Generated\Types
 * @phpstan-import-type Transaction from Generated\Types
 * @phpstan-import-type TransactionSearch from Generated\Types
 * @phpstan-import-type TransactionTimeline from Generated\Types
 * @phpstan-import-type UpdateTransactionInput from Generated\Types
 */
final class Transactions
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * Charges a payer. A refused card is no error: its `status` is `REFUSED`.
     *
     * @param CreateTransactionInput $body
     * @return Transaction
     */
    public function create(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->createTransaction($body, $idempotencyKey)['data'];
    }

    /**
     * The charge as it is now, with its customer and items.
     *
     * @return CurrentTransactionData
     */
    public function get(string $id): array
    {
        return $this->operations->getTransaction($id)['data'];
    }

    /**
     * A page of charges, newest first. The filters stand in no address.
     *
     * @param SearchTransactionsInput $body
     * @return TransactionSearch
     */
    public function search(#[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->searchTransactionsByBody($body);
    }

    /**
     * Gives a payment back: all that is left of it, or `amount` centavos. The end may follow by webhook.
     *
     * @param RefundTransactionInput $body
     * @return Transaction
     */
    public function refund(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->refundTransaction($id, $body, $idempotencyKey)['data'];
    }

    /**
     * Takes the money of an authorized card: all of it, or `amount` centavos.
     *
     * @param CaptureTransactionInput $body
     * @return Transaction
     */
    public function capture(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->captureTransaction($id, $body, $idempotencyKey)['data'];
    }

    /**
     * Gives an unpaid boleto another due date, and with it another line.
     *
     * @param ChangeDueDateInput $body
     * @return Transaction
     */
    public function changeDueDate(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->changeDueDate($id, $body, $idempotencyKey)['data'];
    }

    /**
     * Ends an unpaid charge, or lets an authorized card go.
     *
     * @return Transaction
     */
    public function cancel(string $id, ?string $idempotencyKey = null): array
    {
        return $this->operations->cancelTransaction($id, idempotencyKey: $idempotencyKey)['data'];
    }

    /**
     * All that happened to the charge, oldest first.
     *
     * @return TransactionTimeline
     */
    public function timeline(string $id): array
    {
        return $this->operations->getTransactionTimeline($id);
    }

    /**
     * The signed receipt of a payment.
     *
     * @return PaymentReceipt
     */
    public function receipt(string $id): array
    {
        return $this->operations->getTransactionReceipt($id);
    }

    /** The signed receipt as PDF. */
    public function receiptPdf(string $id): string
    {
        return $this->operations->getTransactionReceiptFile($id, 'application/pdf');
    }

    /** The QR code of an unpaid charge as SVG, for a page. */
    public function qr(string $id): string
    {
        return $this->operations->getTransactionQr($id, 'image/svg+xml');
    }

    /** The QR code as PNG, for an e-mail. */
    public function qrPng(string $id): string
    {
        return $this->operations->getTransactionQr($id, 'image/png');
    }

    /**
     * All charges of a search as CSV, or `limit` of them.
     *
     * @param SearchTransactionsInput $body
     */
    public function searchCsv(#[\SensitiveParameter] array $body = []): string
    {
        return $this->operations->searchTransactionsByBodyFile('text/csv', $body);
    }

    /**
     * Links its fiscal note, or removes the link.
     *
     * @param UpdateTransactionInput $body
     * @return Transaction
     */
    public function change(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->changeTransaction($id, $body)['data'];
    }
}
