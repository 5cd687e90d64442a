/**
 * Prints the figures and findings of an attack with its own processes; the process exits with 1 if there are
 * findings.
 */
import { loadavg } from 'node:os'

export interface AttackOutcome {
  /** Short lines for the reader. */
  readonly figures: readonly string[]
  /** Sentences; empty if the gateway withstood the attack. */
  readonly findings: readonly string[]
}

export async function runAttack(run: () => Promise<AttackOutcome>): Promise<void> {
  const { figures, findings } = await run().catch((error: unknown) => ({
    figures: [],
    findings: [(error as Error).stack ?? String(error)],
  }))
  for (const figure of figures) process.stdout.write(`${figure}\n`)
  process.stdout.write(`load of the machine: ${loadavg()[0]!.toFixed(1)}\n`)
  for (const finding of findings) process.stdout.write(`WRONG ${finding}\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
