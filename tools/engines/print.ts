// Prints progress on standard error; standard output is for the result of a command.

export function print(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}
