/** Definitions of `postern login`, `logout` and `profile …`: which admin API commands use, and with whose key. */
import { Argument, type Command } from 'commander'
import { defineGroup, defineOwn } from '../define.ts'
import { checked } from '../options.ts'
import { readProfileName } from '../client/profile-name.ts'

const alsoReads = 'XDG_CONFIG_HOME: the folder for postern/profiles.json (default: ~/.config)'
const unwritable = 'the file of the profiles cannot be read or written'
const unknownProfile = 'there is no such profile'

export function defineProfile(program: Command): void {
  defineOwn(program, {
    name: 'login',
    summary: 'Sign in to an admin API, so that commands use it instead of the database.',
    details:
      'Asks for the key of an operator on the terminal, or reads the first line of standard input; the key is checked and stored in a file that only you may read. The profile becomes the current one. Certificates are always verified; give that of your own authority in NODE_EXTRA_CA_CERTS. docs/operations/cli.md says which way a command takes.',
    required: [
      checked('--url <url>', 'address of the admin API, such as https://admin.example.com', (text) => text),
    ],
    options: [checked('--profile <name>', 'name of the profile', readProfileName).default('default')],
    examples: [
      'login --url https://admin.example.com',
      'login --url https://admin.example.com --profile production < key.txt',
    ],
    alsoReads,
    failures: ['the admin API cannot be reached, or refuses the key', unwritable],
    json: '{"profile":"default","url":"https://admin.example.com","operator":"kim","role":"operator","keyId":"…"}',
    run: async (options: { url: string; profile: string }) => (await import('./login.ts')).signIn(options),
  })
  defineOwn(program, {
    name: 'logout',
    summary: 'Remove a profile and its key from this machine.',
    details:
      'The key itself keeps working elsewhere: an admin revokes it with `postern operator key revoke`.',
    options: [checked('--profile <name>', 'the profile (default: the current one)', readProfileName)],
    examples: ['logout', 'logout --profile production'],
    alsoReads,
    failures: [unknownProfile, unwritable],
    json: '{"profile":"default","removed":true}',
    run: async (options: { profile?: string }) => (await import('./profiles.ts')).signOut(options),
  })
  const profile = defineGroup(program, {
    name: 'profile',
    summary: 'List the admin APIs that you are signed in to, and choose one.',
    examples: ['profile list', 'profile use production'],
    own: true,
  })
  defineOwn(profile, {
    name: 'list',
    summary: 'List the profiles, without their keys.',
    examples: ['profile list'],
    alsoReads,
    failures: [unwritable],
    json: '{"profiles":[{"name":"default","url":"https://admin.example.com","keyId":"…","current":true}]}',
    run: async () => (await import('./profiles.ts')).listProfiles(),
  })
  defineOwn(profile, {
    name: 'use',
    summary: 'Make a profile the current one.',
    arguments: [new Argument('<name>', 'the profile')],
    examples: ['profile use production'],
    alsoReads,
    failures: [unknownProfile, unwritable],
    json: '{"profile":"production","url":"https://admin.example.com"}',
    run: async (name: string) => (await import('./profiles.ts')).chooseProfile(name),
  })
}
