import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../test/support/measure/cpu-time.ts'
import fc from 'fast-check'
import { Framer } from './framer.ts'
import { PduError } from './pdu.ts'
import { arbitraryOctets } from '../../../test/support/smpp/arbitrary.ts'

function frames(framer: Framer): Buffer[] {
  const copies: Buffer[] = []
  for (let frame = framer.next(); frame !== null; frame = framer.next()) copies.push(Buffer.from(frame))
  return copies
}

function header(length: number): Buffer {
  const octets = Buffer.alloc(16)
  octets.writeUInt32BE(length)
  return octets
}

test('returns the same PDUs however the stream is split', () => {
  const chunked = fc.tuple(
    fc.array(arbitraryOctets, { minLength: 1, maxLength: 6 }),
    fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }),
    fc.boolean(),
  )
  fc.assert(
    fc.property(chunked, ([pdus, sizes, lazily]) => {
      const stream = Buffer.concat(pdus)
      const framer = new Framer(16_384)
      const out: Buffer[] = []
      for (let at = 0, round = 0; at < stream.length; round += 1) {
        const size = sizes[round % sizes.length]!
        framer.push(stream.subarray(at, at + size))
        at += size
        // A reader under back-pressure leaves frames unread; they must not be lost when more octets arrive.
        if (!lazily || round % 3 === 0) out.push(...frames(framer))
      }
      out.push(...frames(framer))
      assert.deepEqual(out, pdus)
    }),
    { numRuns: 300 },
  )
})

test('rejects a length below the header size or above the limit', () => {
  for (const length of [0, 4, 15, 16_385, 0x48545450, 0xffffffff]) {
    const whole = new Framer(16_384)
    whole.push(header(length))
    assert.throws(() => whole.next(), PduError)

    const split = new Framer(16_384)
    const [first, ...rest] = [...header(length).subarray(0, 4)].map((octet) => Buffer.of(octet))
    split.push(first!)
    assert.equal(split.next(), null)
    assert.throws(() => {
      for (const octet of rest) {
        split.push(octet)
        split.next()
      }
    }, PduError)
  }
})

test('a length at either limit is accepted', () => {
  const framer = new Framer(16_384)
  framer.push(Buffer.concat([header(16), header(16_384), Buffer.alloc(16_368)]))
  assert.deepEqual(
    frames(framer).map((frame) => frame.length),
    [16, 16_384],
  )
})

test('a large PDU that arrives octet by octet takes linear time', () => {
  const length = 1_048_576
  const framer = new Framer(length)
  const stream = Buffer.concat([header(length), Buffer.alloc(length - 16)])
  let found = 0
  const tookMs = cpuMs(() => {
    for (let at = 0; at < length; at += 1) {
      framer.push(stream.subarray(at, at + 1))
      if (framer.next() !== null) found += 1
    }
  })
  assert.equal(found, 1)
  // Quadratic copying would move half a terabyte.
  assert.ok(tookMs < 5000)
})
