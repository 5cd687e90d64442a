import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from '../registry.ts'
import { SmppOptions } from './options.ts'

const parse = (input: unknown): SmppOptions =>
  readOptions('smpp', input as Record<string, unknown>) as unknown as SmppOptions

const required = { host: 'smsc.example', systemId: 'postern' }

test('fills in the defaults', () => {
  const options = parse(required)
  assert.deepEqual(
    [options.port, options.window, options.sessions, options.dataCoding, options.destination, options.errors],
    [2775, 10, 1, { gsm7: 0, ucs2: 8, cp949: 14 }, { ton: 2, npi: 1 }, {}],
  )
  assert.equal(options.tls, undefined)
})

test('keeps the defaults of a group when one of its fields is given', () => {
  assert.deepEqual(parse({ ...required, dataCoding: { gsm7: 1 } }).dataCoding, {
    gsm7: 1,
    ucs2: 8,
    cp949: 14,
  })
})

test('does not change its input', () => {
  const frozenOptions = Object.freeze({ ...required })
  parse(frozenOptions)
  assert.deepEqual(frozenOptions, required)
})

test('an error names the invalid field and never contains its value', () => {
  const wrong: [object, RegExp][] = [
    [{}, /host/],
    [{ host: 'h' }, /systemId/],
    [{ ...required, port: '2775' }, /port/],
    [{ ...required, window: 0 }, /window/],
    [{ ...required, windw: 1 }, /unknown option windw; did you mean window\?/],
    [{ ...required, password: 12345678 }, /password/],
    [{ ...required, password: 'p'.repeat(65) }, /password/],
    [{ ...required, systemId: 'sixteen-letters!' }, /systemId/],
    [
      { ...required, dataCoding: { gsm8: 0 } },
      /unknown option dataCoding\.gsm8; did you mean dataCoding\.gsm7/,
    ],
    [{ ...required, errors: { '001': 'gone' } }, /errors\.001/],
    [{ ...required, commandStatuses: { '45': { outcome: 'refused' } } }, /commandStatuses/],
    [{ ...required, commandStatuses: { '0x45': { outcome: 'fine' } } }, /commandStatuses\.0x45\.outcome/],
    [{ ...required, parameters: [{ tag: 5120, type: 'u8', value: '256' }] }, /parameters\/0 .* 8 bits/],
    [{ ...required, parameters: [{ tag: 5120, type: 'hex', value: 'abc' }] }, /hexadecimal/],
    [{ ...required, parameters: [{ value: '1' }] }, /parameters.*tag/],
    [{ ...required, addressRules: [{ ton: 256 }] }, /addressRules.*ton/],
    [{ ...required, longMessages: 'udh' }, /longMessages/],
    [{ ...required, tls: { ca: 'no certificate', cert: 'x', key: 'topsecret' } }, /tls\./],
  ]
  for (const [input, pattern] of wrong) {
    assert.throws(
      () => parse(input),
      (error: Error) => pattern.test(error.message) && !/12345678|ppp|topsecret/.test(error.message),
    )
  }
  for (const nothing of [null, undefined, 5, 'x', []]) assert.throws(() => parse(nothing), /smpp options/)
})

test('every setting has a description, and a default unless it is required or optional', () => {
  const withoutDefault = new Set(['host', 'systemId', 'tls', 'receiptGroup', 'originCidTag'])
  const settings: Record<string, object> = SmppOptions.properties
  for (const [name, schema] of Object.entries(settings)) {
    assert.ok('description' in schema, name)
    assert.equal('default' in schema, !withoutDefault.has(name), name)
  }
})
