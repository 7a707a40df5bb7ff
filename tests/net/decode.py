#!/usr/bin/env python3
"""Reads a recorded session and says what every datagram means. Written from engine/net/PROTOCOL.md alone: where it and the
engine differ, one of them or that text is wrong.

Input, lines: `secret HEX` (the client's ephemeral key), `fixed HEX` (X25519 of it and the server's fixed key, 32 zeros without
one), then `client HEX` or `server HEX` for each datagram in order of sending. Or, of no session: `payload HEX` for what a sealed
datagram holds, `handshake HEX` for a datagram of the first four types. Output: a line for each datagram or payload."""

import hashlib
import struct
import sys

PRIME = 2**255 - 19


def x25519(secret, public):
    """RFC 7748."""
    k = bytearray(secret)
    k[0] &= 248
    k[31] = (k[31] & 127) | 64
    k = int.from_bytes(k, "little")
    u = int.from_bytes(public, "little") & (2**255 - 1)
    x1, x2, z2, x3, z3, swap = u, 1, 0, u, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b = x2 + z2, x2 - z2
        aa, bb = a * a % PRIME, b * b % PRIME
        e = aa - bb
        da, cb = (x3 - z3) * a % PRIME, (x3 + z3) * b % PRIME
        x3, z3 = (da + cb) ** 2 % PRIME, x1 * (da - cb) ** 2 % PRIME
        x2, z2 = aa * bb % PRIME, e * (aa + 121665 * e) % PRIME
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def chacha_block(key, counter, nonce):
    """RFC 8439."""
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    state += struct.unpack("<8I", key) + (counter,) + struct.unpack("<3I", nonce)
    work = list(state)

    def quarter(a, b, c, d):
        for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[first] = (work[first] + work[second]) & 0xFFFFFFFF
            value = work[third] ^ work[first]
            work[third] = (value << turn | value >> (32 - turn)) & 0xFFFFFFFF

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(work, state)))


def open_sealed(key, nonce, associated, sealed):
    """ChaCha20-Poly1305, or None where the tag is wrong."""
    cipher, tag = sealed[:-16], sealed[-16:]
    one_time = chacha_block(key, 0, nonce)
    r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    s = int.from_bytes(one_time[16:32], "little")
    pad = lambda data: data + bytes(-len(data) % 16)
    text = pad(associated) + pad(cipher) + struct.pack("<QQ", len(associated), len(cipher))
    sum_ = 0
    for i in range(0, len(text), 16):
        sum_ = (sum_ + int.from_bytes(text[i : i + 16] + b"\1", "little")) * r % (2**130 - 5)
    if ((sum_ + s) % 2**128).to_bytes(16, "little") != tag:
        return None
    plain = bytearray()
    for i in range(0, len(cipher), 64):
        block = chacha_block(key, 1 + i // 64, nonce)
        plain += bytes(a ^ b for a, b in zip(cipher[i : i + 64], block))
    return bytes(plain)


class Malformed(Exception):
    pass


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Malformed("past the end")
        self.at += count
        return self.data[self.at - count : self.at]

    def u(self, size):
        return int.from_bytes(self.take(size), "little")

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.u(1)
            value |= (byte & 127) << shift
            if byte < 128:
                if (byte == 0 and shift > 0) or value >= 2**32:
                    raise Malformed("varint")
                return value
            shift += 7
            if shift > 28:
                raise Malformed("varint")

    def left(self):
        return len(self.data) - self.at


def nearest(wire, bits, reference):
    """The value with these low bits in [reference - half, reference + half)."""
    span = 1 << bits
    low = reference - span // 2
    return low + (wire - low) % span


def limits(reader):
    window, pending, edges, reassembly, largest = reader.u(2), reader.u(4), reader.u(4), reader.u(4), reader.u(4)
    delay = reader.u(1)
    if not (2 <= window <= 8192 and pending <= 2**28 and edges <= 2**20 and reassembly <= 2**28
            and 1 <= largest <= pending and delay <= 20):
        raise Malformed("limits")
    return "window=%d bytes=%d edges=%d reassembly=%d largest=%d delay=%d" % (
        window, pending, edges, reassembly, largest, delay)


def identity(reader):
    if reader.u(4) != 0x32584253:
        raise Malformed("magic")
    protocol, table, key, flags = reader.u(8), reader.take(16), reader.take(32), reader.u(1)
    if flags & 3 > 2 or flags > 7:
        raise Malformed("flags")
    return protocol, table, key, flags


def zeros(reader):
    if any(reader.take(reader.left())):
        raise Malformed("padding")


def head(reader):
    words = [reader.u(2)]
    while words[-1] & 0x8000:
        words.append(reader.u(2))
        if len(words) > 65:
            raise Malformed("dependencies")
    words = [word & 0x7FFF for word in words]
    return words[0], words[1:]


def type_number(reader):
    number = reader.varint()
    if number > 65535:
        raise Malformed("type")
    return number


def needs_text(needs):
    return ",".join(map(str, needs)) or "-"


def section(reader, sender):
    header = reader.u(1)
    kind, count = header & 7, header >> 3
    if count == 31:
        count += reader.varint()
    if kind == 0:
        if count:
            raise Malformed("padding count")
        zeros(reader)
        return
    if count == 0:
        raise Malformed("count")
    flags = reader.u(1) if kind == 4 else 0
    if flags > 3:
        raise Malformed("flags")
    previous = None
    for index in range(count):
        if kind in (1, 2, 3):
            if kind == 1 or index == 0:
                number, needs = head(reader)
            else:
                number, needs = (previous + 1) & 0x7FFF, [previous] if kind == 3 else []
            previous = number
            kind_name = {1: "GUARANTEED", 2: "RUN", 3: "CHAIN"}[kind]
            yield "%s seq=%d needs=%s type=%d body=%s" % (
                kind_name, number, needs_text(needs), type_number(reader), reader.take(reader.varint()).hex())
        elif kind == 4:
            after = reader.u(2) if flags & 2 else "-"
            if flags & 2 and after & 0x8000:
                raise Malformed("after")
            number = type_number(reader)
            key = str(reader.varint()) if flags & 1 else "-"
            yield "UNRELIABLE after=%s type=%d key=%s body=%s" % (
                after, number, key, reader.take(reader.varint()).hex())
        elif kind == 5:
            number, needs = head(reader)
            piece, last = reader.u(2), reader.u(2)
            if piece > last or last == 0 or (piece > 0 and needs):
                raise Malformed("fragment")
            start = "type=- total=-"
            if piece == 0:
                kind_number, total = type_number(reader), reader.varint()
                if not 960 * last < total <= 960 * (last + 1):
                    raise Malformed("total")
                start = "type=%d total=%d" % (kind_number, total)
            body = reader.take(reader.varint())
            if not 1 <= len(body) <= 960 or (piece < last and len(body) != 960):
                raise Malformed("piece")
            yield "FRAGMENT seq=%d needs=%s index=%d last=%d %s body=%s" % (
                number, needs_text(needs), piece, last, start, body.hex())
        elif kind == 7:
            code = reader.u(1)
            if (code in (3, 5) and sender == "client") or (code == 4 and sender == "server"):
                raise Malformed("sender")
            if code == 1:
                yield "PING"
            elif code == 2:
                reason = reader.u(1)
                if not 1 <= reason <= 14:
                    raise Malformed("reason")
                yield "CLOSE reason=%d" % reason
            elif code in (3, 4):
                yield "%s value=%d" % ("PATH_CHALLENGE" if code == 3 else "PATH_RESPONSE", reader.u(8))
            elif code == 5:
                granted, timeout, rate = limits(reader), reader.u(4), reader.u(2)
                if not 1000 <= timeout <= 600000 or rate == 0:
                    raise Malformed("accept")
                yield "ACCEPT %s timeout=%d rate=%d" % (granted, timeout, rate)
            else:
                raise Malformed("control")
        else:
            raise Malformed("kind")


def payload(data, sender=None):
    reader = Reader(data)
    flags = reader.u(1)
    if flags & 0x80 or (not flags & 1 and flags & 0x3E):
        raise Malformed("flags")
    ack = "none"
    if flags & 1:
        newest, delay, mask = reader.u(2), reader.u(1), 0
        for i in range(4):
            byte = reader.u(1) if flags >> (1 + i) & 1 else 0xFF
            if flags >> (1 + i) & 1 and byte == 0xFF:
                raise Malformed("mask")
            mask |= byte << 8 * i
        ranges = []
        if flags & 0x20:
            count = reader.u(1)
            if not 1 <= count <= 16:
                raise Malformed("ranges")
            below = 32
            for i in range(count):
                gap, length = reader.varint() + (1 if i else 0), reader.varint() + 1
                below += gap + length
                if below >= 256:
                    raise Malformed("ranges")
                ranges.append("%d:%d" % (gap, length))
        ack = "%d,%d,%08x,%s" % (newest, delay, mask, ";".join(ranges) or "-")
    tick = str(reader.u(2)) if flags & 0x40 else "none"
    items = []
    while reader.left():
        items.extend(section(reader, sender))
    return "ack=%s tick=%s" % (ack, tick) + "".join(" | " + item for item in items)


def handshake(datagram):
    """The text of a datagram of types 0 to 3, and what a session learns from it."""
    reader = Reader(datagram)
    kind = reader.u(1)
    if len(datagram) not in {0: (1200,), 1: (58, 90), 2: (1200,), 3: range(26, 1027)}.get(kind, ()):
        raise Malformed("type or size")
    if kind in (0, 2):
        protocol, table, key, flags = identity(reader)
        if kind == 0:
            zeros(reader)
            return "REQUEST id=%d table=%s key=%s fixed=%d" % (protocol, table.hex(), key.hex(), flags), protocol
        cookie, index, granted = reader.take(16), reader.u(1), limits(reader)
        fields = datagram[1 : reader.at]
        reader.take(32)  # a proof of the password, or zeros
        zeros(reader)
        return "RESPONSE key=%s cookie=%s index=%d %s" % (key.hex(), cookie.hex(), index, granted), (protocol, fields)
    echo = reader.take(8)
    if kind == 1:
        server_key, cookie, index = reader.take(32), reader.take(16), reader.u(1)
        return "CHALLENGE echo=%s key=%s cookie=%s index=%d" % (echo.hex(), server_key.hex(), cookie.hex(), index), server_key
    cookie, reason = reader.take(16), reader.u(1)
    if not (10 <= reason <= 13 or reason == 15):
        raise Malformed("reason")
    description = datagram[reader.at :]
    if description and reason != 12:
        raise Malformed("description")
    return "DENY echo=%s cookie=%s reason=%d tells=%s" % (echo.hex(), cookie.hex(), reason, description.hex()), None


class Session:
    def __init__(self):
        self.secret = self.fixed = self.challenge = self.protocol = self.keys = None
        self.newest = {"client": 0, "server": 0}
        self.generation = {"client": 0, "server": 0}  # the newest whose packets were read, of each sender
        self.lowest = {"client": 0, "server": 0}  # number of a packet of that generation

    def derive(self, response_fields):
        ee = x25519(self.secret, self.challenge)
        transcript = hashlib.blake2b(response_fields + self.challenge, digest_size=32).digest()
        both = hashlib.blake2b(b"signalbox-net-1\0" + ee + self.fixed + transcript).digest()
        names = hashlib.blake2b(b"signalbox-ids-1\0" + both, digest_size=32).digest()
        self.secrets = [both]
        self.epoch, self.connection, self.salt = names[:8], names[8:12], names[12:16]

    def key(self, sender, generation):
        while len(self.secrets) <= generation:
            self.secrets.append(hashlib.blake2b(b"signalbox-key-1\0" + self.secrets[-1]).digest())
        both = self.secrets[generation]
        return both[:32] if sender == "client" else both[32:]

    def generation_of(self, sender, phase, number):
        newest = self.generation[sender]
        if phase == newest & 1:
            return newest
        return newest - 1 if number < self.lowest[sender] else newest + 1

    def data(self, sender, datagram):
        reader = Reader(datagram)
        first = reader.u(1)
        phase, long_number, from_client = first >> 3 & 1, first >> 4 & 1, first >> 5 & 1
        if first & 0xC0 or from_client != (sender == "client"):
            raise Malformed("header")
        if from_client and reader.take(4) != self.connection:
            raise Malformed("connection")
        size = 4 if long_number else 2
        number = nearest(reader.u(size), 8 * size, self.newest[sender] + 1)
        associated = datagram[: reader.at] + struct.pack("<Q", self.protocol) + self.epoch
        generation = self.generation_of(sender, phase, number)
        plain = open_sealed(
            self.key(sender, generation), self.salt + struct.pack("<Q", number), associated, datagram[reader.at :])
        if plain is None:
            raise Malformed("tag")
        if generation > self.generation[sender]:
            self.generation[sender], self.lowest[sender] = generation, number
        elif generation == self.generation[sender]:
            self.lowest[sender] = min(self.lowest[sender], number)
        self.newest[sender] = max(self.newest[sender], number)
        return "DATA number=%d keys=%d %s" % (number, generation, payload(plain, sender))

    def line(self, sender, datagram):
        if datagram[0] & 7 == 4:
            return self.data(sender, datagram)
        text, learned = handshake(datagram)
        if (datagram[0] in (0, 2)) != (sender == "client"):
            raise Malformed("sender")
        if datagram[0] == 0:
            self.protocol = learned
        elif datagram[0] == 1:
            self.challenge = learned
        elif datagram[0] == 2:
            self.protocol, fields = learned
            self.derive(fields)
        return text


class Parts:
    """What of messages in fragments is there: number -> (last, size or None, pieces)."""

    def __init__(self):
        self.stored = {}

    def packet(self, data):
        """False: a fragment does not agree with those that are there, or with one before it."""
        seen = dict(self.stored)
        for fields in fragments(payload(data)):
            number, index, last = int(fields["seq"]), int(fields["index"]), int(fields["last"])
            size = None
            if index == 0:
                size = int(fields["total"])
            elif index == last:
                size = 960 * last + len(fields["body"]) // 2
            known_last, known_size, pieces = seen.get(number, (last, None, frozenset()))
            if len(self.stored.get(number, (0, 0, ()))[2]) == known_last + 1:
                continue  # whole before this packet
            if last != known_last or (size is not None and known_size is not None and size != known_size):
                return False
            seen[number] = (last, known_size if size is None else size, pieces | {index})
        self.stored = seen
        return True


def fragments(text):
    """Their fields, of what payload() says."""
    for item in text.split(" | ")[1:]:
        words = item.split()
        if words[0] == "FRAGMENT":
            yield dict(word.split("=", 1) for word in words[1:])


def main():
    session = Session()
    parts = Parts()
    for line in sys.stdin:
        word, _, data = line.strip().partition(" ")
        if word in ("secret", "fixed"):
            setattr(session, word, bytes.fromhex(data))
            continue
        data = bytes.fromhex(data)
        try:
            if word == "fresh":
                parts = Parts()
                print(word)
            elif word == "parts":
                print(word, "TAKEN" if parts.packet(data) else "MALFORMED fragments do not agree")
            elif word == "payload":
                print(word, payload(data))
            elif word == "handshake":
                print(word, handshake(data)[0])
            else:
                print(word, session.line(word, data))
        except Malformed as fault:
            print(word, "MALFORMED", fault)


main()
