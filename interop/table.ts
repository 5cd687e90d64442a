/** The outcomes as a page: one table per SDK that was run, and a line for each that was not. */
import type { Outcome } from './outcome.ts'
import type { Sdk } from './sdks.ts'

export interface SdkRun {
  readonly sdk: Sdk
  readonly outcomes: readonly Outcome[]
  /** null when it was run. */
  readonly notRun: string | null
}

const words: Readonly<Record<Outcome['result'], string>> = {
  ok: 'ok',
  failed: '**failed**',
  fault: 'SDK fault',
  missing: 'not offered by the gateway yet',
}

export function toPage(runs: readonly SdkRun[]): string {
  return [
    '# Published SDKs',
    '',
    'What the published SDKs of the service can do with Postern, unmodified, as `npm run interop` found it.',
    'Written by `npm run interop -- --write`; do not edit.',
    '',
    ...runs.flatMap((run) => [`## ${run.sdk.language}: \`${run.sdk.name}\``, '', ...toSection(run), '']),
    'What these and the other SDKs send beyond the contract, and how it is read, is listed in',
    '[sdk-compat.ts](../gateway/src/pipeline/accept/sdk-compat.ts); its tests hold such bodies for SDKs that were not run.',
    '',
  ].join('\n')
}

function toSection({ outcomes, notRun }: SdkRun): string[] {
  if (notRun !== null) return [`Not run: ${notRun}.`]
  const rows = outcomes.map(({ operation, result, reason }) => [operation, words[result], cell(reason)])
  const table = [['Operation', 'Result', 'Reason'], ...rows]
  const [first, second, third] = [0, 1, 2].map((at) => Math.max(...table.map((row) => row[at]!.length)))
  const line = ([a, b, c]: string[], fill = ' ') =>
    `| ${a!.padEnd(first!, fill)} | ${b!.padEnd(second!, fill)} | ${c!.padEnd(third!, fill)} |`
  return [line(table[0]!), line(['-', '-', '-'], '-'), ...rows.map((row) => line(row))]
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}
