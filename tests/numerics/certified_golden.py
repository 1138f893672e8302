# Golden values for tests/numerics/certified_descent_test.cpp: gradients of the ideal model from the formulas of docs/theory.md,
# sections 1 to 3, alone: every sequence, central differences of the loss with h = 1e-30 in 100 digits (error below 1e-50).
from itertools import product
from mpmath import mp, mpf, exp, log
mp.dps = 100
N, T = 3, 4
D, I = 2 * (N + T), N + T
E = lambda k: k
P = lambda t: N + t
R = lambda k: N + T + k
S = lambda t: 2 * N + T + t

def sequences():  # (tokens, label, probability), background any
    for q, o, tau in product(range(N), range(N), range(T - 2)):
        free = [t for t in range(T - 1) if t not in (tau, tau + 1)]
        for rest in product(range(N), repeat=len(free)):
            z = [None] * T
            z[tau], z[tau + 1], z[T - 1] = q, o, q
            for t, b in zip(free, rest): z[t] = b
            yield tuple(z), o, mpf(1) / (N * N * (T - 2) * N ** len(free))

def softmax(x):
    e = [exp(v) for v in x]
    return [v / sum(e) for v in e]

def loss(wo, wk2, wk1):
    total = mpf(0)
    for z, y, p in sequences():
        x1 = []
        for t in range(T):
            a = softmax([sum(wk1.get((i, j), 0) for i in (E(z[t]), P(t)) for j in (E(z[s]), P(s))) for s in range(t + 1)])
            v = {E(z[t]): mpf(1), P(t): mpf(1)}
            for s in range(t + 1):
                for c in (R(z[s]), S(s)): v[c] = v.get(c, mpf(0)) + a[s]
            x1.append(v)
        a = softmax([sum(x1[-1].get(i, 0) * w * x1[s].get(j, 0) for (i, j), w in wk2.items()) for s in range(T)])
        logits = [sum(w * a[s] * x1[s].get(c, 0) for s in range(T) for (k2, c), w in wo.items() if k2 == k) for k in range(N)]
        total -= p * log(softmax(logits)[y])
    return total

def descent(maps, which, entries):
    h, result = mpf(10) ** -30, {}
    for at in entries:
        values = []
        for sign in (1, -1):
            moved = [dict(m) for m in maps]
            moved[which][at] = moved[which].get(at, mpf(0)) + sign * h
            values.append(loss(*moved))
        result[at] = -(values[0] - values[1]) / (2 * h)
    return result

def show(name, value): print(f'{name} "{mp.nstr(value, 45)}"')

wo = {(k, E(k)): mpf('1.25') for k in range(N)}
wk2 = {(E(k), R(k)): mpf('1.5') for k in range(N)}
show("stage2 E,R diag", descent((wo, {}, {}), 1, [(E(0), R(0))])[(E(0), R(0))])
for s in range(3): show(f"stage3 P3,P{s+1}", descent((wo, wk2, {}), 2, [(P(2), P(s))])[(P(2), P(s))])
# actual full hand-off, eta1 = 3, eta2 = 20
wo = {at: 3 * v for at, v in descent(({}, {}, {}), 0, [(k, c) for k in range(N) for c in range(D)]).items()}
show("actual U,R diag / 3", wo[(0, R(0))] / 3)
wk2 = descent((wo, {}, {}), 1, [(i, j) for i in range(D) for j in range(D)])
show("actual stage2 E,R diag", wk2[(E(0), R(0))])
wk2 = {at: 20 * v for at, v in wk2.items()}
for s in range(3): show(f"actual stage3 P3,P{s+1}", descent((wo, wk2, {}), 2, [(P(2), P(s))])[(P(2), P(s))])
