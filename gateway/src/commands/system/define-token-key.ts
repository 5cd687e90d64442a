/** Definitions of `postern token-key …`. */
import { Option, type Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'
import type { RotateTokenKeyOptions } from './token-key.ts'

export function defineTokenKey(program: Command): void {
  const group = defineGroup(program, {
    name: 'token-key',
    summary: 'Manage the keys that sign access tokens.',
    examples: ['token-key rotate', 'token-key list'],
  })
  defineCommand(group, {
    name: 'rotate',
    summary: 'Sign tokens with a new key from now on.',
    details:
      'It signs after five seconds, when every API process knows it; no process restarts and no request fails. Tokens of earlier keys are accepted until they expire, for 24 hours. The key is derived from POSTERN_TOKEN_SECRET and a random value in the database: neither of them alone can sign a token. All API processes must run this version.',
    options: [
      new Option(
        '--leaked',
        'refuse the tokens of earlier keys as soon as the new one signs; every client requests a new token',
      ),
    ],
    operation: 'rotateTokenKey',
    examples: ['token-key rotate', 'token-key rotate --leaked'],
    json: '{"id":2,"signsFrom":"2026-11-15T09:00:05.000Z","earlierRefused":false}',
    call: async (admin, options: RotateTokenKeyOptions) =>
      (await import('./token-key.ts')).rotateKey(admin, options),
  })
  defineCommand(group, {
    name: 'list',
    summary: 'List the keys that sign or have signed tokens, without the keys themselves.',
    operation: 'listTokenKeys',
    examples: ['token-key list'],
    json: '{"keys":[{"id":1,"signsFrom":"…","retiredAt":null,"createdBy":"migration","createdAt":"…","state":"signs"}]}',
    call: async (admin) => (await import('./token-key.ts')).listRing(admin),
  })
}
