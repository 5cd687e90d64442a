/** Compares a response with the example of the API reference, except for generated values. */
import assert from 'node:assert/strict'

/** Fields with generated values, compared by format. */
const generated = new Set([
  'msgKey',
  'token',
  'expired',
  'formId',
  'fileKey',
  'media',
  'imgUrl',
  'reportId',
  'sendTime',
  'reportTime',
  'cursor',
  'at',
  'acceptedAt',
  'replyId',
  'batchId',
  'replyTime',
  'createdAt',
  'startAt',
  'webhookId',
  'secret',
  'created',
  'disabledTime',
  'previousSecretUntil',
  'eventId',
  'time',
])

/** Numbers that vary from run to run. */
const counted = new Set(['ms', 'behind', 'retrying', 'givenUp'])

/** Adds to `real` the actual value of each generated value in the example, except times. */
export function assertMatchesExample(response: unknown, expected: unknown, real: Map<string, string>): void {
  compare(response, expected, '', '')

  function compare(given: unknown, shown: unknown, name: string, path: string): void {
    if (typeof shown === 'string' && generated.has(name) && shown !== '') {
      assert.equal(typeof given, 'string', `${path} is a string`)
      assert.equal(formOf(given as string), formOf(shown), `${path} has another form`)
      // A value can contain another, as a URL contains a key: keep values that are already known.
      if (!real.has(shown) && !/[T ]\d\d:/.test(shown)) real.set(shown, given as string)
      return
    }
    if (counted.has(name)) return assert.equal(typeof given, 'number', path)
    if (typeof shown !== 'object' || shown === null) {
      assert.deepEqual(given, typeof shown === 'string' ? (real.get(shown) ?? shown) : shown, path)
      return
    }
    assert.ok(typeof given === 'object' && given !== null, `${path} is an object`)
    // A slow page of a list ends early, so a cursor may be added.
    const names = Object.keys(given).filter((key) => key !== 'cursor' || key in shown)
    assert.deepEqual(names.sort(), Object.keys(shown).sort(), `fields of ${path || 'the response'}`)
    for (const [key, inner] of Object.entries(shown)) {
      compare((given as Record<string, unknown>)[key], inner, key, `${path}.${key}`)
    }
  }
}

/**
 * Replaces what can differ: the digits of a time, the time in a key, and the random end of a key or secret, of which
 * the length remains.
 */
function formOf(text: string): string {
  if (text.startsWith('whsec_')) return `‹secret of ${text.length} characters›`
  if (/\d\d:\d\d/.test(text)) return text.replaceAll(/\d/g, '0')
  return text
    .replace(/\d{17}/, '‹time›')
    .replace(/[A-Za-z0-9_-]{11,}$/, (key) => `‹${key.length} characters›`)
}
