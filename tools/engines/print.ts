// Prints progress on standard error; standard output is for the result of a command. Formats elapsed times.

export function print(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** `startedAtMs` is a time of `performance.now()`. */
export function formatElapsed(startedAtMs: number): string {
  return `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`
}
