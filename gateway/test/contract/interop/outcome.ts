/** Outcome of one SDK operation. A driver prints one per line; other output is ignored. */
export interface SdkOutcome {
  readonly operation: string
  /**
   * `ok`: succeeded. `failed`: should have succeeded. `fault`: not possible because of an SDK bug. `missing`:
   * not offered by the gateway.
   */
  readonly result: 'ok' | 'failed' | 'fault' | 'missing'
  readonly reason: string
}

export function printSdkOutcome(outcome: SdkOutcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}

export function parseSdkOutcome(line: string): SdkOutcome | null {
  return line.startsWith('{"operation"') ? (JSON.parse(line) as SdkOutcome) : null
}
