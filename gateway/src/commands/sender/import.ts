/** `postern sender import`: checks the whole file, then stores it in batches with progress. */
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { loadAccounts } from '../../accounts/queries.ts'
import { clock } from '../../platform/clock.ts'
import { countRefused, registerSenders } from '../../trust/senders/register.ts'
import { today } from '../../acts/senders.ts'
import { whileServed } from '../../acts/served.ts'
import { withSecrets } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { readSenderFile } from './read-file.ts'

export interface ImportOptions {
  readonly approve?: true
}

const batch = 1_000

export async function importSenders(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  file: string,
  options: ImportOptions,
  progress: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
): Promise<Result> {
  const content = await read(file)
  return withSecrets(invocation, async (database, config, cipher, audit) => {
    const loaded = await loadAccounts(database)
    const accounts = new Map(loaded.map(({ clientId, id }) => [clientId, id]))
    const clientIdOf = new Map(loaded.map(({ clientId, id }) => [id, clientId]))
    const { registrations, errors } = readSenderFile(content, {
      accountOf: (clientId) => accounts.get(clientId),
      state: options.approve === true ? 'active' : 'pending',
      today: today(clock.date()),
      allowedKinds: config.senderKinds ?? [],
    })
    if (errors.length > 0)
      throw new FailedError(
        [...errors.slice(0, 20), ...(errors.length > 20 ? [`and ${errors.length - 20} more`] : [])].join(
          '\n',
        ) + '\nNothing is stored; correct the file and run the command again',
      )
    const act = audit.actFor('imported')
    const store = async (): Promise<number> => {
      let stored = 0
      for (let done = 0; done < registrations.length; done += batch) {
        const some = registrations.slice(done, done + batch)
        const clientIds = [...new Set(some.map(({ accountId }) => clientIdOf.get(accountId)!))]
        stored += await whileServed(database, clientIds, () => registerSenders(database, some, act, cipher))
        if (registrations.length > batch)
          progress(`${Math.min(done + batch, registrations.length)} of ${registrations.length} senders`)
      }
      return stored
    }
    const details = { lines: registrations.length, approve: options.approve === true }
    const changed = await audit.around({ target: 'senders', details }, store, (count) => ({ changed: count }))
    const lines = registrations.length
    const { blocked, rejected } = await countRefused(database, registrations)
    return {
      json: { lines, changed, blocked, rejected },
      lines: [
        `${lines} senders read, ${changed} new or changed; running processes follow within two seconds`,
        ...(blocked + rejected === 0
          ? []
          : [
              `${blocked} are blocked and ${rejected} were rejected; they stay so until \`postern sender approve\``,
            ]),
      ],
    }
  })
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
