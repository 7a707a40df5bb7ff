#!/usr/bin/env python3
"""Makes the sounds of the Audio range: python3 make_sounds.py writes the WAV files beside it. Same bytes on every run."""
import math
import random
import struct
import wave
from pathlib import Path

FOLDER = Path(__file__).parent


def write(name, samples, rate, level=0.7):
    peak = max(abs(s) for s in samples)
    data = b"".join(struct.pack("<h", round(32767 * level * s / peak)) for s in samples)
    with wave.open(str(FOLDER / name), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(data)


def noise(count, seed):
    source = random.Random(seed)
    return [source.uniform(-1.0, 1.0) for _ in range(count)]


def chime(rate):
    # A struck bar with a burst of noise at its onset: wide in frequency, so that its direction is told easily.
    count = int(0.9 * rate)
    blow = noise(count, 11)
    modes = [(880.0, 0.30, 1.0), (2427.0, 0.14, 0.6), (4757.0, 0.07, 0.45), (7866.0, 0.04, 0.3), (11700.0, 0.025, 0.2)]
    out = []
    for n in range(count):
        t = n / rate
        s = sum(g * math.exp(-t / d) * math.sin(2.0 * math.pi * f * t) for f, d, g in modes)
        out.append((s + 1.2 * blow[n] * math.exp(-t / 0.004)) * min(1.0, t / 0.0005) * min(1.0, (count - n) / (0.1 * rate)))
    return out


def motor(rate):
    # An electric motor: sharp harmonics of 220 Hz, whole turns in a second, under a whine. Its pitch in passing is heard clearly.
    out = []
    for n in range(rate):
        t = n / rate
        s = sum(math.sin(2.0 * math.pi * 220.0 * k * t + k * k) / k ** 0.8 for k in range(1, 25))
        s *= 0.85 + 0.15 * math.sin(2.0 * math.pi * 11.0 * t)
        out.append(s + 0.5 * math.sin(2.0 * math.pi * 1760.0 * t) * (0.7 + 0.3 * math.sin(2.0 * math.pi * 7.0 * t)))
    return out


def clap(rate):
    # Two hands, dry: four slaps within a hundredth of a second, then nothing until the loop begins again.
    count = 2 * rate
    source = noise(count, 12)
    out = [0.0] * count
    x = y = 0.0
    for n in range(int(0.12 * rate)):
        t = n / rate
        level = sum(math.exp(-(t - at) / d) for at, d in [(0.0, 0.002), (0.004, 0.002), (0.008, 0.003), (0.012, 0.018)] if t >= at)
        x += 0.45 * (source[n] - x)
        y += 0.06 * (x - y)
        out[n] = (x - y) * level
    return out


def melody(rate):
    # A music box in D: six bars of four seconds, made up for this.
    notes = [62, 69, 74, 76, 78, 76, 74, 69, 67, 71, 74, 79, 78, 74, 71, 67, 64, 71, 76, 79, 81, 79, 76, 71,
             69, 73, 76, 81, 79, 76, 73, 69, 66, 69, 74, 78, 81, 78, 74, 69, 62, 69, 74, 78, 74, 69, 66, 62]
    count = 24 * rate
    out = [0.0] * count
    for i, note in enumerate(notes):
        start = i * rate // 2
        frequency = 440.0 * 2.0 ** ((note - 69) / 12.0)
        for n in range(int(1.4 * rate)):
            t = n / rate
            s = 0.0
            for k, g, d in [(1.0, 1.0, 0.5), (2.76, 0.35, 0.18), (5.40, 0.18, 0.08)]:
                if frequency * k < 0.45 * rate:
                    s += g * math.exp(-t / d) * math.sin(2.0 * math.pi * frequency * k * t)
            out[(start + n) % count] += s * min(1.0, t / 0.001)
    return out


if __name__ == "__main__":
    write("chime.wav", chime(32000), 32000)
    write("motor.wav", motor(32000), 32000)
    write("clap.wav", clap(32000), 32000)
    write("melody.wav", melody(16000), 16000)
