/** Settings of an account from the command line: only the named ones change, and invalid values are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { defaultSettings, type AccountSettings } from '../../accounts/account.ts'
import { UsageError } from '../errors.ts'
import { changeSettings } from '../../acts/account-settings.ts'
import { settingsOptions } from './settings.ts'
import { describeSettings } from './view.ts'

function change(before: AccountSettings, ...args: string[]): AccountSettings {
  const command = new Command()
  for (const option of settingsOptions()) command.addOption(option)
  return changeSettings(before, command.parse(args, { from: 'user' }).opts())
}

test('a setting that is not named keeps its value', () => {
  const odd: AccountSettings = {
    mayPoll: false,
    partCounts: true,
    reportKeys: 'plain',
    limits: { send: 1, report: 2, file: 0, form: null },
    lane: 'bulk',
    weight: 9,
    eraseAfterDays: 7,
    uncertainFallback: 'always',
    smppBinds: 3,
    smppSystemId: 'shop',
    smppReplies: true,
  }
  assert.deepEqual(change(odd), odd)
  assert.deepEqual(change(odd, '--send-limit', '7'), { ...odd, limits: { ...odd.limits, send: 7 } })
})

test('every setting can be set and restored to its default', () => {
  const given = change(
    defaultSettings,
    ...['--no-polling', '--part-counts', '--report-keys', 'plain'],
    ...['--send-limit', '500', '--report-limit', '0', '--file-limit', '3', '--form-limit', '4'],
    ...['--lane', 'urgent', '--weight', '5', '--erase-after', 'close'],
    ...['--uncertain-fallback', 'never'],
    ...['--smpp-binds', '4', '--smpp-system-id', 'shop.1', '--smpp-replies'],
  )
  assert.deepEqual(given, {
    mayPoll: false,
    partCounts: true,
    reportKeys: 'plain',
    limits: { send: 500, report: 0, file: 3, form: 4 },
    lane: 'urgent',
    weight: 5,
    eraseAfterDays: 0,
    uncertainFallback: 'never',
    smppBinds: 4,
    smppSystemId: 'shop.1',
    smppReplies: true,
  })
  const back = change(
    given,
    ...['--polling', '--no-part-counts', '--report-keys', 'full', '--lane', 'by-kind', '--weight', '1'],
    ...['--erase-after', 'kept', '--uncertain-fallback', 'always'],
    ...['--smpp-binds', '0', '--smpp-system-id', 'client-id', '--no-smpp-replies'],
    ...['send', 'report', 'file', 'form'].flatMap((family) => [`--${family}-limit`, 'default']),
  )
  assert.deepEqual(back, defaultSettings)
})

for (const args of [
  ['--send-limit', 'many'],
  ['--send-limit', '1.5'],
  ['--send-limit=-1'],
  ['--form-limit', ''],
  ['--report-keys', 'some'],
  ['--lane', 'fast'],
  ['--weight', '0'],
  ['--weight', '101'],
  ['--erase-after', '0'],
  ['--erase-after', '367'],
  ['--erase-after', 'soon'],
  ['--uncertain-fallback', 'sometimes'],
  ['--smpp-binds', '101'],
  ['--smpp-system-id', 'sixteen-letters.'],
  ['--smpp-system-id', 'two words'],
]) {
  test(`refuses ${args.join(' ')}`, () => assert.throws(() => change(defaultSettings, ...args), UsageError))
}

test('describes the settings in one line', () => {
  const settings = change(defaultSettings, '--send-limit', '500', '--file-limit', '0')
  assert.equal(
    describeSettings(settings),
    'polling yes; part counts no; report keys full; limits send 500/s, report default, file none, form default; lane by kind; weight 1; texts and recipients erased with their day; fallback after an uncertain outcome always; SMPP no',
  )
})
