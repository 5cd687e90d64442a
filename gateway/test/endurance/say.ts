/** Lines of a running command, each with the time since it began. */
const started = performance.now()

export function say(text: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}

/** Ends the command: findings are printed, and make it fail. */
export function conclude(command: string, findings: readonly string[]): void {
  for (const finding of findings) process.stdout.write(`WRONG  ${finding}\n`)
  say(`${command}: ${findings.length === 0 ? 'ok' : `${findings.length} findings`}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
