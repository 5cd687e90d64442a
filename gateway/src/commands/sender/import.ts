/** `postern sender import`: checks the whole file, then stores it in batches with progress. */
import { loadAccounts } from '../../accounts/queries.ts'
import { accountIdsByClientId, importSenders, readSenders } from '../../acts/import-senders.ts'
import { today } from '../../acts/senders.ts'
import { clock } from '../../platform/clock.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { readInput } from '../read-input.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { readSenderFile, requireNone } from './read-file.ts'
import { importedResult } from './view.ts'

export interface ImportOptions {
  readonly approve?: true
}

/** Shorter files need no progress. */
const batch = 1_000

export async function importFile(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  file: string,
  { approve = false }: { readonly approve?: boolean },
  progress: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
): Promise<Result> {
  const { content, sha256 } = await readInput(file)
  return withSecrets(invocation, async (database, config, cipher, audit) => {
    const { given, errors } = readSenderFile(content)
    const read = readSenders(given, {
      accountOf: accountIdsByClientId(await loadAccounts(database)),
      ...{ approve, today: today(clock.date()), allowedKinds: config.senderKinds ?? [] },
    })
    const { senders } = read
    requireNone([...errors, ...read.errors])
    const list = { senders, approve, fileSha256: sha256 }
    const imported = await importSenders(database, audit, cipher, list, (done) => {
      if (senders.length > batch) progress(`${done} of ${senders.length} senders`)
    })
    return importedResult(senders.length, imported)
  })
}
