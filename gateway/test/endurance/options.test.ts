/** The command lines of the long runs: a mistake is rejected before an hour is spent on the wrong run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helpOf, parseOptions } from './options.ts'

const silent = {
  ...{ name: 'example', about: 'an example' },
  figures: { rate: { default: 300, help: 'messages a second' }, minutes: { default: 2, help: 'length' } },
} as const
const command = { ...silent, page: 'docs/example.md' } as const

test('options that are not given have their default', () => {
  assert.deepEqual(parseOptions(command, ['--rate', '5', '--write']), { rate: 5, minutes: 2, write: true })
  assert.deepEqual(parseOptions(command, []), { rate: 300, minutes: 2, write: false })
})

test('rejects values that are not whole numbers, and unknown options', () => {
  for (const wrong of ['-1', '1.5', 'many', ''])
    assert.throws(() => parseOptions(command, [`--rate=${wrong}`]), /--rate must be a whole number/)
  assert.throws(() => parseOptions(command, ['--speed', '5']), /--speed/)
  assert.throws(() => parseOptions(command, ['5']), /'5'/)
})

test('rejects --write where there is no page to write', () => {
  assert.throws(() => parseOptions(silent, ['--write']), /--write/)
  assert.doesNotMatch(helpOf(silent), /--write/)
})

test('the help names every option with its default, and the page that is written', () => {
  assert.equal(parseOptions(command, ['--help']), 'help')
  const help = helpOf(command)
  assert.match(help, /--rate N +messages a second \(default 300\)/)
  assert.match(help, /--minutes N +length \(default 2\)/)
  assert.match(help, /--write .*docs\/example\.md/)
})

test('a switch is false unless it is given, and takes no value', () => {
  const switched = { ...silent, switches: { short: 'a shorter run' } } as const
  assert.deepEqual(parseOptions(switched, ['--short']), { rate: 300, minutes: 2, short: true, write: false })
  assert.deepEqual(parseOptions(switched, []), { rate: 300, minutes: 2, short: false, write: false })
  assert.throws(() => parseOptions(switched, ['--short=1']), /--short/)
  assert.match(helpOf(switched), /--short +a shorter run/)
})
