#!/usr/bin/env python3
# Approves amounts of up to 100, in one process for all calls: webhook serve --exec ./decide.py --exec-mode long-running
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    amount = asked["call"]["transactionData"]["transactionAmount"]["amount"]
    answer = "approve" if amount <= 100 else "decline 51"
    print(json.dumps({"id": asked["id"], "answer": answer}), flush=True)
