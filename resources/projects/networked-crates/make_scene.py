#!/usr/bin/env python3
"""Writes hall.scene.toml: the hall, two rollers, a player, and 30 x 30 crates in rings of three colours."""
from pathlib import Path

SIDE, SPACING = 30, 0.9  # crates a side; metres between their centres
Y = 0.25  # half a crate

lines = ["# Made by make_scene.py: the hall is 34 m wide; the crates stand at rest, each at a round place.", "[scene]", 'name = "Hall"', ""]


def entity(kind, name, position, rotation=None, **more):
    lines.extend(["[[entity]]", f'type = "{kind}"', f'name = "{name}"', "position = [" + ", ".join(f"{v:g}" if v % 1 else f"{v:.1f}" for v in position) + "]"])
    if rotation:
        lines.append(f"rotation = {rotation}")
    for table, text in more.items():
        lines.extend([f"[entity.{table}]", text])
    lines.append("")


def block(kind, name, position, size):
    entity(kind, name, position, Body="size = [" + ", ".join(f"{v:.1f}" for v in size) + "]")


entity("Sunlight", "sunlight", (0, 20, 0))
entity("Meadow", "meadow", (0, -0.06, 0))
block("Floor", "floor", (0, -0.5, 3), (34, 1, 44))
block("Floor", "stage", (0, 0.6, 20), (34, 1.2, 10))
for name, position, size in (
    ("wall_north", (0, 1.25, -19.25), (35, 3.5, 0.5)),
    ("wall_south", (0, 1.25, 25.25), (35, 3.5, 0.5)),
    ("wall_west", (-17.25, 1.25, 3), (0.5, 3.5, 44)),
    ("wall_east", (17.25, 1.25, 3), (0.5, 3.5, 44)),
):
    block("Wall", name, position, size)
entity("Ramp", "ramp", (0, 0.6, 13), rotation="[0.0, 180.0, 0.0]", Body="size = [8.0, 1.2, 4.0]")
entity("Roller", "roller_1", (-1.2, 2.0, 16.5))
entity("Roller", "roller_2", (1.2, 2.0, 16.5))
entity("Player", "player", (-5, 2.15, 19))
for row in range(SIDE):
    for column in range(SIDE):
        ring = min(row, column, SIDE - 1 - row, SIDE - 1 - column)
        x = round((column - (SIDE - 1) / 2) * SPACING, 3)
        z = round((row - (SIDE - 1) / 2) * SPACING - 4.0, 3)
        entity(("Crate", "BlueCrate", "WhiteCrate")[ring // 2 % 3], f"crate_{row * SIDE + column + 1:03d}", (x, Y, z))
Path(__file__).with_name("hall.scene.toml").write_text("\n".join(lines).rstrip() + "\n")
