/** docs/webhooks-at-load.md: each of the two runs writes its own part and leaves the other's as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectRoot } from '../support/processes/program.ts'
import type { LoadOptions } from './load.ts'
import { figuresOf, wrongsOf, type LoadResult } from './result.ts'

const file = join(projectRoot, 'docs/webhooks-at-load.md')

export async function writePage(options: LoadOptions, result: LoadResult): Promise<void> {
  const name = options.kill ? 'kill' : 'calm'
  const part = partOf(options, result)
  const page = readFileSync(file, 'utf8').replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
    (_, before: string, after: string) => `${before}\n${part}\n${after}`,
  )
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), filepath: file }))
}

function partOf(options: LoadOptions, result: LoadResult): string {
  const { endpoints, dead, slow, flaky, perSecond, seconds, workers } = options
  const wrongs = wrongsOf(result)
  const rows = figuresOf(result).map(([name, figure]) => `| ${name} | ${figure} |`)
  const machine = `${cpus().length} cores of ${cpus()[0]!.model}, node ${process.version}`
  return [
    `${endpoints} webhooks (${dead} dead, ${slow} slow, ${flaky} failing half), ${perSecond} reports a second for ${seconds} s, ` +
      `${workers} workers${result.killed.length > 0 ? `; ${result.killed.join('; ')}` : ''}.`,
    ['| | measured |', '| --- | ---: |', ...rows].join('\n'),
    `${wrongs.length === 0 ? 'Every bound is kept.' : `Not kept: ${wrongs.join('; ')}.`} Measured with ${machine}, load average at the ` +
      `end ${loadavg()[0]!.toFixed(1)}; workers, receivers and engines all on this one machine.`,
    '',
  ].join('\n\n')
}
