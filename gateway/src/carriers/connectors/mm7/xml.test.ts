import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSoap } from './soap.ts'
import { MalformedXml, parseXml, findText } from './xml.ts'

test('reads names without prefixes, texts, CDATA, references and comments', () => {
  const root = parseXml(
    '\ufeff<?xml version="1.0"?><!-- c --><a:b x="1" y=\'>\'> 1 &lt; 2 &#44032;&#x1F600;<c/><![CDATA[<&>]]> </a:b>\n',
  )
  assert.equal(root.name, 'b')
  assert.equal(root.text, '1 < 2 가\u{1F600}<&>')
  assert.deepEqual(root.children, [{ name: 'c', text: '', children: [] }])
})

test('refuses a document that is not well-formed, has declarations or exceeds a limit', () => {
  const wrong = [
    ...['', 'a', '<a>', '<a></b>', '<a/><b/>', '<a b=1/>', '<a b="<"/>', '<a>&nbsp;</a>', '<a>&</a>'],
    ...['<a>&#0;</a>', '<a>&#1114112;</a>', '<!DOCTYPE a><a/>', '<a><!DOCTYPE b></a>', '<a><![CDATA[</a>'],
    ...['<a><!-- </a>', '</a>', '<a/>text', '<![CDATA[a]]>', '<a '.repeat(1_000)],
    '<a>'.repeat(40) + '</a>'.repeat(40),
    `<a>${'<b/>'.repeat(3_000)}</a>`,
    `<a>${'x'.repeat(300_000)}</a>`,
  ]
  for (const source of wrong) assert.throws(() => parseXml(source), MalformedXml, source.slice(0, 40))
})

const envelope =
  '<?xml version="1.0" encoding="euc-kr"?><e:Envelope><e:Header><m:TransactionID>\n 7 \n</m:TransactionID></e:Header>' +
  '<e:Body><m:SubmitRsp><Status><StatusCode> 1000 </StatusCode><StatusText>@@</StatusText></Status></m:SubmitRsp></e:Body></e:Envelope>'
const octets = Buffer.from(envelope.replace('@@', '\xb0\xa1'), 'latin1')

test('reads a SOAP message alone and in a multipart, in its declared charset', () => {
  const multipart = Buffer.concat([
    Buffer.from('preamble\r\n--x y  \r\nContent-Type: text/xml;\r\n charset="euc-kr"\r\n\r\n'),
    octets,
    Buffer.from('\r\n--x y\r\nContent-Type: image/jpeg\r\n\r\nabc\r\n--x y--'),
  ])
  for (const [type, body] of [
    ['text/xml', octets],
    ['TEXT/XML; charset=EUC-KR', octets],
    ['', octets],
    ['multipart/related; boundary="x y"', multipart],
  ] as const) {
    const message = readSoap(type, body)
    assert.equal(message?.transactionId, '7', type)
    assert.equal(findText(message.operation, 'Status', 'StatusCode'), '1000')
    assert.equal(findText(message.operation, 'Status', 'StatusText'), '가', type)
  }
})

test('returns null for anything but a SOAP message', () => {
  for (const [type, text] of [
    ['text/html', '<html><body>502</body></html>'],
    ['text/xml', '<e:Envelope><e:Body></e:Body></e:Envelope>'],
    ['multipart/related', envelope],
    ['multipart/related; boundary=x', '--x\r\n'],
    ['multipart/related; boundary=x', 'nothing'],
    ['application/json', '{}'],
  ] as const)
    assert.equal(readSoap(type, Buffer.from(text)), null, text)
})
