import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalId } from '../carrier-id.ts'
import { parseSerialBase, serialBase, Serials } from './serial.ts'

const reference = '20261115153000000C00A00000000001-1-1-1'

test('a serial number has the Korean date and depends only on the reference', () => {
  const base = serialBase(reference)
  // 15:30 UTC is the next day in Korea.
  assert.match(base, /^20261116-[0-9a-z]{18}$/)
  assert.equal(serialBase(reference), base)
  assert.equal(canonicalId(base), base, 'it is stored as it is')
  assert.match(serialBase('of another form'), /^20000101-[0-9a-z]{18}$/)
  assert.match(serialBase('99999999999999999A-1'), /^20000101-[0-9a-z]{18}$/)
})

test('20,000 references and steps have different serial numbers', () => {
  const seen = new Set<string>()
  for (let n = 0; n < 10_000; n++) {
    const key = `20261115000000000C00A${String(n).padStart(11, '0')}`
    seen.add(serialBase(`${key}-1-1-1`)).add(serialBase(`${key}-2-1-1`))
  }
  assert.equal(seen.size, 20_000)
})

test('replaces a used-up serial number and keeps the id', () => {
  const serials = new Serials()
  const base = serialBase(reference)
  const seen = new Set<string>()
  for (let nth = 0; nth < 1_000; nth++) {
    const serial = serials.get(base)
    assert.equal(serials.get(base), serial, 'it changes only when it is used up')
    assert.ok(serial.length <= 30)
    assert.equal(parseSerialBase(serial), base)
    assert.equal(parseSerialBase(` ${serial.toUpperCase()} `), base, 'as a carrier may spell it')
    seen.add(serial)
    serials.useUp(base)
  }
  assert.equal(seen.size, 1_000)
  serials.delete(base)
  assert.equal(serials.get(base), base)
})

test('an unknown serial number stays unchanged', () => {
  for (const serial of ['20261115-1', 'abc', '20261115-0000000000000000000', 'x'.repeat(1_000)])
    assert.equal(parseSerialBase(serial), serial)
})
