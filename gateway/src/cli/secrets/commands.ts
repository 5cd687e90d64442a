/** Defines the commands `postern secrets …`. */
import type { Command } from 'commander'
import { writeCommandAccess, readCommandAccess } from '../access.ts'
import { defineGroup, defineDatabaseCommand } from '../define.ts'
import { secretSettings } from '../setting-lists.ts'

export function defineSecrets(program: Command): void {
  const secrets = defineGroup(program, {
    name: 'secrets',
    summary: 'Show and change the encryption of secrets in the database.',
    examples: ['secrets status', 'secrets rekey'],
  })
  defineDatabaseCommand(secrets, {
    name: 'status',
    summary: 'Show the number of encrypted and plaintext secrets, and their keys.',
    details:
      'Prints no secret and no key; a master key is identified by a digest. docs/operations/secrets.md explains the keys.',
    access: readCommandAccess(),
    examples: ['secrets status', "secrets status --json | jq '.columns[].inClear'"],
    settings: secretSettings,
    json: '{"masterKey":"5f0c1e2d3a4b","previousMasterKey":null,"dataKeys":[{"id":1,"purpose":"secrets","masterKey":"5f0c1e2d3a4b","createdAt":"2026-11-15T09:00:00.000Z"}],"columns":[{"column":"routes.options","inClear":0,"encrypted":12,"outdated":0}],"warnings":[]}',
    databaseOnly: 'it compares the database with its own master keys',
    run: async (invocation) => (await import('./status.ts')).showSecrets(invocation),
  })
  defineDatabaseCommand(secrets, {
    name: 'rekey',
    summary: 'Re-encrypt all secrets under a new master key.',
    details:
      'First restart every process with the new key in POSTERN_MASTER_KEY and the old one in POSTERN_PREVIOUS_MASTER_KEY. The command adds a data key under the new master key, re-encrypts every secret with it, and deletes the old data keys. The gateway keeps running. If a run is interrupted, the next one continues it. Afterwards remove POSTERN_PREVIOUS_MASTER_KEY.',
    access: writeCommandAccess('system'),
    examples: ['secrets rekey', 'secrets rekey --json'],
    settings: secretSettings,
    failures: ['a secret cannot be decrypted', 'a process without the new key is still writing secrets'],
    json: '{"masterKey":"5f0c1e2d3a4b","added":true,"reencrypted":140}',
    databaseOnly: 'it needs the current and the previous master key',
    run: async (invocation) => (await import('./rekey.ts')).rekeySecrets(invocation),
  })
}
