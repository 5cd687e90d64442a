import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { arrayLiteral } from './array-literal.ts'

const { database } = await createEmptyDatabase()

async function readBack(type: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await database.query<{ back: unknown }>(`select $1::${type}[] as back`, [values])
  return rows[0]!.back
}

// PostgreSQL stores neither U+0000 nor lone surrogates.
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('NULL', 'null', '', '{}', '\\', '"', ' ', ','),
  )
  .map((value) => value.replaceAll('\0', '').toWellFormed())
const maybe = <T>(values: fc.Arbitrary<T>) => fc.array(fc.option(values), { maxLength: 8 })

const kinds: readonly [type: string, arrays: fc.Arbitrary<readonly unknown[]>][] = [
  ['text', maybe(text)],
  ['int', maybe(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))],
  ['float8', maybe(fc.double().map((value) => (Object.is(value, -0) ? 0 : value)))],
  ['boolean', maybe(fc.boolean())],
  [
    'timestamptz',
    maybe(
      fc.date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      }),
    ),
  ],
  ['varchar', maybe(fc.json())],
]

for (const [type, arrays] of kinds) {
  test(`${type}: round-trips unchanged`, async () => {
    await fc.assert(
      fc.asyncProperty(arrays, async (values) => {
        assert.equal(typeof arrayLiteral(values), 'string')
        assert.deepEqual(await readBack(type, values), values)
      }),
      { numRuns: 150 },
    )
  })
}

test('writes times of one second, of others, and up to the first and last year', () => {
  const seconds = ['0001-01-01T00:00:00', '1969-12-31T23:59:59', '2026-02-28T23:59:59', '9999-12-31T23:59:59']
  const date = fc.tuple(fc.constantFrom(...seconds), fc.constantFrom('000', '001', '099', '999'))
  fc.assert(
    fc.property(fc.array(date, { minLength: 1 }), (parts) => {
      const texts = parts.map(([second, ms]) => `${second}.${ms}Z`)
      assert.equal(
        arrayLiteral(texts.map((text) => new Date(text))),
        `{${texts.map((text) => `"${text}"`).join(',')}}`,
      )
    }),
  )
  const [beforeFirst, afterLast] = [Date.parse('0001-01-01T00:00:00Z') - 1, Date.UTC(10_000, 0, 1)]
  for (const ms of [beforeFirst, afterLast]) assert.equal(arrayLiteral([new Date(ms)]), undefined)
})

test('leaves other types to the driver', async () => {
  assert.equal(arrayLiteral([Buffer.from('a')]), undefined)
  assert.equal(arrayLiteral([[1], [2]]), undefined)
  assert.equal(arrayLiteral([new Date(NaN)]), undefined)
  assert.deepEqual(await readBack('int', [[1], [2]]), [[1], [2]])
  const late = new Date(Date.UTC(20_000, 0, 1))
  assert.deepEqual(await readBack('timestamptz', [late]), [late])
})
