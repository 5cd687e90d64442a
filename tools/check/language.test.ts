import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWording } from './language.ts'

test('each pattern is found in the files that it concerns', () => {
  for (const [path, line] of [
    ['a.ts', '  /** Null: every network. */'],
    ['a.ts', '/** Returns the routes. False when there are none. */'],
    ['a.ts', '// Of its delivery.'],
    ['a.sql', '-- Of the account.'],
    ['a.ts', ' * Formats a list. Pure.'],
    ['a.md', 'It takes 100 messages a second.'],
    ['a.ts', "fail('it may not change')"],
    ['a.test.ts', "test('of two operators one succeeds', () => {})"],
    ['a.ts', '  const a = { ...{ b, c }, d }'],
  ] as const)
    assert.equal(findWording(path, line).length, 1, line)
})

test('plain sentences are accepted', () => {
  for (const line of [
    '/** `null` allows every network. */',
    '// Returns 0 when nothing waits.',
    '/** Limits requests per second. */',
    "test('one of two operators succeeds', () => {})",
    'const a = { ...(b ? { c } : {}) }',
  ])
    assert.deepEqual(findWording('a.test.ts', line), [], line)
})
