/**
 * `npm run suite -- providers` prints the tests of each provider and channel. Providers with a simulator run
 * every case over HTTP. The others have documentation examples, which `vectors.test.ts` compares with the
 * output of their modules. Exits with 1 if a case or an example fails.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import type { ChannelName } from '../../../src/channels/channel.ts'
import { providers } from '../../../src/carriers/connectors/providers/index.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { caseNames, runCase, type CaseName, type SimulatedProvider } from './cases.ts'
import { simulated } from './simulated/index.ts'

interface Vectors {
  readonly source: string
  readonly answers: readonly {
    readonly outcome: { readonly kind: string }
    readonly status: number
    readonly case?: CaseName
  }[]
  readonly callbacks: readonly {
    readonly receipts: readonly object[]
    readonly replies?: readonly object[]
  }[]
  readonly lookups?: readonly object[]
  readonly polls?: readonly object[]
}

type Result = 'passed' | 'example' | 'no example' | 'not offered' | 'FAILED'

const folder = join(import.meta.dirname, 'vectors')
const notes: string[] = []
let failures = await countVectorFailures()
const rows: string[][] = []
for (const provider of simulated)
  for (const channel of Object.keys(provider.bodies) as ChannelName[])
    rows.push([provider.name, channel, ...(await runCases(provider, channel))])
const names = new Set(simulated.map(({ name }) => name))
for (const file of readdirSync(folder)) {
  const name = file.replace(/\.json$/, '')
  if (!names.has(name)) rows.push([name, 'sms, international', ...readExamples(name)])
}
printTable([['provider', 'channel', ...caseNames], ...rows.toSorted(byProvider)])
for (const note of [...new Set(notes)].sort()) process.stdout.write(`${note}\n`)
process.stdout.write(
  `\npassed: over HTTP with the simulator. example: as its documentation shows. no example: the documentation shows none.\n`,
)
process.exit(failures === 0 ? 0 : 1)

async function runCases(provider: SimulatedProvider, channel: ChannelName): Promise<Result[]> {
  printProgress(`${provider.name} ${channel}`)
  const results: Result[] = []
  for (const name of caseNames) {
    const reason = provider.notOffered[name]
    if (reason !== undefined) notes.push(`${provider.name}, ${name}: not offered. ${reason}`)
    results.push(reason === undefined ? await tryCase(provider, channel, name) : 'not offered')
  }
  return results
}

async function tryCase(provider: SimulatedProvider, channel: ChannelName, name: CaseName): Promise<Result> {
  try {
    await runCase(provider, channel, name)
    return 'passed'
  } catch (error) {
    failures++
    notes.push(`${provider.name}, ${channel}, ${name}: FAILED. ${(error as Error).message}`)
    return 'FAILED'
  }
}

function readExamples(name: string): Result[] {
  const vectors = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Vectors
  const provider = providers.find((one) => one.name === name)!
  notes.push(`${name}: examples of ${vectors.source}`)
  const has = (kind: string, isCredit?: boolean): boolean =>
    vectors.answers.some(
      (answer) =>
        answer.outcome.kind === kind &&
        (isCredit === undefined || isCredit === (answer.case === 'missing credit')),
    )
  const outcomes: Readonly<Record<CaseName, boolean | 'not offered'>> = {
    send: has('accepted'),
    throttled: has('throttled'),
    'rejected login': has('account-refused', false),
    'missing credit': has('account-refused', true),
    'lost response': provider.lookup?.by === 'reference' ? (vectors.lookups ?? []).length > 0 : 'not offered',
    'receipt by push': vectors.callbacks.some(({ receipts }) => receipts.length > 0),
    'receipt by poll': provider.poll === undefined ? 'not offered' : (vectors.polls ?? []).length > 0,
    reply: vectors.callbacks.some(({ replies = [] }) => replies.length > 0),
  }
  return caseNames.map((one) => {
    const found = outcomes[one]
    return found === 'not offered' ? found : found ? 'example' : 'no example'
  })
}

async function countVectorFailures(): Promise<number> {
  printProgress('examples of the documentation')
  const file = join(import.meta.dirname, '../../../src/carriers/connectors/providers/vectors.test.ts')
  let count = 0
  for await (const { type, data } of run({ files: [file] })) {
    if (type !== 'test:fail') continue
    count++
    notes.push(`example: FAILED. ${(data as { name: string }).name}`)
  }
  return count
}

function byProvider([left = '']: readonly string[], [right = '']: readonly string[]): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function printTable(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()}\n`,
    )
}
