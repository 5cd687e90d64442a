/**
 * Third-party parsers read the golden requests: Python's email with lxml, and SAAJ. Both find the fields, the texts and the
 * images of the client's message. `npm run engines -- install --tests` installs them; without them the test is skipped.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { thirdPartyParsers, skipWithout } from '../../../../test/support/carriers/third-party-parsers.ts'
import { goldenCases, goldenFolder, type GoldenCase } from '../../../../test/support/carriers/mm7-golden.ts'
import { jpeg } from '../../../../test/support/carriers/mm7.ts'

const sources = join(import.meta.dirname, '../../../../test/foreign/mm7')

interface ParsedRequest {
  /** The last text of each element. */
  readonly values: Readonly<Record<string, string>>
  readonly parts: readonly {
    readonly type: string
    readonly sha256: string
    readonly text?: string
    readonly id?: string
    readonly sources?: readonly string[]
  }[]
  readonly start?: boolean
}

const cases = goldenCases()
const files = cases.map(({ name }) => join(goldenFolder, `${name}.http`))

function run(command: string, args: readonly string[]): ParsedRequest[] {
  return JSON.parse(
    execFileSync(command, [...args, ...files], { encoding: 'utf8', timeout: 60_000 }),
  ) as ParsedRequest[]
}

test('Python’s email and lxml read the golden requests', { skip: skipWithout('python') }, () => {
  for (const [index, found] of run(thirdPartyParsers.python, [join(sources, 'read_mm7.py')]).entries()) {
    const golden = cases[index]!
    checkFields(golden, found)
    assert.equal(found.start, true, 'start names the envelope')
    const texts = found.parts.filter(({ type }) => type.startsWith('text/'))
    assert.deepEqual(
      texts.map(({ text }) => text),
      [golden.body.text],
      golden.name,
    )
    const ids = found.parts.map(({ id }) => id)
    for (const part of found.parts)
      for (const source of part.sources ?? []) assert.ok(ids.includes(source), `${golden.name}: ${source}`)
  }
})

test('SAAJ reads the golden requests', { skip: skipWithout('saaj') }, () => {
  for (const [index, found] of run('java', [
    '-cp',
    join(thirdPartyParsers.saaj, '*'),
    join(sources, 'ReadMm7.java'),
  ]).entries()) {
    const golden = cases[index]!
    checkFields(golden, found)
    for (const { type, text } of found.parts)
      if (type === 'text/plain') assert.equal(text, golden.body.text, golden.name)
  }
})

function checkFields({ name, dialect, body }: GoldenCase, { values, parts }: ParsedRequest): void {
  const isStandard = dialect === '3gpp'
  assert.equal(values['Number'], isStandard ? '+821012345678' : body.to, name)
  assert.equal(values['Subject'] ?? '', body.title ?? '', name)
  assert.equal(values['VASPID'], 'vasp')
  assert.match(values['TransactionID']!, dialect === 'skt' ? /^\d{5}$/ : /-1-1-1$/)
  const origin = { '3gpp': '', skt: 'X-SKT-ORIG-BPID', kt: 'ResellerCode', lgu: 'KisaOrigCode' }[dialect]
  assert.equal(values[origin], isStandard ? undefined : body.originCID, name)
  const callback = { '3gpp': '', skt: 'SenderAddress', kt: 'CallBack', lgu: 'CallBack' }[dialect]
  assert.equal(values[callback], isStandard ? undefined : body.from, name)
  const images = parts.filter(({ type }) => type === 'image/jpeg').map(({ sha256 }) => sha256)
  const expected = (body.fileKey ?? []).map((_, index) =>
    createHash('sha256').update(jpeg(index)).digest('hex'),
  )
  assert.deepEqual(images, expected, name)
}
