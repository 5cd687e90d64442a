/** A preview shows nothing that came from a variable or a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskPreview } from './mask-preview.ts'

test('a secret is masked in every spelling; short values stay', () => {
  const secret = 'p"w&d-1'
  const shown = maskPreview(
    {
      method: 'POST',
      url: `https://a.example/?key=${encodeURIComponent(secret)}&region=eu`,
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ secret, text: 'eu' }),
    },
    [secret, 'eu'],
  )
  assert.deepEqual(shown, {
    method: 'POST',
    url: 'https://a.example/?key=***&region=eu',
    headers: { authorization: 'Bearer ***' },
    body: '{"secret":"***","text":"eu"}',
  })
})
