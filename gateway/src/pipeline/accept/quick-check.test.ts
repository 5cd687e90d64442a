/** The quick check accepts nothing that the validator refuses, and needs no validator for the documented requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { omniExamples } from '../../api/reference/examples/omni.ts'
import { sendExamples } from '../../api/reference/examples/sends.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { OmniBody } from './omni.ts'
import { createQuickCheck } from './quick-check.ts'

interface Subject {
  readonly name: string
  readonly schema: TSchema
  readonly bodies: readonly object[]
}

const accepted = (examples: readonly { status: number; body?: unknown }[]): object[] =>
  examples.flatMap(({ status, body }) => (status === 200 ? [body as object] : []))
const entriesOf = (name: string): object[] =>
  accepted(omniExamples).flatMap((body) =>
    ((body as { messageFlow?: Record<string, object>[] }).messageFlow ?? []).flatMap((entry) =>
      entry[name] === undefined ? [] : [entry[name]],
    ),
  )

const subjects: Subject[] = [{ name: 'omni', schema: OmniBody, bodies: accepted(omniExamples) }]
for (const name of Object.keys(channels) as ChannelName[]) {
  const { schema, entry } = channels[name]
  subjects.push({ name, schema, bodies: accepted(sendExamples[name]) })
  if (entry !== null) subjects.push({ name: `${name} in a flow`, schema: entry, bodies: entriesOf(name) })
}

for (const { name, schema, bodies } of subjects) {
  test(`${name}: the documented requests need no validator`, () => {
    const isMatch = createQuickCheck(schema)
    for (const body of bodies) assert.equal(isMatch(body), true, JSON.stringify(body))
  })
}

type Fields = Record<string, unknown>

/** Every object and list of a value, the outermost first. */
function containersOf(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Fields, ...Object.values(value).flatMap(containersOf)]
}

const values: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    7,
    1.5,
    -1,
    10 ** 9,
    '',
    'a',
    'URL',
    'AT',
    '1',
    '123456789',
    'a\nb',
    '😀',
    '😀'.repeat(11),
  ],
  ...['x'.repeat(21), 'x'.repeat(201), 'x'.repeat(2_001), '가'.repeat(2_001)],
  ...[[], {}, [[]], [{}], { text: 'x' }, { to: 'x' }, [{ to: 'x' }], { 'a\nb': 7 }, ['x'], [7]],
]
const change = fc.record({
  container: fc.nat(),
  name: fc.nat(),
  how: fc.constantFrom('remove', 'replace', 'add', 'rename'),
  value: fc.constantFrom(...values),
  added: fc.constantFrom('x', 'text', 'to', 'ttl', '__proto__', 'constructor', 'button', 'header'),
})

function apply(body: object, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]) {
  const copy = structuredClone(body)
  for (const { container, name, how, value, added } of changes) {
    const containers = containersOf(copy)
    const at = containers[container % containers.length]!
    const names = Object.keys(at)
    const chosen = names[name % Math.max(1, names.length)] ?? 'x'
    const old = at[chosen]
    if (how === 'remove' || how === 'rename') Reflect.deleteProperty(at, chosen)
    if (how === 'replace') at[chosen] = structuredClone(value)
    if (how === 'add' || how === 'rename')
      Object.defineProperty(at, added, {
        value: how === 'add' ? structuredClone(value) : old,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return JSON.parse(JSON.stringify(copy)) as unknown
}

test('accepts no changed request that the validator refuses', () => {
  let [matched, refused] = [0, 0]
  const checked = subjects.flatMap(({ schema, bodies }) => {
    const isMatch = createQuickCheck(schema)
    const validator = Compile(schema)
    return bodies.map((body) => ({ body, isMatch, validator }))
  })
  const indexes = fc.nat({ max: checked.length - 1 })
  fc.assert(
    fc.property(indexes, fc.array(change, { maxLength: 3 }), (index, changes) => {
      const { body, isMatch, validator } = checked[index]!
      const changed = apply(body, changes)
      const isValid = validator.Check(changed)
      if (!isValid) refused++
      if (!isMatch(changed)) return
      assert.ok(isValid, JSON.stringify(changed))
      matched++
    }),
    { numRuns: 2_000 },
  )
  assert.ok(matched > 200 && refused > 200, `${matched} matched, ${refused} were refused`)
})

test('a format is checked as the validator checks it', () => {
  const check = createQuickCheck(Type.Object({ a: Type.String({ format: 'date' }) }))
  assert.deepEqual([check({ a: '2026-01-01' }), check({ a: '2026-13-01' })], [true, false])
})

test('leaves a schema with other keywords to the validator', () => {
  for (const schema of [
    Type.String({ contentEncoding: 'base64' }),
    Type.Number(),
    Type.Object({ a: Type.Boolean() }),
    Type.Array(Type.String(), { maxItems: 1 }),
  ]) {
    for (const value of ['2026-01-01', 1, { a: true }, ['a', 'b']])
      assert.equal(createQuickCheck(schema)(value), false)
  }
})
