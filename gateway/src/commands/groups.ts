/** The groups of commands, such as `postern account key`. */
import type { Command } from 'commander'
import { defineGroup } from './define.ts'

const summaries: Readonly<Record<string, string>> = {
  account: 'Manage accounts, their credentials and their settings.',
  'account key': 'Manage the API keys of an account.',
  audit: 'Read and verify the log of what operators did and which personal data they saw.',
  cell: 'Show what a proxy in front of several cells needs to know.',
  held: 'Decide on messages that a rule holds because they are suspicious.',
  ledger: 'Check that every accepted message is accounted for.',
  message: 'Find messages, inspect one, and cancel one that is scheduled.',
  operator: 'Manage the people who run commands, their roles and their keys.',
  'operator key': 'Manage the keys that operators sign in with.',
  'operator totp': 'Manage the second factor that operators sign in to the console with.',
  parked: 'Inspect, retry or drop jobs that no stage could process.',
  protection: 'Manage what protects accounts against abuse: countries, caps, velocity, links.',
  route: 'Manage routes to carriers, and which messages take them.',
  'route ranges': 'Manage which carrier a number belongs to.',
  'route templates': 'Manage which kind an issued RCS template is of.',
  sender: 'Manage what each account may send from.',
  suppression: 'Manage recipients who want no advertisements, and those who have agreed.',
  'token-key': 'Manage the keys that sign access tokens.',
  traffic: 'Look up traffic records: who sent to a number or from one, and when.',
  trust: 'Manage the rules that say who may send what.',
  'trust account': 'Manage what trust knows of an account.',
  'trust advertising': 'Manage what advertisements of an account must have.',
  'trust quiet-hours': 'Manage when advertisements are sent, and what becomes of those of the night.',
  webhook: 'Manage the URLs to which reports are pushed.',
}

/** Returns the group with these names, and adds it to the program if it is not there yet. */
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
