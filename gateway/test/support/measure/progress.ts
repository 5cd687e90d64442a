/** Prints progress lines with the elapsed time, and the result, of long-running commands. */
const started = performance.now()
const progressEveryMs = 5_000

export function printProgress(text: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}

/** Prints progress every 5 s while the work runs, because a silent command seems to hang. */
export async function withProgress<T>(work: Promise<T>, progress: () => string): Promise<T> {
  const timer = setInterval(() => printProgress(progress()), progressEveryMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** Prints the findings and the result; any finding makes the command fail. */
export function printResult(command: string, findings: readonly string[]): void {
  for (const finding of findings) process.stdout.write(`WRONG  ${finding}\n`)
  printProgress(`${command}: ${findings.length === 0 ? 'ok' : `${findings.length} findings`}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
