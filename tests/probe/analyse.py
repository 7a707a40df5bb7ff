#!/usr/bin/env python3
"""Reads a stereo WAV of 32-bit floats and prints what tells its two ears apart, as JSON: a second opinion on the probe's figures.

usage: analyse.py FILE.wav SECONDS    the last SECONDS of the file

itd   s, positive: the left ear hears later. Peak of the cross-correlation of 100 to 1500 Hz, worked out with one transform.
ild   dB, positive: the right ear hears louder. Per band, then of all bands together.
rms, peaks   dB re full scale, left and right.
extremes     the lowest and the highest sample.

Of the whole file, or of its end as it says:
lufs, peak   integrated loudness by ITU-R BS.1770-4, and the highest sample in dB.
spectrum     dB by ear and band, a sine of full scale reads 0: the mean over 200 frequencies, 20 Hz to 20 kHz evenly spread over the
             logarithm, of the highest bin around each; Hann windows of 4096 frames, averaged with 0.15 s up to the file's end.
"""
import json
import struct
import sys

import numpy

EDGES = [100.0, 500.0, 1500.0, 4000.0, 8000.0, 16000.0]
LONGEST = 1.2e-3  # s; more no head is wide


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        sys.exit(f"{path}: no WAV file")
    at, form, samples = 12, None, None
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            form = struct.unpack_from("<HHIIHH", data, at + 8)
        elif name == b"data":
            samples = numpy.frombuffer(data[at + 8 : at + 8 + size // 8 * 8], dtype="<f4")
        at += 8 + size + size % 2
    if form is None or samples is None or form[1] != 2 or form[5] != 32:
        sys.exit(f"{path}: expected two channels of 32-bit floats")
    return form[2], samples.reshape(-1, 2).astype(float)


def decibels(power):
    return 10.0 * numpy.log10(numpy.maximum(power, 1e-20))


def loudness(frames, rate):
    # The two filters by their coefficients in the recommendation, which are for 48 kHz, as a response over frequency.
    if rate != 48000:
        sys.exit("loudness is worked out at 48 kHz only")
    size = 1 << int(numpy.ceil(numpy.log2(2 * len(frames))))
    turn = numpy.exp(-2j * numpy.pi * numpy.fft.rfftfreq(size))
    shelf = (1.53512485958697 - 2.69169618940638 * turn + 1.19839281085285 * turn**2) / (
        1.0 - 1.69065929318241 * turn + 0.73248077421585 * turn**2)
    high = (1.0 - 2.0 * turn + turn**2) / (1.0 - 1.99004745483398 * turn + 0.99007225036621 * turn**2)
    heard = numpy.fft.irfft(numpy.fft.rfft(frames, n=size, axis=0) * (shelf * high)[:, None], n=size, axis=0)[: len(frames)]
    block, step = int(0.4 * rate), int(0.1 * rate)
    power = numpy.array([(heard[at : at + block] ** 2).mean(axis=0).sum() for at in range(0, len(heard) - block + 1, step)])
    level = lambda p: -0.691 + decibels(p)
    power = power[level(power) > -70.0]
    power = power[level(power) > level(power.mean()) - 10.0]
    return level(power.mean())


def drawn(frames, rate):
    size, hop = 4096, 800
    window = numpy.hanning(size + 1)[:size, None]
    power, weight = 0.0, 0.0
    for at in range(len(frames) - size, -1, -hop):
        share = numpy.exp(-(len(frames) - size - at) / rate / 0.15)
        power = power + share * numpy.abs(numpy.fft.rfft(frames[at : at + size] * window, axis=0)) ** 2
        weight += share
    power = power / weight * 16.0 / size**2
    hertz = numpy.fft.rfftfreq(size, 1.0 / rate)
    points = numpy.geomspace(20.0, 20000.0, 200)
    half = (20000.0 / 20.0) ** (0.5 / 199)
    out = []
    for ear in range(2):
        curve = []
        for point in points:
            inside = (hertz >= point / half) & (hertz <= point * half)
            between = numpy.interp(point, hertz, power[:, ear])
            curve.append(max(between, power[inside, ear].max() if inside.any() else 0.0))
        curve = decibels(numpy.array(curve))
        out.append([float(curve[(points >= low) & (points < high)].mean()) for low, high in zip(EDGES, EDGES[1:])])
    return out


def main():
    rate, frames = read(sys.argv[1])
    whole = frames
    frames = frames[-int(float(sys.argv[2]) * rate) :]
    window = numpy.hanning(len(frames))[:, None]
    spectrum = numpy.fft.rfft(frames * window, n=2 * len(frames), axis=0)
    hertz = numpy.fft.rfftfreq(2 * len(frames), 1.0 / rate)
    power = numpy.abs(spectrum) ** 2
    bands = [power[(hertz >= low) & (hertz < high)].sum(axis=0) for low, high in zip(EDGES, EDGES[1:])]
    ild = [10.0 * numpy.log10(right / left) for left, right in bands + [sum(bands)]]

    # Sixteen times finer than the samples, by zeros above the band.
    fine = 16
    heard = (hertz >= EDGES[0]) & (hertz < EDGES[2])
    cross = numpy.where(heard, spectrum[:, 0] * numpy.conj(spectrum[:, 1]), 0.0)
    product = numpy.fft.irfft(cross, n=2 * len(frames) * fine)
    most = int(LONGEST * rate * fine)
    lags = numpy.arange(-most, most + 1)
    itd = lags[numpy.argmax(product[lags])] / (rate * fine)
    print(json.dumps({
        "itd": float(itd),
        "ild": [float(x) for x in ild],
        "rms": [float(x) for x in decibels((frames**2).mean(axis=0))],
        "peaks": [float(x) for x in decibels((frames**2).max(axis=0))],
        "extremes": [float(frames.min()), float(frames.max())],
        "lufs": float(loudness(whole, rate)),
        "peak": float(decibels((whole**2).max())),
        "spectrum": drawn(whole, rate),
    }))


main()
