import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../shared/unique-numbers.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import { Cursor, Malformed } from './cursor.ts'
import { command } from './protocol.ts'
import { readBind, readSubmission } from './read.ts'

const head = '\0\x05\0Postern\0\x01\x01821012340001\0'

function submission(rest: string, commandId: number = command.submit_sm) {
  const bytes = Buffer.from(head + rest, 'latin1')
  return readSubmission(new Cursor(bytes, 0, bytes.length), commandId)
}

test('reads a submit_sm with its addresses, flags and text', () => {
  const read = submission('\0\0\0\0\0\x11\0\x08\0\x04\xd5\x5c\xae\x00')
  assert.deepEqual(read.from, { ton: 5, npi: 0, digits: 'Postern' })
  assert.deepEqual(read.to, { ton: 1, npi: 1, digits: '821012340001' })
  assert.equal(read.registeredDelivery, 0x11)
  assert.equal(read.dataCoding, 8)
  assert.equal(read.body.toString('hex'), 'd55cae00')
})

test('reads sar fields and message_payload, and skips unknown parameters', () => {
  const tlvs = '\x14\x00\0\x02zz\x02\x0c\0\x02\x01\x02\x02\x0e\0\x01\x03\x02\x0f\0\x01\x02\x04\x24\0\x02hi'
  const read = submission(`\0\0\0\0\0\x01\0\0\0\0${tlvs}`)
  assert.deepEqual(read.sar, { ref: 0x102, total: 3, sequence: 2 })
  assert.equal(read.body.toString('latin1'), 'hi')
  assert.equal(read.hasPayload, true)
})

test('reads a data_sm, whose text is always a payload', () => {
  const read = submission('\0\x01\0\x04\x24\0\x02hi', command.data_sm)
  assert.equal(read.registeredDelivery, 1)
  assert.equal(read.body.toString('latin1'), 'hi')
})

test('rejects a submission with a length beyond its end', () => {
  assert.throws(() => submission('\0\0\0\0\0\x01\0\0\0\x09short'), Malformed)
  assert.throws(() => submission('\0\0\0\0\0\x01\0\0\0\0\x04\x24\0\x09x'), Malformed)
})

test('fails only with Malformed for any octets', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.boolean(), (octets, data) => {
      const bytes = Buffer.from(octets)
      for (const read of [
        () => readBind(new Cursor(bytes, 0, bytes.length)),
        () => readSubmission(new Cursor(bytes, 0, bytes.length), data ? command.data_sm : command.submit_sm),
      ]) {
        try {
          read()
        } catch (error) {
          assert.ok(error instanceof Malformed)
        }
      }
    }),
    { numRuns: 500 },
  )
})

const count = rounds(3000)

test(`parses ${count} mutated submissions or refuses them as malformed`, () => {
  const random = seededRandom(11)
  const tlvs = '\x02\x0c\0\x02\x01\x02\x02\x0e\0\x01\x03\x02\x0f\0\x01\x02\x04\x24\0\x02hi'
  const sample = Buffer.from(`${head}\0\0\0\0\0\x01\0\0\0\0${tlvs}`, 'latin1')
  let read = 0
  for (let round = 0; round < count; round++) {
    const bytes = mutate(sample, random)
    try {
      readSubmission(new Cursor(bytes, 0, bytes.length), random() < 0.5 ? command.submit_sm : command.data_sm)
      read++
    } catch (error) {
      assert.ok(error instanceof Malformed, String(error))
    }
  }
  assert.ok(read > count / 60 && read < count * 0.97, `${read} were read`)
})
