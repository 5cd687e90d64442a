/** The outcome of one operation of one SDK. A driver prints one per line; other output is ignored. */
export interface Outcome {
  readonly operation: string
  /**
   * ok: the operation succeeded. failed: it failed and should have succeeded. fault: the SDK itself cannot do it.
   * missing: the gateway does not offer the operation.
   */
  readonly result: 'ok' | 'failed' | 'fault' | 'missing'
  readonly reason: string
}

export function printOutcome(outcome: Outcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}

export function readOutcome(line: string): Outcome | null {
  return line.startsWith('{"operation"') ? (JSON.parse(line) as Outcome) : null
}
