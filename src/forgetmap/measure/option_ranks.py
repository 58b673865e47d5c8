"""Where each option stands among its item's sorted options: one number for one text, whatever the order in which a log shows them."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from forgetmap.measure.arrow import valid, whole
from forgetmap.records.ids import collapse
from forgetmap.records.surrogates import MARK, unspell
from forgetmap.stats.arrays import Bools, Ints

_WORDS = 4
"""Pieces of eight bytes by which options are told apart; those that share them are looked at one by one."""
_MOST = 32
"""Options of an item that are held against each other all at once."""
Words = NDArray[np.uint64]


def option_ranks(options: pa.ListArray) -> NDArray[np.int32]:
    """For each option of each item the number of other options, white space collapsed, that sort before it; one line after the other.

    >>> option_ranks(pa.array([["b", "a"], None, ["x", " c"]], pa.list_(pa.string()))).tolist()
    [1, 0, 1, 0]
    """
    texts = options.flatten()
    sizes = np.where(valid(options), np.diff(whole(options.offsets)), 0)
    first = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    ranks = np.zeros(len(texts), np.int32)
    if not len(texts):
        return ranks
    spots, blob = _bytes(texts)
    odd = _odd(spots, blob)
    slow = sizes > _MOST
    slow[np.repeat(np.arange(len(sizes)), sizes)[odd]] = True
    for size in np.unique(sizes[~slow]):
        lines = np.flatnonzero((sizes == size) & ~slow)
        if size > 0:
            rank, tied = _ranked(first[lines][:, None] + np.arange(size), spots, blob)
            ranks[first[lines][:, None] + np.arange(size)] = rank
            slow[lines[tied]] = True
    for line in np.flatnonzero(slow):
        inside = slice(int(first[line]), int(first[line] + sizes[line]))
        ranks[inside] = _one_by_one(texts[inside].to_pylist())
    return ranks


def _bytes(texts: pa.Array) -> tuple[Ints, NDArray[np.uint8]]:
    """Where each text begins and the last ends, and all bytes, with room behind to read whole words."""
    _, offsets, data = texts.buffers()
    spots = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    used = np.frombuffer(data, np.uint8)[spots[0] : spots[-1]] if data is not None else np.zeros(0, np.uint8)
    blob = np.zeros(len(used) + 8 * (_WORDS + 1), np.uint8)
    blob[: len(used)] = used
    return spots - spots[0], blob


def _odd(spots: Ints, blob: NDArray[np.uint8]) -> Ints:
    """Texts whose bytes may not sort as they do: with white space to collapse, or with half characters spelled."""
    used = blob[: spots[-1]]
    white = used <= ord(" ")
    inside = white & (used != ord(" "))
    inside[1:] |= white[1:] & white[:-1]
    if used.max(initial=0) > 127:
        # White space beyond ASCII begins with one of these bytes, and so does the mark of a half character.
        inside |= np.isin(used, (0xC2, 0xE1, 0xE2, 0xE3, MARK.encode()[0]))
    owner = np.searchsorted(spots, np.flatnonzero(inside), side="right") - 1
    full = np.flatnonzero(np.diff(spots))
    edges = full[white[spots[full]] | white[spots[full + 1] - 1]]
    return np.unique(np.concatenate([owner, edges]))


def _ranked(places: Ints, spots: Ints, blob: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Ranks of items × options, and the items of which some options look alike."""
    start, length = spots[places], spots[places + 1] - spots[places]
    less, alike = _held(_word(blob, start, length))
    open_ = _tied(alike)
    alike = alike[open_]
    for piece in range(1, _WORDS):
        if not len(open_):
            break
        lower, same = _held(_word(blob, start[open_] + 8 * piece, length[open_] - 8 * piece))
        less[open_] |= alike & lower
        alike &= same
        still = _tied(alike)
        open_, alike = open_[still], alike[still]
    return np.count_nonzero(less, axis=2), open_


def _held(word: Words) -> tuple[Bools, Bools]:
    """Which options of each item have the lesser word, and which the same."""
    one, other = word[:, :, None], word[:, None, :]
    return np.asarray(other < one), np.asarray(one == other)


def _tied(alike: Bools) -> Ints:
    return np.flatnonzero(np.count_nonzero(alike, axis=(1, 2)) > alike.shape[1])


def _word(blob: NDArray[np.uint8], at: Ints, left: Ints) -> Words:
    """Eight bytes of each text as one number that sorts as they do; bytes behind its end count as none."""
    eight = np.ndarray(len(blob) - 7, ">u8", blob.data, strides=(1,))
    word = np.asarray(eight[np.minimum(at, len(blob) - 8)], np.uint64)
    gone = (8 * np.clip(8 - left, 0, 8)).astype(np.uint64)
    # A shift by all 64 bits does nothing, so it is taken in two steps.
    half = gone >> np.uint64(1)
    return np.asarray(word >> half >> (gone - half) << half << (gone - half), np.uint64)


def _one_by_one(texts: list[str]) -> list[int]:
    shown = [collapse(unspell(text)) for text in texts]
    order = {text: place for place, text in enumerate(sorted(set(shown)))}
    return [order[text] for text in shown]
