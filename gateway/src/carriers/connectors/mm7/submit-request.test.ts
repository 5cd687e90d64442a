import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { jpeg, mm7Options, mmsSubmission } from '../../../../test/support/carriers/mm7.ts'
import { submitRequest, toTransactionId } from './submit-request.ts'

const skt = { dialect: 'skt', partnerId: 'p', skt: { relayId: '0002' } }
const kt = { dialect: 'kt', partnerId: 'p' }
const body = {
  from: '0212345678',
  to: '01012345678',
  title: '똠',
  text: '가\n나',
  fileKey: ['a'],
  originCID: '123456789',
}

/** Decodes one character per octet. */
function write(options: object, overrides: object = {}): string {
  const submission = mmsSubmission(body, overrides)
  if (submission.message.channel !== 'mms') throw new TypeError('not an MMS')
  const { message, ...rest } = submission
  const request = submitRequest(
    mm7Options(options),
    { ...rest, message },
    message.content,
    [jpeg(2)],
    new Date(0),
  )
  return `${request.headers['authorization'] ?? ''}\n${request.body.toString('latin1')}`
}

suite('options', () => {
  const cases: readonly (readonly [string, object, RegExp])[] = [
    ['basic authentication', { ...kt, user: 'u', password: 'p' }, /^Basic dTpw\n/],
    [
      'the release and the version',
      { ...kt, release: 'REL-5-MM7-1-3', version: '1.6' },
      /REL-5-MM7-1-3".*<MM7Version>1\.6</,
    ],
    [
      'X-SKT-ORIG-BPID in the sender',
      { ...skt, skt: { relayId: '1', originPlace: 'sender' } },
      /<X-SKT-BPID>p<\/X-SKT-BPID><X-SKT-ORIG-BPID>123456789</,
    ],
    [
      'ExpiryDate at KT',
      { ...kt, expiryDate: true },
      /<TimeStamp>[^<]+<\/TimeStamp><ExpiryDate>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d<\/ExpiryDate>/,
    ],
    [
      'ExpiryDate at LGU+',
      { dialect: 'lgu', expiryDate: true },
      /<TimeStamp>[^<]+<\/TimeStamp><ExpiryDate>[^<]+\+09:00<\/ExpiryDate>/,
    ],
    ['X-SKT-ORIG-BPID after the sender', skt, /<\/SenderIdentification><X-SKT-ORIG-BPID>123456789</],
    [
      'the type of the text at SKT',
      { ...skt, skt: { relayId: '1', textType: 'text/x-sktxt' } },
      /Content-Type: text\/x-sktxt; charset="euc-kr"/,
    ],
    [
      'a service code of LGU+ on every part',
      { dialect: 'lgu', kmmsServiceCode: '8001' },
      /8bit\r\n[^]*X-Kmms-SVCCODE: 8001[^]*image\/jpeg[^]*X-Kmms-SVCCODE: 8001/,
    ],
    ['line feeds instead of elements', { ...kt, lineBreaks: 'character' }, /\xb0\xa1\n\xb3\xaa<\/BODY>/],
    ['images by Content-ID', { ...kt, imageSource: 'cid' }, /<IMG SRC="cid:image1\.jpg">/],
    [
      'images as they are',
      { ...kt, imageEncoding: 'binary' },
      /Content-Transfer-Encoding: binary\r\n\r\n\xff\xd8/,
    ],
    ['characters outside of EUC-KR as references', kt, /<Subject>&#46624;<\/Subject>/],
    [
      'CP949 under the names that Java and libxml2 know',
      { ...kt, charset: 'cp949' },
      /charset="ms949"[^]*encoding="cp949"[^]*<Subject>\x8c\x63</,
    ],
    ['numbers of another format', { ...kt, numbers: 'international' }, /<Number>821012345678</],
  ]
  for (const [name, options, pattern] of cases) test(name, () => assert.match(write(options), pattern))
})

test('an advertisement has its class in 3GPP', () => {
  assert.match(write({ dialect: '3gpp' }, { isAdvertisement: true }), /<MessageClass>Advertisement</)
})

test('the configured origin code is used for clients without one', () => {
  const without = { originCid: undefined }
  assert.match(write({ ...kt, originCode: '987654321' }, without), /<ResellerCode>987654321</)
  assert.doesNotMatch(write(kt, without), /ResellerCode/)
  // The forms that POSTERN_ORIGIN_CODE can have.
  for (const originCode of ['K1234', 'A'.repeat(20)])
    assert.match(write({ ...kt, originCode }, without), new RegExp(`<ResellerCode>${originCode}<`))
  for (const originCode of ['', 'A'.repeat(21), '123-456'])
    assert.throws(() => mm7Options({ ...kt, originCode }), /originCode must be 1 to 20 digits and letters/)
})

test('TransactionID is the reference, or digits that depend only on the reference', () => {
  const reference = '20261115000000000C00A00000000001-1-1-1'
  assert.equal(toTransactionId(mm7Options(kt), reference), reference)
  const digits = toTransactionId(mm7Options(skt), reference)
  assert.match(digits, /^\d{5}$/)
  assert.equal(toTransactionId(mm7Options(skt), reference), digits)
  assert.notEqual(toTransactionId(mm7Options(skt), `${reference}0`), digits)
})
