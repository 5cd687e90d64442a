import assert from 'node:assert/strict'
import { test } from 'node:test'
import { esme } from '../smpp/protocol.ts'
import type { SmppSubmission } from '../smpp/read.ts'
import { parseLayout } from './parts.ts'
import { checkSubmission } from './validate.ts'

function submission(change: Partial<SmppSubmission>): SmppSubmission {
  const address = { ton: 1, npi: 1, digits: '821012340001' }
  return {
    commandId: 4,
    serviceType: '',
    from: address,
    to: address,
    esmClass: 0,
    schedule: '',
    validity: '',
    registeredDelivery: 1,
    dataCoding: 0,
    body: Buffer.from('text'),
    shortLength: 4,
    hasPayload: false,
    sar: undefined,
    ...change,
  }
}

function withHeader(hex: string): SmppSubmission {
  return submission({ esmClass: 0x43, body: Buffer.from(hex, 'hex') })
}

test('reads the part from an 8-bit or a 16-bit reference, or from sar parameters', () => {
  const part = { ref: 0x2a, total: 3, sequence: 2 }
  assert.deepEqual(parseLayout(withHeader('0500032a030261')), { part, headerBytes: 6 })
  const wide = { ref: 0x1234, total: 3, sequence: 2 }
  assert.deepEqual(parseLayout(withHeader('060804123403026162')), { part: wide, headerBytes: 7 })
  assert.deepEqual(parseLayout(submission({ sar: part })), { part, headerBytes: 0 })
  assert.deepEqual(parseLayout(submission({})), { part: undefined, headerBytes: 0 })
})

test('finds the part behind other header elements', () => {
  const layout = parseLayout(withHeader('08' + '240101' + '00032a0302' + '6161'))
  assert.deepEqual(layout, { part: { ref: 0x2a, total: 3, sequence: 2 }, headerBytes: 9 })
})

test('rejects an inconsistent header', () => {
  for (const hex of [
    '',
    '00',
    '05',
    '0500032a03',
    '0500032a0304',
    '0500032a0300',
    '0500092a0302',
    '06000301010100',
  ]) {
    assert.equal(parseLayout(withHeader(hex)), esme.RINVESMCLASS, hex)
  }
  assert.equal(parseLayout(submission({ sar: { ref: 1, total: 2 } })), esme.RINVOPTPARAMVAL)
  assert.equal(parseLayout(submission({ sar: { ref: 1, total: 2, sequence: 3 } })), esme.RINVOPTPARAMVAL)
  const both = submission({ esmClass: 0x40, sar: { ref: 1, total: 2, sequence: 1 } })
  assert.equal(parseLayout(both), esme.ROPTPARNOTALLWD)
})

test('rejects a submission that a strict carrier would reject', () => {
  const address = (digits: string) => ({ ton: 1, npi: 1, digits })
  const cases: [Partial<SmppSubmission>, number][] = [
    [{}, esme.ROK],
    [{ serviceType: 'TOOLONG' }, esme.RINVSERTYP],
    [{ from: address('1'.repeat(21)) }, esme.RINVSRCADR],
    [{ to: address('1'.repeat(21)) }, esme.RINVDSTADR],
    [{ to: address('') }, esme.RINVDSTADR],
    [{ schedule: 'tomorrow' }, esme.RINVSCHED],
    [{ validity: '000000001000000R' }, esme.ROK],
    [{ validity: '1 day' }, esme.RINVEXPIRY],
    [{ body: Buffer.alloc(160) }, esme.ROK],
    [{ body: Buffer.alloc(161) }, esme.RINVMSGLEN],
    [{ body: Buffer.alloc(140), dataCoding: 8 }, esme.ROK],
    [{ body: Buffer.alloc(142), dataCoding: 8 }, esme.RINVMSGLEN],
    [{ body: Buffer.alloc(2000), hasPayload: true, shortLength: 0 }, esme.ROK],
    [{ hasPayload: true }, esme.ROPTPARNOTALLWD],
  ]
  for (const [change, refusal] of cases) assert.equal(checkSubmission(submission(change), 0), refusal)
  assert.equal(checkSubmission(submission({ body: Buffer.alloc(6 + 153) }), 6), esme.ROK)
  assert.equal(checkSubmission(submission({ body: Buffer.alloc(6 + 154) }), 6), esme.RINVMSGLEN)
})
