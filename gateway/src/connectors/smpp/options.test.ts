/** Defaults, and errors that name the field and never its value. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSmppOptions, SmppOptions } from './options.ts'

const least = { host: 'smsc.example', systemId: 'postern' }

test('fills in every default', () => {
  const options = parseSmppOptions(least)
  assert.deepEqual(
    [options.port, options.window, options.sessions, options.dataCoding, options.destination, options.errors],
    [2775, 10, 1, { gsm7: 0, ucs2: 8, cp949: 14 }, { ton: 2, npi: 1 }, {}],
  )
  assert.equal(options.tls, undefined)
})

test('keeps the rest of a group when one of it is given', () => {
  assert.deepEqual(parseSmppOptions({ ...least, dataCoding: { gsm7: 1 } }).dataCoding, {
    gsm7: 1,
    ucs2: 8,
    cp949: 14,
  })
})

test('does not change what it was given', () => {
  const given = Object.freeze({ ...least })
  parseSmppOptions(given)
  assert.deepEqual(given, least)
})

test('names the wrong field and never shows its value', () => {
  const wrong: [object, RegExp][] = [
    [{}, /host/],
    [{ host: 'h' }, /systemId/],
    [{ ...least, port: '2775' }, /port/],
    [{ ...least, window: 0 }, /window/],
    [{ ...least, windw: 1 }, /windw/],
    [{ ...least, password: 12345678 }, /password/],
    [{ ...least, password: 'p'.repeat(65) }, /password/],
    [{ ...least, systemId: 'sixteen-letters!' }, /systemId/],
    [{ ...least, dataCoding: { gsm8: 0 } }, /dataCoding\.gsm8/],
    [{ ...least, errors: { '001': 'gone' } }, /errors\.001/],
    [{ ...least, commandStatuses: { '45': { outcome: 'refused' } } }, /commandStatuses/],
    [{ ...least, commandStatuses: { '0x45': { outcome: 'fine' } } }, /commandStatuses\.0x45\.outcome/],
    [{ ...least, tls: { ca: 'no certificate', cert: 'x', key: 'topsecret' } }, /tls\./],
  ]
  for (const [input, name] of wrong) {
    assert.throws(
      () => parseSmppOptions(input),
      (error: Error) => name.test(error.message) && !/12345678|ppp|topsecret/.test(error.message),
    )
  }
  for (const nothing of [null, undefined, 5, 'x', []])
    assert.throws(() => parseSmppOptions(nothing), /SMPP options/)
})

test('every setting has a description, and a default unless it is required or optional', () => {
  const required = new Set(['host', 'systemId', 'tls'])
  const settings: Record<string, object> = SmppOptions.properties
  for (const [name, schema] of Object.entries(settings)) {
    assert.ok('description' in schema, name)
    assert.equal('default' in schema, !required.has(name), name)
  }
})
