import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatHelp, parseOptions } from './options.ts'

const silent = {
  name: 'example',
  about: 'an example',
  figures: { rate: { default: 300, help: 'messages per second' }, minutes: { default: 2, help: 'length' } },
} as const
const command = { ...silent, page: 'docs/example.md' } as const

test('omitted options have their defaults', () => {
  assert.deepEqual(parseOptions(command, ['--rate', '5', '--write']), { rate: 5, minutes: 2, write: true })
  assert.deepEqual(parseOptions(command, []), { rate: 300, minutes: 2, write: false })
})

test('rejects unknown options and values that are not integers', () => {
  for (const wrong of ['-1', '1.5', 'many', ''])
    assert.throws(() => parseOptions(command, [`--rate=${wrong}`]), /--rate must be an integer/)
  assert.throws(() => parseOptions(command, ['--speed', '5']), /--speed/)
  assert.throws(() => parseOptions(command, ['5']), /'5'/)
})

test('rejects --write for commands without a page', () => {
  assert.throws(() => parseOptions(silent, ['--write']), /--write/)
  assert.doesNotMatch(formatHelp(silent), /--write/)
})

test('the help lists every option, its default and the written page', () => {
  assert.equal(parseOptions(command, ['--help']), 'help')
  const help = formatHelp(command)
  assert.match(help, /--rate N +messages per second \(default 300\)/)
  assert.match(help, /--minutes N +length \(default 2\)/)
  assert.match(help, /--write .*docs\/example\.md/)
})

test('a switch defaults to false and accepts no value', () => {
  const switched = { ...silent, switches: { short: 'a shorter run' } } as const
  assert.deepEqual(parseOptions(switched, ['--short']), { rate: 300, minutes: 2, short: true, write: false })
  assert.deepEqual(parseOptions(switched, []), { rate: 300, minutes: 2, short: false, write: false })
  assert.throws(() => parseOptions(switched, ['--short=1']), /--short/)
  assert.match(formatHelp(switched), /--short +a shorter run/)
})
