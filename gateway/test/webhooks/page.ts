/** docs/webhooks-at-load.md: each of the two runs writes its own part of the page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectRoot } from '../support/processes/program.ts'
import type { LoadOptions } from './load.ts'
import { figuresOf, violationsOf, type LoadResult } from './result.ts'

const file = join(projectRoot, 'docs/webhooks-at-load.md')

export async function writePage(options: LoadOptions, result: LoadResult): Promise<void> {
  const name = options.kill ? 'kill' : 'none'
  const part = partOf(options, result)
  const page = readFileSync(file, 'utf8').replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
    (_, before: string, after: string) => `${before}\n${part}\n${after}`,
  )
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), filepath: file }))
}

function partOf(options: LoadOptions, result: LoadResult): string {
  const { endpoints, dead, slow, flaky, perSecond, seconds, workers } = options
  const violations = violationsOf(result)
  const rows = figuresOf(result).map(([name, figure]) => `| ${name} | ${figure} |`)
  const machine = `${cpus().length} cores of ${cpus()[0]!.model}, node ${process.version}`
  return [
    `${endpoints} webhooks (${dead} dead, ${slow} slow, ${flaky} failing half), ${perSecond} reports a second for ${seconds} s, ` +
      `${workers} workers${result.killed.length > 0 ? `; ${result.killed.join('; ')}` : ''}.`,
    ['| | measured |', '| --- | ---: |', ...rows].join('\n'),
    `${violations.length === 0 ? 'All limits are met.' : `Not met: ${violations.join('; ')}.`} Measured with ${machine}, load average at the ` +
      `end ${loadavg()[0]!.toFixed(1)}; workers, receivers and engines all on this one machine.`,
    '',
  ].join('\n\n')
}
