import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '../connector.ts'
import { decodePdu } from '../../smpp/codec.ts'
import { receiptReader } from './receipt.ts'
import { deliverBody, testOptions } from '../../../../test/support/smpp/fixtures.ts'
import { pduOctets } from '../../../../test/support/smpp/peer.ts'

const errors = { '001': 'no-subscriber', 'E-7': 'spam' }
const readReceipt = receiptReader(testOptions({ errors, states: { OK: 'DELIVRD' } }))

type Row = [
  text: string,
  carrierId: string | null,
  result: string,
  cause: string,
  code: string,
  at: string | null,
]

const at = '2026-03-04T05:06:00.000Z' // 14:06 in Seoul
const rows: Row[] = [
  // The example of the specification, and the ten states.
  [
    'id:0123456789 sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:Hello',
    '0123456789',
    'delivered',
    'delivered',
    'DELIVRD:000',
    at,
  ],
  [
    'id:1 sub:001 dlvrd:000 submit date:2603041405 done date:2603041406 stat:EXPIRED err:000 text:',
    '1',
    'failed',
    'timeout',
    'EXPIRED:000',
    at,
  ],
  ['id:1 stat:DELETED err:000', '1', 'failed', 'failed', 'DELETED:000', null],
  ['id:1 stat:UNDELIV err:001', '1', 'failed', 'no-subscriber', 'UNDELIV:001', null],
  ['id:1 stat:UNDELIV err:002', '1', 'failed', 'failed', 'UNDELIV:002', null],
  ['id:1 stat:REJECTD err:000', '1', 'failed', 'refused', 'REJECTD:000', null],
  ['id:1 stat:UNKNOWN err:000', '1', 'failed', 'outcome-unknown', 'UNKNOWN:000', null],
  ['id:1 stat:SKIPPED err:000', '1', 'failed', 'failed', 'SKIPPED:000', null],
  ['id:1 stat:ENROUTE err:000', '1', 'pending', 'outcome-unknown', 'ENROUTE:000', null],
  ['id:1 stat:ACCEPTD err:000', '1', 'pending', 'outcome-unknown', 'ACCEPTD:000', null],
  ['id:1 stat:SCHEDULED err:000', '1', 'pending', 'outcome-unknown', 'SCHEDULED:000', null],
  // Other spellings of keys, values and separators.
  [
    'ID:1 SUB:1 DLVRD:1 SUBMIT DATE:260304140501 DONE DATE:260304140600 STAT:Delivered ERR:0 TEXT:',
    '1',
    'delivered',
    'delivered',
    'DELIVERED:0',
    at,
  ],
  ['Id: 1 Stat: delivrd Err: 000 Done Date: 2603041406', '1', 'delivered', 'delivered', 'DELIVRD:000', at],
  ['id=1 stat=DELIVRD err=000 done_date=20260304140600', '1', 'delivered', 'delivered', 'DELIVRD:000', at],
  [
    'id:1,sub:001,dlvrd:001,done date:202603041406,stat:DELIVRD,err:000',
    '1',
    'delivered',
    'delivered',
    'DELIVRD:000',
    at,
  ],
  ['id:1;stat:UNDELIVERABLE;err:001;', '1', 'failed', 'no-subscriber', 'UNDELIVERABLE:001', null],
  ['id:1|stat:UNDELIVERED|err:001', '1', 'failed', 'no-subscriber', 'UNDELIVERED:001', null],
  ['id:1/stat:EN_ROUTE/err:000', '1', 'pending', 'outcome-unknown', 'EN_ROUTE:000', null],
  ['msgid:1 status:FAILED error:E-7', '1', 'failed', 'spam', 'FAILED:E-7', null],
  ['message_id:1 state:REJECTED error_code:12', '1', 'failed', 'refused', 'REJECTED:12', null],
  ['id:1\r\nstat:EXPIRD\r\nerr:000\r\n', '1', 'failed', 'timeout', 'EXPIRD:000', null],
  ['id:1 stat:2 err:0', '1', 'delivered', 'delivered', '2:0', null],
  ['id:1 stat:OK err:0', '1', 'delivered', 'delivered', 'OK:0', null],
  // Stray NUL octets: go-smpp's test server sends one before the text, others send one after it.
  ['\0id:1 stat:DELIVRD err:000', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  ['\0\0id:1 stat:UNDELIV err:001\0', '1', 'failed', 'no-subscriber', 'UNDELIV:001', null],
  ['stat:DELIVRD err:000 id:1\0', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  // Any order, and keys missing.
  ['stat:DELIVRD err:000 id:1', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  ['err:001 stat:UNDELIV id:1 text:bye', '1', 'failed', 'no-subscriber', 'UNDELIV:001', null],
  ['text:bye id:1 stat:DELIVRD err:000', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  ['id:1 stat:DELIVRD', '1', 'delivered', 'delivered', 'DELIVRD', null],
  ['id:1 stat:UNDELIV err: text:x', '1', 'failed', 'failed', 'UNDELIV', null],
  ['stat:UNDELIV', null, 'failed', 'failed', 'UNDELIV', null],
  ['id: stat:DELIVRD err:000', null, 'delivered', 'delivered', 'DELIVRD:000', null],
  ['id:1', '1', 'pending', 'outcome-unknown', '', null],
  ['', null, 'pending', 'outcome-unknown', '', null],
  ['Message delivered.', null, 'pending', 'outcome-unknown', '', null],
  // Ids in the formats of carriers.
  [
    'id:6f1c2a3e-97f0-4c55-9a41-1d2e3f4a5b6c stat:DELIVRD err:000',
    '6f1c2a3e-97f0-4c55-9a41-1d2e3f4a5b6c',
    'delivered',
    'delivered',
    'DELIVRD:000',
    null,
  ],
  ['id:00000A3F stat:DELIVRD err:000', '00000A3F', 'delivered', 'delivered', 'DELIVRD:000', null],
  ['id:a/b+c== stat:DELIVRD err:000', 'a/b+c==', 'delivered', 'delivered', 'DELIVRD:000', null],
  // Errors that are not numbers, and names of properties that every JavaScript object has.
  ['id:1 stat:UNDELIV err:E-7', '1', 'failed', 'spam', 'UNDELIV:E-7', null],
  ['id:1 stat:UNDELIV err:constructor', '1', 'failed', 'failed', 'UNDELIV:constructor', null],
  ['id:1 stat:__proto__ err:000', '1', 'pending', 'outcome-unknown', '__PROTO__:000', null],
  // The author of a message cannot forge its receipt.
  [
    'id:1 sub:001 stat:UNDELIV err:001 text:id:2 stat:DELIVRD err:000',
    '1',
    'failed',
    'no-subscriber',
    'UNDELIV:001',
    null,
  ],
  ['id:1 stat:UNDELIV text:done date:2603041406 err:001', '1', 'failed', 'failed', 'UNDELIV', null],
  // Invalid dates.
  ['id:1 done date:2613041406 stat:DELIVRD err:000', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  ['id:1 done date:0 stat:DELIVRD err:000', '1', 'delivered', 'delivered', 'DELIVRD:000', null],
  // An unknown state proves nothing.
  ['id:1 stat:WIBBLE err:000', '1', 'pending', 'outcome-unknown', 'WIBBLE:000', null],
]

for (const [text, carrierId, result, cause, code, when] of rows) {
  test(`reads "${text.replaceAll('\r\n', '⏎').replaceAll('\0', '␀')}"`, () => {
    const pdu = decodePdu(pduOctets('deliver_sm', 0, 1, deliverBody({}, text)))
    assert.ok(pdu.kind === 'deliver_sm')
    const receipt = readReceipt(pdu)
    assert.deepEqual(receipt, {
      carrierId,
      result,
      cause,
      code,
      recipient: '821012345678',
      sender: '0215880000',
      at: when === null ? null : new Date(when),
    } satisfies Omit<
      Record<keyof Receipt, unknown>,
      'reference' | 'reportCode' | 'recipientMustMatch' | 'carrier' | 'portedTo' | 'userType'
    >)
  })
}
