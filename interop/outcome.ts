/** What came of one operation of one SDK. A driver prints one per line; anything else it prints is not read. */
export interface Outcome {
  readonly operation: string
  /**
   * ok: the SDK got what it wanted. failed: it did not, and should have. fault: the SDK cannot, through no fault of
   * ours. missing: the gateway does not offer the operation.
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
