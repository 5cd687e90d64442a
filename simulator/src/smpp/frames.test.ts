import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader } from './frames.ts'
import { MAX_PDU_BYTES } from './protocol.ts'

function frame(body: Uint8Array): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(16), body])
  bytes.writeUInt32BE(bytes.length, 0)
  return bytes
}

function lengthOnly(length: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(length, 0)
  return bytes
}

test('returns the same frames for any segmentation of the stream', () => {
  const anyBodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 })
  fc.assert(
    fc.property(anyBodies, fc.integer({ min: 1, max: 200 }), (bodies, cut) => {
      const frames = bodies.map(frame)
      const stream = Buffer.concat(frames)
      const seen: string[] = []
      const reader = new FrameReader()
      for (let at = 0; at < stream.length; at += cut) {
        const isValid = reader.push(stream.subarray(at, at + cut), (bytes, start, end) => {
          seen.push(bytes.toString('hex', start, end))
          return true
        })
        assert.equal(isValid, true)
      }
      assert.deepEqual(
        seen,
        frames.map((bytes) => bytes.toString('hex')),
      )
    }),
  )
})

test('rejects an impossible length', () => {
  for (const length of [0, 4, 15, MAX_PDU_BYTES + 1, 0xffffffff]) {
    const isValid = new FrameReader().push(lengthOnly(length), () => true)
    assert.equal(isValid, false, `length ${length}`)
  }
})

test('stops at the frame whose handler returns false', () => {
  const seen: number[] = []
  const stream = Buffer.concat([frame(Buffer.of(1)), frame(Buffer.of(2)), frame(Buffer.of(3))])
  new FrameReader().push(stream, (bytes, start) => {
    seen.push(bytes[start + 16]!)
    return seen.length < 2
  })
  assert.deepEqual(seen, [1, 2])
})
