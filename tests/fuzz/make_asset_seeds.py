#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets `mesh` and `sound`: small files of every format that the readers take, and some that they must refuse.
make_asset_seeds.py CORPUS_FOLDER; needs libsndfile."""
import base64
import ctypes
import json
import math
import os
import struct
import sys

folder = sys.argv[1]


def write(target, name, data):
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    with open(os.path.join(folder, target, name), "wb") as file:
        file.write(data)


# ---- meshes: the first byte says the format

positions = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
normals = struct.pack("<12f", *([0, 0, 1] * 4))
short_indices = struct.pack("<6H", 0, 1, 2, 0, 2, 3)
data = positions + normals + short_indices


def gltf(uri, mode=4, indices=True, normal=True, nodes=None):
    primitive = {"attributes": {"POSITION": 0}, "mode": mode}
    if normal:
        primitive["attributes"]["NORMAL"] = 1
    if indices:
        primitive["indices"] = 2
    buffer = {"byteLength": len(data)}
    if uri:
        buffer["uri"] = uri
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": nodes or [{"mesh": 0, "translation": [0, 0, 5], "scale": [2, 2, -2], "rotation": [0, 0.6, 0, 0.8]}],
        "meshes": [{"primitives": [primitive]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
            {"bufferView": 0, "byteOffset": 48, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 12}],
        "buffers": [buffer]}


def text(document):
    return json.dumps(document, separators=(",", ":")).encode()


def glb(document):
    part = text(document)
    part += b" " * (-len(part) % 4)
    binary = data + b"\0" * (-len(data) % 4)
    body = struct.pack("<II", len(part), 0x4E4F534A) + part + struct.pack("<II", len(binary), 0x004E4942) + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


inline = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
write("mesh", "gltf-inline", b"g" + text(gltf(inline)))
write("mesh", "gltf-strip", b"g" + text(gltf(inline, mode=5, normal=False)))
write("mesh", "gltf-fan", b"g" + text(gltf(inline, mode=6, indices=False)))
write("mesh", "gltf-points", b"g" + text(gltf(inline, mode=0)))
write("mesh", "gltf-outside", b"g" + text(gltf("../../a.bin")))
write("mesh", "gltf-tree", b"g" + text(gltf(inline, nodes=[
    {"children": [1, 2]}, {"mesh": 0}, {"children": [3]}, {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 3, 4, 1]}])))
write("mesh", "gltf-twice", b"g" + text(gltf(inline, nodes=[{"children": [1, 1]}, {"mesh": 0}])))
beside = gltf("a.bin", indices=False, normal=False)
beside["accessors"][0]["count"] = 3
beside["bufferViews"][0]["byteLength"] = 36
beside["buffers"][0]["byteLength"] = 36
write("mesh", "gltf-beside", b"g" + text(beside))
write("mesh", "glb", b"b" + glb(gltf(None)))
write("mesh", "obj-cube", b"o" + b"# a cube\no cube\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
      b"g sides\ns 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nusemtl red\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n")
write("mesh", "obj-all", b"o" + b"mtllib a.mtl\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 1 1 0.5\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"
      b"f 1/1/1 2/2/1 3/3/1\nf 2//1 4//1 3//1\nf -1 -2 \\\n-3\nl 1 2\np 1\n")

# ---- sounds

library = ctypes.CDLL("libsndfile.so.1")
library.sf_open.restype = ctypes.c_void_p
library.sf_close.argtypes = [ctypes.c_void_p]
library.sf_writef_float.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_float), ctypes.c_int64]


class Info(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), ("rate", ctypes.c_int), ("channels", ctypes.c_int), ("format", ctypes.c_int),
                ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


WAV, WAVEX, FLAC, OGG, AIFF = 0x010000, 0x130000, 0x170000, 0x200000, 0x020000
S8, S16, S24, S32, U8, FLOAT, DOUBLE, ULAW, ALAW, MS_ADPCM, VORBIS, OPUS = 1, 2, 3, 4, 5, 6, 7, 0x10, 0x11, 0x13, 0x60, 0x64


def sound(name, kind, rate=8000, channels=1, frames=400):
    path = os.path.join(folder, "sound", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    info = Info(0, rate, channels, kind, 0, 0)
    file = library.sf_open(path.encode(), 0x20, ctypes.byref(info))
    if not file:
        raise SystemExit("cannot write " + name)
    samples = [0.5 * math.sin(0.2 * n + c) for n in range(frames) for c in range(channels)]
    library.sf_writef_float(file, (ctypes.c_float * len(samples))(*samples), frames)
    library.sf_close(file)


for name, kind in (("u8", U8), ("16", S16), ("24", S24), ("32", S32), ("float", FLOAT), ("double", DOUBLE), ("ulaw", ULAW), ("alaw", ALAW)):
    sound("wav-" + name, WAV | kind, frames=100)
sound("wav-stereo", WAV | S16, channels=2, frames=100)
sound("wav-extensible", WAVEX | S16, channels=3, frames=60)
sound("wav-adpcm", WAV | MS_ADPCM)
sound("flac-16", FLAC | S16, channels=2)
sound("flac-24", FLAC | S24, frames=5000)
sound("flac-8", FLAC | S8)
sound("ogg-vorbis", OGG | VORBIS, frames=2000)
sound("ogg-vorbis-stereo", OGG | VORBIS, channels=2, frames=1000)
sound("ogg-opus", OGG | OPUS, frames=2000)
sound("aiff", AIFF | S16, frames=50)
