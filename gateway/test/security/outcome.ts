/** Prints what an attack with processes of its own measured, and what did not hold; the process exits with 1 then. */
import { loadavg } from 'node:os'

export interface Outcome {
  /** Short lines for the reader. */
  readonly figures: readonly string[]
  /** Sentences; empty when the gateway held. */
  readonly findings: readonly string[]
}

export async function runAttack(run: () => Promise<Outcome>): Promise<void> {
  const { figures, findings } = await run().catch((error: unknown) => ({
    figures: [],
    findings: [(error as Error).stack ?? String(error)],
  }))
  for (const figure of figures) process.stdout.write(`${figure}\n`)
  process.stdout.write(`load of the machine: ${loadavg()[0]!.toFixed(1)}\n`)
  for (const finding of findings) process.stdout.write(`WRONG ${finding}\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
