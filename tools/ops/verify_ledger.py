#!/usr/bin/env python3
"""Verifies an exported statement of Centavo's, offline, without any of its code.

    python3 tools/ops/verify_ledger.py statement.csv [balance.json]
        [--anchor anchor.json]... [--public-key <base64>]

A second implementation of `npm run verify-ledger`: it prints the same and exits with the same codes
(0: everything is correct and anchored; 1: something is wrong; 3: NOT ANCHORED, because no --public-key was
given, so that nothing shows whether all of the past was rewritten). Python 3.9 or newer, standard library only.
"""

import argparse
import base64
import datetime
import hashlib
import json
import math
import re
import sys

COLUMNS = [
    "sequence",
    "createdAt",
    "type",
    "account",
    "amount",
    "balance",
    "transactionId",
    "withdrawId",
    "hash",
    "detailsHash",
]
NUMBERS = {"sequence", "amount", "balance", "withdrawId"}
OPTIONAL = {"transactionId", "withdrawId", "detailsHash"}

ACCOUNTS = {
    "available",
    "awaiting",
    "blocked",
    "payout",
    "debt",
    "suspense",
    "fees",
    "provider",
}

# What each type of movement is about, the accounts that it adds to, and those that it takes from.
TYPES = {
    "charge_paid": ("transaction", "fees awaiting available debt", "provider"),
    "credit_released": ("transaction", "available debt", "awaiting"),
    "payment_suspended": ("payment", "suspense", "provider"),
    "suspense_returned": ("payment", "provider", "suspense"),
    "suspense_credited": ("transaction", "fees awaiting available debt", "suspense"),
    "refund_requested": ("transaction", "blocked", "awaiting available"),
    "refund_done": ("transaction", "provider", "blocked"),
    "refund_failed": ("transaction", "awaiting available debt", "blocked"),
    "refund_external": ("transaction", "provider", "awaiting available debt"),
    "dispute_opened": ("transaction", "blocked", "awaiting available"),
    "dispute_won": ("transaction", "awaiting available debt", "blocked"),
    "dispute_lost": ("transaction", "provider", "blocked awaiting available debt"),
    "dispute_reduced": ("transaction", "awaiting available debt", "blocked"),
    "chargeback": ("transaction", "provider", "blocked awaiting available debt"),
    "chargeback_reversed": ("transaction", "available debt", "provider"),
    "withdraw_requested": ("withdraw", "payout fees", "available debt"),
    "withdraw_paid": ("withdraw", "provider", "payout"),
    "withdraw_failed": ("withdraw", "available debt", "payout fees"),
    "withdraw_cancelled": ("withdraw", "available debt", "payout fees"),
    "withdraw_returned": ("withdraw", "available debt", "fees provider"),
    "correction": ("nothing", "available debt provider", "available debt provider"),
}

# Which ids a movement has: that of a transaction, that of a withdraw.
SUBJECTS = {
    "transaction": {(True, False)},
    "payment": {(True, False), (False, False)},
    "withdraw": {(False, True)},
    "nothing": {(False, False)},
}

# The lines of movement n have the numbers from 16 * n on; the provider's line has the last one.
LINES_PER_MOVEMENT = 16
PROVIDER_LINE = 15
GENESIS = "0" * 64
# The largest integer that JSON carries exactly between all implementations (RFC 7493).
SAFE = 2**53 - 1

INTEGER = re.compile(r"(0|-?[1-9][0-9]*)\Z")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z\Z")
ID = re.compile(r"[A-Za-z0-9-]{1,64}\Z")
HASH = re.compile(r"[0-9a-f]{64}\Z")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}\Z")

EPOCH = datetime.datetime(1970, 1, 1)

PROVIDER_LINES_MISSING = (
    "the provider's lines are missing, so the zero sums cannot be checked; "
    "export the statement with accounts=all"
)

CORRECT = "all running balances, zero sums, hashes and movements are correct."
NOT_ANCHORED = (
    "NOT ANCHORED: give --public-key and an anchor; "
    "without them nothing shows whether the whole past was rewritten."
)


class Broken(Exception):
    """The first error of a statement; `statement` is what was read up to it."""

    statement = None


class NotAStatement(Exception):
    """The file is not an exported statement."""


# Values


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= SAFE


def is_positive_integer(value):
    return is_integer(value) and value > 0


def is_text(value, pattern):
    return isinstance(value, str) and pattern.match(value) is not None


def milliseconds(text):
    """The time as milliseconds since 1970; None for an invalid one, such as 30 February."""
    found = TIME.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day, hour, minute, second, milli = (int(part) for part in found.groups())
    try:
        time = datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    return int((time - EPOCH) / datetime.timedelta(seconds=1)) * 1000 + milli


def parse_number(text):
    """JSON has one kind of number: 1.0 and 1e2 are integers."""
    value = float(text)
    return int(value) if value.is_integer() else value


def read_json(text):
    return json.loads(text, parse_float=parse_number)


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# The statement


def line_error(line):
    """What is wrong with a line's values; None for a valid line."""
    if milliseconds(line.get("createdAt")) is None:
        return "its createdAt is not a timestamp"
    if not (isinstance(line.get("type"), str) and line["type"] in TYPES):
        return "its type is unknown"
    if not (isinstance(line.get("account"), str) and line["account"] in ACCOUNTS):
        return "its account is unknown"
    if not is_integer(line.get("amount")):
        return "its amount is not an integer number of centavos"
    if not is_integer(line.get("balance")):
        return "its balance is not an integer number of centavos"
    missing = object()
    transaction = line.get("transactionId", missing)
    if not (transaction is None or is_text(transaction, ID)):
        return "its transactionId is not an id"
    withdraw = line.get("withdrawId", missing)
    if not (withdraw is None or is_positive_integer(withdraw)):
        return "its withdrawId is not a positive integer"
    if not is_text(line.get("hash"), HASH):
        return "its hash is not a SHA-256 in hex"
    details = line.get("detailsHash", missing)
    if not (details is None or is_text(details, HASH)):
        return "its detailsHash is not a SHA-256 in hex"
    return None


def movement_hash(previous, movement):
    """SHA-256 of a JSON array without spaces: the previous hash, the movement, its lines without
    the provider's, and the hash of its details, if any."""
    parts = [
        previous,
        movement["sequence"],
        movement["createdAt"],
        movement["type"],
        movement["transactionId"],
        movement["withdrawId"],
        [line for line in movement["lines"] if line[0] != "provider"],
    ]
    if movement["detailsHash"] is not None:
        parts.append(movement["detailsHash"])
    return sha256(json.dumps(parts, separators=(",", ":"), ensure_ascii=False))


def movement_error(movement):
    """What is wrong with a movement by itself: its ids, its accounts, a balance's sign; None if nothing."""
    kind = movement["type"]
    subject, added, taken = TYPES[kind]
    ids = (movement["transactionId"] is not None, movement["withdrawId"] is not None)
    if ids not in SUBJECTS[subject]:
        return f"its transactionId or withdrawId does not fit {kind}"
    added, taken = added.split(), taken.split()
    for account, amount, balance in movement["lines"]:
        if account not in added and account not in taken:
            return f"{kind} does not touch {account}"
        if amount < 0 and account not in taken:
            return f"{kind} does not take from {account}"
        if amount > 0 and account not in added:
            return f"{kind} does not add to {account}"
        if account != "provider" and (balance > 0 if account == "debt" else balance < 0):
            return f"{account} cannot be {balance}"
    return None


def follow_withdraw(withdraws, movement):
    """Takes a movement into the life of its withdraw; says what is wrong with it, or None.

    A withdraw is requested once, then paid, or failed or cancelled, with the amount and fee of the request. A paid
    one is returned in parts, at most what was paid, the fee with the last part. A failed or cancelled one may be
    requested a second time, if then it is paid: operators decided so.
    """
    kind, number = movement["type"], movement["withdrawId"]
    if number is None:
        return None
    own = {account: amount for account, amount, _ in movement["lines"] if account != "provider"}
    fee = abs(own.get("fees", 0))
    amount = sum(own.values()) if kind == "withdraw_returned" else abs(own.get("payout", 0))
    wrong = f"{kind} of {amount} with a fee of {fee} does not fit withdraw {number}"
    life = withdraws.get(number)
    if life is None:
        if kind != "withdraw_requested":
            return f"{kind} cannot follow nothing of withdraw {number}"
        withdraws[number] = {"last": kind, "amount": amount, "fee": fee, "left": amount, "requests": 1}
        return None if amount > 0 else wrong
    last = life["last"]
    if last == "withdraw_requested":
        allowed = ["withdraw_paid"]
        if life["requests"] == 1:
            allowed += ["withdraw_failed", "withdraw_cancelled"]
    elif last in ("withdraw_paid", "withdraw_returned"):
        allowed = ["withdraw_returned"]
    else:
        allowed = ["withdraw_requested"]
    if kind not in allowed:
        return f"{kind} cannot follow {last} of withdraw {number}"
    life["last"] = kind
    if kind == "withdraw_returned":
        if not 0 < amount <= life["left"]:
            return wrong
        life["left"] -= amount
        return None if fee == (life["fee"] if life["left"] == 0 else 0) else wrong
    if kind == "withdraw_requested":
        life["requests"] += 1
    if amount != life["amount"] or fee != (0 if kind == "withdraw_paid" else life["fee"]):
        return wrong
    return None


class Statement:
    """Verifies lines in order; raises `Broken` at the first error."""

    def __init__(self, requested_lines):
        self.requested_lines = requested_lines
        self.hashes = {}
        self.balances = {}
        self.lines = 0
        self.movements = 0
        self.sequence = 0
        self.ledger_sequence = 0
        self.hash = GENESIS
        self.has_provider = False
        self.unbalanced = None
        self.open = None
        self.company_lines = 0
        self.time = None
        self.withdraws = {}

    def add(self, line):
        self.lines += 1
        sequence = line.get("sequence")
        if not is_positive_integer(sequence):
            raise Broken(f"line {self.lines}: its sequence is not a positive integer")
        name = f"line {self.lines} (sequence {sequence})"
        error = line_error(line)
        if error is not None:
            raise Broken(f"{name}: {error}")
        number, index = divmod(sequence, LINES_PER_MOVEMENT)
        if self.open is None or number != self.open["sequence"]:
            self.close_movement()
            if number != self.movements + 1:
                raise Broken(f"{name} does not follow sequence {self.sequence}")
            self.open_movement(number, line)
        account = line["account"]
        if index != (PROVIDER_LINE if account == "provider" else self.company_lines):
            raise Broken(f"{name} does not follow sequence {self.sequence}")
        self.sequence = sequence
        self.append_line(name, line)

    def open_movement(self, number, line):
        self.company_lines = 0
        self.open = {
            "sequence": number,
            "createdAt": milliseconds(line["createdAt"]),
            "type": line["type"],
            "transactionId": line["transactionId"],
            "withdrawId": line["withdrawId"],
            "hash": line["hash"],
            "detailsHash": line["detailsHash"],
            "lines": [],
        }

    def append_line(self, name, line):
        account, amount, balance = line["account"], line["amount"], line["balance"]
        movement = self.open
        same = movement["createdAt"] == milliseconds(line["createdAt"]) and all(
            movement[part] == line[part]
            for part in ("hash", "detailsHash", "type", "transactionId", "withdrawId")
        )
        if not same:
            raise Broken(f"{name} does not agree with the previous line of its movement")
        if any(other[0] == account for other in movement["lines"]):
            raise Broken(f"{name}: {account} occurs twice in its movement")
        total = self.balances.get(account, 0) + amount
        if total != balance:
            raise Broken(f"{name} says that {account} is {balance}; it is {total}")
        self.balances[account] = total
        movement["lines"].append([account, amount, balance])
        if account == "provider":
            self.has_provider = True
            return
        self.company_lines += 1
        self.ledger_sequence = line["sequence"]
        if line["sequence"] in self.requested_lines:
            self.hashes[line["sequence"]] = line["hash"]

    def close_movement(self):
        movement, self.open = self.open, None
        if movement is None:
            return
        self.movements = movement["sequence"]
        if movement_hash(self.hash, movement) != movement["hash"]:
            raise Broken(
                f"movement {self.movements} (up to sequence {self.sequence}) "
                "does not carry the hash of its content"
            )
        self.hash = movement["hash"]
        if sum(amount for _, amount, _ in movement["lines"]) != 0:
            if any(account == "provider" for account, _, _ in movement["lines"]):
                raise Broken(f"movement {self.movements} does not sum to 0")
            if self.unbalanced is None:
                self.unbalanced = self.movements
        broken = self.broken_rule(movement)
        if broken is not None:
            raise Broken(f"movement {self.movements}: {broken}")

    def broken_rule(self, movement):
        """What a movement cannot be although its hash is right; None if nothing is wrong."""
        if self.time is not None and movement["createdAt"] < self.time:
            return "it is earlier than the one before"
        self.time = movement["createdAt"]
        error = movement_error(movement) or follow_withdraw(self.withdraws, movement)
        if error is not None:
            return error
        available = self.balances.get("available", 0)
        if available > 0 and self.balances.get("debt", 0) < 0:
            return f"available is {available} beside a debt"
        return None

    def end(self):
        self.close_movement()
        if self.unbalanced is None:
            return
        if self.has_provider:
            raise Broken(f"movement {self.unbalanced} does not sum to 0")
        raise Broken(PROVIDER_LINES_MISSING)


def csv_line(text):
    values = text.split(",")
    if len(values) != len(COLUMNS):
        return {}
    line = {}
    for column, value in zip(COLUMNS, values):
        if value == "" and column in OPTIONAL:
            line[column] = None
        elif column in NUMBERS and INTEGER.match(value):
            line[column] = int(value)
        else:
            line[column] = value
    return line


def lines_of_csv(texts):
    header = True
    for text in texts:
        text = text.rstrip("\n")
        if header and text != ",".join(COLUMNS):
            raise NotAStatement("The file is not a Centavo statement.")
        if not header and text != "":
            yield csv_line(text)
        header = False
    if header:
        raise NotAStatement("The file is not a Centavo statement: it is empty.")


def lines_of_json(text):
    parsed = read_json(text)
    items = parsed if isinstance(parsed, list) else parsed.get("items", [])
    return [line if isinstance(line, dict) else {} for line in items]


# The evidence


def is_reais(reais, cents):
    if isinstance(reais, bool) or not isinstance(reais, (int, float)):
        return False
    return math.floor(reais * 100 + 0.5) == cents


def compare_balance(statement, balance):
    same = (
        balance.get("ledgerSequence") == statement.ledger_sequence
        and balance.get("ledgerHash") == statement.hash
    )
    if not same:
        raise Broken("the balance response names a different last line")

    def of(account):
        return statement.balances.get(account, 0)

    # An older response without the field held nothing.
    reais = balance.get("accBalanceHeld", 0)
    if isinstance(reais, bool) or not isinstance(reais, (int, float)) or reais < 0:
        raise Broken("the balance response shows different amounts")
    held = math.floor(reais * 100 + 0.5)
    amounts = {
        # The held amount is part of `available` but not of `accBalance`.
        "accBalance": of("available") - held,
        "accBalanceCreditAwaiting": of("awaiting"),
        "accBalanceCredit": of("available") + of("awaiting") + of("blocked"),
        "accBalanceDebt": -of("debt"),
    }
    if not all(is_reais(balance.get(name), cents) for name, cents in amounts.items()):
        raise Broken("the balance response shows different amounts")


def anchors_in(balance, stored):
    files = list(stored)
    if balance is not None and balance.get("ledgerAnchor") is not None:
        files.insert(0, balance)
    anchors = []
    for file in files:
        inner = file.get("ledgerAnchor")
        if inner is None:
            inner = file.get("data")
        if inner is None:
            inner = file
        anchor = dict(inner) if isinstance(inner, dict) else {}
        if anchor.get("companyId") is None:
            anchor["companyId"] = file.get("companyId")
        anchors.append(anchor)
    return anchors


def bytes_of(text, length):
    """Decodes canonical base64; None for anything else."""
    if not is_text(text, BASE64):
        return None
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    canonical = base64.b64encode(found).decode("ascii") == text
    return found if canonical and len(found) == length else None


def is_readable(anchor):
    return (
        is_text(anchor.get("day"), DAY)
        and is_positive_integer(anchor.get("sequence"))
        and is_text(anchor.get("hash"), HASH)
        and is_text(anchor.get("digest"), HASH)
        and is_positive_integer(anchor.get("companyId"))
        and bytes_of(anchor.get("signature"), 64) is not None
        and bytes_of(anchor.get("publicKey"), 32) is not None
    )


def compare_anchor(statement, anchor, public_key):
    if not is_readable(anchor):
        raise Broken("an anchor is not readable")
    day, sequence = anchor["day"], anchor["sequence"]
    if public_key is not None and anchor["publicKey"] != public_key:
        raise Broken(f"the anchor of {day} is signed with a different key")
    payload = "centavo-ledger-anchor {} {} {} {} {}".format(
        day,
        anchor["digest"],
        anchor["companyId"],
        sequence // LINES_PER_MOVEMENT,
        anchor["hash"],
    )
    key, signature = bytes_of(anchor["publicKey"], 32), bytes_of(anchor["signature"], 64)
    if not verify_ed25519(key, payload.encode("utf-8"), signature):
        raise Broken(f"the anchor of {day} has an invalid signature")
    found = statement.hashes.get(sequence)
    if found is None:
        raise Broken(f"sequence {sequence}, anchored on {day}, is not in the statement")
    if found != anchor["hash"]:
        raise Broken(f"sequence {sequence} differs from the anchor of {day}")


# Ed25519 (RFC 8032 section 5.1), verification only. It handles no secret, so it need not run in constant time.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


def point_of(encoded):
    """A point in extended coordinates; None when the 32 bytes encode none."""
    value = int.from_bytes(encoded, "little")
    y = value & ((1 << 255) - 1)
    x = recover_x(y, value >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def add_points(left, right):
    a = (left[1] - left[0]) * (right[1] - right[0]) % P
    b = (left[1] + left[0]) * (right[1] + right[0]) % P
    c = 2 * left[3] * right[3] * D % P
    d = 2 * left[2] * right[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    product = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            product = add_points(product, point)
        point = add_points(point, point)
        scalar >>= 1
    return product


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def verify_ed25519(key, message, signature):
    point, commitment = point_of(key), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or scalar >= L:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(digest, "little") % L
    left, right = multiply(scalar, BASE), add_points(commitment, multiply(challenge, point))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


# The command


def verify(lines, balance=None, anchors=(), public_key=None):
    """The verified statement. Raises `Broken` with the first error."""
    known = anchors_in(balance, anchors)
    statement = Statement({anchor["sequence"] for anchor in known if is_readable(anchor)})
    try:
        for line in lines:
            statement.add(line)
        statement.end()
        if balance is not None:
            compare_balance(statement, balance)
        if public_key is not None and not known:
            raise Broken("there is no anchor to compare with the public key")
        for anchor in known:
            compare_anchor(statement, anchor, public_key)
    except Broken as error:
        error.statement = statement
        raise
    return statement


def print_statement(statement):
    print(f"{statement.lines} lines, {statement.movements} movements")
    for account, cents in statement.balances.items():
        print(f"  {account:<10} {cents / 100:>18.2f}")
    print(f"ledgerSequence {statement.ledger_sequence}\nledgerHash     {statement.hash}")


def read_object(path):
    with open(path, encoding="utf-8") as file:
        return read_json(file.read())


def main(arguments):
    parser = argparse.ArgumentParser(description="Verifies an exported statement of Centavo's.")
    parser.add_argument("statement", help="CSV, or the JSON of one page with all lines")
    parser.add_argument("balance", nargs="?", help="the balance response of the same moment")
    parser.add_argument("--anchor", action="append", default=[], help="a stored anchor")
    parser.add_argument("--public-key", help="the public key that all anchors must have, base64")
    options = parser.parse_args(arguments)
    try:
        balance = None if options.balance is None else read_object(options.balance)
        anchors = [read_object(path) for path in options.anchor]
        with open(options.statement, encoding="utf-8", errors="replace") as file:
            is_json = options.statement.endswith(".json")
            lines = lines_of_json(file.read()) if is_json else lines_of_csv(file)
            statement = verify(lines, balance, anchors, options.public_key)
    except NotAStatement as error:
        print(error, file=sys.stderr)
        return 1
    except Broken as error:
        print_statement(error.statement)
        print(f"BROKEN: {error}.", file=sys.stderr)
        return 1
    print_statement(statement)
    if balance is not None:
        print("The balance response agrees with the statement.")
    known = anchors_in(balance, anchors)
    if known:
        print("Every anchor agrees with the statement.")
    if options.public_key is None:
        print(f"{CORRECT[0].upper()}{CORRECT[1:]}")
        print(NOT_ANCHORED, file=sys.stderr)
        return 3
    newest = max(known, key=lambda anchor: anchor["sequence"])
    anchored = newest["sequence"] // LINES_PER_MOVEMENT
    later = statement.movements - anchored
    print(f"Anchored up to movement {anchored} of {statement.movements} ({newest['day']}); {later} are not.")
    print(f"OK: {CORRECT}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
