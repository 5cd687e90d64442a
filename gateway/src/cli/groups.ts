/** The groups of commands, such as `postern account key`. */
import type { Command } from 'commander'
import { defineGroup } from './define.ts'

const summaries: Readonly<Record<string, string>> = {
  account: 'Manage accounts, their credentials and their settings.',
  'account key': 'Manage the API keys and SMPP passwords of an account.',
  audit: 'Read and verify the audit log: actions of operators and their accesses to personal data.',
  batch: 'Inspect, pause, resume and cancel batches of messages.',
  cell: 'Print the configuration of a proxy in front of several cells.',
  held: 'Release or refuse messages that a rule holds as suspicious.',
  ledger: 'Check that every accepted message is accounted for.',
  message: 'Find and inspect messages, and cancel scheduled ones.',
  operator: 'Manage operators, their roles and their keys.',
  'operator key': 'Manage the keys that operators sign in with.',
  'operator totp': 'Manage the second factor of console sign-ins.',
  parked: 'Inspect, retry or drop jobs that no stage could process.',
  protection: 'Manage the protection of accounts against abuse: countries, caps, velocity, links.',
  route: 'Manage routes to carriers and the rules that choose them.',
  'route ranges': 'Manage the number ranges of carriers.',
  'route templates': 'Manage the kinds of issued RCS templates.',
  sender: 'Manage the senders of accounts.',
  suppression: 'Manage opt-outs and consents of recipients for advertisements.',
  'token-key': 'Manage the keys that sign access tokens.',
  traffic: 'Find traffic records by recipient or sender.',
  trust: 'Manage trust rules.',
  'trust account': 'Manage the trust settings of an account.',
  'trust advertising': 'Manage the required contents of advertisements.',
  'trust quiet-hours': 'Manage quiet hours and the handling of advertisements at night.',
  webhook: 'Manage the URLs to which reports and replies are pushed.',
}

/** Returns the group with these names, and adds it to the program if it is missing. */
export function findGroup(program: Command, names: readonly string[]): Command {
  if (names.length === 0) return program
  const parent = findGroup(program, names.slice(0, -1))
  const name = names.at(-1)!
  const found = parent.commands.find((command) => command.name() === name)
  if (found !== undefined) return found
  const summary = summaries[names.join(' ')]
  if (summary === undefined) throw new Error(`the group '${names.join(' ')}' has no summary in groups.ts`)
  return defineGroup(parent, { name, summary, examples: [] })
}
