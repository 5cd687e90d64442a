/** Registers senders of an account as an operator does, for suites with trust rules enabled. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SenderKind } from '../../../src/trust/senders/sender.ts'
import { postern } from './postern-command.ts'
import type { TestInstallation } from './test-installation.ts'

export async function registerSenders(
  { environment, directory }: Pick<TestInstallation, 'environment' | 'directory'>,
  clientId: string,
  senders: readonly (readonly [kind: SenderKind, value: string])[],
): Promise<void> {
  const file = join(directory, `senders-${clientId}.csv`)
  const lines = senders.map(([kind, value]) => `${clientId},${kind},${value},consent,e2e`)
  writeFileSync(file, ['clientId,kind,value,proofKind,proof', ...lines, ''].join('\n'))
  await postern(environment, 'sender', 'import', file, '--approve', '--reason', 'a test')
}
