import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHeader, readParameters, writeHeader, writeParameters } from './concatenation.ts'

const places = fc
  .record({ reference: fc.nat(0xffff), parts: fc.integer({ min: 2, max: 255 }), at: fc.nat(254) })
  .map(({ reference, parts, at }) => ({ reference, parts, part: 1 + (at % parts) }))

test('the segment info is read as it was written', () => {
  fc.assert(
    fc.property(places, fc.uint8Array({ maxLength: 20 }), (place, text) => {
      const narrow = Buffer.concat([writeHeader('udh8', place), text])
      assert.deepEqual(readHeader(narrow), {
        bytes: 6,
        place: { ...place, reference: place.reference & 0xff, bits: 8 },
      })
      const wide = Buffer.concat([writeHeader('udh16', place), text])
      assert.deepEqual(readHeader(wide), { bytes: 7, place: { ...place, bits: 16 } })
      assert.deepEqual(readParameters(writeParameters(place)), { ...place, bits: 16 })
      assert.equal(writeHeader('sar', place).length, 0)
    }),
  )
})

test('reads the segment info behind other elements, and none from an incomplete header', () => {
  const ports = [5, 4, 0x15, 0x7c, 0, 0]
  assert.deepEqual(readHeader(Buffer.of(11, ...ports, 0, 3, 7, 2, 1, 0x41)), {
    bytes: 12,
    place: { bits: 8, reference: 7, parts: 2, part: 1 },
  })
  // A length beyond the text is no header. A part outside the series, a single part or a truncated element has no info.
  assert.deepEqual(readHeader(Buffer.of(200, 0, 3)), { bytes: 0, place: null })
  for (const header of [
    [5, 0, 3, 7, 2, 3],
    [5, 0, 3, 7, 2, 0],
    [5, 0, 3, 7, 1, 1],
    [3, 0, 3, 7],
    [1, 0],
  ])
    assert.deepEqual(readHeader(Buffer.from(header)), { bytes: header.length, place: null })
  assert.equal(readParameters([]), null)
})

test('reads any octets without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
      const { bytes } = readHeader(octets)
      assert.ok(bytes >= 0 && bytes <= octets.length)
    }),
    { numRuns: 1_000 },
  )
})
