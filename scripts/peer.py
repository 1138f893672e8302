#!/usr/bin/python3
"""The model of docs/theory.md, section 1, in PyTorch: an independent oracle and the speed to beat. Run by `scripts/bench peer`.

usage: peer.py check FOLDER                 loss and gradients against what bench_peer exported to FOLDER
       peer.py time FOLDER BENCH_PEER THREADS BATCH ROUNDS
                                            sequences a second of both, taking turns; one JSON object on standard output
"""
import json
import math
import resource
import statistics
import struct
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

TRAINED = ("wk1", "wk2", "wo2")


def read_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = bytearray(file.read())
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if entry["dtype"] != "F64" or end - begin != 8 * math.prod(entry["shape"]):
            sys.exit(f"peer.py: {path}: {name}: expected F64 of the stated shape")
        tensors[name] = torch.frombuffer(data[begin:end], dtype=torch.float64).reshape(entry["shape"])
    return tensors, metadata


class Model(torch.nn.Module):
    """Two layers of one head, dense and batched: every position attends, every position gets logits."""

    def __init__(self, tables, kappa, dtype):
        super().__init__()
        self.kappa = kappa
        for name, table in tables.items():
            if name in TRAINED:
                self.register_parameter(name, torch.nn.Parameter(table.to(dtype, copy=True)))
            else:
                self.register_buffer(name, table.to(dtype))
        length = self.pos.shape[0]
        self.register_buffer("future", torch.ones(length, length, dtype=torch.bool).triu(1))

    def attention(self, x, map):
        scores = self.kappa * (x @ map) @ x.transpose(1, 2)
        return scores.masked_fill(self.future, -math.inf).softmax(-1)

    def forward(self, tokens):
        x = self.tok[tokens] + self.pos
        x1 = x + self.attention(x, self.wk1) @ (x @ self.wv1.T) @ self.wo1.T
        x2 = x1 + self.attention(x1, self.wk2) @ (x1 @ self.wv2.T) @ self.wo2.T
        return x2 @ self.out.T


def loss_sum(model, tokens, targets):
    seen = targets >= 0
    return F.cross_entropy(model(tokens)[seen], targets[seen], reduction="sum")


def load(folder):
    tables, metadata = read_safetensors(f"{folder}/model.safetensors")
    batch, _ = read_safetensors(f"{folder}/batch.safetensors")
    return tables, float(metadata["kappa"]), batch["tokens"].long(), batch["targets"].long()


def gradients(model, tokens, targets, chunk=32):
    """Loss and gradients of the SUM of losses, in double on the way out."""
    model.zero_grad()
    total = 0.0
    for begin in range(0, len(tokens), chunk):
        loss = loss_sum(model, tokens[begin : begin + chunk], targets[begin : begin + chunk])
        loss.backward()
        total += loss.item()
    return total, {name: getattr(model, name).grad.double() for name in TRAINED}


def say(line):
    print(line, file=sys.stderr, flush=True)


def within(label, found, expected, bound):
    """Entry by entry; prints the worst ratio and says whether all are inside."""
    difference = (found - expected).abs()
    worst = (difference / bound).max().item()
    rms = expected.double().pow(2).mean().sqrt().item()
    width = (bound / rms).median().item() if rms else math.inf
    say(f"  {label:<5} worst {worst:8.1e} of the bound; bound {width:8.1e} of a typical entry")
    return worst <= 1


def entries_agree(model, tokens, targets, said, facts):
    """Double against double on a few sequences, entry by entry, within the bounds that bench_peer computed."""
    n = int(facts["bounded"])
    loss, gradient = gradients(model, tokens[:n], targets[:n])
    number = lambda x: torch.tensor(float(x), dtype=torch.float64)
    inside = within("loss", number(facts["first_loss"]), number(loss), number(facts["bound_loss"]))
    for name in TRAINED:
        inside &= within(name, said[f"first_{name}"], gradient[name], said[f"bound_{name}"])
    return inside


def relative(found, expected):
    return ((found - expected).norm() / expected.norm()).item()


def batch_agrees(tables, kappa, tokens, targets, said, facts):
    """The whole batch, relative to PyTorch in double: whether the reference agrees, and whether the fast path does. The reference: 1e-10,
    above any double evaluation of these sums and far below a fault. The fast path: ten times what rounding to float does to PyTorch
    itself, one rounding at least."""
    n = int((targets >= 0).sum())
    loss, gradient = gradients(Model(tables, kappa, torch.float64), tokens, targets)
    float_loss, float_gradient = gradients(Model(tables, kappa, torch.float32), tokens, targets)
    rows = [("loss", *(abs(x - loss) / abs(loss) for x in
                       (float(facts["reference_loss"]) * n, float(facts["fast_loss"]) * n, float_loss)))]
    for name in TRAINED:
        rows.append((name, *(relative(x, gradient[name]) for x in
                             (said[f"reference_{name}"] * n, said[f"fast_{name}"] * n, float_gradient[name]))))
    reference_agrees = fast_agrees = True
    for name, reference, fast, single in rows:
        allowed = 10 * max(single, 2.0**-24)
        say(f"  {name:<5} reference {reference:8.1e} of 1e-10 allowed   fast path {fast:8.1e} of {allowed:8.1e} allowed")
        reference_agrees &= reference <= 1e-10
        fast_agrees &= fast <= allowed
    return reference_agrees, fast_agrees


def check(folder):
    torch.set_num_threads(2)
    tables, kappa, tokens, targets = load(folder)
    said, facts = read_safetensors(f"{folder}/gradients.safetensors")

    def verdicts(tables):
        say(f" first {facts['bounded']} sequences, PyTorch in double and the reference, entry by entry:")
        entries = entries_agree(Model(tables, kappa, torch.float64), tokens, targets, said, facts)
        say(f" all {len(tokens)} sequences, {int((targets >= 0).sum())} loss positions, relative distance to PyTorch in double:")
        return (entries, *batch_agrees(tables, kappa, tokens, targets, said, facts))

    say("the same weights:")
    agree = all(verdicts(tables))
    say("agree" if agree else "DISAGREE")
    say("control, one entry of W_K1 moved by a hundredth of a typical entry, which none of the three comparisons may let through:")
    moved = dict(tables, wk1=tables["wk1"].clone())
    moved["wk1"][3, 5] += 0.01 * moved["wk1"].pow(2).mean().sqrt()
    caught = not any(verdicts(moved))
    say("caught" if caught else "NOT CAUGHT")
    return agree and caught


def one_step(model, optimizer, tokens, targets):
    optimizer.zero_grad()
    loss = loss_sum(model, tokens, targets) / (targets >= 0).sum()
    loss.backward()
    optimizer.step()


def measure(folder, program, threads, batch, rounds):
    torch.set_num_threads(threads)
    tables, kappa, tokens, targets = load(folder)
    tokens, targets = tokens[:batch], targets[:batch]
    model = Model(tables, kappa, torch.float32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, weight_decay=1e-4)
    steps = 8  # of ours for one of PyTorch's, so that a turn of either takes about as long
    ours = subprocess.Popen([program, "step", str(batch)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def our_turn():
        ours.stdin.write(f"{threads} {steps}\n")
        ours.stdin.flush()
        updates, processor, drawing, peak, positions = (float(x) for x in ours.stdout.readline().split())
        return {"with_data": steps * batch / updates, "without_data": steps * batch / (updates - drawing),
                "processor": processor / (steps * batch), "peak": int(peak), "positions": positions}

    def torch_turn():
        begin, before = time.perf_counter(), time.process_time()
        one_step(model, optimizer, tokens, targets)
        return {"rate": batch / (time.perf_counter() - begin), "processor": (time.process_time() - before) / batch}

    torch_turn()  # both warm up
    our_turn()
    turns = []
    for _ in range(rounds):
        us, them = our_turn(), torch_turn()
        turns.append((us, them))
        say(f"  PyTorch {them['rate']:7.1f} sequences/s; popgrad {us['with_data']:8.1f} with data, {us['without_data']:8.1f} without: "
            f"{us['with_data'] / them['rate']:5.1f} and {us['without_data'] / them['rate']:5.1f} times")
    ours.stdin.close()
    ours.wait()

    def spread(value):
        values = [value(*turn) for turn in turns]
        return {"median": statistics.median(values), "least": min(values), "most": max(values)}

    return {
        "threads": threads,
        "batch": batch,
        "rounds": rounds,
        "torch_version": torch.__version__,
        "torch_sequences_per_second": spread(lambda us, them: them["rate"]),
        "popgrad_sequences_per_second": spread(lambda us, them: us["with_data"]),
        "popgrad_sequences_per_second_without_data": spread(lambda us, them: us["without_data"]),
        "ratio": spread(lambda us, them: us["with_data"] / them["rate"]),
        "ratio_without_data": spread(lambda us, them: us["without_data"] / them["rate"]),
        "ratio_of_processor_time": spread(lambda us, them: them["processor"] / us["processor"]),
        "loss_positions_per_sequence": turns[-1][0]["positions"],
        "popgrad_peak_kib": {f"after {(r + 2) * steps} steps": turns[r][0]["peak"] for r in (0, rounds - 1)},
        "torch_peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "check":
        return 0 if check(arguments[1]) else 1
    if len(arguments) == 6 and arguments[0] == "time":
        threads, batch, rounds = (int(x) for x in arguments[3:])
        print(json.dumps(measure(arguments[1], arguments[2], threads, batch, rounds)))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
