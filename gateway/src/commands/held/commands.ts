/** Definitions of `postern held …`. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'
import { wholeNumber } from '../options.ts'
import type { HeldOptions } from './calls.ts'

export function defineHeld(program: Command): void {
  const held = defineGroup(program, {
    name: 'held',
    summary: 'Decide on messages that a rule holds because they are suspicious.',
    examples: ['held list', 'held release 20261116004512345A17QKX2M8R4ZT0V --reason "known campaign"'],
  })
  defineCommand(held, {
    name: 'list',
    summary: 'List held messages, the oldest first.',
    details:
      'A message is held where `postern protection set --on-suspicion hold` is set for its account. It ends at its deadline if nobody decides.',
    operation: 'listHeld',
    options: [
      new Option('--account <client-id>', 'of this account only'),
      new Option('--rule <rule>', 'held by this rule only'),
      wholeNumber('--limit <n>', 'at most so many', { min: 1, max: 10_000 }).default(100),
    ],
    examples: ['held list --account shop-1'],
    json: '{"held":[{"msgKey":"…","clientId":"shop-1","rule":"link-allowed","since":"2026-11-16T01:00:00.000Z","dueAt":"2026-11-17T01:00:00.000Z","channel":"sms"}],"more":false}',
    call: async (admin, options: HeldOptions) =>
      (await import('./calls.ts')).listHeldMessages(admin, options),
  })
  const keys = new Argument('<msg-keys...>', 'messages, as `postern held list` prints them')
  defineCommand(held, {
    name: 'release',
    summary: 'Send held messages.',
    arguments: [keys],
    operation: 'releaseHeld',
    examples: ['held release 20261116004512345A17QKX2M8R4ZT0V --reason "known campaign"'],
    json: '{"released":1,"notHeld":0}',
    call: async (admin, given: string[]) =>
      (await import('./calls.ts')).decideMessages(admin, given, 'release'),
  })
  defineCommand(held, {
    name: 'refuse',
    summary: 'End held messages without sending them.',
    details: 'Their report says that they were blocked as spam (23012, 33012 for RCS).',
    arguments: [keys],
    operation: 'refuseHeld',
    examples: ['held refuse 20261116004512345A17QKX2M8R4ZT0V --reason "phishing"'],
    json: '{"refused":1,"notHeld":0}',
    call: async (admin, given: string[]) =>
      (await import('./calls.ts')).decideMessages(admin, given, 'refuse'),
  })
}
