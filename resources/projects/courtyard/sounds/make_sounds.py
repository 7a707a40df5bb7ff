#!/usr/bin/env python3
"""Makes the sounds of the Courtyard: python3 make_sounds.py writes the WAV files beside it. Same bytes on every run."""
import math
import random
import struct
import wave
from pathlib import Path

RATE = 32000
FOLDER = Path(__file__).parent


def write(name, samples, level=0.7):
    peak = max(abs(s) for s in samples)
    data = b"".join(struct.pack("<h", round(32767 * level * s / peak)) for s in samples)
    with wave.open(str(FOLDER / name), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(data)


def noise(count, seed):
    source = random.Random(seed)
    return [source.uniform(-1.0, 1.0) for _ in range(count)]


def band(samples, low, high, turns=1):
    """Two one-pole filters; with two turns the end of a loop runs into its beginning."""
    a = 1.0 - math.exp(-2.0 * math.pi * high / RATE)
    b = 1.0 - math.exp(-2.0 * math.pi * low / RATE)
    x = y = 0.0
    for _ in range(turns):
        out = []
        for s in samples:
            x += a * (s - x)
            y += b * (x - y)
            out.append(x - y)
    return out


def flutter():
    # Nine wing beats a second: puffs of air, the down stroke stronger.
    count = RATE
    air = band(noise(count, 1), 500.0, 5000.0, 2)
    out = []
    for n, s in enumerate(air):
        phase = (n / RATE * 9.0) % 1.0
        puff = math.exp(-((phase - 0.25) / 0.09) ** 2) + 0.45 * math.exp(-((phase - 0.7) / 0.07) ** 2)
        out.append(s * puff)
    return out


def roll():
    # Brass over stone: a rumble that turns over twice a second, with a ring of the metal.
    count = 2 * RATE
    low = band(noise(count, 2), 60.0, 320.0, 2)
    grit = band(noise(count, 3), 900.0, 3600.0, 2)
    out = []
    for n in range(count):
        t = n / RATE
        turn = 0.75 + 0.25 * math.sin(2.0 * math.pi * 2.0 * t)
        out.append(low[n] * turn + 0.35 * grit[n] * (0.6 + 0.4 * math.sin(2.0 * math.pi * 3.0 * t)))
    return out


def knock():
    # A wooden box: a few stiff modes that die quickly, and the blow itself.
    count = int(0.45 * RATE)
    blow = band(noise(count, 4), 300.0, 6000.0)
    modes = [(118.0, 0.11, 1.0), (196.0, 0.08, 0.7), (331.0, 0.06, 0.5), (523.0, 0.035, 0.35), (947.0, 0.02, 0.2)]
    out = []
    for n in range(count):
        t = n / RATE
        tone = sum(g * math.exp(-t / d) * math.sin(2.0 * math.pi * f * t) for f, d, g in modes)
        out.append((tone + 1.1 * blow[n] * math.exp(-t / 0.006)) * min(1.0, t / 0.0008))
    return out


def creak():
    # A hinge that sticks and slips: clicks at an uneven rate, through two resonances of the wood.
    count = int(1.5 * RATE)
    source = random.Random(5)
    drive = [0.0] * count
    at = 0.03
    while at < 1.4:
        drive[int(at * RATE)] = source.uniform(0.6, 1.0) * math.sin(math.pi * at / 1.43)
        rate = 55.0 + 60.0 * math.sin(math.pi * at / 1.5) + 12.0 * source.uniform(-1.0, 1.0)
        at += 1.0 / rate
    out = [0.0] * count
    for frequency, width, gain in [(410.0, 60.0, 1.0), (980.0, 110.0, 0.8), (1720.0, 160.0, 0.5)]:
        r = math.exp(-math.pi * width / RATE)
        c = 2.0 * r * math.cos(2.0 * math.pi * frequency / RATE)
        y1 = y2 = 0.0
        for n in range(count):
            y = drive[n] + c * y1 - r * r * y2
            out[n] += gain * y * (1.0 - r)
            y2, y1 = y1, y
    return [s * min(1.0, (count - n) / (0.05 * RATE)) for n, s in enumerate(out)]


def hum():
    # A choir of no throat: beating partials, whole turns in three seconds.
    count = 3 * RATE
    out = []
    for n in range(count):
        t = n / RATE
        sway = 0.7 + 0.3 * math.sin(2.0 * math.pi * t / 3.0)
        s = 0.0
        for k, (f, g) in enumerate([(82.0, 1.0), (82.0 + 1.0 / 3.0, 0.8), (123.0, 0.5), (164.0, 0.4), (246.0 + 2.0 / 3.0, 0.25),
                                    (369.0, 0.16), (553.0 + 1.0 / 3.0, 0.1), (1107.0, 0.05)]):
            s += g * math.sin(2.0 * math.pi * f * t + 0.7 * k)
        out.append(s * sway)
    return out


if __name__ == "__main__":
    write("flutter.wav", flutter())
    write("roll.wav", roll())
    write("knock.wav", knock())
    write("creak.wav", creak())
    write("hum.wav", hum(), 0.5)
