"""The harness's parts one by one: random numbers, formats, comparison, sizes, JSON, against independent answers."""

import json
import math
import struct

import numpy as np
import pytest

np.seterr(all="ignore")  # overflowing casts are what some of these tests are about


def test_philox_matches_the_published_vectors(probe):
    # kat_vectors of Random123 (Salmon et al.), philox4x32 with 10 rounds
    assert probe(
        "philox 0 0 0 0 0 0",
        "philox ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff",
        "philox 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0",
    ) == [
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ]


def philox(counter, key):
    """The generator once more, in Python."""
    counter, key, mask = list(counter), list(key), 0xFFFFFFFF
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [b >> 32 ^ counter[1] ^ key[0], b & mask, a >> 32 ^ counter[3] ^ key[1], a & mask]
        key = [(key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask]
    return counter


def test_inputs_are_the_generators_numbers(probe):
    seed, stream, low, high = 0x123456789ABCDEF, 3, -10.0, 10.0
    values = [float.fromhex(text) for text in probe(f"input f64 {seed} {stream} 9 plain {low} {high}")[0].split()]
    for i, value in enumerate(values):
        words = philox([i // 2, 0, stream, 0], [seed & 0xFFFFFFFF, seed >> 32])[2 * (i % 2) :]
        unit = ((words[0] << 32 | words[1]) >> 11) * 2.0**-53
        assert math.isclose(value, low + (high - low) * unit, rel_tol=0, abs_tol=2e-15)
        assert low <= value < high


def test_inputs_depend_on_seed_and_stream_only(probe):
    same, again, seed, stream, longer = probe(
        "input f32 1 0 8 plain 0 1", "input f32 1 0 8 plain 0 1", "input f32 2 0 8 plain 0 1",
        "input f32 1 1 8 plain 0 1", "input f32 1 0 30000 plain 0 1")  # fmt: skip
    assert same == again and same != seed and same != stream
    assert longer.startswith(same)  # the long one is made by several threads


def test_special_values_are_mixed_in(probe):
    values = [float.fromhex(text) for text in probe("input f32 5 0 4000 special -1 1")[0].split()]
    special = [x for x in values if not abs(x) < 1 or x == 0 or abs(x) < 1e-30]
    assert 0.05 < len(special) / len(values) < 0.2
    assert any(math.isnan(x) for x in special) and {math.inf, -math.inf, 1e5, -1e5, 0.0} <= set(special)
    assert any(0 < abs(x) < 1e-38 for x in special)


def test_every_half_and_bfloat16_decodes(probe):
    bits = np.arange(65536, dtype=np.uint16)
    for dtype, expected in [("f16", bits.view(np.float16).astype(np.float64)),
                            ("bf16", (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64))]:  # fmt: skip
        answers = [float.fromhex(text) for text in probe(*(f"decode {dtype} {b:x}" for b in bits))]
        assert np.array_equal(np.array(answers), expected, equal_nan=True)


def encode_bf16(value: float) -> int:
    """Nearest bfloat16, ties to even, by comparing with the neighbours exactly (bfloat16 values are Python floats)."""
    if math.isnan(value):
        return 0x7FC0
    sign, magnitude = (0x8000 if math.copysign(1, value) < 0 else 0), abs(value)
    decode = lambda b: 2.0**128 if b == 0x7F80 else struct.unpack("<f", struct.pack("<I", b << 16))[0]
    low, high = 0, 0x7F80
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if decode(middle) <= magnitude else (low, middle)
    below, above = magnitude - decode(low), decode(high) - magnitude
    return sign | (low if below < above or (below == above and low % 2 == 0) else high)


def test_encoding_rounds_to_nearest_even_once(probe):
    rng = np.random.default_rng(1)
    values = list(np.ldexp(rng.uniform(-2, 2, 3000), rng.integers(-150, 130, 3000)))
    values += list(np.ldexp(rng.uniform(-2, 2, 3000), rng.integers(-30, 18, 3000)))
    for code in rng.integers(0, 0x7C00, 500):  # ties between two halves, and just beside them
        low, high = np.array([code, code + 1], np.uint16).view(np.float16).astype(np.float64)
        if np.isfinite(high):
            tie = (low + high) / 2
            values += [tie, np.nextafter(tie, 0), np.nextafter(tie, 1e9), -tie]
    values += [0.0, -0.0, math.inf, -math.inf, 65504, 65519.99999, 65520, 3.3895e38, 3.4e38, 2.0**-25, 2.0**-24 * 1.5]
    half = [f"{np.float64(x).astype(np.float16).view(np.uint16):x}" for x in values]
    assert probe(*(f"encode f16 {float(x).hex()}" for x in values)) == half
    single = [f"{np.float64(x).astype(np.float32).view(np.uint32):x}" for x in values]
    assert probe(*(f"encode f32 {float(x).hex()}" for x in values)) == single
    brain = [f"{encode_bf16(float(x)):x}" for x in values]
    assert probe(*(f"encode bf16 {float(x).hex()}" for x in values)) == brain


def bits32(value: float) -> str:
    return f"{np.float32(value).view(np.uint32):x}"


def compare32(probe, pairs, columns=0, block=4, ulps=4, flush=0.0):
    flat = " ".join(f"{got if isinstance(got, str) else bits32(got)} {float(expected).hex()}" for got, expected in pairs)
    return probe(f"compare f32 {columns} {block} {ulps} {flush} {len(pairs)} {flat}")[0]


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("got, expected, right", [
    (1.0, 1.0, True),
    (1 + 4 * 2.0**-23, 1.0, True),
    (1 + 5 * 2.0**-23, 1.0, False),
    (NAN, 1.0, False),
    (1.0, NAN, False),
    (NAN, NAN, True),
    ("ffffffff", 1.0, False),  # the poison
    ("ffffffff", NAN, False),  # the poison where NaN is due: still never written
    (INF, INF, True),
    (-INF, INF, False),
    (INF, 1.0, False),
    (NAN, INF, False),
    (3.4028235e38, INF, False),
    (INF, 1e39, True),  # the true value rounds to infinity
    (-INF, 1e39, False),
    (3.4028235e38, 1e39, False),
    (0.0, -0.0, True),
    (0.0, 1e-30, False),
])  # fmt: skip
def test_one_element(probe, got, expected, right):
    assert compare32(probe, [(got, expected)]).startswith("wrong 0" if right else "wrong 1")


def test_flushing_is_allowed_only_as_far_as_it_goes(probe):
    smallest = 2.0**-126
    assert compare32(probe, [(0.0, smallest / 2)], flush=smallest).startswith("wrong 0")
    assert compare32(probe, [(0.0, smallest / 2)]).startswith("wrong 1")
    assert compare32(probe, [(0.0, smallest * 2)], flush=smallest).startswith("wrong 1")


def test_worst_error_and_where(probe):
    answer = compare32(probe, [(1, 1), (1 + 3 * 2.0**-23, 1), (1 + 2.0**-23, 1)])
    assert answer == "wrong 0 unwritten 0 nan 0 worst 3 at 1: ok"


@pytest.mark.parametrize("wrong, n, columns, block, text", [
    (range(10), 10, 0, 4, "every element"),
    ([0], 10, 0, 4, "the first element"),
    ([9], 10, 0, 4, "the last element"),
    ([5], 10, 0, 4, "one element"),
    ([8, 9], 10, 0, 4, "all in the last block of 4"),
    (range(5, 10), 10, 0, 4, "all from [5] to the end"),
    (range(0, 5), 10, 0, 4, "all up to [4]"),
    (range(3, 6), 10, 0, 4, "all from [3] to [5]"),
    (range(1, 12, 2), 12, 0, 4, "every 2nd from [1]"),
    (range(3, 40, 4), 41, 0, 4, "every 4th from [3]"),
    ([1, 2, 7], 10, 0, 4, "scattered from [1] to [7]"),
    ([12, 13, 15], 16, 4, 4, "all in row 3, the last"),
    ([4, 6], 16, 4, 4, "all in row 1"),
    ([3, 7, 15], 16, 4, 4, "all in column 3, the last"),
    ([1, 9], 16, 4, 4, "all in column 1"),
])  # fmt: skip
def test_pattern(probe, wrong, n, columns, block, text):
    pairs = [(2.0 if i in set(wrong) else 1.0, 1.0) for i in range(n)]
    answer = compare32(probe, pairs, columns=columns, block=block)
    assert answer.startswith(f"wrong {len(list(wrong))} ") and answer.endswith(": " + text)


def test_comparison_in_parallel_parts_counts_everything(probe):
    n = 40000  # more than one thread's part
    wrong = {7, 19999, 20000, 39999}
    answer = compare32(probe, [(2.0 if i in wrong else 1.0, 1.0) for i in range(n)])
    assert answer.startswith("wrong 4 ") and answer.endswith("scattered from [7] to [39999]")


def test_sizes(probe):
    good = {"1": 1, "1000003": 1000003, "2^24": 2**24, "16M": 16_000_000, "64Ki": 65536, "3G": 3 * 10**9, "2^63": 2**63}
    assert probe(*(f"size {text}" for text in good)) == [str(value) for value in good.values()]
    for text in ["0", "-1", "", "4X", "2^", "1.5", "2^64", "Ki", "99999999999999999999", "0^0x", "1KiB"]:
        assert probe(f"size {text}")[0].startswith("error: "), text


def test_checked_sizes_hold_what_kernels_get_wrong(probe):
    sizes = {int(text.removeprefix("N=")) for text in probe("sizes 128 N")[0].split(";") if text}
    assert {1, 2, 3, 31, 33, 127, 128, 129, 511, 513, 1023, 1029, 1021, 10007, 100003} <= sizes
    pairs = probe("sizes 128 rows cols")[0].split(";")
    for needed in ["rows=1 cols=1", "rows=1021 cols=5", "rows=5 cols=1021", "rows=5 cols=129", "rows=97 cols=97"]:
        assert needed in pairs


def test_json_is_json(probe):
    parsed = json.loads(probe('json say "hi"')[0])
    assert parsed == {"text": 'say "hi"\n\t"\\', "nan": None, "list": [1, {}, True]}
