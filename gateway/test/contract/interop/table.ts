import type { SdkOutcome } from './outcome.ts'
import type { Sdk } from './sdks.ts'

export interface SdkRun {
  readonly sdk: Sdk
  readonly outcomes: readonly SdkOutcome[]
  /** Reason for not running the SDK; null if it was run. */
  readonly notRun: string | null
}

const resultTexts: Readonly<Record<SdkOutcome['result'], string>> = {
  ok: 'ok',
  failed: '**failed**',
  fault: 'SDK fault',
  missing: 'not offered by the gateway yet',
}

/** Formats the section of docs/evidence/sdks.md: how many operations work, and an item for each that does not. */
export function sdkSection(runs: readonly SdkRun[]): string {
  const rows = runs.map(({ sdk, outcomes, notRun }) => {
    const works = outcomes.filter(({ result }) => result === 'ok').length
    const result = notRun === null ? `${works} of ${outcomes.length} operations work` : `not run: ${notRun}`
    return `| ${sdk.language} | \`${sdk.name}\` | ${cell(result)} |`
  })
  const others = runs.flatMap(({ sdk, outcomes }) =>
    outcomes
      .filter(({ result }) => result !== 'ok')
      .map(
        ({ operation, result, reason }) =>
          `- ${sdk.language}, ${operation}: ${resultTexts[result]}, ${cell(reason)}`,
      ),
  )
  return [...['| Language | SDK | Result |', '| --- | --- | --- |', ...rows, ''], ...others].join('\n')
}

/** Formats every operation with its result for the terminal. */
export function renderRuns(runs: readonly SdkRun[]): string {
  return runs
    .flatMap(({ sdk, outcomes, notRun }) => [
      notRun === null ? sdk.name : `${sdk.name}: not run, ${notRun}`,
      ...outcomes.map(
        ({ operation, result, reason }) => `  ${operation.padEnd(40)} ${resultTexts[result]} ${reason}`,
      ),
    ])
    .join('\n')
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}
