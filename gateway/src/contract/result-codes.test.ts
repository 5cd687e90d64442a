/** The table must contain every result code of the sources, and an unknown code must not compile. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { invalidField, Problem } from './problem.ts'
import { isResultCode, reservedCodes, resultCodes, type FieldCodes } from './result-codes.ts'

const sources = join(import.meta.dirname, '..')
const files = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] })

test('every result code in the sources is in the table', () => {
  assert.ok(files.length > 100)
  const unknown = files.flatMap((file) => {
    const codes = readFileSync(join(sources, file), 'utf8').match(/'A\d{3}'/g) ?? []
    return codes
      .map((code) => code.slice(1, -1))
      .filter((code) => !isResultCode(code))
      .map((code) => `${file}: ${code}`)
  })
  assert.deepEqual(unknown, [])
})

test('the reserved codes are those that no source returns', () => {
  const returned = new Set(
    files
      .filter((file) => !/^(contract\/result-codes|carriers\/connectors\/|edge\/api\/reference\/)/.test(file))
      .flatMap((file) => readFileSync(join(sources, file), 'utf8').match(/'A\d{3}'/g) ?? [])
      .map((code) => code.slice(1, -1)),
  )
  const unreturned = Object.keys(resultCodes).filter((code) => !returned.has(code))
  assert.deepEqual(unreturned, Object.keys(reservedCodes))
})

test('every entry has advice, and only the success has status 200', () => {
  for (const { code, status, result, cause, action } of Object.values(resultCodes)) {
    assert.ok(result !== '' && cause.endsWith('.') && action.endsWith('.'), code)
    assert.equal(status === 200, code === 'A000', code)
  }
})

test('an unknown code does not compile', () => {
  // @ts-expect-error -- A998 is not a result code
  assert.equal(new Problem('A998', 'unknown').name, 'Problem')
  // @ts-expect-error -- A998 is not a result code
  assert.equal(invalidField('A998', 'text').name, 'FieldProblem')
  // @ts-expect-error -- A998 is not a result code
  const codes: FieldCodes = { text: 'A998' }
  assert.equal(isResultCode(codes.text!), false)
})
