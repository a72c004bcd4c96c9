"""Checks a saved answer of GET /api/v1/audit (its file is the argument) without Centavo's code."""
import datetime, hashlib, json, sys
dump = lambda v: json.dumps(v, separators=(",", ":"), ensure_ascii=False)
text = lambda v: None if v is None else dump(v)
ms = lambda t: round(datetime.datetime.fromisoformat(t.replace("Z", "+00:00")).timestamp() * 1000)
previous, number = "0" * 64, 0
for e in json.load(open(sys.argv[1]))["items"]:
    a, number = e["actor"], number + 1
    fields = [previous, e["companyId"], number, ms(e["at"]), a["kind"], a["id"], a["name"], e["keyPrefix"],
              e["action"], e["target"], text(e["before"]), text(e["after"]), e["reason"], e["address"], e["traceId"]]
    previous = hashlib.sha256(dump(fields).encode()).hexdigest()
    assert e["sequence"] == number and e["hash"] == previous, f"entry {number} is broken"
print(number, previous)
