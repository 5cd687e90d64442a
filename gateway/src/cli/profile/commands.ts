/** Defines `postern login`, `logout` and `profile …`, which select the admin API and the key of commands. */
import { Argument, type Command } from 'commander'
import { defineGroup, defineProfileCommand } from '../define.ts'
import { checked } from '../options.ts'
import { readProfileName } from '../client/profile-name.ts'

const alsoReads = 'XDG_CONFIG_HOME: the directory of postern/profiles.json (default: ~/.config)'
const unwritable = 'the profiles file cannot be read or written'
const unknownProfile = 'the profile was not found'

export function defineProfile(program: Command): void {
  defineProfileCommand(program, {
    name: 'login',
    summary: 'Sign in to an admin API, so that commands use it instead of the database.',
    details:
      'Prompts for the operator key, or reads the first line of standard input. The key is verified and stored in a file that only you can read. The profile becomes the current one. Certificates are always verified; set NODE_EXTRA_CA_CERTS for your own authority. docs/operations/command-line.md explains how a command selects its backend.',
    required: [
      checked('--url <url>', 'URL of the admin API, such as https://admin.example.com', (text) => text),
    ],
    options: [checked('--profile <name>', 'name of the profile', readProfileName).default('default')],
    examples: [
      'login --url https://admin.example.com',
      'login --url https://admin.example.com --profile production < key.txt',
    ],
    alsoReads,
    failures: ['the admin API is unreachable or refuses the key', unwritable],
    json: '{"profile":"default","url":"https://admin.example.com","operator":"kim","role":"operator","keyId":"…"}',
    run: async (options: { url: string; profile: string }) => (await import('./login.ts')).signIn(options),
  })
  defineProfileCommand(program, {
    name: 'logout',
    summary: 'Remove a profile and its key from this machine.',
    details: 'The key itself stays valid elsewhere: an admin revokes it with `postern operator key revoke`.',
    options: [checked('--profile <name>', 'name of the profile (default: the current one)', readProfileName)],
    examples: ['logout', 'logout --profile production'],
    alsoReads,
    failures: [unknownProfile, unwritable],
    json: '{"profile":"default","removed":true}',
    run: async (options: { profile?: string }) => (await import('./profiles.ts')).signOut(options),
  })
  const profile = defineGroup(program, {
    name: 'profile',
    summary: 'List the admin APIs you are signed in to, and select one.',
    examples: ['profile list', 'profile use production'],
    isOffline: true,
  })
  defineProfileCommand(profile, {
    name: 'list',
    summary: 'List the profiles, without their keys.',
    examples: ['profile list'],
    alsoReads,
    failures: [unwritable],
    json: '{"profiles":[{"name":"default","url":"https://admin.example.com","keyId":"…","current":true}]}',
    run: async () => (await import('./profiles.ts')).listProfiles(),
  })
  defineProfileCommand(profile, {
    name: 'use',
    summary: 'Select the current profile.',
    arguments: [new Argument('<name>', 'the profile')],
    examples: ['profile use production'],
    alsoReads,
    failures: [unknownProfile, unwritable],
    json: '{"profile":"production","url":"https://admin.example.com"}',
    run: async (name: string) => (await import('./profiles.ts')).chooseProfile(name),
  })
}
