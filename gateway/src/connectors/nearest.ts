/** Suggests the name that was probably meant, for errors about a misspelled one. Pure. */

/** The name that differs by at most a third of its letters, if any. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Infinity
  for (const candidate of names) {
    const steps = distance(name.slice(0, 64).toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps <= Math.max(1, Math.floor(candidate.length / 3))) {
      least = steps
      best = candidate
    }
  }
  return best
}

/** Levenshtein distance. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const change = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}
