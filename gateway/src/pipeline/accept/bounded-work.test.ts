import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Issues, requireValid } from '../../channels/issues.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import { checkFlow } from './flow.ts'
import { draftOmni, draftOne, planOmni, readOmni } from './omni.ts'
import { normalizeSdkBody } from './sdk-compat.ts'

/**
 * Processor time of this process, because the tests share the machine. A dry run continues after the first
 * problem.
 */
const maxMs = 100
const maxDryRunMs = 250
const maxBodyBytes = 256 * 1024
const maxResponseBytes = 100_000

type Flow = readonly Readonly<Record<string, object>>[]
const from = '0234567890'
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const alimtalk = (text: string): Flow => [
  { alimtalk: { senderKey: 'k', templateCode: 't', msgType: 'AT', text } },
]
const rcsBody = (value: (index: number) => string, count: number): Flow => [
  { rcs: { from, formatId: 'T1', body: Object.fromEntries(times(count, (n) => [`k${n}`, value(n)])) } },
]
const rcsTemplate = (count: number): Flow => [
  {
    rcs: {
      from,
      formatId: 'T1',
      content: { template: Object.fromEntries(times(count, (n) => [`k${n}`, '#{a}'])) },
    },
  },
]
const variables = (messageVariable: object): Flow => [
  { brandmessage: { senderKey: 'k', sendType: 'basic', templateCode: 't', msgType: 'FT', messageVariable } },
]

interface Case {
  readonly name: string
  readonly flow: Flow
  readonly words?: Readonly<Record<string, string>>
  /** The code with which the request or each of its destinations is rejected. */
  readonly code: string
}

const cases: readonly Case[] = [
  { name: 'one missing placeholder 62,000 times', flow: alimtalk('#{a}'.repeat(62_000)), code: 'A300' },
  { name: 'one missing placeholder as often as allowed', flow: alimtalk('#{a}'.repeat(1_000)), code: 'A303' },
  {
    name: '25,000 different placeholders',
    flow: alimtalk(times(25_000, (n) => `#{${n}}`).join('')),
    code: 'A300',
  },
  {
    name: 'as many different placeholders as allowed',
    flow: alimtalk(times(1_000, (n) => `#{${n}}`).join('')),
    code: 'A303',
  },
  { name: 'a missing placeholder in 4,900 fields', flow: rcsTemplate(4_900), code: 'A300' },
  { name: 'a missing placeholder in 1,000 fields', flow: rcsTemplate(1_000), code: 'A303' },
  { name: 'a missing placeholder in 1,000 custom fields', flow: rcsBody(() => '#{a}', 1_000), code: 'A303' },
  {
    name: 'a value that is repeated in a text',
    flow: alimtalk('#{a}'.repeat(1_000)),
    words: { a: 'x'.repeat(20_000) },
    code: 'A328',
  },
  {
    name: 'a value that is repeated in 1,000 fields',
    flow: rcsBody(() => '#{a}', 1_000),
    words: { a: 'x'.repeat(20_000) },
    code: 'A425',
  },
  {
    name: 'values as long as allowed in every message',
    flow: times(4, () => alimtalk('#{a}')[0]!),
    words: { a: 'x'.repeat(20_000) },
    code: 'A328',
  },
  { name: 'a very long placeholder', flow: alimtalk(`#{${'k'.repeat(200_000)}}`), code: 'A303' },
  {
    name: 'a very long field name',
    flow: variables({ ['k'.repeat(100_000)]: times(900, () => '#{a}') }),
    code: 'A303',
  },
  {
    name: 'a very long field name of dots',
    flow: variables({ ['.['.repeat(50_000)]: times(900, () => '#{a}') }),
    code: 'A303',
  },
  { name: 'opening braces', flow: alimtalk('#{'.repeat(100_000)), code: 'A300' },
]

function send(body: object, form?: unknown): string[] {
  try {
    const request = requireValid((issues) => readOmni(normalizeSdkBody('omni', body), issues))
    return draftOmni(request, form).map((draft) => ('problem' in draft ? textOf(draft.problem) : 'A000'))
  } catch (error) {
    if (error instanceof Problem) return [textOf(error)]
    throw error
  }
}

function dryRun(body: object, form?: unknown): string[] {
  const request = new Issues('all')
  const plan = planOmni(readOmni(body, request)!, form, undefined, request)
  const checked = plan.destinations.map((destination, index) => {
    const issues = new Issues('all', { hidden: request.hidden })
    draftOne(plan, destination, index, issues)
    return issues
  })
  return [request, ...checked].flatMap(({ all }) => all.map(textOf))
}

const textOf = ({ code, message }: Problem): string => `${code} ${message}`

function runWithinLimit(run: () => string[], max = maxMs): string[] {
  const memory = process.memoryUsage().rss
  const began = process.cpuUsage()
  const results = run()
  const { user, system } = process.cpuUsage(began)
  const ms = Math.round((user + system) / 1_000)
  assert.ok(ms < max, `took ${ms} ms of processor time`)
  assert.ok(process.memoryUsage().rss - memory < 100_000_000, 'takes less than 100 MB')
  return results
}

for (const { name, flow, words, code } of cases) {
  suite(name, () => {
    const destinations = times(10, (n) => ({
      to: `0101234000${n}`,
      ...(words === undefined ? {} : { replaceWords: words }),
    }))
    const body = { destinations, messageFlow: flow }
    const viaForm = { destinations, messageForm: 'f' }

    test('is a body of the allowed size', () => assert.ok(JSON.stringify(body).length < maxBodyBytes))

    for (const [how, run] of [
      ['a send', () => send(body)],
      ['a send of a form', () => send(viaForm, flow)],
    ] as const) {
      test(`${how} is rejected quickly with ${code}`, () => {
        const results = runWithinLimit(run)
        assert.ok(results.length === 1 || results.length === 10)
        for (const result of results) assert.equal(result.slice(0, 4), code, result)
        assert.ok(results.join('').length < maxResponseBytes)
      })
    }

    for (const [how, run] of [
      ['a dry run', () => dryRun(body)],
      ['a dry run of a form', () => dryRun(viaForm, flow)],
    ] as const) {
      test(`${how} reports ${code} quickly`, () => {
        const results = runWithinLimit(run, maxDryRunMs)
        assert.ok(results.some((result) => result.startsWith(code)))
      })
    }
  })
}

test('a form with too many placeholders is rejected when it is registered', () => {
  checkFlow(alimtalk('#{a}'.repeat(1_000)), 'messageForm')
  assert.throws(() => checkFlow(alimtalk('#{a}'.repeat(1_001)), 'messageForm'), {
    code: 'A300',
    message: "Invalid or empty 'messageForm': must have at most 1000 placeholders, found 1001",
  })
})

test('placeholders are counted over all messages of a flow', () => {
  const flow = times(6, () => alimtalk('#{a}'.repeat(200))[0]!)
  assert.throws(() => checkFlow(flow, 'messageForm'), { code: 'A300', message: /found 1200/ })
})

test('thousands of problems and hidden fields take little time', () => {
  runWithinLimit(() => {
    const issues = new Issues('all')
    for (const path of times(5_000, (n) => `content.list[${n}]`)) issues.add(invalidField('A300', path), path)
    for (const path of times(5_000, (n) => `content.list[${n}].name`)) issues.add(invalidField('A300', path))
    assert.deepEqual([issues.all.length, issues.omitted], [100, 4_900])
    return []
  })
})
