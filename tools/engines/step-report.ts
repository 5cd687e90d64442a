/** Runs the steps of a suite, and collects and prints their results. */
import { print } from './print.ts'

export interface Row {
  readonly step: string
  readonly seconds: number
  /** Empty if the step failed. */
  readonly result: string
  readonly findings: readonly string[]
}

export class Report {
  readonly rows: Row[] = []

  /** Runs a step and adds its row. Returns false if it failed. */
  async step(name: string, run: () => Promise<string>): Promise<boolean> {
    const from = performance.now()
    const outcome = await run().then(
      (result) => ({ result, findings: [] }),
      (error: unknown) => ({ result: '', findings: [(error as Error).message] }),
    )
    const row = { step: name, seconds: Math.round((performance.now() - from) / 100) / 10, ...outcome }
    this.rows.push(row)
    print(`${row.findings.length === 0 ? 'ok    ' : 'FAILED'} ${String(row.seconds).padStart(6)} s  ${name}`)
    print(`                  ${row.findings.length === 0 ? row.result : row.findings.join('\n')}`)
    return row.findings.length === 0
  }

  get failed(): number {
    return this.rows.filter(({ findings }) => findings.length > 0).length
  }
}
